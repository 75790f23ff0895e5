//! Patterns of `match`, and the ends of ranges. Contract and invariants are those of the [module](super).

use super::name::Name;
use crate::source::Span;
use std::sync::Arc;

/// A pattern of a match arm.
#[derive(Clone, PartialEq, Debug)]
pub struct Pattern {
    /// Its kind.
    pub kind: PatternKind,
    /// The whole pattern.
    pub span: Span,
}

/// The kinds of pattern.
#[derive(Clone, PartialEq, Debug)]
pub enum PatternKind {
    /// `_`
    Wildcard,
    /// One value; a name that is no constant and no variant binds what stands there.
    Value(PatternValue),
    /// `none`
    None,
    /// `Variant(p, q)`, with one payload at least.
    Variant {
        /// The variant, without the name of its enum.
        name: Name,
        /// The patterns of its payloads.
        parts: Vec<Pattern>,
    },
    /// `(p, q)`, two parts at least.
    Tuple(Vec<Pattern>),
    /// `p | q` inside of another pattern; alternatives of a whole arm stand in the arm.
    Or(Vec<Pattern>),
    /// `low..high`, `low..=high`
    Range {
        /// The least value.
        low: PatternValue,
        /// The bound.
        high: PatternValue,
        /// Says if the bound itself is matched.
        bound: Bound,
    },
}

/// A value in a pattern.
#[derive(Clone, PartialEq, Debug)]
pub struct PatternValue {
    /// Its kind.
    pub kind: PatternValueKind,
    /// The whole value, with the minus of a negative number.
    pub span: Span,
}

/// The kinds of value in a pattern.
#[derive(Clone, PartialEq, Debug)]
pub enum PatternValueKind {
    /// `42`, `-42`, `'a'`; the sign is already applied.
    Int(i64),
    /// `true`, `false`
    Bool(bool),
    /// `"text"`
    Str(Vec<u8>),
    /// A name: of a constant or a variant, else one that is bound.
    Name(Name),
}

/// End of a range: exclusive or inclusive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// `..`
    Exclusive,
    /// `..=`
    Inclusive,
}

impl Bound {
    /// Returns the bound as it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Exclusive => "..",
            Self::Inclusive => "..=",
        }
    }
}

/// The names that a `let`, `var` or `for` gives to a value and its parts.
#[derive(Clone, PartialEq, Debug)]
pub struct Binder {
    /// Its kind.
    pub kind: BinderKind,
    /// The whole.
    pub span: Span,
}

/// The kinds of [`Binder`].
#[derive(Clone, PartialEq, Debug)]
pub enum BinderKind {
    /// A name; `_` binds nothing.
    Name(Name),
    /// `(a, (b, c))`, two parts at least.
    Tuple(Vec<Binder>),
}

impl Binder {
    /// The name, where it is one name.
    pub fn name(&self) -> Option<&Name> {
        match &self.kind {
            BinderKind::Name(name) => Some(name),
            BinderKind::Tuple(_) => None,
        }
    }

    /// Every name in it, in order, `_` too.
    pub fn names(&self) -> Vec<&Name> {
        let mut names = Vec::new();
        self.collect(&mut names);
        names
    }

    /// Puts `_` in the place of names.
    pub(crate) fn leave_out(&mut self, is_left_out: &impl Fn(&Arc<str>) -> bool) {
        match &mut self.kind {
            BinderKind::Name(name) if is_left_out(&name.text) => name.text = "_".into(),
            BinderKind::Name(_) => {}
            BinderKind::Tuple(parts) => parts.iter_mut().for_each(|part| part.leave_out(is_left_out)),
        }
    }

    fn collect<'a>(&'a self, names: &mut Vec<&'a Name>) {
        match &self.kind {
            BinderKind::Name(name) => names.push(name),
            BinderKind::Tuple(parts) => parts.iter().for_each(|part| part.collect(names)),
        }
    }
}
