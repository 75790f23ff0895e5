//! Runtime calls of builtins: each goes to the one implementation that the interpreter uses too.
#![expect(unsafe_code, reason = "stubs are naked functions, and words stand for references")]

use super::caller::run;
use crate::builtins::{self, math};
use cranelift_entity::EntityRef;
use holloway_jit::abi::Context;
use holloway_jit::arch::runtime_call_stub;
use holloway_lang::ir::{Builtin, TypeRef};

/// A word that a runtime call takes or gives, as the C convention passes it.
trait Word {
    fn to_word(self) -> u64;
    fn of_word(word: u64) -> Self;
}

impl Word for u64 {
    fn to_word(self) -> u64 {
        self
    }
    fn of_word(word: u64) -> u64 {
        word
    }
}

impl Word for f64 {
    fn to_word(self) -> u64 {
        self.to_bits()
    }
    fn of_word(word: u64) -> f64 {
        f64::from_bits(word)
    }
}

impl Word for bool {
    fn to_word(self) -> u64 {
        u64::from(self)
    }
    fn of_word(word: u64) -> bool {
        word != 0
    }
}

impl Word for () {
    fn to_word(self) -> u64 {
        0
    }
    fn of_word(_: u64) {}
}

/// Declares the stub and the function of each builtin that has a context, and [`stub`] over all.
macro_rules! builtins {
    (
        pure { $($pure:ident = $function:path;)* }
        context { $($name:ident = $module:ident($($arg:ident: $ty:ty),*) -> $result:ty;)* }
    ) => {
        $(mod $module {
            use super::{Builtin, Context, Word, builtins, run, runtime_call_stub};

            runtime_call_stub!(stub => operation);

            extern "C" fn operation(context: *mut Context $(, $arg: $ty)*) -> $result {
                let operands = [$(<$ty as Word>::to_word($arg)),*];
                // SAFETY: the operands are as the builtin's signature says; the calling frame keeps them.
                let word = run(context, |rt| unsafe { builtins::call(rt, Builtin::$name, &operands) });
                <$result as Word>::of_word(word)
            }
        })*

        /// The stub of a builtin that takes no type.
        pub(super) fn stub(builtin: Builtin) -> *const () {
            match builtin {
                $(Builtin::$pure => {
                    $function as *const ()
                })*
                $(Builtin::$name => $module::stub as *const (),)*
                Builtin::Write(_) | Builtin::Show(_) => unreachable!("typed builtins have runtime calls of their own"),
            }
        }
    };
}

builtins! {
    pure {
        Sin = pure::sin;
        Cos = pure::cos;
        Tan = pure::tan;
        Asin = pure::asin;
        Acos = pure::acos;
        Atan = pure::atan;
        Atan2 = pure::atan2;
        Exp = pure::exp;
        Log = pure::log;
        Pow = pure::pow;
        Round = pure::round;
    }
    context {
        StrConcat = str_concat(a: u64, b: u64) -> u64;
        StrEq = str_eq(a: u64, b: u64) -> bool;
        StrCmp = str_cmp(a: u64, b: u64) -> u64;
        StrSlice = str_slice(s: u64, from: u64, to: u64) -> u64;
        StrOfInt = str_of_int(x: u64) -> u64;
        StrOfFloat = str_of_float(x: f64) -> u64;
        StrOfBool = str_of_bool(x: bool) -> u64;
        ParseInt = parse_int(s: u64, default: u64) -> u64;
        ParseFloat = parse_float(s: u64, default: f64) -> f64;
        Chr = chr(n: u64) -> u64;
        Bytes = bytes(s: u64) -> u64;
        Text = text(b: u64, from: u64, to: u64) -> u64;
        ArraySlice = array_slice(a: u64, from: u64, to: u64) -> u64;
        Copy = copy(dst: u64, dst_start: u64, src: u64, src_start: u64, n: u64) -> ();
        FillInt = fill_int(a: u64, v: u64) -> ();
        FillFloat = fill_float(a: u64, v: f64) -> ();
        FillBool = fill_bool(a: u64, v: bool) -> ();
        FillByte = fill_byte(a: u64, v: u64) -> ();
        FillRef = fill_ref(a: u64, v: u64) -> ();
        FillFunc = fill_func(a: u64, v: u64) -> ();
        Sort = sort(a: u64) -> ();
        Clock = clock() -> f64;
        Random = random() -> f64;
        RandomSeed = random_seed(n: u64) -> ();
        Input = input() -> u64;
        Args = args() -> u64;
    }
}

mod pure {
    use super::math;

    macro_rules! functions {
        ($($name:ident($($x:ident),*);)*) => {$(
            pub(super) extern "C" fn $name($($x: f64),*) -> f64 {
                math::$name($($x),*)
            }
        )*};
    }

    functions! {
        sin(x);
        cos(x);
        tan(x);
        asin(x);
        acos(x);
        atan(x);
        atan2(y, x);
        exp(x);
        log(x);
        pow(x, y);
        round(x);
    }
}

pub(super) extern "C" fn float_rem(x: f64, y: f64) -> f64 {
    x % y
}

runtime_call_stub!(write_stub => write);
runtime_call_stub!(show_stub => show);

extern "C" fn write(context: *mut Context, ty: u64, word: u64) {
    print(context, Builtin::Write(TypeRef::new(ty as usize)), word);
}

extern "C" fn show(context: *mut Context, ty: u64, word: u64) {
    print(context, Builtin::Show(TypeRef::new(ty as usize)), word);
}

fn print(context: *mut Context, builtin: Builtin, word: u64) {
    // SAFETY: the operand is of the type named; the calling frame keeps it.
    run(context, |rt| unsafe { builtins::call(rt, builtin, &[word]) });
}
