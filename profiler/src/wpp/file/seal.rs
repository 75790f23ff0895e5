//! Encodings of a section: the shortest of plain, LZW and zstd for short content, zstd for long. Long content that repeats itself much is
//! compressed once more by a slower level, which finds far more there and takes little time.
//!
//! In: a section's content, which is written once. Out: its stored bytes, and back.
//! Invariant: a stored section is read with memory and time bounded by its stored length.

use std::io::{self, Read, Write};
use std::mem;

use zstd::zstd_safe::CParameter;

use super::error::FileError;
use super::stored_bytes::StoredBytes;
use crate::settings::wpp::{
    FAST_LEVEL, INDEXED, LEAST_MEMORY, LEAST_REGULAR, LONG_LEVEL, LONG_TABLE, MEMORY_FACTOR, MOST_FACTOR, MOST_SLOW,
    MOST_SLOWEST, REGULAR_CHAINS, REGULAR_FACTOR, REGULAR_LEVEL, REGULAR_TABLE, SLOW_LEVEL, SLOWEST_LEVEL, WINDOW,
};

/// The first bytes of each frame of zstd, which are not stored.
const FRAME: [u8; 4] = 0xfd2f_b528_u32.to_le_bytes();

/// Amount of time that a file is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A file that the next one replaces soon.
    Fast,
    /// The smallest file.
    Best,
}

/// Encoding of a section, as the format numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// The content itself.
    Plain,
    /// Lempel, Ziv and Welch's, codes of up to 12 bits, most significant first.
    Lzw,
    /// A frame of zstd without its first four bytes, which are the same in all.
    Zstd,
}

impl Effort {
    /// The level of zstd for content of this length.
    fn level(self, len: usize) -> i32 {
        match self {
            Effort::Fast => FAST_LEVEL,
            Effort::Best if len <= MOST_SLOWEST => SLOWEST_LEVEL,
            Effort::Best if len <= MOST_SLOW => SLOW_LEVEL,
            Effort::Best => LONG_LEVEL,
        }
    }
}

impl Encoding {
    const ALL: [Encoding; 3] = [Encoding::Plain, Encoding::Lzw, Encoding::Zstd];

    pub(super) fn of(number: u64) -> Option<Encoding> {
        Encoding::ALL.get(usize::try_from(number).ok()?).copied()
    }
}

/// The stored form of a section.
#[derive(Clone, Debug)]
pub(super) struct Sealed {
    pub(super) encoding: Encoding,
    pub(super) bytes: StoredBytes,
}

pub(super) type Content<'a> = &'a dyn Fn(&mut dyn Write) -> io::Result<()>;

/// Takes content: kept as it is up to [`MOST_SLOW`] bytes, compressed as it comes beyond.
struct Taken {
    short: Vec<u8>,
    long: Option<zstd::stream::Encoder<'static, StoredBytes>>,
    level: i32,
    /// Length of what was taken.
    len: u64,
}

impl Write for Taken {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.long.is_none() && self.short.len() + bytes.len() > MOST_SLOW {
            let long = self.long.insert(encoder(self.level)?);
            long.write_all(&mem::take(&mut self.short))?;
        }
        self.len += bytes.len() as u64;
        match &mut self.long {
            None => self.short.extend_from_slice(bytes),
            Some(long) => long.write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The stored form of a content.
pub(super) fn seal(content: Content<'_>, effort: Effort) -> io::Result<Sealed> {
    let Taken { short: plain, long, len, .. } = taken(content, effort.level(usize::MAX))?;
    if let Some(long) = long {
        return sealed_long(content, long.finish()?, len, effort);
    }
    if plain.len() <= INDEXED {
        return Ok(Sealed { encoding: Encoding::Plain, bytes: plain.into() });
    }
    let mut best = Sealed::frame(zstd_of(&plain, effort.level(plain.len()))?);
    for (encoding, bytes) in [(Encoding::Lzw, lzw(&plain)), (Encoding::Plain, plain)] {
        if bytes.len() <= best.bytes.len() {
            best = Sealed { encoding, bytes: bytes.into() };
        }
    }
    Ok(best)
}

fn taken(content: Content<'_>, level: i32) -> io::Result<Taken> {
    let mut taken = io::BufWriter::new(Taken { short: Vec::new(), long: None, level, len: 0 });
    content(&mut taken)?;
    taken.into_inner().map_err(io::IntoInnerError::into_error)
}

/// The shorter one of a long content's frame and another of the level for regular content, if it is regular and longer than most.
fn sealed_long(content: Content<'_>, frame: StoredBytes, len: u64, effort: Effort) -> io::Result<Sealed> {
    let mut best = Sealed::frame(frame);
    let is_regular = len >= LEAST_REGULAR && len / REGULAR_FACTOR > best.bytes.len() as u64;
    if effort == Effort::Best && is_regular {
        let Taken { long: Some(long), .. } = taken(content, REGULAR_LEVEL)? else { return Ok(best) };
        let other = Sealed::frame(long.finish()?);
        if other.bytes.len() < best.bytes.len() {
            best = other;
        }
    }
    Ok(best)
}

impl Sealed {
    fn frame(frame: StoredBytes) -> Sealed {
        Sealed { encoding: Encoding::Zstd, bytes: frame.behind(FRAME.len()) }
    }
}

fn encoder(level: i32) -> io::Result<zstd::stream::Encoder<'static, StoredBytes>> {
    let mut encoder = zstd::stream::Encoder::new(StoredBytes::default(), level)?;
    encoder.set_parameter(CParameter::WindowLog(WINDOW))?;
    if level == LONG_LEVEL {
        encoder.set_parameter(CParameter::HashLog(LONG_TABLE))?;
    }
    if level == REGULAR_LEVEL {
        encoder.set_parameter(CParameter::HashLog(REGULAR_TABLE))?;
        encoder.set_parameter(CParameter::ChainLog(REGULAR_CHAINS))?;
    }
    encoder.include_checksum(false)?;
    encoder.include_contentsize(false)?;
    Ok(encoder)
}

/// A frame of this content; its length spares the tables of a short one.
fn zstd_of(plain: &[u8], level: i32) -> io::Result<StoredBytes> {
    let mut encoder = encoder(level)?;
    encoder.set_pledged_src_size(Some(plain.len() as u64))?;
    encoder.write_all(plain)?;
    Ok(encoder.finish()?.concat().into())
}

/// The bytes after LZW.
pub(crate) fn lzw(plain: &[u8]) -> Vec<u8> {
    let mut encoder = weezl::encode::Encoder::new(weezl::BitOrder::Msb, 8);
    encoder.encode(plain).expect("compression into memory does not fail")
}

/// The bytes before LZW; `None` if they are more than were ever encoded so.
fn unlzw(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut decoder = weezl::decode::Decoder::new(weezl::BitOrder::Msb, 8);
    let mut plain = vec![0; MOST_SLOW + 1];
    let (mut read, mut written) = (0, 0);
    loop {
        let result = decoder.decode_bytes(&bytes[read..], &mut plain[written..]);
        read += result.consumed_in;
        written += result.consumed_out;
        match result.status.ok()? {
            weezl::LzwStatus::Done if written <= MOST_SLOW => {
                plain.truncate(written);
                return Some(plain);
            }
            weezl::LzwStatus::Ok if result.consumed_in + result.consumed_out > 0 => {}
            _ => return None,
        }
    }
}

/// Greatest number of things that a section of this stored length may stand for.
pub(super) fn most_items(stored: u64) -> u64 {
    stored.saturating_mul(MOST_FACTOR).saturating_add(1 << 16)
}

/// Most memory that tables read from a section of this stored length may take, in bytes.
pub(super) fn most_memory(stored: u64) -> u64 {
    stored.saturating_mul(MEMORY_FACTOR).saturating_add(LEAST_MEMORY)
}

/// Reader of the content of a stored section.
pub(super) fn unseal(encoding: Encoding, bytes: Vec<u8>, part: &'static str) -> Result<Box<dyn Read>, FileError> {
    let bound = most_items(bytes.len() as u64);
    let content: Box<dyn Read> = match encoding {
        Encoding::Plain => Box::new(io::Cursor::new(bytes)),
        Encoding::Lzw => Box::new(io::Cursor::new(unlzw(&bytes).ok_or(FileError::Invalid(part))?)),
        Encoding::Zstd => {
            let mut decoder = zstd::stream::Decoder::with_buffer(FRAME.chain(io::Cursor::new(bytes)))?;
            decoder.window_log_max(WINDOW)?;
            Box::new(decoder)
        }
    };
    Ok(Box::new(content.take(bound)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Phrases of 300 bytes, one of 16 each time, and a byte in between that differs now and then.
    fn regular() -> Vec<u8> {
        let mixed = |at: u32| at.wrapping_mul(0x9e37_79b9).rotate_left(11).wrapping_mul(0x85eb_ca6b) >> 24;
        let phrase = |number: u32| (0..300).map(move |at| mixed(number * 300 + at) as u8);
        (0..4_000).flat_map(|at| phrase(mixed(at) % 16).chain([if mixed(at + 9) < 8 { at as u8 } else { 0 }])).collect()
    }

    fn frame(bytes: &[u8], level: i32) -> usize {
        let mut encoder = encoder(level).unwrap();
        encoder.write_all(bytes).unwrap();
        Sealed::frame(encoder.finish().unwrap()).bytes.len()
    }

    #[test]
    fn regular_content_is_compressed_by_the_better_level() {
        let content = regular();
        let [long, regular] = [LONG_LEVEL, REGULAR_LEVEL].map(|level| frame(&content, level));
        assert!(regular < long && long * (REGULAR_FACTOR as usize) < content.len(), "{regular} {long}");
        let sealed = |effort| seal(&|to| to.write_all(&content), effort).unwrap();
        assert_eq!(sealed(Effort::Best).bytes.len(), regular);
        assert!(sealed(Effort::Fast).bytes.len() > regular);
        let Sealed { encoding, bytes } = sealed(Effort::Best);
        let mut read = Vec::new();
        unseal(encoding, bytes.concat(), "test").unwrap().read_to_end(&mut read).unwrap();
        assert!(read == content);
    }
}
