//! Decisions about calls, made while the SSA form is built.
//!
//! In: filled by inlining. Out: figures, and decisions with their reasons, for those who study them. Invariant: nothing here decides anything.

use holloway_lang::ir::FuncRef;

/// Calls that became the bodies of their callees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inlined {
    /// All of them.
    pub calls: u32,
    /// Those that are indirect calls, behind a test of what they call.
    pub guarded: u32,
    /// IR instructions of what was inlined; not of text.
    pub size: u64,
}

/// The decision about a call of a known function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InlineDecision {
    /// The call, as an index into the sites.
    pub site: u32,
    /// The function that is called.
    pub callee: FuncRef,
    /// IR instructions of its body.
    pub size: usize,
    /// IR instructions that could still be inlined.
    pub budget: usize,
    /// `None` if it was inlined, else why not.
    pub declined: Option<NotInlined>,
}

/// Reasons for which a call is not inlined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotInlined {
    /// It is off the usual way.
    Cold,
    /// The callee's own code is better: it has traces.
    OwnCode,
    /// Nothing more may be inlined.
    NoBudget,
    /// The callee has loops, and frames are to leave at every loop of their own.
    HasLoop,
    /// The callee is being inlined already, as deep as recursion may be.
    Recursive,
    /// The callee has more instructions than calls that are executed as often may bring.
    TooLarge {
        /// So many.
        most: usize,
    },
    /// The callee handles failures.
    Catches,
    /// The callee calls the host.
    CallsHost,
    /// The call is executed once in a run.
    ExecutedOnce,
    /// It stands behind too many other inlined calls.
    TooDeep,
}
