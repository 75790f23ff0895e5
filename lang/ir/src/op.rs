//! Unary and binary operators of the IR: names, operand and result types, and which of them can fail.

use super::types::Scalar;

macro_rules! operators {
    ($(#[$meta:meta])* $name:ident { $($(#[doc = $doc:literal])* $variant:ident = $text:literal : $in:ident -> $out:ident;)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $($(#[doc = $doc])* $variant,)* }

        impl $name {
            /// Every operator.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The mnemonic in IR text.
            pub fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            /// The operator of that mnemonic.
            pub fn from_name(name: &str) -> Option<$name> {
                match name { $($text => Some($name::$variant),)* _ => None }
            }

            /// The type of the operand, or of both.
            pub fn operand(self) -> Scalar {
                match self { $($name::$variant => Scalar::$in,)* }
            }

            /// The type of the result.
            pub fn result(self) -> Scalar {
                match self { $($name::$variant => Scalar::$out,)* }
            }
        }
    };
}

operators! {
    /// Operators of one operand. None of them fails.
    UnaryOp {
        /// Wrapping negation.
        IntNeg = "ineg": Int -> Int;
        /// Bitwise complement.
        IntNot = "inot": Int -> Int;
        /// Absolute value; of the least integer, itself.
        IntAbs = "iabs": Int -> Int;
        /// Number of one bits.
        Popcount = "popcount": Int -> Int;
        /// Leading zero bits; 64 for 0.
        Clz = "clz": Int -> Int;
        /// Trailing zero bits; 64 for 0.
        Ctz = "ctz": Int -> Int;
        /// Nearest float.
        IntToFloat = "itof": Int -> Float;
        /// Truncation, saturating, NaN gives 0.
        FloatToInt = "ftoi": Float -> Int;
        /// Flips the sign bit.
        FloatNeg = "fneg": Float -> Float;
        /// Clears the sign bit.
        FloatAbs = "fabs": Float -> Float;
        /// Square root.
        Sqrt = "sqrt": Float -> Float;
        /// Round down.
        Floor = "floor": Float -> Float;
        /// Round up.
        Ceil = "ceil": Float -> Float;
        /// Round toward zero.
        Trunc = "trunc": Float -> Float;
        /// Round to the nearest integer, ties to even.
        Nearest = "nearest": Float -> Float;
        /// The low 8 bits, their sign extended.
        Signed8 = "isext8": Int -> Int;
        /// The low 16 bits, their sign extended.
        Signed16 = "isext16": Int -> Int;
        /// The low 32 bits, their sign extended.
        Signed32 = "isext32": Int -> Int;
        /// The bits of a float.
        FloatBits = "fbits": Float -> Int;
        /// The float of these bits.
        FloatOfBits = "fofbits": Int -> Float;
        /// Nearest float of an integer without sign.
        UintToFloat = "utof": Int -> Float;
        /// Truncation to an integer without sign, saturating, NaN gives 0.
        FloatToUint = "ftou": Float -> Int;
        /// The float that a binary32 stands for, whose bits are the low 32.
        SingleToFloat = "stof": Int -> Float;
        /// The bits of the nearest binary32.
        FloatToSingle = "ftos": Float -> Int;
        /// The bits of the binary32 nearest to an integer.
        IntToSingle = "itos": Int -> Int;
        /// The bits of the binary32 nearest to an integer without sign.
        UintToSingle = "utos": Int -> Int;
        /// Logical complement.
        BoolNot = "bnot": Bool -> Bool;
        /// 0 or 1.
        BoolToInt = "btoi": Bool -> Int;
    }
}

operators! {
    /// Operators of two operands of one type. Only divisions and remainders of integers fail.
    BinaryOp {
        /// Wrapping addition.
        IntAdd = "iadd": Int -> Int;
        /// Wrapping subtraction.
        IntSub = "isub": Int -> Int;
        /// Wrapping multiplication.
        IntMul = "imul": Int -> Int;
        /// Truncating division; fails on 0; `MIN / -1` is `MIN`.
        IntDiv = "idiv": Int -> Int;
        /// Remainder of the truncating division; fails on 0; `MIN % -1` is 0.
        IntRem = "irem": Int -> Int;
        /// Bitwise and.
        IntAnd = "iand": Int -> Int;
        /// Bitwise or.
        IntOr = "ior": Int -> Int;
        /// Bitwise exclusive or.
        IntXor = "ixor": Int -> Int;
        /// Shift left by the low 6 bits of the count.
        IntShl = "ishl": Int -> Int;
        /// Arithmetic shift right.
        IntShr = "ishr": Int -> Int;
        /// Logical shift right.
        IntUshr = "iushr": Int -> Int;
        /// Lesser of two.
        IntMin = "imin": Int -> Int;
        /// Greater of two.
        IntMax = "imax": Int -> Int;
        /// Addition of 32 bits; the result has no others.
        WordAdd = "wadd": Int -> Int;
        /// Subtraction of 32 bits; the result has no others.
        WordSub = "wsub": Int -> Int;
        /// Multiplication of 32 bits; the result has no others.
        WordMul = "wmul": Int -> Int;
        /// Shift left of 32 bits by the low 5 bits of the count; the result has no others.
        WordShl = "wshl": Int -> Int;
        /// Rotation left of the low 32 bits by the low 5 bits of the count; the result has no others.
        WordRotl = "wrotl": Int -> Int;
        /// Rotation left by the low 6 bits of the count.
        IntRotl = "irotl": Int -> Int;
        /// Division without sign; fails on 0.
        UintDiv = "udiv": Int -> Int;
        /// Remainder without sign; fails on 0.
        UintRem = "urem": Int -> Int;
        /// Less, without sign.
        UintLt = "ult": Int -> Bool;
        /// Equal.
        IntEq = "ieq": Int -> Bool;
        /// Not equal.
        IntNe = "ine": Int -> Bool;
        /// Signed less.
        IntLt = "ilt": Int -> Bool;
        /// Signed less or equal.
        IntLe = "ile": Int -> Bool;
        /// Signed greater.
        IntGt = "igt": Int -> Bool;
        /// Signed greater or equal.
        IntGe = "ige": Int -> Bool;
        /// IEEE addition.
        FloatAdd = "fadd": Float -> Float;
        /// IEEE subtraction.
        FloatSub = "fsub": Float -> Float;
        /// IEEE multiplication.
        FloatMul = "fmul": Float -> Float;
        /// IEEE division.
        FloatDiv = "fdiv": Float -> Float;
        /// C's `fmod`.
        FloatRem = "frem": Float -> Float;
        /// Lesser of two; a NaN operand gives the other.
        FloatMin = "fmin": Float -> Float;
        /// Greater of two; a NaN operand gives the other.
        FloatMax = "fmax": Float -> Float;
        /// Lesser of two, -0.0 below 0.0; NaN if either is.
        FloatMinimum = "fminimum": Float -> Float;
        /// Greater of two, 0.0 above -0.0; NaN if either is.
        FloatMaximum = "fmaximum": Float -> Float;
        /// The first with the sign of the second.
        FloatCopysign = "fcopysign": Float -> Float;
        /// Equal, false on NaN.
        FloatEq = "feq": Float -> Bool;
        /// Not equal, true on NaN.
        FloatNe = "fne": Float -> Bool;
        /// Less, false on NaN.
        FloatLt = "flt": Float -> Bool;
        /// Less or equal, false on NaN.
        FloatLe = "fle": Float -> Bool;
        /// Greater, false on NaN.
        FloatGt = "fgt": Float -> Bool;
        /// Greater or equal, false on NaN.
        FloatGe = "fge": Float -> Bool;
        /// Both.
        BoolAnd = "band": Bool -> Bool;
        /// Either.
        BoolOr = "bor": Bool -> Bool;
        /// Exactly one.
        BoolXor = "bxor": Bool -> Bool;
        /// Same.
        BoolEq = "beq": Bool -> Bool;
        /// Different.
        BoolNe = "bne": Bool -> Bool;
        /// Identity of references.
        RefEq = "req": Ref -> Bool;
        /// Negated identity of references.
        RefNe = "rne": Ref -> Bool;
        /// Identity of function values.
        FuncEq = "fneq": Func -> Bool;
        /// Negated identity of function values.
        FuncNe = "fnne": Func -> Bool;
    }
}

impl BinaryOp {
    /// Returns true if executing it can end in a run-time failure.
    pub fn can_fail(self) -> bool {
        matches!(self, BinaryOp::IntDiv | BinaryOp::IntRem | BinaryOp::UintDiv | BinaryOp::UintRem)
    }
}
