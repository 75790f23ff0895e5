//! Header and index of a file.
//!
//! In: sections and the functions that they belong to. Out: bytes, and back.
//!
//! ```text
//!   8 bytes   magic
//!   1 byte    version
//!   1 byte    1 if the recording is complete, else 0; plus 2 times the encoding of the index
//!   4 bytes   stored length of the index
//!   4 bytes   checksum of the index
//! ```
//!
//! Numbers of the header are little-endian. The sections follow the index in the order in which it names them.

use std::io::{self, Write};

use super::error::FileError;
use super::numbers::{Numbers, put, put_bytes};
use super::seal::{Encoding, Sealed};
use crate::event::FunctionId;

pub(super) const MAGIC: [u8; 8] = *b"\x89TWPP\r\n\x1a";
pub(super) const VERSION: u8 = 4;
pub(super) const HEADER: usize = 18;

const CHECKSUM: crc::Crc<u32, crc::Table<16>> = crc::Crc::<u32, crc::Table<16>>::new(&crc::CRC_32_ISO_HDLC);

/// Place and form of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// Offset from the end of the index.
    pub offset: u64,
    /// Stored length, in bytes.
    pub stored: u64,
    /// Encoding of the stored bytes.
    pub encoding: Encoding,
    pub(super) checksum: u32,
}

/// A function in the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionEntry {
    /// Its id.
    pub function: FunctionId,
    /// Its name.
    pub name: String,
    /// Its activations.
    pub calls: u64,
    /// Its unique path traces.
    pub unique_traces: u32,
    /// The section of its traces.
    pub section: Section,
}

/// The index of a file.
#[derive(Clone, Debug)]
pub(super) struct Index {
    pub(super) events: u64,
    pub(super) program: Section,
    pub(super) calls: Section,
    /// Called functions, most called first.
    pub(super) functions: Vec<FunctionEntry>,
}

pub(super) fn checksum(bytes: &[u8]) -> u32 {
    CHECKSUM.checksum(bytes)
}

/// The header in front of an index. Fails if the index is too long to have one.
pub(super) fn header(index: &Sealed, is_complete: bool) -> io::Result<[u8; HEADER]> {
    let stored = u32::try_from(index.bytes.len()).map_err(io::Error::other)?;
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8] = VERSION;
    header[9] = u8::from(is_complete) | (index.encoding as u8) << 1;
    header[10..14].copy_from_slice(&stored.to_le_bytes());
    header[14..18].copy_from_slice(&checksum(&index.bytes).to_le_bytes());
    Ok(header)
}

/// The completeness and the section of the index (at offset 0 from the header's end).
pub(super) fn read_header(header: &[u8; HEADER]) -> Result<(bool, Section), FileError> {
    let number = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().expect("four bytes"));
    if header[..8] != MAGIC {
        return Err(FileError::Foreign);
    }
    let (version, flags) = (header[8], header[9]);
    if version != VERSION {
        return Err(FileError::Version(version.into()));
    }
    let encoding = Encoding::of(u64::from(flags >> 1)).ok_or(FileError::Invalid("header"))?;
    Ok((flags & 1 == 1, Section { offset: 0, stored: number(10).into(), encoding, checksum: number(14) }))
}

impl Section {
    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        put(to, self.stored << 2 | self.encoding as u64)?;
        to.write_all(&self.checksum.to_le_bytes())
    }

    /// Reads the section that lies at `offset`, which goes on to its end.
    fn read(from: &mut Numbers, offset: &mut u64) -> Result<Section, FileError> {
        let number = from.number()?;
        let (stored, encoding) = (number >> 2, Encoding::of(number & 3).ok_or(from.invalid())?);
        let section = Section { offset: *offset, stored, encoding, checksum: u32::from_le_bytes(from.array()?) };
        *offset = offset.checked_add(stored).ok_or(from.invalid())?;
        Ok(section)
    }
}

impl Index {
    pub(super) fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        put(to, self.events)?;
        put(to, self.functions.len() as u64)?;
        for entry in &self.functions {
            put(to, u64::from(entry.function.as_u32()))?;
            put_bytes(to, entry.name.as_bytes())?;
            put(to, entry.calls)?;
            put(to, u64::from(entry.unique_traces))?;
            entry.section.write(to)?;
        }
        self.calls.write(to)?;
        self.program.write(to)
    }

    pub(super) fn read(mut from: Numbers) -> Result<Index, FileError> {
        let (events, mut offset) = (from.number()?, 0);
        let functions = from.list(|from| {
            Ok(FunctionEntry {
                function: FunctionId::from_u32(from.below(crate::event::encode::MOST_FUNCTIONS as u32)?),
                name: from.text()?,
                calls: from.number()?,
                unique_traces: from.small()?,
                section: Section::read(from, &mut offset)?,
            })
        })?;
        let (calls, program) = (Section::read(&mut from, &mut offset)?, Section::read(&mut from, &mut offset)?);
        from.end()?;
        Ok(Index { events, program, calls, functions })
    }
}
