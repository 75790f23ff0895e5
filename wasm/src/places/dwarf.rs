//! The line tables of DWARF.
//!
//! In: custom sections, of any bytes. Out: rows by address, each with the file and line of the code from there on. Invariant: what is malformed ends
//! its unit's rows and nothing else. Tables are compressed, and units may share one: what is read, and what is kept, is bounded for all units together.

use gimli::{
    AttributeValue, Dwarf, EndianSlice, IncompleteLineProgram, LineProgramHeader, LineRow as Row, LittleEndian,
    Section as _, SectionId, Unit,
};
use hashbrown::{HashMap, HashSet};
use std::path::Path;
use std::rc::Rc;

type Reader<'a> = EndianSlice<'a, LittleEndian>;

/// The rows that are read at most.
const MOST_ROWS: usize = 1 << 22;
/// The bytes of line tables that are read at most, as a multiple of those that there are: each is that of one unit, as a rule.
const MOST_READS: usize = 2;
/// The most bytes of a path; the system takes no longer ones.
const MOST_PATH: usize = 4096;
/// The most paths that are kept.
const MOST_PATHS: usize = 1 << 14;

/// Code from an address on.
pub(crate) struct LineRow {
    pub(crate) address: u64,
    /// Its place; none behind the end of a sequence.
    pub(crate) place: Option<LinePlace>,
}

/// A line of a file.
pub(crate) struct LinePlace {
    pub(crate) file: Rc<SourcePath>,
    /// Counted from 1.
    pub(crate) line: u32,
}

/// The path of a file.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct SourcePath {
    /// As the compiler was told it, which users know.
    pub(crate) name: String,
    /// With the directory of the compilation.
    pub(crate) full: String,
}

/// The rows of the units so far, and what may still be read.
struct Reading {
    rows: Vec<LineRow>,
    paths: HashSet<Rc<SourcePath>>,
    rows_left: usize,
    bytes_left: usize,
}

/// All rows of a module with so many bodies, by address.
pub(crate) fn rows(sections: &HashMap<&str, &[u8]>, bodies: usize) -> Vec<LineRow> {
    let section = |id: SectionId| {
        let bytes: &[u8] = sections.get(id.name()).copied().unwrap_or_default();
        Ok::<_, gimli::Error>(EndianSlice::new(bytes, LittleEndian))
    };
    let Ok(mut dwarf) = Dwarf::load(section) else { return Vec::new() };
    dwarf.populate_abbreviations_cache(gimli::AbbreviationsCacheStrategy::Duplicates);
    let bytes_left = MOST_READS * dwarf.debug_line.reader().len();
    let mut reading = Reading { rows: Vec::new(), paths: HashSet::new(), rows_left: MOST_ROWS, bytes_left };
    let mut units = dwarf.units();
    while let Ok(Some(header)) = units.next() {
        let Ok(unit) = dwarf.unit(header) else { continue };
        let Some(program) = unit.line_program.clone() else { continue };
        let Some(left) = reading.bytes_left.checked_sub(program.header().unit_length()) else { break };
        reading.bytes_left = left;
        let first = reading.rows.len();
        // An error ends what the unit adds.
        let _ = reading.unit(&dwarf, &unit, program);
        if is_by_wast(&dwarf, &unit) {
            let count = bytes_of_count(bodies);
            reading.rows[first..].iter_mut().for_each(|row| row.address = row.address.saturating_add(count));
        }
    }
    let mut rows = reading.rows;
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

impl Reading {
    fn unit<'a>(
        &mut self,
        dwarf: &Dwarf<Reader<'a>>,
        unit: &Unit<Reader<'a>>,
        program: IncompleteLineProgram<Reader<'a>>,
    ) -> gimli::Result<()> {
        let mut files: HashMap<u64, Option<Rc<SourcePath>>> = HashMap::new();
        let mut program = program.rows();
        let mut sequence: Vec<LineRow> = Vec::new();
        while let Some((header, row)) = program.next_row()? {
            let Some(left) = self.rows_left.checked_sub(1) else { return Ok(()) };
            self.rows_left = left;
            let file = files.entry(row.file_index()).or_insert_with(|| self.interned(path(dwarf, unit, header, row)?));
            let line = row.line().and_then(|line| u32::try_from(line.get()).ok());
            let place = file.as_ref().zip(line).map(|(file, line)| LinePlace { file: Rc::clone(file), line });
            let place = place.filter(|_| !row.end_sequence());
            sequence.push(LineRow { address: row.address(), place });
            if row.end_sequence() {
                // Code that the linker has dropped is at address 0, where no code can be.
                let sequence = std::mem::take(&mut sequence);
                let kept = sequence.into_iter().skip_while(|row| row.address == 0).take_while(|row| row.address > 0);
                self.rows.extend(kept);
            }
        }
        Ok(())
    }

    /// The same path as other units have it, if there is room for it.
    fn interned(&mut self, path: SourcePath) -> Option<Rc<SourcePath>> {
        if let Some(known) = self.paths.get(&path) {
            return Some(Rc::clone(known));
        }
        let path = (self.paths.len() < MOST_PATHS).then(|| Rc::new(path))?;
        self.paths.insert(Rc::clone(&path));
        Some(path)
    }
}

fn path<'a>(
    dwarf: &Dwarf<Reader<'a>>,
    unit: &Unit<Reader<'a>>,
    header: &LineProgramHeader<Reader<'a>>,
    row: &Row,
) -> Option<SourcePath> {
    let text = |value: AttributeValue<Reader<'a>>| {
        let text = dwarf.attr_string(unit, value).ok().filter(|text| text.len() <= MOST_PATH)?;
        Some(text.to_string_lossy().into_owned())
    };
    let file = row.file(header)?;
    let base = unit.comp_dir.filter(|dir| dir.len() <= MOST_PATH);
    let base = base.map(|dir| dir.to_string_lossy().into_owned()).unwrap_or_default();
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of lines, whose program is given: a header of version 4 with one file.
    fn table(program: &[u8]) -> Vec<u8> {
        let lengths = [0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1];
        let mut header = vec![1, 1, 1, 0xfb, 14, 13];
        header.extend(lengths);
        header.extend(b"\0a.c\0\0\0\0\0");
        let mut table = vec![4, 0];
        table.extend((header.len() as u32).to_le_bytes());
        table.extend(header);
        table.extend(program);
        [(table.len() as u32).to_le_bytes().to_vec(), table].concat()
    }

    /// A program that begins at an address, makes some rows, and ends so many addresses behind.
    fn program(address: u64, rows: usize, behind: &[u8]) -> Vec<u8> {
        let mut program = vec![0, 9, 2];
        program.extend(address.to_le_bytes());
        program.extend(vec![0x20; rows]);
        program.push(2);
        program.extend(behind);
        program.extend([0, 1, 1]);
        program
    }

    /// Units of one producer, which all have that table.
    fn found(units: usize, table: &[u8], bodies: usize) -> Vec<LineRow> {
        // A unit without children: a list of statements by offset, a producer by its text.
        let abbreviations = [1, 0x11, 0, 0x10, 0x17, 0x25, 0x08, 0, 0, 0];
        let unit = [&[19, 0, 0, 0, 4, 0, 0, 0, 0, 0, 8, 1, 0, 0, 0, 0][..], b"wast 1\0"].concat();
        let info = unit.repeat(units);
        let sections: [(&str, &[u8]); 3] =
            [(".debug_abbrev", &abbreviations), (".debug_info", &info), (".debug_line", table)];
        rows(&sections.into_iter().collect(), bodies)
    }

    #[test]
    fn a_table_is_read_for_few_of_the_units_that_name_it() {
        let table = table(&program(8, 1000, &[1]));
        let once = found(1, &table, 1).len();
        assert!(once > 1000, "{once}");
        assert_eq!(found(500, &table, 1).len(), MOST_READS * once);
    }

    #[test]
    fn the_last_address_is_one() {
        let table = table(&program(u64::MAX - (1 << 16), 1, &[0xff, 0xff, 0x03]));
        let rows = found(1, &table, 1 << 20);
        assert_eq!(rows.last().map(|row| row.address), Some(u64::MAX));
    }

    #[test]
    fn paths_have_a_length() {
        let name = "a".repeat(MOST_PATH + 1);
        let table = table(&program(8, 1, &[1]));
        let start = table.windows(4).position(|bytes| bytes == b"a.c\0").expect("it is there");
        let mut long = [&table[..start], name.as_bytes(), &table[start + 3..]].concat();
        let longer = |length: &[u8]| u32::from_le_bytes(length.try_into().expect("four bytes")) + name.len() as u32 - 3;
        let (length, header) = (longer(&table[..4]), longer(&table[6..10]));
        long[..4].copy_from_slice(&length.to_le_bytes());
        long[6..10].copy_from_slice(&header.to_le_bytes());
        assert!(found(1, &table, 1).iter().any(|row| row.place.is_some()));
        assert!(found(1, &long, 1).iter().all(|row| row.place.is_none()));
    }
}
