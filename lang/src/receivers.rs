//! The functions that can be called with a dot on a value.
//!
//! In: the heads of functions, and a type, as text. Out: names. Invariant: a function is named if its first parameter
//! takes a value of the type; which types its parameters stand for is looked at only as far as the head says it.

use crate::words::BUILTINS;

/// The functions whose first parameter takes a value of a type: those of the program, `heads`, each with its name, and
/// the built-ins that none of these replaces.
pub fn functions(heads: &[(String, String)], ty: &str) -> Vec<String> {
    let own = heads.iter().filter(|(_, head)| first_param(head).is_some_and(|param| takes(param, ty)));
    let own = own.map(|(name, _)| name.clone());
    let hidden = |name: &str| heads.iter().any(|(own, _)| own == name);
    let built_in = built_in(ty, None).filter(|name| !hidden(name));
    own.chain(built_in.map(str::to_owned)).collect()
}

/// The built-ins whose first parameter takes a value of a type; if `count` says it, of that many parameters.
pub(crate) fn built_in(ty: &str, count: Option<usize>) -> impl Iterator<Item = &'static str> {
    let fits = move |form: &str| {
        params(form).is_some_and(|all| takes(all[0], ty) && count.is_none_or(|count| count == all.len()))
    };
    BUILTINS.iter().filter(move |(_, forms, _)| forms.lines().any(fits)).map(|(name, ..)| *name)
}

/// The first parameter in the head of a function.
fn first_param(head: &str) -> Option<&str> {
    params(head).map(|all| all[0])
}

/// The parameters in the head of a function, of which there is one at least.
fn params(head: &str) -> Option<Vec<&str>> {
    let head = head.strip_prefix("fn ").unwrap_or(head);
    if head.starts_with("struct ") || head.starts_with("enum ") || head.starts_with("const ") {
        return None;
    }
    let open = head.find('(').filter(|open| !head[..*open].contains([' ', ':']) || head[..*open].contains('['))?;
    let all = parts(head[open + 1..].get(..close_of(&head[open + 1..])?)?);
    (!all[0].is_empty()).then_some(all)
}

/// The offset of the bracket that closes what is open before a text.
fn close_of(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return Some(at),
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The parts of a list, which commas divide.
fn parts(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut all) = (0usize, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                all.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    all.push(text[start..].trim());
    all
}

/// Returns true if a parameter, as a head writes it, takes a value of a type.
fn takes(param: &str, ty: &str) -> bool {
    match param.split_once(": ") {
        Some((_, wanted)) => fits(wanted, ty),
        // The help texts name parameters without a type if several fit.
        None if matches!(param, "xs" | "parts" | "l") => ty.starts_with('[') || ty.starts_with("list["),
        None if param == "x" => matches!(ty, "int" | "float" | "bool"),
        // Whatever is written so belongs in brackets: `print(a)`, `list(a, b)`.
        None => false,
    }
}

fn fits(wanted: &str, ty: &str) -> bool {
    let is_param = wanted.len() == 1 && wanted.starts_with(|c: char| c.is_ascii_uppercase());
    if is_param || wanted == ty || wanted.strip_suffix('?').is_some_and(|wanted| wanted == ty) {
        return true;
    }
    match (applied(wanted), applied(ty)) {
        (Some((wanted, of)), Some((ty, parts))) => {
            wanted == ty && of.len() == parts.len() && of.iter().zip(parts).all(|(wanted, ty)| fits(wanted, ty))
        }
        _ => false,
    }
}

/// `list` and `int` of `list[int]`; nothing and `int` of `[int]`.
fn applied(ty: &str) -> Option<(&str, Vec<&str>)> {
    let (name, rest) = ty.split_once('[')?;
    Some((name, parts(rest.strip_suffix(']')?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_fit_by_their_first_parameter() {
        assert_eq!(first_param("fn largest[T](xs: list[T], n: int) -> T"), Some("xs: list[T]"));
        assert_eq!(first_param("let x: (int, str)"), None);
        assert_eq!(first_param("fn f()"), None);
        for (param, ty, is_taken) in [
            ("xs: list[T]", "list[int]", true),
            ("xs: list[int]", "list[str]", false),
            ("d: dict[K, V]", "dict[str, (int, int)]", true),
            ("a: [T]", "[int]", true),
            ("p: P?", "P", true),
            ("s: str", "int", false),
            ("xs", "list[int]", true),
            ("xs", "int", false),
            ("x", "int", true),
            ("a", "int", false),
        ] {
            assert_eq!(takes(param, ty), is_taken, "{param} {ty}");
        }
    }
}
