//! Numbers and texts of sections: 7 bits a byte, the lowest first, the top bit set in all but the last.
//!
//! In: numbers, texts, lists. Out: bytes, and back.
//! Invariant: nothing is allocated by a length that was read before the bytes are there.

use std::io::{self, BufRead, Read, Write};

use super::error::FileError;

/// Bytes that are gathered before they are written.
const GATHERED: usize = 1 << 12;

/// Writes a number.
pub(super) fn put(to: &mut dyn Write, number: u64) -> io::Result<()> {
    let (bytes, count) = encoded(number);
    to.write_all(&bytes[..count])
}

/// The bytes of a number, and how many there are.
#[inline]
fn encoded(mut number: u64) -> ([u8; 10], usize) {
    let (mut bytes, mut count) = ([0_u8; 10], 0);
    loop {
        bytes[count] = (number & 0x7f) as u8 | if number > 0x7f { 0x80 } else { 0 };
        count += 1;
        number >>= 7;
        if number == 0 {
            return (bytes, count);
        }
    }
}

/// Writes many numbers.
pub(super) struct NumberWriter<'a> {
    to: &'a mut dyn Write,
    gathered: Vec<u8>,
}

impl NumberWriter<'_> {
    /// A writer of numbers.
    pub(super) fn new(to: &mut dyn Write) -> NumberWriter<'_> {
        NumberWriter { to, gathered: Vec::with_capacity(GATHERED + 16) }
    }

    /// Writes a number.
    #[inline]
    pub(super) fn put(&mut self, number: u64) -> io::Result<()> {
        if number < 0x80 {
            self.gathered.push(number as u8);
        } else {
            let (bytes, count) = encoded(number);
            self.gathered.extend_from_slice(&bytes[..count]);
        }
        if self.gathered.len() >= GATHERED {
            self.to.write_all(&self.gathered)?;
            self.gathered.clear();
        }
        Ok(())
    }

    /// Writes a number so often.
    #[inline]
    pub(super) fn put_times(&mut self, number: u64, times: u64) -> io::Result<()> {
        for _ in 0..times {
            self.put(number)?;
        }
        Ok(())
    }

    /// Writes what is gathered still.
    pub(super) fn finish(self) -> io::Result<()> {
        self.to.write_all(&self.gathered)
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
    /// Bytes that tables may still take.
    budget: u64,
    part: &'static str,
}

impl Numbers {
    /// A reader whose tables may take `budget` bytes.
    pub(super) fn new(from: Box<dyn Read>, budget: u64, part: &'static str) -> Numbers {
        Numbers { from: io::BufReader::with_capacity(1 << 14, from), budget, part }
    }

    /// Takes bytes from the budget, before a table grows by them.
    #[inline]
    pub(super) fn charge(&mut self, bytes: usize) -> Result<(), FileError> {
        self.budget = self.budget.checked_sub(bytes as u64).ok_or(FileError::TooLarge(self.part))?;
        Ok(())
    }

    /// Takes bytes from the budget if it has so many.
    pub(super) fn can_afford(&mut self, bytes: usize) -> bool {
        self.charge(bytes).is_ok()
    }

    /// The error that this section is wrong.
    pub(super) fn invalid(&self) -> FileError {
        FileError::Invalid(self.part)
    }

    /// A number.
    #[inline]
    pub(super) fn number(&mut self) -> Result<u64, FileError> {
        let byte = self.byte()?;
        if byte < 0x80 { Ok(byte.into()) } else { self.rest_of_number(byte) }
    }

    fn rest_of_number(&mut self, first: u8) -> Result<u64, FileError> {
        let mut number = u64::from(first & 0x7f);
        for shift in (7..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                return Err(self.invalid());
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(self.invalid())
    }

    #[inline]
    fn byte(&mut self) -> Result<u8, FileError> {
        let byte = match self.from.buffer().first() {
            Some(&byte) => byte,
            // The stored bytes are in memory: a failed read is one of decompression, or the content's end.
            None => *self.from.fill_buf().ok().and_then(<[u8]>::first).ok_or(FileError::Invalid(self.part))?,
        };
        self.from.consume(1);
        Ok(byte)
    }

    /// Appends so many numbers below `bound`.
    pub(super) fn below_each(&mut self, bound: u32, count: usize, to: &mut Vec<u32>) -> Result<(), FileError> {
        let mut left = count;
        while left > 0 {
            let buffer = self.from.buffer();
            let short = buffer.iter().take(left).take_while(|&&byte| byte < 0x80).count();
            if short == 0 {
                to.push(self.below(bound)?);
                left -= 1;
                continue;
            }
            let short = &buffer[..short];
            if short.iter().any(|&byte| u32::from(byte) >= bound) {
                return Err(self.invalid());
            }
            to.extend(short.iter().map(|&byte| u32::from(byte)));
            let taken = short.len();
            left -= taken;
            self.from.consume(taken);
        }
        Ok(())
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
        self.budget = self.budget.checked_sub(len).ok_or(FileError::TooLarge(self.part))?;
        let mut bytes = Vec::new();
        (&mut self.from).take(len).read_to_end(&mut bytes).map_err(|_| FileError::Invalid(self.part))?;
        if bytes.len() as u64 == len { Ok(bytes) } else { Err(self.invalid()) }
    }

    /// Bytes of a fixed number.
    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], FileError> {
        let mut bytes = [0; N];
        self.from.read_exact(&mut bytes).map_err(|_| self.invalid())?;
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
        self.items(count, &mut item)
    }

    /// So many items.
    pub(super) fn items<T>(
        &mut self,
        count: u64,
        mut item: impl FnMut(&mut Numbers) -> Result<T, FileError>,
    ) -> Result<Vec<T>, FileError> {
        let mut items = Vec::new();
        for _ in 0..count {
            self.charge(size_of::<T>())?;
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
