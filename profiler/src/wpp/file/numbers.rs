//! Numbers and texts of sections: 7 bits a byte, the lowest first, the top bit set in all but the last.
//!
//! In: numbers, texts, lists. Out: bytes, and back.
//! Invariant: nothing is allocated by a length that was read before the bytes are there.

use std::io::{self, BufRead, Read, Write};

use super::error::FileError;

/// Bytes that are gathered before they are written.
const GATHERED: usize = 1 << 12;

/// Bytes that are looked at together where all numbers are of one byte, and where they are of several.
const CHUNK: usize = 1 << 6;
const GROUP: usize = size_of::<u128>();

/// The bits that the last byte of a number does not have.
const MARKS: u128 = u128::from_ne_bytes([0x80; GROUP]);

/// Bytes that are read at once.
const BUFFERED: usize = 1 << 15;

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

/// Unsigned numbers of some width.
pub(super) trait Narrow: Copy {
    /// The lowest bits.
    fn narrow(number: u32) -> Self;
}

impl Narrow for u8 {
    #[inline]
    fn narrow(number: u32) -> u8 {
        number as u8
    }
}

impl Narrow for u16 {
    #[inline]
    fn narrow(number: u32) -> u16 {
        number as u16
    }
}

impl Narrow for u32 {
    #[inline]
    fn narrow(number: u32) -> u32 {
        number
    }
}

/// Numbers that were read, and their bytes.
#[derive(Default)]
struct ShortNumbers {
    numbers: usize,
    taken: usize,
}

/// Reads the numbers of one byte at the beginning of `bytes`, in chunks; `None` if one is not below `bound`, which is of one byte.
#[inline]
fn bytes_below<T: Narrow>(bytes: &[u8], bound: u32, to: &mut [T]) -> Option<ShortNumbers> {
    let mut read = 0;
    for (chunk, to) in bytes.chunks(CHUNK).zip(to.chunks_mut(CHUNK)) {
        let count = chunk.len().min(to.len());
        let (chunk, to) = (&chunk[..count], &mut to[..count]);
        let highest = chunk.iter().fold(0, |highest, &byte| byte.max(highest));
        if highest >= 0x80 {
            break;
        }
        if u32::from(highest) >= bound {
            return None;
        }
        to.iter_mut().zip(chunk).for_each(|(to, &byte)| *to = T::narrow(byte.into()));
        read += count;
    }
    Some(ShortNumbers { numbers: read, taken: read })
}

/// Reads the numbers of one or two bytes at the beginning of `bytes`; `None` if one is not below `bound`, which is above those of one
/// byte. Groups are copied whole, and what lies behind a number of two bytes once more: where these come irregularly, a branch for each
/// number would be mispredicted.
#[inline]
fn short_numbers<T: Narrow>(bytes: &[u8], bound: u32, to: &mut [T]) -> Option<ShortNumbers> {
    let mut read = ShortNumbers::default();
    let mut is_below = true;
    while let (Some(group), Some(room)) = (bytes[read.taken..].first_chunk(), to[read.numbers..].first_chunk_mut()) {
        let marks = u128::from_le_bytes(*group) & MARKS;
        let room: &mut [T; GROUP] = room;
        room.iter_mut().zip(group).for_each(|(to, &byte)| *to = T::narrow(byte.into()));
        let short = marks.trailing_zeros() as usize / 8;
        read.taken += short;
        read.numbers += short;
        if short < GROUP {
            let [first, second, ..] = bytes[read.taken..] else { break };
            if second >= 0x80 {
                break;
            }
            let number = u32::from(first & 0x7f) | u32::from(second) << 7;
            is_below &= number < bound;
            to[read.numbers] = T::narrow(number);
            read.taken += 2;
            read.numbers += 1;
        }
    }
    while let ([first, rest @ ..], [to, ..]) = (&bytes[read.taken..], &mut to[read.numbers..]) {
        let number = match rest {
            _ if *first < 0x80 => u32::from(*first),
            [second, ..] if *second < 0x80 => u32::from(first & 0x7f) | u32::from(*second) << 7,
            _ => break,
        };
        is_below &= number < bound;
        *to = T::narrow(number);
        read.taken += if *first < 0x80 { 1 } else { 2 };
        read.numbers += 1;
    }
    is_below.then_some(read)
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
        Numbers { from: io::BufReader::with_capacity(BUFFERED, from), budget, part }
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

    /// So many numbers below `bound`, which fits `T`.
    pub(super) fn narrow<T: Narrow>(&mut self, bound: u32, count: usize) -> Result<Box<[T]>, FileError> {
        let mut numbers = vec![T::narrow(0); count].into_boxed_slice();
        self.fill(bound, &mut numbers)?;
        Ok(numbers)
    }

    /// Reads numbers below `bound`, which fits `T`.
    pub(super) fn fill<T: Narrow>(&mut self, bound: u32, to: &mut [T]) -> Result<(), FileError> {
        let mut filled = 0;
        while filled < to.len() {
            let (bytes, rest) = (self.from.buffer(), &mut to[filled..]);
            let read = if bound <= 0x80 { bytes_below(bytes, bound, rest) } else { short_numbers(bytes, bound, rest) };
            let ShortNumbers { numbers, taken } = read.ok_or(self.invalid())?;
            self.from.consume(taken);
            filled += numbers;
            if numbers == 0 {
                to[filled] = T::narrow(self.below(bound)?);
                filled += 1;
            }
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
        self.exactly(len)
    }

    /// So many bytes.
    pub(super) fn exactly(&mut self, len: u64) -> Result<Vec<u8>, FileError> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of up to three bytes below `bound`, those of one byte the most frequent, as bytes.
    fn written(bound: u32, count: u32) -> (Vec<u32>, Vec<u8>) {
        let mixed = |at: u32| at.wrapping_mul(0x9e37_79b9) >> 7;
        let number = |at: u32| mixed(at) % if at % 11 < 8 { bound.min(0x80) } else { bound };
        let numbers: Vec<u32> = (0..count).map(number).collect();
        let mut bytes = Vec::new();
        numbers.iter().for_each(|&number| put(&mut bytes, number.into()).unwrap());
        (numbers, bytes)
    }

    fn reader(bytes: Vec<u8>) -> Numbers {
        Numbers::new(Box::new(io::Cursor::new(bytes)), u64::MAX, "test")
    }

    #[test]
    fn many_numbers_are_read_as_one_by_one() {
        // Lengths around those of groups and chunks, and of several buffers.
        for count in (0..70).chain([127, 128, 129, 100_000]) {
            for bound in [5, 0x80, 0x81, 200, 0x100, 0x101, 20_000, 70_000] {
                let (numbers, bytes) = written(bound, count);
                let mut reader = reader(bytes);
                let mut read = vec![7; numbers.len()];
                reader.fill(bound, &mut read).unwrap();
                assert!(read == numbers && reader.end().is_ok(), "{count} numbers below {bound}");
            }
        }
    }

    #[test]
    fn a_number_that_is_not_below_the_bound_is_refused() {
        for bound in [5, 0x80, 0x81, 200, 0x100, 20_000, 70_000] {
            for at in [0, 1, 15, 16, 63, 64, 999] {
                for wrong in [bound, bound + 1, bound + 0x100, u32::MAX] {
                    let (mut numbers, _) = written(bound, 1_000);
                    numbers[at] = wrong;
                    let mut bytes = Vec::new();
                    numbers.iter().for_each(|&number| put(&mut bytes, number.into()).unwrap());
                    let read = match bound {
                        0..=0x100 => reader(bytes).narrow::<u8>(bound, 1_000).err(),
                        0x101..=0x1_0000 => reader(bytes).narrow::<u16>(bound, 1_000).err(),
                        _ => reader(bytes).narrow::<u32>(bound, 1_000).err(),
                    };
                    assert!(matches!(read, Some(FileError::Invalid("test"))), "{wrong} at {at}, below {bound}");
                }
            }
        }
    }
}
