//! The function of one program that a function of another one is, or was.
//!
//! In: the names and bodies of the functions of two programs, in order. Out: for each of the second program the one of the first. Functions of one
//! name belong together, the n-th with the n-th; of those that are left, those of one body, which were renamed.
//! Invariant: a function belongs to one other at most.

use std::collections::HashMap;
use std::hash::Hash;

/// A function, as far as it is paired by.
pub(super) struct Named<'a, B> {
    /// Its name.
    pub(super) name: &'a str,
    /// Its body, if that is known.
    pub(super) body: Option<B>,
}

/// For each function of the second program its counterpart, as an index.
pub(super) fn counterparts<B: Eq + Hash>(first: &[Named<'_, B>], second: &[Named<'_, B>]) -> Vec<Option<usize>> {
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    // Taken from the end, so the first come first.
    for (at, function) in first.iter().enumerate().rev() {
        by_name.entry(function.name).or_default().push(at);
    }
    let mut found: Vec<Option<usize>> =
        second.iter().map(|function| by_name.get_mut(function.name).and_then(Vec::pop)).collect();
    let mut by_body: HashMap<&B, Vec<usize>> = HashMap::new();
    let mut left: Vec<usize> = by_name.into_values().flatten().collect();
    left.sort_unstable_by(|a, b| b.cmp(a));
    for at in left {
        if let Some(body) = &first[at].body {
            by_body.entry(body).or_default().push(at);
        }
    }
    for (function, counterpart) in second.iter().zip(&mut found).filter(|(_, counterpart)| counterpart.is_none()) {
        *counterpart = function.body.as_ref().and_then(|body| by_body.get_mut(body)?.pop());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paired(first: &[(&str, u8)], second: &[(&str, u8)]) -> Vec<Option<usize>> {
        let [first, second] = [first, second].map(|all| {
            let named = all.iter().map(|&(name, body)| Named { name, body: (body > 0).then_some(body) });
            named.collect::<Vec<_>>()
        });
        counterparts(&first, &second)
    }

    #[test]
    fn names_come_first_and_then_bodies() {
        assert_eq!(paired(&[("a", 1), ("b", 2)], &[("b", 1), ("a", 2)]), [Some(1), Some(0)]);
        assert_eq!(paired(&[("a", 1), ("b", 2)], &[("c", 2), ("a", 9)]), [Some(1), Some(0)], "b is c now");
        assert_eq!(paired(&[("a", 1)], &[("b", 2)]), [None]);
        assert_eq!(paired(&[("a", 0)], &[("b", 0)]), [None], "bodies that are not known are no bond");
    }

    #[test]
    fn namesakes_belong_together_in_order() {
        let closures = [("fn", 1), ("fn", 2), ("fn", 3)];
        assert_eq!(paired(&closures, &closures[..2]), [Some(0), Some(1)]);
        assert_eq!(paired(&closures, &[("fn", 1), ("g", 3), ("h", 2)]), [Some(0), Some(2), Some(1)]);
    }
}
