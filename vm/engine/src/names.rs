//! Names that programs could write.

use holloway_lang::token;

/// True if a text is a name as programs write it, or a word of the language, which a declaration refuses with its place.
pub(crate) fn is_name(text: &str) -> bool {
    token::is_word(text)
}
