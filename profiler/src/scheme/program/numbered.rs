//! A numbered program, from which the plans of its functions are made.
//!
//! In: a numbering whose numbers fit. Out: its functions of paths, as plans have them.

use super::procedures::Procedures;
use super::values::Values;
use crate::number::interprocedural::{InterNumbering, Linear};
use crate::plan::across::Scaled;
use crate::supergraph::Supergraph;

/// A numbered program.
#[derive(Clone, Copy)]
pub(super) struct Numbered<'a> {
    pub(super) supergraph: &'a Supergraph,
    pub(super) numbering: &'a InterNumbering,
    pub(super) procedures: &'a Procedures,
    pub(super) values: &'a Values,
}

/// A function of completions.
pub(super) fn scaled(function: Linear) -> Scaled {
    Scaled { a: number(function.a), b: number(function.b) }
}

/// A number of a numbering whose numbers fit.
pub(super) fn number(number: u128) -> i64 {
    i64::try_from(number).expect("no function of paths has a greater number than there are paths")
}
