//! The line tables of DWARF.
//!
//! In: custom sections, of any bytes. Out: rows by address, each with the file and line of the code from there on. Invariant: what is malformed ends
//! its unit's rows and nothing else.

use gimli::{AttributeValue, Dwarf, EndianSlice, LineProgramHeader, LineRow as Row, LittleEndian, SectionId, Unit};
use hashbrown::HashMap;
use std::path::Path;
use std::rc::Rc;

type Reader<'a> = EndianSlice<'a, LittleEndian>;

/// The rows that are read at most: tables are compressed, and a few bytes may stand for any number.
const MOST_ROWS: usize = 1 << 24;

/// Code from an address on.
pub(super) struct LineRow {
    pub(super) address: u64,
    /// Its place; none behind the end of a sequence.
    pub(super) place: Option<LinePlace>,
}

/// A line of a file.
pub(super) struct LinePlace {
    pub(super) file: Rc<SourcePath>,
    /// Counted from 1.
    pub(super) line: u32,
}

/// The path of a file.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct SourcePath {
    /// As the compiler was told it, which users know.
    pub(super) name: String,
    /// With the directory of the compilation.
    pub(super) full: String,
}

/// All rows of a module with so many bodies, by address.
pub(super) fn rows(sections: &HashMap<&str, &[u8]>, bodies: usize) -> Vec<LineRow> {
    let section = |id: SectionId| {
        let bytes: &[u8] = sections.get(id.name()).copied().unwrap_or_default();
        Ok::<_, gimli::Error>(EndianSlice::new(bytes, LittleEndian))
    };
    let Ok(dwarf) = Dwarf::load(section) else { return Vec::new() };
    let mut rows = Vec::new();
    let mut units = dwarf.units();
    while let Ok(Some(header)) = units.next() {
        if let Ok(unit) = dwarf.unit(header) {
            let first = rows.len();
            // An error ends what the unit adds.
            let _ = unit_rows(&dwarf, &unit, &mut rows);
            if is_by_wast(&dwarf, &unit) {
                let count = bytes_of_count(bodies);
                rows[first..].iter_mut().for_each(|row| row.address += count);
            }
        }
    }
    // Where a sequence ends and another begins, the beginning counts.
    rows.sort_by_key(|row: &LineRow| (row.address, row.place.is_some()));
    rows
}

/// Returns whether a unit was written by `wast`, whose addresses begin behind the count of functions, which stands first in the section of code.
fn is_by_wast<'a>(dwarf: &Dwarf<Reader<'a>>, unit: &Unit<Reader<'a>>) -> bool {
    let mut entries = unit.entries();
    let Ok(Some(root)) = entries.next_dfs() else { return false };
    let producer = root.attr_value(gimli::DW_AT_producer).and_then(|value| dwarf.attr_string(unit, value).ok());
    producer.is_some_and(|producer| producer.slice().starts_with(b"wast "))
}

/// Bytes of the count in its shortest form, of 7 bits each.
fn bytes_of_count(count: usize) -> u64 {
    u64::from((usize::BITS - count.leading_zeros()).div_ceil(7).max(1))
}

fn unit_rows<'a>(dwarf: &Dwarf<Reader<'a>>, unit: &Unit<Reader<'a>>, rows: &mut Vec<LineRow>) -> gimli::Result<()> {
    let Some(program) = unit.line_program.clone() else { return Ok(()) };
    let mut files: HashMap<u64, Option<Rc<SourcePath>>> = HashMap::new();
    let mut program = program.rows();
    let mut sequence: Vec<LineRow> = Vec::new();
    while let Some((header, row)) = program.next_row()? {
        let file = files.entry(row.file_index()).or_insert_with(|| path(dwarf, unit, header, row).map(Rc::new));
        let line = row.line().and_then(|line| u32::try_from(line.get()).ok());
        let place = file.as_ref().zip(line).map(|(file, line)| LinePlace { file: Rc::clone(file), line });
        let place = place.filter(|_| !row.end_sequence());
        sequence.push(LineRow { address: row.address(), place });
        if rows.len() + sequence.len() > MOST_ROWS {
            return Ok(());
        }
        if row.end_sequence() {
            // Code that the linker has dropped is at address 0, where no code can be.
            let sequence = std::mem::take(&mut sequence);
            rows.extend(sequence.into_iter().skip_while(|row| row.address == 0).take_while(|row| row.address > 0));
        }
    }
    Ok(())
}

fn path<'a>(
    dwarf: &Dwarf<Reader<'a>>,
    unit: &Unit<Reader<'a>>,
    header: &LineProgramHeader<Reader<'a>>,
    row: &Row,
) -> Option<SourcePath> {
    let text =
        |value: AttributeValue<Reader<'a>>| Some(dwarf.attr_string(unit, value).ok()?.to_string_lossy().into_owned());
    let file = row.file(header)?;
    let base = unit.comp_dir.map(|dir| dir.to_string_lossy().into_owned()).unwrap_or_default();
    let mut path = Path::new(&text(file.path_name())?).to_owned();
    if let Some(directory) = file.directory(header).and_then(text)
        && directory != base
    {
        path = Path::new(&directory).join(path);
    }
    let full = Path::new(&base).join(&path);
    // A directory that is no absolute one is from where the user is.
    let name = if Path::new(&base).is_absolute() || base == "." { &path } else { &full };
    Some(SourcePath { name: name.to_string_lossy().into_owned(), full: full.to_string_lossy().into_owned() })
}
