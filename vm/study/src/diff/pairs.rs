//! The functions of two profiles, each with the one that it is compared with.
//!
//! In: two profiles. Out: [`Pairs`], by `pairing`.
//! Two are compared if they have the same blocks with the same ways between them: then a path of one is a path of the other, whatever the blocks do.
//! Invariant: each function is in one pair.

use super::pairing::{Named, counterparts};
use super::saved::{SavedFunction, SavedProfile};

/// A function of each profile, or of one.
pub(super) struct Pair<'a> {
    sides: [Option<&'a SavedFunction>; 2],
    /// They have one body and different names.
    is_renamed: bool,
}

/// All functions of both profiles.
pub(super) struct Pairs<'a> {
    /// By number.
    pub(super) all: Vec<Pair<'a>>,
    /// The number of each function of each profile.
    pub(super) numbers: [Vec<usize>; 2],
}

impl<'a> Pair<'a> {
    /// The function; of one that both have, the second one's.
    pub(super) fn function(&self) -> &'a SavedFunction {
        let [a, b] = self.sides;
        b.or(a).expect("a pair has a function")
    }

    /// Returns whether paths of both sides are the same ones; those of a function that one side lacks are new or gone.
    pub(super) fn is_compared(&self) -> bool {
        self.both().is_none_or(|(a, b)| a.has_shape_of(b))
    }

    /// Returns whether the function does another thing on each side.
    pub(super) fn differs_in_body(&self) -> bool {
        self.both().is_some_and(|(a, b)| !a.has_body_of(b))
    }

    /// Both names of a function that was renamed.
    pub(super) fn renamed(&self) -> Option<(String, String)> {
        self.both().filter(|_| self.is_renamed).map(|(a, b)| (a.name.clone(), b.name.clone()))
    }

    fn both(&self) -> Option<(&'a SavedFunction, &'a SavedFunction)> {
        let [a, b] = self.sides;
        a.zip(b)
    }
}

impl<'a> Pairs<'a> {
    /// Pairs the functions of two profiles.
    pub(super) fn of(a: &'a SavedProfile, b: &'a SavedProfile) -> Pairs<'a> {
        let [named_a, named_b] = [a, b].map(|profile| {
            let named = profile.functions.iter().map(|function| {
                // Top-level statements have the name of their file; those of the programs go together, whatever their names.
                let name = if function.name == profile.program { "" } else { function.name.as_str() };
                Named { name, body: function.hash.as_deref() }
            });
            named.collect::<Vec<_>>()
        });
        let mut all: Vec<Pair<'a>> =
            a.functions.iter().map(|function| Pair { sides: [Some(function), None], is_renamed: false }).collect();
        let mut of_b = Vec::new();
        for (at, counterpart) in counterparts(&named_a, &named_b).into_iter().enumerate() {
            let function = Some(&b.functions[at]);
            of_b.push(counterpart.unwrap_or(all.len()));
            match counterpart {
                Some(of_a) => {
                    all[of_a].sides[1] = function;
                    all[of_a].is_renamed = named_a[of_a].name != named_b[at].name;
                }
                None => all.push(Pair { sides: [None, function], is_renamed: false }),
            }
        }
        Pairs { all, numbers: [(0..a.functions.len()).collect(), of_b] }
    }

    /// The place of a function in each profile.
    pub(super) fn places(&self, number: usize) -> [Option<usize>; 2] {
        self.numbers.each_ref().map(|numbers| numbers.iter().position(|other| *other == number))
    }
}
