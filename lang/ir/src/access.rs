//! Accesses to the linear memory.
//!
//! In: nothing. Out: their widths, and how the bytes are read as a word.

use super::types::Scalar;

/// Width and reading of an access to the linear memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// 1 byte, without sign.
    U8,
    /// 1 byte, with sign; loads only.
    S8,
    /// 2 bytes, without sign.
    U16,
    /// 2 bytes, with sign; loads only.
    S16,
    /// 4 bytes, without sign.
    U32,
    /// 4 bytes, with sign; loads only.
    S32,
    /// 8 bytes, an integer.
    Int,
    /// 8 bytes, a float.
    Float,
}

impl Access {
    /// All of them, in a fixed order.
    pub const ALL: [Access; 8] =
        [Access::U8, Access::S8, Access::U16, Access::S16, Access::U32, Access::S32, Access::Int, Access::Float];

    /// The name in IR text.
    pub fn name(self) -> &'static str {
        match self {
            Access::U8 => "u8",
            Access::S8 => "s8",
            Access::U16 => "u16",
            Access::S16 => "s16",
            Access::U32 => "u32",
            Access::S32 => "s32",
            Access::Int => "int",
            Access::Float => "float",
        }
    }

    /// Bytes it touches.
    pub fn size(self) -> u64 {
        match self {
            Access::U8 | Access::S8 => 1,
            Access::U16 | Access::S16 => 2,
            Access::U32 | Access::S32 => 4,
            Access::Int | Access::Float => 8,
        }
    }

    /// The scalar that it reads or writes.
    pub fn scalar(self) -> Scalar {
        match self {
            Access::Float => Scalar::Float,
            Access::U8 | Access::S8 | Access::U16 | Access::S16 | Access::U32 | Access::S32 | Access::Int => {
                Scalar::Int
            }
        }
    }

    /// Returns whether a load gives a number with a sign that is extended.
    pub fn is_signed(self) -> bool {
        matches!(self, Access::S8 | Access::S16 | Access::S32)
    }

    /// The word that the bytes of an access stand for, which are the low ones of `bits`.
    pub fn extend(self, bits: u64) -> u64 {
        match self {
            Access::U8 => u64::from(bits as u8),
            Access::S8 => bits as i8 as u64,
            Access::U16 => u64::from(bits as u16),
            Access::S16 => bits as i16 as u64,
            Access::U32 => u64::from(bits as u32),
            Access::S32 => bits as i32 as u64,
            Access::Int | Access::Float => bits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_extend_by_their_sign() {
        let of = |access: Access| access.extend(0xfedc_ba98_8765_8483);
        assert_eq!(of(Access::U8), 0x83);
        assert_eq!(of(Access::S8) as i64, -0x7d);
        assert_eq!(of(Access::U16), 0x8483);
        assert_eq!(of(Access::S16) as i64, -0x7b7d);
        assert_eq!(of(Access::U32), 0x8765_8483);
        assert_eq!(of(Access::S32) as i64, -0x789a_7b7d);
        assert_eq!(of(Access::Int), 0xfedc_ba98_8765_8483);
    }
}
