//! Reading of a file.
//!
//! In: anything that reads and seeks. Out: the index at once, sections on demand.
//! Invariant: a section is read only if it lies within the file, so that no length makes a large allocation.

use std::io::{Read, Seek, SeekFrom};

use super::checksum::checksum;
use super::error::FileError;
use super::index::{FunctionEntry, HEADER, Header, Index, Section, SectionPlace, read_header};
use super::numbers::Numbers;
use super::seal::{most_items, most_memory, unseal};
use super::sections::{read_call_graph, read_names, read_program};
use super::traces;
use crate::event::FunctionId;
use crate::graph::Node;
use crate::wpp::function_traces::FunctionTraces;
use crate::wpp::program::Program;
use crate::wpp::whole_path::WholePath;

/// Treatment of checksums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// A section whose checksum differs is an error.
    Verify,
    /// A section is read as far as it makes sense.
    Ignore,
}

/// A unique path trace of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtractedTrace {
    /// Its blocks.
    pub blocks: Vec<Node>,
    /// The activations that took it.
    pub calls: u64,
}

/// An open file.
#[derive(Debug)]
pub struct TwppFile<R> {
    reader: R,
    checks: Checks,
    header: Header,
    index: Index,
    /// Offset of the first section.
    sections: u64,
    len: u64,
}

impl<R: Read + Seek> TwppFile<R> {
    /// Opens a file: reads its header and its index.
    pub fn open(reader: R) -> Result<TwppFile<R>, FileError> {
        TwppFile::open_with(reader, Checks::Verify)
    }

    /// Opens a file that may be damaged.
    pub fn open_with(mut reader: R, checks: Checks) -> Result<TwppFile<R>, FileError> {
        let len = reader.seek(SeekFrom::End(0))?;
        reader.seek(SeekFrom::Start(0))?;
        let mut bytes = Vec::new();
        (&mut reader).take(HEADER as u64).read_to_end(&mut bytes)?;
        let magic = &super::index::MAGIC;
        let Ok(header) = <&[u8; HEADER]>::try_from(bytes.as_slice()) else {
            let is_ours = bytes.starts_with(magic) || magic.starts_with(&bytes);
            return Err(if is_ours { FileError::Truncated } else { FileError::Foreign });
        };
        let (header, section) = read_header(header)?;
        let sections = HEADER as u64 + section.stored();
        let index = section_of(&mut reader, section, (HEADER as u64, len), checks, "index")?;
        Ok(TwppFile { reader, checks, header, index: Index::read(index)?, sections, len })
    }

    /// Returns whether the run ended by itself, by a failure too.
    pub fn is_complete(&self) -> bool {
        self.header.is_complete
    }

    /// Number of block events of the run.
    pub fn events(&self) -> u64 {
        self.index.events
    }

    /// Length of the file, in bytes.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Length of what the file stores of the program, in bytes; the rest is the path.
    pub fn program_len(&self) -> u64 {
        self.index.names.stored() + self.index.program.stored()
    }

    /// Returns whether the file holds no called function.
    pub fn is_empty(&self) -> bool {
        self.index.functions.is_empty()
    }

    /// The called functions, most called first.
    pub fn functions(&self) -> &[FunctionEntry] {
        &self.index.functions
    }

    /// The names of all functions, by id.
    pub fn names(&mut self) -> Result<Vec<String>, FileError> {
        read_names(self.section(self.index.names.clone(), "names")?)
    }

    /// The called function with this name.
    pub fn find(&mut self, name: &str) -> Result<Option<&FunctionEntry>, FileError> {
        let names = self.names()?;
        let has_it = |entry: &&FunctionEntry| names.get(entry.function.as_u32() as usize).is_some_and(|of| of == name);
        Ok(self.index.functions.iter().find(has_it))
    }

    /// The program.
    pub fn program(&mut self) -> Result<Program, FileError> {
        let names = self.names()?;
        let has_module = self.header.has_module;
        read_program(self.section(self.index.program.clone(), "program")?, names, has_module)
    }

    /// The unique path traces of a function with the activations of each; no other section is read.
    pub fn function(&mut self, function: FunctionId) -> Result<(FunctionTraces, Vec<u64>), FileError> {
        let entry =
            self.index.functions.iter().find(|entry| entry.function == function).ok_or(FileError::NoFunction)?;
        let (section, unique) = (entry.section.clone(), entry.unique_traces);
        let most = most_items(section.stored());
        traces::read(self.section(section, "function")?, unique, most)
    }

    /// The unique path traces of a function, most called first.
    pub fn extract(&mut self, function: FunctionId) -> Result<Vec<ExtractedTrace>, FileError> {
        let (traces, calls) = self.function(function)?;
        let mut order: Vec<u32> = (0..traces.len()).collect();
        order.sort_by_key(|&trace| std::cmp::Reverse(calls[trace as usize]));
        let of = |trace| ExtractedTrace { blocks: traces.blocks(trace).collect(), calls: calls[trace as usize] };
        Ok(order.into_iter().map(of).collect())
    }

    /// The whole path.
    pub fn whole(&mut self) -> Result<WholePath, FileError> {
        let program = self.program()?;
        let mut functions = vec![FunctionTraces::default(); program.functions.len()];
        for entry in self.index.functions.clone() {
            let place = functions.get_mut(entry.function.as_u32() as usize).ok_or(FileError::Invalid("index"))?;
            if !place.is_empty() {
                return Err(FileError::Invalid("index"));
            }
            *place = self.function(entry.function)?.0;
        }
        let counts: Vec<u32> = functions.iter().map(FunctionTraces::len).collect();
        let calls = read_call_graph(self.section(self.index.calls.clone(), "call graph")?, &counts)?;
        Ok(WholePath { program, complete: self.header.is_complete, functions, calls })
    }

    fn section(&mut self, section: Section, part: &'static str) -> Result<Numbers, FileError> {
        section_of(&mut self.reader, section, (self.sections, self.len), self.checks, part)
    }
}

/// Reads a section, whose offset, if it has one, counts from `within.0`, in a file of length `within.1`.
fn section_of<R: Read + Seek>(
    reader: &mut R,
    section: Section,
    within: (u64, u64),
    checks: Checks,
    part: &'static str,
) -> Result<Numbers, FileError> {
    let budget = most_memory(section.stored());
    let bytes = match section.place {
        SectionPlace::Indexed(bytes) => bytes,
        SectionPlace::Behind(stretch) => {
            let start = within.0.checked_add(stretch.offset).ok_or(FileError::Invalid("index"))?;
            let end = start.checked_add(stretch.stored).ok_or(FileError::Invalid("index"))?;
            if end > within.1 {
                return Err(FileError::Truncated);
            }
            reader.seek(SeekFrom::Start(start))?;
            let mut bytes = vec![0; stretch.stored as usize];
            reader.read_exact(&mut bytes)?;
            if checks == Checks::Verify && checksum(&bytes) != stretch.checksum {
                return Err(FileError::Checksum(part));
            }
            bytes
        }
    };
    Ok(Numbers::new(unseal(section.encoding, bytes, part)?, budget, part))
}
