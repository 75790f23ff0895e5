//! The variables that the code being generated can see.
//!
//! In: declarations, in the order in which they are generated. Out: the visible ones, by their possible uses.
//! Invariants: a variable hidden by a later one of its name is not visible; leaving a block with [`Scope::leave`]
//! removes the variables declared in it; `str_max` is never less than the length of a string the variable can hold.

use crate::ty::Ty;

/// No string in a field, element, parameter, result or global is longer; longer ones are clipped.
pub(crate) const STR_MAX: u64 = 48;
/// Every array in a variable has at least this many elements, but for those of [`Length::Short`].
pub(crate) const MIN_LEN: i64 = 4;

/// The kind of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// At top level, seen by functions.
    Global,
    /// A constant.
    Const,
    /// Of a function or block.
    Local,
}

/// The statements that may assign a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Assign {
    /// Any statement.
    Free,
    /// None: a `let`, a parameter, or a counter that keeps its loop finite.
    Never,
}

/// Knowledge about the length of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Length {
    /// From [`MIN_LEN`] to the largest of its type.
    Usual,
    /// Perhaps less: only for uses that ask for the length.
    Short,
    /// Exactly that length; it may exceed the usual one, so the array as a whole is not passed on.
    Exactly(i64),
}

/// A variable.
#[derive(Clone, Debug)]
pub(crate) struct Var {
    /// Its name.
    pub(crate) name: String,
    /// Its type.
    pub(crate) ty: Ty,
    /// Its kind.
    pub(crate) kind: Kind,
    /// The statements that may assign it.
    pub(crate) assign: Assign,
    /// The length of an array.
    pub(crate) length: Length,
    /// The greatest number of bytes of a string.
    pub(crate) str_max: u64,
    /// The least and greatest value of an `int`, if known.
    pub(crate) range: Option<(i64, i64)>,
    /// Number of loops around its declaration.
    pub(crate) loops: usize,
}

impl Var {
    /// A variable that only reading statements touch.
    pub(crate) fn new(name: impl Into<String>, ty: Ty, kind: Kind) -> Self {
        Self {
            name: name.into(),
            ty,
            kind,
            assign: Assign::Never,
            length: Length::Usual,
            str_max: STR_MAX,
            range: None,
            loops: 0,
        }
    }
}

/// Variables in order of declaration.
#[derive(Clone, Default)]
pub(crate) struct Scope {
    vars: Vec<Var>,
}

impl Scope {
    /// The given variables.
    pub(crate) fn with(vars: Vec<Var>) -> Self {
        Self { vars }
    }

    /// Declares a variable.
    pub(crate) fn declare(&mut self, var: Var) {
        self.vars.push(var);
    }

    /// Starts a block.
    pub(crate) fn enter(&self) -> usize {
        self.vars.len()
    }

    /// Ends the block that began with `mark`.
    pub(crate) fn leave(&mut self, mark: usize) {
        self.vars.truncate(mark);
    }

    /// The variables that can be named here.
    pub(crate) fn visible(&self) -> impl Iterator<Item = &Var> {
        let hidden = |at: usize| self.vars[at + 1..].iter().any(|later| later.name == self.vars[at].name);
        self.vars.iter().enumerate().filter(move |(at, _)| !hidden(*at)).map(|(_, var)| var)
    }

    /// The visible variables for which `wanted` holds.
    pub(crate) fn find(&self, wanted: impl Fn(&Var) -> bool) -> Vec<&Var> {
        self.visible().filter(|var| wanted(var)).collect()
    }

    /// Returns true if a variable has that name.
    pub(crate) fn hides(&self, name: &str) -> bool {
        self.vars.iter().any(|var| var.name == name)
    }

    /// The visible variable of that name, mutable, to record more about it.
    pub(crate) fn note(&mut self, name: &str) -> Option<&mut Var> {
        self.vars.iter_mut().rev().find(|var| var.name == name)
    }

    /// The globals and constants only: the variables visible at the start of a function.
    pub(crate) fn outermost(&self) -> Vec<Var> {
        self.vars.iter().filter(|var| var.kind != Kind::Local).cloned().collect()
    }
}
