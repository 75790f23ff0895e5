//! Header and index of a file.
//!
//! In: sections and the functions that they belong to. Out: bytes, and back.
//!
//! ```text
//!   8 bytes   magic
//!   4 bytes   version
//!   4 bytes   1 if the recording is complete, else 0
//!   8 bytes   stored length of the index
//!   8 bytes   checksum of the index
//!   1 byte    encoding of the index
//! ```
//!
//! Numbers of the header are little-endian. The sections follow the index; their offsets count from its end.

use std::io::{self, Write};

use super::error::FileError;
use super::numbers::{Numbers, put, put_bytes};
use super::seal::{Encoding, Sealed};
use crate::event::FunctionId;

pub(super) const MAGIC: [u8; 8] = *b"\x89TWPP\r\n\x1a";
pub(super) const VERSION: u32 = 2;
pub(super) const HEADER: usize = 33;

const CHECKSUM: crc::Crc<u64, crc::Table<16>> = crc::Crc::<u64, crc::Table<16>>::new(&crc::CRC_64_XZ);

/// Place and form of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// Offset from the end of the index.
    pub offset: u64,
    /// Stored length, in bytes.
    pub stored: u64,
    /// Encoding of the stored bytes.
    pub encoding: Encoding,
    pub(super) checksum: u64,
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

pub(super) fn checksum(bytes: &[u8]) -> u64 {
    CHECKSUM.checksum(bytes)
}

/// The header in front of an index.
pub(super) fn header(index: &Sealed, is_complete: bool) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12..16].copy_from_slice(&u32::from(is_complete).to_le_bytes());
    header[16..24].copy_from_slice(&(index.bytes.len() as u64).to_le_bytes());
    header[24..32].copy_from_slice(&checksum(&index.bytes).to_le_bytes());
    header[32] = index.encoding as u8;
    header
}

/// The completeness and the section of the index (at offset 0 from the header's end).
pub(super) fn read_header(header: &[u8; HEADER]) -> Result<(bool, Section), FileError> {
    let number = |at: usize| u64::from_le_bytes(header[at..at + 8].try_into().expect("eight bytes"));
    if header[..8] != MAGIC {
        return Err(FileError::Foreign);
    }
    let (version, flag) = (number(8) as u32, number(8) >> 32);
    if version != VERSION {
        return Err(FileError::Version(version));
    }
    let encoding = Encoding::of(u64::from(header[32])).filter(|_| flag < 2).ok_or(FileError::Invalid("header"))?;
    Ok((flag == 1, Section { offset: 0, stored: number(16), encoding, checksum: number(24) }))
}

impl Section {
    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        put(to, self.offset)?;
        put(to, self.stored)?;
        put(to, self.encoding as u64)?;
        to.write_all(&self.checksum.to_le_bytes())
    }

    fn read(from: &mut Numbers) -> Result<Section, FileError> {
        let (offset, stored, encoding) = (from.number()?, from.number()?, from.number()?);
        let encoding = Encoding::of(encoding).ok_or(from.invalid())?;
        Ok(Section { offset, stored, encoding, checksum: u64::from_le_bytes(from.array()?) })
    }
}

impl Index {
    pub(super) fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        put(to, self.events)?;
        self.program.write(to)?;
        self.calls.write(to)?;
        put(to, self.functions.len() as u64)?;
        for entry in &self.functions {
            put(to, u64::from(entry.function.as_u32()))?;
            put_bytes(to, entry.name.as_bytes())?;
            put(to, entry.calls)?;
            put(to, u64::from(entry.unique_traces))?;
            entry.section.write(to)?;
        }
        Ok(())
    }

    pub(super) fn read(mut from: Numbers) -> Result<Index, FileError> {
        let (events, program, calls) = (from.number()?, Section::read(&mut from)?, Section::read(&mut from)?);
        let functions = from.list(|from| {
            Ok(FunctionEntry {
                function: FunctionId::from_u32(from.below(crate::event::encode::MOST_FUNCTIONS as u32)?),
                name: from.text()?,
                calls: from.number()?,
                unique_traces: from.small()?,
                section: Section::read(from)?,
            })
        })?;
        from.end()?;
        Ok(Index { events, program, calls, functions })
    }
}
