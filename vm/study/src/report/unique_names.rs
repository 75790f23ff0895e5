//! Names by which readers tell things apart.
//!
//! In: things, and forms of names, shortest first. Out: for each thing its name in the first form in which no other has the same.
//! Invariant: the last form is taken as it is, so it has to tell all of them apart.

use std::collections::HashMap;
use std::hash::Hash;

/// A form of names.
pub(crate) type Form<'a, T> = &'a dyn Fn(T) -> String;

/// Names things in the first form that tells them from all others that it names.
pub(crate) fn unique_names<T: Copy + Eq + Hash>(
    things: impl IntoIterator<Item = T>,
    forms: &[Form<'_, T>],
) -> HashMap<T, String> {
    let mut names = HashMap::new();
    let mut rest: Vec<T> = things.into_iter().collect();
    for (nth, form) in forms.iter().enumerate() {
        let mut by_name: HashMap<String, Vec<T>> = HashMap::new();
        rest.drain(..).for_each(|thing| by_name.entry(form(thing)).or_default().push(thing));
        for (name, of) in by_name {
            match of[..] {
                [thing] => _ = names.insert(thing, name),
                _ if nth + 1 == forms.len() => names.extend(of.into_iter().map(|thing| (thing, name.clone()))),
                _ => rest.extend(of),
            }
        }
    }
    names
}
