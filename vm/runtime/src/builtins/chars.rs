//! Characters of strings, and how strings are put together. In: bytes. Out: where characters end, or the bytes in their
//! place. Invariant: a byte that is no UTF-8 is a character.

/// The character at the beginning of a text.
pub(super) struct FirstChar {
    /// Its bytes.
    pub(super) len: usize,
    /// Its number: that of the byte if it is no UTF-8.
    pub(super) number: u32,
}

/// The character at the beginning; none if there is no byte.
pub(super) fn first_char(bytes: &[u8]) -> Option<FirstChar> {
    let byte = *bytes.first()?;
    if byte.is_ascii() {
        return Some(FirstChar { len: 1, number: u32::from(byte) });
    }
    // No character has more than four bytes; behind a whole one may be the beginning of another.
    let head = &bytes[..bytes.len().min(4)];
    let text = head.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let c = text.chars().next();
    Some(c.map_or(FirstChar { len: 1, number: u32::from(byte) }, |c| FirstChar {
        len: c.len_utf8(),
        number: u32::from(c),
    }))
}

/// The number of characters.
pub(super) fn count_chars(bytes: &[u8]) -> usize {
    bytes.utf8_chunks().map(|chunk| chunk.valid().chars().count() + chunk.invalid().len()).sum()
}

/// Writes bytes at the beginning of a place. Gives the place behind them.
pub(super) fn put<'a>(place: &'a mut [u8], bytes: &[u8]) -> &'a mut [u8] {
    let (to, rest) = place.split_at_mut(bytes.len());
    to.copy_from_slice(bytes);
    rest
}
