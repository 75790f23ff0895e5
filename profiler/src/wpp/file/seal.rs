//! Encodings of a section: plain, LZW or zstd, the shortest is taken.
//!
//! In: a section's content, which is written once for each encoding that is tried. Out: its stored bytes, and back.
//! Invariant: a stored section is read with memory and time bounded by its stored length.

use std::io::{self, Read, Write};

use super::error::FileError;
use crate::settings::wpp::{MOST_FACTOR, MOST_SLOW, MOST_TRIED, MOST_WINDOW};

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

/// Counts what is written through it.
struct Counted<W>(W, u64);

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.0.write(bytes)?;
        self.1 += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The shortest stored form of a content.
pub(super) fn seal(content: Content<'_>, effort: Effort) -> io::Result<Sealed> {
    let mut counted = Counted(io::sink(), 0);
    content(&mut counted)?;
    let len = counted.1;
    let level = match effort {
        Effort::Fast => 3,
        Effort::Best if len <= MOST_SLOW => 19,
        Effort::Best => 9,
    };
    let mut best = Sealed { encoding: Encoding::Zstd, bytes: zstd_of(content, len, level)? };
    if len <= MOST_TRIED {
        let mut plain = Vec::new();
        content(&mut plain)?;
        let coded = lzw(&plain);
        for (encoding, bytes) in [(Encoding::Lzw, coded), (Encoding::Plain, plain)] {
            if bytes.len() <= best.bytes.len() {
                best = Sealed { encoding, bytes };
            }
        }
    }
    Ok(best)
}

/// A frame of a content of this length; the length spares the tables of a short one.
fn zstd_of(content: Content<'_>, len: u64, level: i32) -> io::Result<Vec<u8>> {
    let mut encoder = zstd::stream::Encoder::new(Vec::new(), level)?;
    encoder.include_checksum(false)?;
    encoder.include_contentsize(false)?;
    encoder.set_pledged_src_size(Some(len))?;
    let mut buffered = io::BufWriter::with_capacity(1 << 16, encoder);
    content(&mut buffered)?;
    buffered.into_inner().map_err(io::IntoInnerError::into_error)?.finish()
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
