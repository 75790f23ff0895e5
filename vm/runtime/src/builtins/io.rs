//! The world outside: input, errors, arguments, the environment, time, random numbers.
//! In and out: the runtime's own sources.
#![expect(unsafe_code, reason = "writes new arrays")]

use crate::Runtime;
use crate::failure::FailureKind;
use crate::heap::Obj;
use crate::rng::Rng;
use holloway_ir::Elem;

/// `input()`: the next line, or `none` at the end. Output is flushed first, for it may be the question.
pub fn input(rt: &mut Runtime) -> Result<Option<Obj>, FailureKind> {
    rt.output.flush();
    let line = rt.read_line()?;
    // A person who typed a line has ended it on the screen, too.
    rt.output.take_mid_line();
    match line {
        Some(line) => rt.new_str(&line, &[]).map(Some),
        None => {
            // The wait may have ended because the program was told to stop; it must not take that for the end of its
            // input.
            rt.stop_requested()?;
            Ok(None)
        }
    }
}

/// `read_all()`: what is left of the input. Output is flushed first, as by [`input`].
pub fn read_all(rt: &mut Runtime) -> Result<Obj, FailureKind> {
    rt.output.flush();
    let rest = rt.read_rest()?;
    rt.output.take_mid_line();
    // As for `input`.
    rt.stop_requested()?;
    rt.new_str(&rest, &[])
}

/// `eprint(a, ...)` of what is one string by now. Output is flushed first, so that both come in order.
pub fn write_error(rt: &mut Runtime, text: Obj) {
    rt.output.flush();
    if !rt.tape.is_played() {
        rt.errors.write_line(text.bytes());
    }
}

/// `env(name)`: `none` if it is not set.
pub fn env(rt: &mut Runtime, name: Obj) -> Result<Option<Obj>, FailureKind> {
    match rt.env(name.bytes()) {
        Some(value) => rt.new_str(&value, &[]).map(Some),
        None => Ok(None),
    }
}

/// `time()`: seconds since 1970.
pub fn time(rt: &mut Runtime) -> f64 {
    rt.time()
}

/// `args()`: a new array each time.
pub fn args(rt: &mut Runtime) -> Result<Obj, FailureKind> {
    let array = rt.alloc_array(Elem::Ref, rt.args.len(), &[])?;
    for at in 0..rt.args.len() {
        let text = std::mem::take(&mut rt.args[at]);
        let string = rt.new_str(&text, &[array]);
        rt.args[at] = text;
        // SAFETY: nobody else has an array that was just made, and a string is a reference.
        unsafe { array.set_element(at, string?.word()) };
    }
    Ok(array)
}

/// `clock()`.
pub fn clock(rt: &mut Runtime) -> f64 {
    rt.clock()
}

/// `random()`.
pub fn random(rt: &mut Runtime) -> f64 {
    rt.rng.next_float()
}

/// `random_seed(n)`.
pub fn random_seed(rt: &mut Runtime, seed: i64) {
    rt.rng = Rng::seeded(seed as u64);
}
