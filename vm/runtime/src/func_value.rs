//! Function values as words.

use cranelift_entity::EntityRef;
use holloway_ir::FuncRef;

/// A function value as a word.
pub fn func_word(func: FuncRef) -> u64 {
    func.index() as u64 + 1
}

/// The function that a word stands for; none for `none`.
pub fn func_of_word(word: u64) -> Option<FuncRef> {
    word.checked_sub(1).map(|index| FuncRef::new(index as usize))
}
