//! One instruction of LLVM IR.
//!
//! In: the text of a line. Out: its [`Instruction`]. Invariant: an instruction that is no call, guard or terminator is [`Instruction::Other`].

use super::scan::{behind, name, number};

/// The kinds of instructions that a graph needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instruction<'t> {
    /// A call of the coverage runtime.
    Guard(GuardPlace<'t>),
    /// A call of the coverage runtime whose guard cannot be read.
    UnreadGuard,
    /// The mark of a return.
    MarksReturn,
    /// A call.
    Call(CallText<'t>),
    /// A terminator that is a call as well: `invoke`, `callbr`.
    CallAndLeads(CallText<'t>),
    /// A terminator with successors.
    Leads,
    /// `ret`.
    Returns,
    /// A terminator without successors.
    Stops,
    /// Debug information.
    Debug,
    /// A `phi`, or an intrinsic that marks a lifetime.
    PhiOrLifetime,
    /// Anything else.
    Other,
}

/// One guard: an element of one of the module's arrays of guards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GuardPlace<'t> {
    /// The array's name, without `@`.
    pub(super) array: &'t str,
    /// The element.
    pub(super) index: u32,
}

/// The callee of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallText<'t> {
    /// A function by its name.
    Named(&'t str),
    /// A value.
    Pointer,
    /// No function that could be traced: an intrinsic, assembly, the runtime of the trace.
    None,
}

/// Start of the names of arrays of guards.
pub(super) const GUARDS: &str = "__sancov_gen_";

/// Reads a line.
pub(super) fn instruction(line: &str) -> Instruction<'_> {
    let text = match line.strip_prefix('%').and_then(name) {
        Some((_, rest)) => rest.strip_prefix(" = ").unwrap_or(rest),
        None => line,
    };
    let (opcode, rest) = text.split_once([' ', ',']).unwrap_or((text, ""));
    match opcode {
        "call" => call(rest),
        "tail" | "musttail" | "notail" => rest.strip_prefix("call ").map_or(Instruction::Other, call),
        "invoke" | "callbr" => Instruction::CallAndLeads(callee(rest)),
        "br" | "switch" | "indirectbr" | "catchswitch" | "catchret" | "cleanupret" => Instruction::Leads,
        "ret" => Instruction::Returns,
        "unreachable" | "resume" => Instruction::Stops,
        "phi" => Instruction::PhiOrLifetime,
        _ if opcode.starts_with("#dbg_") => Instruction::Debug,
        _ => Instruction::Other,
    }
}

fn call(rest: &str) -> Instruction<'_> {
    if let Some(arguments) = behind(rest, "@__sanitizer_cov_trace_pc_guard(").next() {
        return guard(arguments).map_or(Instruction::UnreadGuard, Instruction::Guard);
    }
    match callee(rest) {
        CallText::Named("__cyg_profile_func_exit") => Instruction::MarksReturn,
        CallText::Named(name) if name.starts_with("llvm.dbg.") => Instruction::Debug,
        CallText::Named(name) if name.starts_with("llvm.lifetime.") => Instruction::PhiOrLifetime,
        CallText::Named(name) if is_of_the_runtime(name) => Instruction::Call(CallText::None),
        callee => Instruction::Call(callee),
    }
}

fn is_of_the_runtime(name: &str) -> bool {
    name.starts_with("llvm.") || name.starts_with("__sanitizer_") || name.starts_with("__cyg_profile_")
}

/// The guard of a call's arguments. `[N x i32]* @A, i32 0, i32 I` has I as its last number, as has LLVM's newer `ptr @A, i64 0, i64 I`;
/// `(ptrtoint (... @A to i64), i64 B)` and `(i8, ptr @A, i64 B)` have the offset in bytes there. The array alone is its element 0.
fn guard(arguments: &str) -> Option<GuardPlace<'_>> {
    let at = arguments.find(GUARDS)?;
    let (array, rest) = name(&arguments[at..])?;
    let end = rest.split('#').next().unwrap_or(rest);
    let end = end.split("!dbg").next().unwrap_or(end);
    let last = end.rsplit_once(" i64 ").into_iter().chain(end.rsplit_once(" i32 ")).map(|(_, number)| number);
    let last = last.min_by_key(|number| number.len());
    let (Some(last), is_offset) = (last, arguments.contains("ptrtoint") || arguments.contains("(i8, ")) else {
        return Some(GuardPlace { array, index: 0 });
    };
    let last = number(last)?;
    let index = match is_offset {
        false => last,
        true if last % 4 == 0 => last / 4,
        true => return None,
    };
    Some(GuardPlace { array, index })
}

/// The callee stands before the `(` of the arguments, without a space; types of functions have one.
fn callee(rest: &str) -> CallText<'_> {
    if behind(rest, "asm ").next().is_some() {
        return CallText::None;
    }
    let called = |sigil| behind(rest, sigil).find(|text| name(text).is_some_and(|(_, rest)| rest.starts_with('(')));
    let (global, local) = (called("@"), called("%"));
    // A function under another type: `call i32 bitcast (i32 (...)* @f to i32 (i32)*)(i32 1)`.
    let cast = behind(rest, "bitcast (").next().filter(|cast| is_before(cast, global) && is_before(cast, local));
    let named = |text: &'_ str| name(text).map(|(name, _)| name.len());
    match (cast, global, local) {
        (Some(cast), _, _) => {
            let function = behind(cast, "@").next();
            function.and_then(|text| Some(&text[..named(text)?])).map_or(CallText::Pointer, CallText::Named)
        }
        (None, Some(global), local) if local.is_none_or(|local| is_before(global, Some(local))) => {
            name(global).map_or(CallText::Pointer, |(name, _)| CallText::Named(name))
        }
        (None, _, _) => CallText::Pointer,
    }
}

/// Compares two ends of one text: `first` starts before `second`, or there is no `second`.
fn is_before(first: &str, second: Option<&str>) -> bool {
    second.is_none_or(|second| first.len() > second.len())
}
