//! Encodings of a section: plain, LZW or zstd, the shortest is taken.
//!
//! In: a section's content, which is written once. Out: its stored bytes, and back.
//! Invariant: a stored section is read with memory and time bounded by its stored length.

use std::io::{self, Read, Write};

use super::error::FileError;
use crate::settings::wpp::{FAST_LEVEL, LONG_LEVEL, MOST_FACTOR, MOST_SLOW, MOST_TRIED, MOST_WINDOW, SLOW_LEVEL};

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
    /// A frame of zstd.
    Zstd,
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
    pub(super) bytes: Vec<u8>,
}

pub(super) type Content<'a> = &'a dyn Fn(&mut dyn Write) -> io::Result<()>;

/// Takes content: kept as it is up to [`MOST_TRIED`] bytes, compressed as it comes beyond.
enum Taken {
    Short(Vec<u8>),
    Long(io::BufWriter<zstd::stream::Encoder<'static, Vec<u8>>>),
}

impl Write for Taken {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Taken::Short(plain) if plain.len() + bytes.len() <= MOST_TRIED => plain.extend_from_slice(bytes),
            Taken::Short(plain) => {
                let mut encoder = io::BufWriter::with_capacity(1 << 16, encoder(LONG_LEVEL)?);
                encoder.write_all(plain)?;
                encoder.write_all(bytes)?;
                *self = Taken::Long(encoder);
            }
            Taken::Long(encoder) => encoder.write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The shortest stored form of a content.
pub(super) fn seal(content: Content<'_>, effort: Effort) -> io::Result<Sealed> {
    let mut taken = Taken::Short(Vec::new());
    content(&mut taken)?;
    let plain = match taken {
        Taken::Short(plain) => plain,
        Taken::Long(encoder) => {
            let bytes = encoder.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?;
            return Ok(Sealed { encoding: Encoding::Zstd, bytes });
        }
    };
    let level = match effort {
        Effort::Fast => FAST_LEVEL,
        Effort::Best if plain.len() <= MOST_SLOW => SLOW_LEVEL,
        Effort::Best => LONG_LEVEL,
    };
    let candidates =
        [(Encoding::Plain, plain.clone()), (Encoding::Lzw, lzw(&plain)), (Encoding::Zstd, zstd_of(&plain, level)?)];
    let (encoding, bytes) = candidates.into_iter().min_by_key(|(_, bytes)| bytes.len()).expect("there are three");
    Ok(Sealed { encoding, bytes })
}

fn encoder(level: i32) -> io::Result<zstd::stream::Encoder<'static, Vec<u8>>> {
    let mut encoder = zstd::stream::Encoder::new(Vec::new(), level)?;
    encoder.include_checksum(false)?;
    encoder.include_contentsize(false)?;
    Ok(encoder)
}

/// A frame of this content; its length spares the tables of a short one.
fn zstd_of(plain: &[u8], level: i32) -> io::Result<Vec<u8>> {
    let mut encoder = encoder(level)?;
    encoder.set_pledged_src_size(Some(plain.len() as u64))?;
    encoder.write_all(plain)?;
    encoder.finish()
}

/// The bytes after LZW.
pub(crate) fn lzw(plain: &[u8]) -> Vec<u8> {
    let mut encoder = weezl::encode::Encoder::new(weezl::BitOrder::Msb, 8);
    encoder.encode(plain).expect("compression into memory does not fail")
}

/// Greatest number of things that a section of this stored length may stand for.
pub(super) fn most_items(stored: u64) -> u64 {
    stored.saturating_mul(MOST_FACTOR).saturating_add(1 << 16)
}

/// Reader of the content of a stored section.
pub(super) fn unseal(encoding: Encoding, bytes: Vec<u8>, part: &'static str) -> Result<Box<dyn Read>, FileError> {
    let bound = most_items(bytes.len() as u64);
    let content: Box<dyn Read> = match encoding {
        Encoding::Plain => Box::new(io::Cursor::new(bytes)),
        Encoding::Lzw => {
            let mut decoder = weezl::decode::Decoder::new(weezl::BitOrder::Msb, 8);
            Box::new(io::Cursor::new(decoder.decode(&bytes).map_err(|_| FileError::Invalid(part))?))
        }
        Encoding::Zstd => {
            let mut decoder = zstd::stream::Decoder::new(io::Cursor::new(bytes))?;
            decoder.window_log_max(MOST_WINDOW)?;
            Box::new(decoder)
        }
    };
    Ok(Box::new(content.take(bound)))
}
