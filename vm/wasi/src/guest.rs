//! The memory of the program that calls, as functions read it; and what they write to it.
//!
//! In: addresses of the program. Out: bytes, or an error where these are not its own. Invariant: functions read the memory as it was at the call, and
//! write it when they have come to their end: so that an end can be kept, and given again.

use crate::errno::Errno;
use std::ops::Range;

/// The memory, to read.
#[derive(Clone, Copy)]
pub(crate) struct Guest<'a>(pub(crate) &'a [u8]);

/// A part of the memory, which may reach to its very end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Buffer {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// Bytes to write, with their addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reply(pub(crate) Vec<(u32, Vec<u8>)>);

/// The end of a function.
pub(crate) type Answered = Result<Reply, Errno>;

impl<'a> Guest<'a> {
    pub(crate) fn bytes(self, start: u32, len: u32) -> Result<&'a [u8], Errno> {
        let start = start as usize;
        self.0.get(start..start + len as usize).ok_or(Errno::FAULT)
    }

    pub(crate) fn word(self, at: u32) -> Result<u32, Errno> {
        let bytes = self.bytes(at, 4)?;
        Ok(u32::from_le_bytes(bytes.try_into().expect("there are four")))
    }

    pub(crate) fn long(self, at: u32) -> Result<u64, Errno> {
        let bytes = self.bytes(at, 8)?;
        Ok(u64::from_le_bytes(bytes.try_into().expect("there are eight")))
    }

    pub(crate) fn text(self, start: u32, len: u32) -> Result<&'a str, Errno> {
        std::str::from_utf8(self.bytes(start, len)?).map_err(|_| Errno::ILSEQ)
    }

    /// The buffers of a list, each of which lies in the memory.
    pub(crate) fn buffers(self, list: u32, count: u32) -> Result<Vec<Buffer>, Errno> {
        let list = self.bytes(list, count.checked_mul(8).ok_or(Errno::INVAL)?)?;
        let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("there are four"));
        let buffer = |entry: &[u8]| {
            let buffer = Buffer { start: word(&entry[..4]), len: word(&entry[4..]) };
            self.bytes(buffer.start, buffer.len)?;
            Ok(buffer)
        };
        list.chunks(8).map(buffer).collect()
    }

    /// The contents of the buffers of a list, one behind the other.
    pub(crate) fn gathered(self, list: u32, count: u32) -> Result<Vec<u8>, Errno> {
        let mut all = Vec::new();
        for buffer in self.buffers(list, count)? {
            // Buffers may overlap, and so hold more together than the memory.
            if all.len() > self.0.len() {
                return Err(Errno::INVAL);
            }
            all.extend_from_slice(self.bytes(buffer.start, buffer.len)?);
        }
        Ok(all)
    }
}

impl Reply {
    pub(crate) fn write(mut self, at: u32, bytes: impl Into<Vec<u8>>) -> Reply {
        self.0.push((at, bytes.into()));
        self
    }

    pub(crate) fn word(self, at: u32, value: u32) -> Reply {
        self.write(at, value.to_le_bytes())
    }

    pub(crate) fn long(self, at: u32, value: u64) -> Reply {
        self.write(at, value.to_le_bytes())
    }

    /// Spreads bytes over buffers.
    pub(crate) fn scatter(mut self, buffers: &[Buffer], mut bytes: &[u8]) -> Reply {
        for buffer in buffers {
            let (here, rest) = bytes.split_at(bytes.len().min(buffer.len as usize));
            if !here.is_empty() {
                self = self.write(buffer.start, here);
            }
            bytes = rest;
        }
        self
    }

    /// Writes it, or nothing if some of it lies outside.
    pub(crate) fn apply(&self, memory: &mut [u8]) -> Result<(), Errno> {
        if self.ranges().any(|range| memory.get(range).is_none()) {
            return Err(Errno::FAULT);
        }
        for (range, (_, bytes)) in self.ranges().zip(&self.0) {
            memory[range].copy_from_slice(bytes);
        }
        Ok(())
    }

    /// The bytes that it writes.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        self.0.iter().map(|(at, bytes)| *at as usize..*at as usize + bytes.len())
    }

    /// The end of a function as bytes.
    pub(crate) fn keep(answered: &Answered) -> Vec<u8> {
        let mut kept = Vec::new();
        match answered {
            Err(Errno(number)) => kept.extend(number.to_le_bytes()),
            Ok(Reply(writes)) => {
                kept.extend(Errno::SUCCESS.0.to_le_bytes());
                for (at, bytes) in writes {
                    kept.extend(at.to_le_bytes());
                    kept.extend((bytes.len() as u32).to_le_bytes());
                    kept.extend(bytes);
                }
            }
        }
        kept
    }

    /// The end that [`Reply::keep`] kept; an error if these are no such bytes.
    pub(crate) fn given_again(kept: &[u8]) -> Answered {
        let (number, mut rest) = kept.split_first_chunk().ok_or(Errno::IO)?;
        match u16::from_le_bytes(*number) {
            0 => {}
            number => return Err(Errno(number)),
        }
        let mut reply = Reply::default();
        while !rest.is_empty() {
            let (at, behind) = rest.split_first_chunk().ok_or(Errno::IO)?;
            let (len, behind) = behind.split_first_chunk().ok_or(Errno::IO)?;
            let (bytes, behind) = behind.split_at_checked(u32::from_le_bytes(*len) as usize).ok_or(Errno::IO)?;
            reply = reply.write(u32::from_le_bytes(*at), bytes);
            rest = behind;
        }
        Ok(reply)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_kept() {
        let reply = Reply::default().word(8, 7).write(0, *b"abc").write(20, []);
        for answered in [Ok(reply), Ok(Reply::default()), Err(Errno::BADF)] {
            assert_eq!(Reply::given_again(&Reply::keep(&answered)), answered);
        }
        assert_eq!(Reply::given_again(&[0]), Err(Errno::IO));
        assert_eq!(Reply::given_again(&[0, 0, 1, 0, 0, 0, 9, 0, 0, 0, 5]), Err(Errno::IO));
    }

    fn buffer(start: u32, len: u32) -> Buffer {
        Buffer { start, len }
    }

    #[test]
    fn a_buffer_may_end_where_addresses_do() {
        // Pages of zeros take no room until they are touched.
        let mut memory = vec![0_u8; 1 << 32];
        memory[8..16].copy_from_slice(&[0xfc, 0xff, 0xff, 0xff, 4, 0, 0, 0]);
        assert_eq!(Guest(&memory).buffers(8, 1), Ok(vec![buffer(u32::MAX - 3, 4)]));
        assert_eq!(Guest(&memory).gathered(8, 1), Ok(vec![0; 4]));
    }

    #[test]
    fn nothing_outside_is_touched() {
        let mut memory = [0_u8; 16];
        assert_eq!(Guest(&memory).bytes(15, 2), Err(Errno::FAULT));
        assert_eq!(Guest(&memory).bytes(u32::MAX, u32::MAX), Err(Errno::FAULT));
        assert_eq!(Guest(&memory).buffers(0, u32::MAX), Err(Errno::INVAL));
        let reply = Reply::default().word(0, u32::MAX).word(13, 1);
        assert_eq!(reply.apply(&mut memory), Err(Errno::FAULT));
        assert_eq!(memory, [0; 16]);
        assert_eq!(Reply::default().scatter(&[buffer(1, 2), buffer(5, 4)], b"abcd").apply(&mut memory), Ok(()));
        assert_eq!(&memory[..8], b"\0ab\0\0cd\0");
    }
}
