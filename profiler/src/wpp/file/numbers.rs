//! Numbers and texts of sections: 7 bits a byte, the lowest first, the top bit set in all but the last.
//!
//! In: numbers, texts, lists. Out: bytes, and back.
//! Invariant: nothing is allocated by a length that was read before the bytes are there.

use std::io::{self, Read, Write};

use super::error::FileError;

/// Writes a number.
pub(super) fn put(to: &mut dyn Write, mut number: u64) -> io::Result<()> {
    let (mut bytes, mut count) = ([0_u8; 10], 0);
    loop {
        bytes[count] = (number & 0x7f) as u8 | if number > 0x7f { 0x80 } else { 0 };
        count += 1;
        number >>= 7;
        if number == 0 {
            return to.write_all(&bytes[..count]);
        }
    }
}

/// Writes a number of either sign, small ones short.
pub(super) fn put_signed(to: &mut dyn Write, number: i64) -> io::Result<()> {
    put(to, (number << 1 ^ number >> 63) as u64)
}

/// Writes bytes behind their number.
pub(super) fn put_bytes(to: &mut dyn Write, bytes: &[u8]) -> io::Result<()> {
    put(to, bytes.len() as u64)?;
    to.write_all(bytes)
}

/// Reader of a section's numbers.
pub(super) struct Numbers {
    from: io::BufReader<Box<dyn Read>>,
    part: &'static str,
}

impl Numbers {
    pub(super) fn new(from: Box<dyn Read>, part: &'static str) -> Numbers {
        Numbers { from: io::BufReader::with_capacity(1 << 14, from), part }
    }

    /// The error that this section is wrong.
    pub(super) fn invalid(&self) -> FileError {
        FileError::Invalid(self.part)
    }

    fn failed(&self, _: io::Error) -> FileError {
        // The stored bytes are in memory: a failed read is one of decompression, or the content's end.
        FileError::Invalid(self.part)
    }

    /// A number.
    pub(super) fn number(&mut self) -> Result<u64, FileError> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let mut byte = [0];
            self.from.read_exact(&mut byte).map_err(|error| self.failed(error))?;
            let bits = u64::from(byte[0] & 0x7f);
            if shift == 63 && bits > 1 {
                return Err(self.invalid());
            }
            number |= bits << shift;
            if byte[0] & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(self.invalid())
    }

    /// A number of either sign.
    pub(super) fn signed(&mut self) -> Result<i64, FileError> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// A number of 32 bits.
    pub(super) fn small(&mut self) -> Result<u32, FileError> {
        let number = self.number()?;
        u32::try_from(number).map_err(|_| self.invalid())
    }

    /// A number below `bound`.
    pub(super) fn below(&mut self, bound: u32) -> Result<u32, FileError> {
        let number = self.small()?;
        if number < bound { Ok(number) } else { Err(self.invalid()) }
    }

    /// Bytes behind their number.
    pub(super) fn bytes(&mut self) -> Result<Vec<u8>, FileError> {
        let len = self.number()?;
        let mut bytes = Vec::new();
        (&mut self.from).take(len).read_to_end(&mut bytes).map_err(|_| FileError::Invalid(self.part))?;
        if bytes.len() as u64 == len { Ok(bytes) } else { Err(self.invalid()) }
    }

    /// Bytes of a fixed number.
    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], FileError> {
        let mut bytes = [0; N];
        self.from.read_exact(&mut bytes).map_err(|error| self.failed(error))?;
        Ok(bytes)
    }

    /// A text behind its length.
    pub(super) fn text(&mut self) -> Result<String, FileError> {
        String::from_utf8(self.bytes()?).map_err(|_| self.invalid())
    }

    /// A list behind its length.
    pub(super) fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Numbers) -> Result<T, FileError>,
    ) -> Result<Vec<T>, FileError> {
        let count = self.number()?;
        let mut items = Vec::new();
        for _ in 0..count {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Checks that the section ends here.
    pub(super) fn end(mut self) -> Result<(), FileError> {
        match self.from.read(&mut [0]) {
            Ok(0) => Ok(()),
            _ => Err(self.invalid()),
        }
    }
}
