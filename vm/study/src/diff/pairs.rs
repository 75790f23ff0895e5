//! The functions of two profiles, each with the one that it is compared with.
//!
//! In: two profiles. Out: [`Pairs`]: functions of one name; then, of those that only one side has, those of one body, which were renamed.
//! Two are compared if they have the same blocks with the same ways between them: then a path of one is a path of the other, whatever the blocks do.
//! Invariant: each function is in one pair.

use hashbrown::HashMap;

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
        let mut pairs = Pairs { all: Vec::new(), numbers: [Vec::new(), Vec::new()] };
        // Some functions share a name: the n-th of one profile is the n-th of the other.
        let mut known: HashMap<(&str, usize), usize> = HashMap::new();
        for (side, profile) in [a, b].into_iter().enumerate() {
            let mut namesakes: HashMap<&str, usize> = HashMap::new();
            for function in &profile.functions {
                // Top-level statements have the name of their file; those of the programs go together, whatever their names.
                let name = if function.name == profile.program { "" } else { function.name.as_str() };
                let nth = namesakes.entry(name).or_default();
                let next = pairs.all.len();
                let number = *known.entry((name, *nth)).or_insert(next);
                *nth += 1;
                if number == next {
                    pairs.all.push(Pair { sides: [None, None], is_renamed: false });
                }
                pairs.all[number].sides[side] = Some(function);
                pairs.numbers[side].push(number);
            }
        }
        pairs.join_renamed();
        pairs
    }

    /// The place of a function in each profile.
    pub(super) fn places(&self, number: usize) -> [Option<usize>; 2] {
        self.numbers.each_ref().map(|numbers| numbers.iter().position(|other| *other == number))
    }

    /// Joins those of one body that only one side has; the first with the first.
    fn join_renamed(&mut self) {
        let mut only_in_a: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, pair) in self.all.iter().enumerate().rev() {
            if let [Some(function), None] = pair.sides
                && let Some(hash) = &function.hash
            {
                only_in_a.entry(hash).or_default().push(number);
            }
        }
        for place in 0..self.numbers[1].len() {
            let number = self.numbers[1][place];
            let [None, Some(function)] = self.all[number].sides else { continue };
            let Some(hash) = &function.hash else { continue };
            let Some(of_a) = only_in_a.get_mut(hash.as_str()).and_then(Vec::pop) else { continue };
            self.all[of_a] = Pair { sides: [self.all[of_a].sides[0], Some(function)], is_renamed: true };
            // Nothing has this number any more.
            self.all[number].sides[0] = Some(function);
            self.numbers[1][place] = of_a;
        }
    }
}
