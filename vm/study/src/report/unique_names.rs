//! Names by which readers tell things apart.
//!
//! In: things, and forms of names, shortest first. Out: for each thing its name in the first form in which no other has the same.
//! Invariant: the last form is taken as it is, so it has to tell all of them apart.

use super::text::one_line;
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

/// Names of functions, given by name, file and line: as short as tells each from the others.
pub(crate) fn function_names(functions: &[(&str, &str, u32)]) -> Vec<String> {
    let name = |at: usize| one_line(functions[at].0);
    let with_line = |at: usize| format!("{}:{}", name(at), functions[at].2);
    let with_file = |at: usize| format!("{}:{}", one_line(functions[at].1), with_line(at));
    // Closures may stand on one line, and generic functions are made for several types.
    let numbered = |at: usize| format!("{} #{at}", with_file(at));
    let mut found = unique_names(0..functions.len(), &[&name, &with_line, &with_file, &numbered]);
    (0..functions.len()).map(|at| found.remove(&at).expect("each has a name")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_have_the_shortest_names_that_tell_them_apart() {
        let functions = [
            ("walk", "a.hw", 3),
            ("fn", "a.hw", 4),
            ("fn", "a.hw", 5),
            ("fn", "b.hw", 5),
            ("g", "a.hw", 9),
            ("g", "a.hw", 9),
        ];
        let expected = ["walk", "fn:4", "a.hw:fn:5", "b.hw:fn:5", "a.hw:g:9 #4", "a.hw:g:9 #5"];
        assert_eq!(function_names(&functions), expected);
    }
}
