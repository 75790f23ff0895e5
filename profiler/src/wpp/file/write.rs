//! Writing of a file.
//!
//! In: a [`WholePath`]. Out: header, index, and sections, those of the most called functions first; made ready, and then written.
//! Invariant: the bytes depend on the path and the effort alone.

use std::io::{self, Write};

use super::index::{FunctionEntry, HEADER, Header, Index, Section, SectionPlace, Stretch, header};
use super::seal::{Content, Effort, Sealed, seal};
use super::sections::{write_call_graph, write_names, write_program};
use super::stored_bytes::StoredBytes;
use super::traces::{CountedTraces, Layout};
use crate::settings::wpp::{INDEXED, MOST_TIMESTAMPED};
use crate::wpp::whole_path::WholePath;

/// Sections that are written one behind the other.
#[derive(Default)]
struct Sections {
    stored: Vec<StoredBytes>,
    offset: u64,
}

/// A file that is ready to be written.
pub struct CompactedFile {
    header: [u8; HEADER],
    index: StoredBytes,
    sections: Sections,
    events: u64,
}

impl Sections {
    fn add(&mut self, sealed: Sealed) -> Section {
        let Sealed { encoding, bytes } = sealed;
        if bytes.len() <= INDEXED {
            return Section { encoding, place: SectionPlace::Indexed(bytes.concat()) };
        }
        let stretch = Stretch { offset: self.offset, stored: bytes.len() as u64, checksum: bytes.checksum() };
        self.offset += stretch.stored;
        self.stored.push(bytes);
        Section { encoding, place: SectionPlace::Behind(stretch) }
    }
}

/// Writes the whole path; returns the number of its block events.
pub fn write(path: &WholePath, effort: Effort, to: &mut impl Write) -> io::Result<u64> {
    let file = CompactedFile::of(path, effort)?;
    file.write(to)?;
    Ok(file.events())
}

impl CompactedFile {
    /// Number of block events of the path.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Length of the file, in bytes.
    pub fn size(&self) -> u64 {
        (HEADER + self.index.len()) as u64 + self.sections.offset
    }

    /// Writes the file.
    pub fn write(&self, to: &mut impl Write) -> io::Result<()> {
        to.write_all(&self.header)?;
        self.index.write(to)?;
        self.sections.stored.iter().try_for_each(|bytes| bytes.write(to))
    }

    /// The file of a whole path.
    pub fn of(path: &WholePath, effort: Effort) -> io::Result<CompactedFile> {
        let counts = path.calls();
        let mut called: Vec<_> = path.functions().filter(|(_, traces)| !traces.is_empty()).collect();
        called.sort_by_key(|(function, _)| (std::cmp::Reverse(counts.function(*function)), *function));
        let mut sections = Sections::default();
        let mut functions = Vec::new();
        for (function, traces) in called {
            let calls = (0..traces.len()).map(|trace| counts.of(function, trace)).collect();
            let sealed = seal_traces(&CountedTraces { traces, calls }, effort)?;
            functions.push(FunctionEntry {
                function,
                calls: counts.function(function),
                unique_traces: traces.len(),
                section: sections.add(sealed),
            });
        }
        let calls = sections.add(seal(&|to| write_call_graph(path.call_graph(), to), effort)?);
        let names = sections.add(seal(&|to| write_names(&path.program, to), effort)?);
        let program = sections.add(seal(&|to| write_program(&path.program, to), effort)?);
        let events = path.events_of(&counts);
        let index = Index { events, calls, names, program, functions };
        let index = seal(&|to| index.write(to), effort)?;
        let has_module = path.program.module.is_some();
        let header = header(&index, Header { is_complete: path.complete, has_module })?;
        Ok(CompactedFile { header, index: index.bytes, sections, events })
    }
}

/// The traces in the layout that is shorter, by a fast look at both; long ones as pieces.
fn seal_traces(traces: &CountedTraces<'_>, effort: Effort) -> io::Result<Sealed> {
    let in_layout = |layout, effort| {
        let content: Content<'_> = &|to| traces.write(layout, to);
        seal(content, effort)
    };
    let blocks: u64 = (0..traces.traces.len()).map(|trace| traces.traces.block_count(trace)).sum();
    if effort == Effort::Fast || blocks > MOST_TIMESTAMPED {
        return in_layout(Layout::Pieces, effort);
    }
    let pieces = in_layout(Layout::Pieces, Effort::Fast)?;
    let timestamps = in_layout(Layout::Timestamps, Effort::Fast)?;
    if timestamps.bytes.len() <= pieces.bytes.len() {
        let timestamps = in_layout(Layout::Timestamps, effort)?;
        // A reader takes no more blocks from a section than its length allows.
        if blocks <= super::seal::most_items(timestamps.bytes.len() as u64) {
            return Ok(timestamps);
        }
    }
    in_layout(Layout::Pieces, effort)
}
