//! Names, numbers and words in a line of LLVM IR.
//!
//! In: the text of a line. Out: parts of it. Invariant: nothing within quotes is taken for a word; LLVM writes a quote in a string as `\22`.

/// The name at the start of a text, behind its `@` or `%`, and the text behind the name.
pub(super) fn name(text: &str) -> Option<(&str, &str)> {
    if let Some(quoted) = text.strip_prefix('"') {
        let end = quoted.find('"')?;
        return Some((&quoted[..end], &quoted[end + 1..]));
    }
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || "-$._".contains(c))).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// The number at the start of a text.
pub(super) fn number(text: &str) -> Option<u32> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

/// The texts behind each occurrence of `word` that is not within quotes.
pub(super) fn behind<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = &'t str> {
    let mut quoted = false;
    let mut positions = text.bytes().enumerate();
    std::iter::from_fn(move || {
        for (position, byte) in positions.by_ref() {
            let is_start = !quoted && text.as_bytes()[position..].starts_with(word.as_bytes());
            quoted ^= byte == b'"';
            if is_start {
                return Some(&text[position + word.len()..]);
            }
        }
        None
    })
}

/// The number of the metadata behind `key`, as in `!dbg !12`.
pub(super) fn metadata(text: &str, key: &str) -> Option<u32> {
    behind(text, key).find_map(|rest| number(rest.strip_prefix('!')?))
}
