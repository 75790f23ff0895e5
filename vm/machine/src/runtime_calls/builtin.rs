//! Runtime calls of builtins: each goes to the one implementation that the interpreter uses too.
#![expect(unsafe_code, reason = "stubs are naked functions, and words stand for references")]

use super::super::caller::run;
use super::super::host::call_host;
use cranelift_entity::EntityRef;
use holloway_abi::Context;
use holloway_ir::{Builtin, TypeRef};
use holloway_jit::arch::runtime_call_stub;
use holloway_runtime::builtins::{self, math};

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

/// Declares [`stub`]: the function of each builtin that is pure or reads strings alone; of the others, which have a context,
/// the stub to it.
macro_rules! builtins {
    (
        pure { $($pure:ident = $function:ident($($x:ident),*);)* }
        reads { $($read:ident($($operand:ident: $word:ty),*) -> $answer:ty;)* }
        context { $($name:ident($($arg:ident: $ty:ty),*) -> $result:ty;)* }
    ) => {
        /// The stub of a builtin that takes no type.
        pub(super) fn stub(builtin: Builtin) -> *const () {
            match builtin {
                $(Builtin::$pure => {
                    extern "C" fn operation($($x: f64),*) -> f64 {
                        math::$function($($x),*)
                    }
                    operation as *const ()
                })*
                $(Builtin::$read => {
                    unsafe extern "C" fn operation($($operand: $word),*) -> $answer {
                        let operands = [$(<$word as Word>::to_word($operand)),*];
                        // SAFETY: the operands are as the builtin's signature says, and the calling frame keeps them.
                        let word = unsafe { builtins::read(Builtin::$read, &operands) };
                        <$answer as Word>::of_word(word.expect("it reads strings alone"))
                    }
                    operation as *const ()
                })*
                $(Builtin::$name => {
                    runtime_call_stub!(stub => operation);

                    unsafe extern "C" fn operation(context: *mut Context $(, $arg: $ty)*) -> $result {
                        let operands = [$(<$ty as Word>::to_word($arg)),*];
                        // SAFETY: compiled code passed its context; the operands are as the builtin's signature says, and the calling
                        // frame keeps them.
                        let word = unsafe { run(context, |rt| builtins::call(rt, Builtin::$name, &operands)) };
                        <$result as Word>::of_word(word)
                    }

                    stub as *const ()
                })*
                Builtin::Write(_) | Builtin::Show(_) | Builtin::Display(_) | Builtin::Host(_) => {
                    unreachable!("typed builtins have runtime calls of their own")
                }
            }
        }
    };
}

builtins! {
    pure {
        Sin = sin(x);
        Cos = cos(x);
        Tan = tan(x);
        Asin = asin(x);
        Acos = acos(x);
        Atan = atan(x);
        Atan2 = atan2(y, x);
        Exp = exp(x);
        Log = log(x);
        Pow = pow(x, y);
        Round = round(x);
    }
    reads {
        StrEq(a: u64, b: u64) -> bool;
        StrCmp(a: u64, b: u64) -> u64;
        ParseInt(s: u64, default: u64) -> u64;
        ParseFloat(s: u64, default: f64) -> f64;
        StrHash(s: u64) -> u64;
        StrFind(s: u64, part: u64, start: u64) -> u64;
        StrStartsWith(s: u64, part: u64) -> bool;
        StrEndsWith(s: u64, part: u64) -> bool;
        StrIsInt(s: u64) -> bool;
        StrIsFloat(s: u64) -> bool;
    }
    context {
        StrConcat(a: u64, b: u64) -> u64;
        StrSlice(s: u64, from: u64, to: u64) -> u64;
        StrOfInt(x: u64) -> u64;
        StrOfFloat(x: f64) -> u64;
        StrOfBool(x: bool) -> u64;
        Chr(n: u64) -> u64;
        Bytes(s: u64) -> u64;
        Text(b: u64, from: u64, to: u64) -> u64;
        ArraySlice(a: u64, from: u64, to: u64) -> u64;
        Copy(dst: u64, dst_start: u64, src: u64, src_start: u64, n: u64) -> ();
        FillInt(a: u64, v: u64) -> ();
        FillFloat(a: u64, v: f64) -> ();
        FillBool(a: u64, v: bool) -> ();
        FillByte(a: u64, v: u64) -> ();
        FillRef(a: u64, v: u64) -> ();
        FillFunc(a: u64, v: u64) -> ();
        Sort(a: u64) -> ();
        Clock() -> f64;
        Random() -> f64;
        RandomSeed(n: u64) -> ();
        Input() -> u64;
        Args() -> u64;
        FormatInt(x: u64, format: u64) -> u64;
        FormatFloat(x: f64, format: u64) -> u64;
        FormatStr(s: u64, format: u64) -> u64;
        StrReplace(s: u64, part: u64, by: u64) -> u64;
        StrSplit(s: u64, sep: u64) -> u64;
        StrWords(s: u64) -> u64;
        StrLines(s: u64) -> u64;
        StrChars(s: u64) -> u64;
        StrJoin(a: u64, count: u64, sep: u64) -> u64;
        StrUpper(s: u64) -> u64;
        StrLower(s: u64) -> u64;
        StrTrimStart(s: u64) -> u64;
        StrTrimEnd(s: u64) -> u64;
        StrRepeat(s: u64, n: u64) -> u64;
        StrOrd(s: u64) -> u64;
        ReadFile(path: u64) -> u64;
        WriteFile(path: u64, s: u64) -> ();
        AppendFile(path: u64, s: u64) -> ();
        FileExists(path: u64) -> bool;
        ReadAll() -> u64;
        WriteError(s: u64) -> ();
        Env(name: u64) -> u64;
        Time() -> f64;
        IndexFailure(index: u64, len: u64) -> ();
        SliceFailure(from: u64, to: u64, len: u64) -> ();
        KeyFailure(key: u64) -> ();
        MemorySize() -> u64;
        MemoryGrow(pages: u64) -> u64;
        MemoryFill(to: u64, byte: u64, count: u64) -> ();
        MemoryCopy(to: u64, from: u64, count: u64) -> ();
        MemoryInit(segment: u64, to: u64, from: u64, count: u64) -> ();
        DataDrop(segment: u64) -> ();
        TableGet(table: u64, index: u64) -> u64;
        TableSet(table: u64, index: u64, reference: u64) -> ();
        TableSize(table: u64) -> u64;
        TableGrow(table: u64, reference: u64, count: u64) -> u64;
        TableFill(table: u64, to: u64, reference: u64, count: u64) -> ();
        TableCopy(to_table: u64, from_table: u64, to: u64, from: u64, count: u64) -> ();
        TableInit(table: u64, segment: u64, to: u64, from: u64, count: u64) -> ();
        ElemDrop(segment: u64) -> ();
        TableCallee(table: u64, index: u64, ty: u64) -> u64;
    }
}

pub(super) extern "C" fn float_rem(x: f64, y: f64) -> f64 {
    x % y
}

runtime_call_stub!(write_stub => write);
runtime_call_stub!(show_stub => show);
runtime_call_stub!(display_stub => display);

unsafe extern "C" fn write(context: *mut Context, ty: u64, word: u64) {
    // SAFETY: compiled code passed its context and an operand of the type named, which the calling frame keeps.
    unsafe { print(context, Builtin::Write(TypeRef::new(ty as usize)), word) };
}

unsafe extern "C" fn show(context: *mut Context, ty: u64, word: u64) {
    // SAFETY: as for `write`.
    unsafe { print(context, Builtin::Show(TypeRef::new(ty as usize)), word) };
}

unsafe extern "C" fn display(context: *mut Context, ty: u64, word: u64) -> u64 {
    // SAFETY: as for `write`.
    unsafe { print(context, Builtin::Display(TypeRef::new(ty as usize)), word) }
}

/// # Safety
/// The context is that of the runtime call under way; the operand is of the type named, and the calling frame keeps it.
unsafe fn print(context: *mut Context, builtin: Builtin, word: u64) -> u64 {
    // SAFETY: the caller vouches for both.
    unsafe { run(context, |rt| builtins::call(rt, builtin, &[word])) }
}

/// Declares the runtime call of the host with a result of a type.
macro_rules! host {
    ($($stub:ident => $function:ident -> $result:ty;)*) => {$(
        runtime_call_stub!($stub => $function);

        unsafe extern "C" fn $function(context: *mut Context, host: u64, a: u64, b: u64, c: u64, d: u64) -> $result {
            // SAFETY: compiled code passed its context, and operands as the function's types say, which the calling frame keeps.
            let word = unsafe { call_host(context, host, [a, b, c, d]) };
            <$result as Word>::of_word(word)
        }
    )*};
}

host! {
    host_nothing_stub => host_nothing -> ();
    host_word_stub => host_word -> u64;
    host_float_stub => host_float -> f64;
    host_bool_stub => host_bool -> bool;
}
