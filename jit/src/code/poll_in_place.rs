//! Polls in place, as they are found in code that is not placed yet.
//!
//! In: nothing. Out: plain data, of which the code's place makes sites that can be armed.

use holloway_abi::Opcodes;

/// A poll in place in code that is not placed yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PollInPlace {
    /// Its offset from the code's beginning.
    pub(crate) offset: u32,
    /// Its two instructions.
    pub(crate) opcodes: Opcodes,
    /// The reasons for which it is armed, as bits.
    pub(crate) reasons: u8,
}
