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
//! Numbers of the header are little-endian. Short sections are in the index. The others follow it in the order in which it names them.

use std::io::{self, Write};

use super::error::FileError;
use super::numbers::{Numbers, put};
use super::seal::{Encoding, Sealed};
use crate::event::FunctionId;
use crate::settings::wpp::INDEXED;

pub(super) const MAGIC: [u8; 8] = *b"\x89TWPP\r\n\x1a";
/// The version of a file about a program of sources.
const OF_SOURCES: u8 = 5;
/// That of one about a module, whose bytes are in it.
const OF_MODULE: u8 = 6;
pub(super) const HEADER: usize = 18;

/// SectionPlace and form of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) encoding: Encoding,
    pub(super) place: SectionPlace,
}

/// The stored bytes of a section, or where they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SectionPlace {
    /// In the index.
    Indexed(Vec<u8>),
    /// Behind it.
    Behind(Stretch),
}

/// Bytes of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stretch {
    /// Offset from the end of the index, or of the header.
    pub(super) offset: u64,
    pub(super) stored: u64,
    pub(super) checksum: u32,
}

/// A function in the index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionEntry {
    /// Its id.
    pub function: FunctionId,
    /// Its activations.
    pub calls: u64,
    /// Its unique path traces.
    pub unique_traces: u32,
    /// The section of its traces.
    pub(super) section: Section,
}

/// The index of a file.
#[derive(Clone, Debug)]
pub(super) struct Index {
    pub(super) events: u64,
    pub(super) calls: Section,
    pub(super) names: Section,
    pub(super) program: Section,
    /// Called functions, most called first.
    pub(super) functions: Vec<FunctionEntry>,
}

/// The first bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) is_complete: bool,
    /// The program is a module.
    pub(super) has_module: bool,
}

/// The header in front of an index. Fails if the index is too long to have one.
pub(super) fn header(index: &Sealed, Header { is_complete, has_module }: Header) -> io::Result<[u8; HEADER]> {
    let stored = u32::try_from(index.bytes.len()).map_err(io::Error::other)?;
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&MAGIC);
    header[8] = if has_module { OF_MODULE } else { OF_SOURCES };
    header[9] = u8::from(is_complete) | (index.encoding as u8) << 1;
    header[10..14].copy_from_slice(&stored.to_le_bytes());
    header[14..18].copy_from_slice(&index.bytes.checksum().to_le_bytes());
    Ok(header)
}

/// The contents of the header, and the section of the index (at offset 0 from the header's end).
pub(super) fn read_header(header: &[u8; HEADER]) -> Result<(Header, Section), FileError> {
    let number = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().expect("four bytes"));
    if header[..8] != MAGIC {
        return Err(FileError::Foreign);
    }
    let (version, flags) = (header[8], header[9]);
    if version != OF_SOURCES && version != OF_MODULE {
        return Err(FileError::Version(version.into()));
    }
    let encoding = Encoding::of(u64::from(flags >> 1)).ok_or(FileError::Invalid("header"))?;
    let place = SectionPlace::Behind(Stretch { offset: 0, stored: number(10).into(), checksum: number(14) });
    let header = Header { is_complete: flags & 1 == 1, has_module: version == OF_MODULE };
    Ok((header, Section { encoding, place }))
}

impl Section {
    /// Stored length, in bytes.
    pub(super) fn stored(&self) -> u64 {
        match &self.place {
            SectionPlace::Indexed(bytes) => bytes.len() as u64,
            SectionPlace::Behind(stretch) => stretch.stored,
        }
    }

    fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        put(to, self.stored() << 2 | self.encoding as u64)?;
        match &self.place {
            SectionPlace::Indexed(bytes) => to.write_all(bytes),
            SectionPlace::Behind(stretch) => to.write_all(&stretch.checksum.to_le_bytes()),
        }
    }

    /// Reads a section; one behind the index lies at `offset`, which goes on to its end.
    fn read(from: &mut Numbers, offset: &mut u64) -> Result<Section, FileError> {
        let number = from.number()?;
        let (stored, encoding) = (number >> 2, Encoding::of(number & 3).ok_or(from.invalid())?);
        if stored <= INDEXED as u64 {
            return Ok(Section { encoding, place: SectionPlace::Indexed(from.exactly(stored)?) });
        }
        let stretch = Stretch { offset: *offset, stored, checksum: u32::from_le_bytes(from.array()?) };
        *offset = offset.checked_add(stored).ok_or(from.invalid())?;
        Ok(Section { encoding, place: SectionPlace::Behind(stretch) })
    }
}

impl Index {
    pub(super) fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        put(to, self.events)?;
        put(to, self.functions.len() as u64)?;
        for entry in &self.functions {
            put(to, u64::from(entry.function.as_u32()))?;
            put(to, entry.calls)?;
            put(to, u64::from(entry.unique_traces))?;
            entry.section.write(to)?;
        }
        [&self.calls, &self.names, &self.program].into_iter().try_for_each(|section| section.write(to))
    }

    pub(super) fn read(mut from: Numbers) -> Result<Index, FileError> {
        let (events, mut offset) = (from.number()?, 0);
        let functions = from.list(|from| {
            Ok(FunctionEntry {
                function: FunctionId::from_u32(from.below(crate::event::encode::MOST_FUNCTIONS as u32)?),
                calls: from.number()?,
                unique_traces: from.small()?,
                section: Section::read(from, &mut offset)?,
            })
        })?;
        let calls = Section::read(&mut from, &mut offset)?;
        let names = Section::read(&mut from, &mut offset)?;
        let program = Section::read(&mut from, &mut offset)?;
        from.end()?;
        Ok(Index { events, calls, names, program, functions })
    }
}
