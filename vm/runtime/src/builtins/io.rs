//! The world outside: input, arguments, time, random numbers. In and out: the runtime's own sources.
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
