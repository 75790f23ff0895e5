//! The variables of debug information.
//!
//! In: custom sections, of any bytes. Out: variables with scopes and places, outer ones before inner ones. Invariants: what is malformed ends its unit's variables and nothing
//! else. Lists of places and of ranges may be shared by any number of variables: what is read of them is bounded for all together.

use super::place::{SourceVariable, VariableBase, VariablePlace};
use gimli::{
    AttributeValue, DebuggingInformationEntry, Dwarf, EndianSlice, Expression, LittleEndian, Operation, SectionId,
    Unit, UnitOffset,
};
use hashbrown::HashMap;
use std::ops::Range;
use std::rc::Rc;

type Reader<'a> = EndianSlice<'a, LittleEndian>;
type Entry<'a> = DebuggingInformationEntry<Reader<'a>>;

/// The most entries, ranges and places that are read.
const MOST_READ: usize = 1 << 22;
/// The most variables that are kept.
const MOST_VARIABLES: usize = 1 << 18;
/// The longest name.
const MOST_NAME: usize = 256;
/// The most names of one type for another, and dimensions of an array.
const MOST_TYPES: usize = 16;
/// Bytes of an address.
const POINTER: u64 = 4;
/// Addresses of code that the linker has dropped begin here.
const DROPPED: u64 = 0xffff_fffe;

/// A scope that is open.
#[derive(Clone, Default)]
struct Scope {
    depth: isize,
    ranges: Rc<[Range<u64>]>,
    base: Option<VariableBase>,
}

/// Reads the variables of units.
struct UnitReader<'u, 'a> {
    dwarf: &'u Dwarf<Reader<'a>>,
    unit: &'u Unit<Reader<'a>>,
    left: &'u mut usize,
    found: &'u mut Vec<SourceVariable>,
}

/// The variables of all units.
pub(super) fn variables(sections: &HashMap<&str, &[u8]>) -> Vec<SourceVariable> {
    let section = |id: SectionId| {
        let bytes: &[u8] = sections.get(id.name()).copied().unwrap_or_default();
        Ok::<_, gimli::Error>(EndianSlice::new(bytes, LittleEndian))
    };
    let (mut found, mut left) = (Vec::new(), MOST_READ);
    let Ok(mut dwarf) = Dwarf::load(section) else { return found };
    dwarf.populate_abbreviations_cache(gimli::AbbreviationsCacheStrategy::Duplicates);
    let mut units = dwarf.units();
    while let Ok(Some(header)) = units.next() {
        let Ok(unit) = dwarf.unit(header) else { continue };
        // An error ends what the unit adds.
        let _ = UnitReader { dwarf: &dwarf, unit: &unit, left: &mut left, found: &mut found }.read();
    }
    found
}

impl<'a> UnitReader<'_, 'a> {
    /// Takes from what may still be read. Fails if there is nothing left.
    fn take(&mut self) -> gimli::Result<()> {
        *self.left = self.left.checked_sub(1).ok_or(gimli::Error::UnexpectedEof(gimli::ReaderOffsetId(0)))?;
        Ok(())
    }

    fn read(mut self) -> gimli::Result<()> {
        let unit = self.unit;
        let mut entries = unit.entries();
        let mut scopes: Vec<Scope> = Vec::new();
        let mut of_unit = Rc::default();
        while let Some(entry) = entries.next_dfs()? {
            self.take()?;
            while scopes.last().is_some_and(|scope| scope.depth >= entry.depth()) {
                scopes.pop();
            }
            match entry.tag() {
                gimli::DW_TAG_compile_unit => of_unit = self.ranges(entry)?,
                gimli::DW_TAG_subprogram => {
                    let ranges = self.ranges(entry)?;
                    let base = self.frame_base(entry)?;
                    scopes.push(Scope { depth: entry.depth(), ranges, base });
                }
                gimli::DW_TAG_lexical_block | gimli::DW_TAG_inlined_subroutine => {
                    let outer = scopes.last().cloned().unwrap_or_default();
                    let ranges = Some(self.ranges(entry)?).filter(|own| !own.is_empty()).unwrap_or(outer.ranges);
                    scopes.push(Scope { depth: entry.depth(), ranges, base: outer.base });
                }
                gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter => {
                    // A static variable is that of its unit: others may have one of that name.
                    let is_external = entry.attr_value(gimli::DW_AT_external).is_some();
                    let around = if is_external { Rc::default() } else { Rc::clone(&of_unit) };
                    self.variable(entry, scopes.last(), around)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn ranges(&mut self, entry: &Entry<'a>) -> gimli::Result<Rc<[Range<u64>]>> {
        let mut all = self.dwarf.die_ranges(self.unit, entry)?;
        let mut ranges = Vec::new();
        while let Some(range) = all.next()? {
            self.take()?;
            ranges.extend((range.begin > 0 && range.begin < DROPPED).then_some(range.begin..range.end));
        }
        Ok(ranges.into())
    }

    fn frame_base(&mut self, entry: &Entry<'a>) -> gimli::Result<Option<VariableBase>> {
        let Some(AttributeValue::Exprloc(expression)) = entry.attr_value(gimli::DW_AT_frame_base) else {
            return Ok(None);
        };
        let mut operations = expression.operations(self.unit.encoding());
        Ok(match operations.next()? {
            Some(Operation::WasmLocal { index }) => Some(VariableBase::Local(index)),
            Some(Operation::WasmGlobal { index }) => Some(VariableBase::Global(index)),
            _ => None,
        })
    }

    fn variable(&mut self, entry: &Entry<'a>, scope: Option<&Scope>, around: Rc<[Range<u64>]>) -> gimli::Result<()> {
        let scoped = scope.map_or(around, |scope| Rc::clone(&scope.ranges));
        // Of a function without code, as of one that is inlined everywhere, there are variables without places.
        let Some(location) = entry.attr_value(gimli::DW_AT_location) else { return Ok(()) };
        if scope.is_some() && scoped.is_empty() {
            return Ok(());
        }
        let Some((name, size)) = self.described(entry)? else { return Ok(()) };
        let base = scope.and_then(|scope| scope.base);
        let mut places = Vec::new();
        match location {
            AttributeValue::Exprloc(expression) => {
                places.extend(self.place(expression, base, size)?.map(|place| (0..u64::MAX, place)));
            }
            other => {
                let Some(mut list) = self.dwarf.attr_locations(self.unit, other)? else { return Ok(()) };
                while let Some(entry) = list.next()? {
                    self.take()?;
                    let place = self.place(entry.data, base, size)?;
                    places.extend(place.map(|place| (entry.range.begin..entry.range.end, place)));
                }
            }
        }
        if self.found.len() < MOST_VARIABLES {
            self.found.push(SourceVariable { name, scope: scoped, places });
        }
        Ok(())
    }

    /// The name of a variable and the bytes of its type, which may be said by the entry that it is an instance of.
    fn described(&mut self, entry: &Entry<'a>) -> gimli::Result<Option<(String, u64)>> {
        let origin = entry.attr_value(gimli::DW_AT_abstract_origin).or(entry.attr_value(gimli::DW_AT_specification));
        let origin = match origin {
            Some(AttributeValue::UnitRef(offset)) => Some(self.unit.entry(offset)?),
            _ => None,
        };
        let attr = |at: gimli::DwAt| entry.attr_value(at).or_else(|| origin.as_ref()?.attr_value(at));
        let Some(name) = attr(gimli::DW_AT_name).and_then(|name| self.dwarf.attr_string(self.unit, name).ok()) else {
            return Ok(None);
        };
        if name.len() > MOST_NAME {
            return Ok(None);
        }
        let size = match attr(gimli::DW_AT_type) {
            Some(AttributeValue::UnitRef(offset)) => self.size(offset)?,
            _ => 0,
        };
        Ok(Some((name.to_string_lossy().into_owned(), size)))
    }

    /// The bytes of a type; 0 if it does not say.
    fn size(&mut self, mut ty: UnitOffset) -> gimli::Result<u64> {
        let mut count = 1_u64;
        for _ in 0..MOST_TYPES {
            self.take()?;
            let entry = self.unit.entry(ty)?;
            if let Some(size) = entry.attr_value(gimli::DW_AT_byte_size).and_then(|size| size.udata_value()) {
                return Ok(count.saturating_mul(size));
            }
            if entry.tag() == gimli::DW_TAG_pointer_type {
                return Ok(count.saturating_mul(POINTER));
            }
            if entry.tag() == gimli::DW_TAG_array_type {
                count = count.saturating_mul(self.elements(ty)?);
            }
            let Some(AttributeValue::UnitRef(of)) = entry.attr_value(gimli::DW_AT_type) else { return Ok(0) };
            ty = of;
        }
        Ok(0)
    }

    /// The elements of an array type in all of its dimensions.
    fn elements(&mut self, array: UnitOffset) -> gimli::Result<u64> {
        let unit = self.unit;
        let mut entries = unit.entries_at_offset(array)?;
        entries.next_dfs()?;
        let mut count = 1_u64;
        for _ in 0..MOST_TYPES {
            self.take()?;
            let Some(dimension) = entries.next_dfs()?.filter(|entry| entry.depth() == 1) else { break };
            let number = |at| dimension.attr_value(at).and_then(|value| value.udata_value());
            let last = number(gimli::DW_AT_upper_bound).map(|last| last.saturating_add(1));
            count = count.saturating_mul(number(gimli::DW_AT_count).or(last).unwrap_or(0));
        }
        Ok(count)
    }

    fn place(
        &mut self,
        expression: Expression<Reader<'a>>,
        base: Option<VariableBase>,
        size: u64,
    ) -> gimli::Result<Option<VariablePlace>> {
        let mut operations = expression.operations(self.unit.encoding());
        let first = operations.next()?;
        let second = operations.next()?;
        let is_whole = second.is_none() || operations.next()?.is_none();
        Ok(match (first, second) {
            (Some(Operation::WasmLocal { index }), Some(Operation::StackValue)) if is_whole => {
                Some(VariablePlace::Local(index))
            }
            (Some(Operation::Address { address }), None) if size > 0 => {
                Some(VariablePlace::Memory { base: None, address: address as i64, size })
            }
            (Some(Operation::FrameOffset { offset }), None) if size > 0 => {
                base.map(|base| VariablePlace::Memory { base: Some(base), address: offset, size })
            }
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A unit, a function with a frame base and a variable with a name, a location and a type; and a type with a size.
    const ABBREVIATIONS: [u8; 35] = [
        1, 0x11, 1, 0, 0, 2, 0x2e, 1, 0x11, 1, 0x12, 6, 0x40, 0x18, 0, 0, 3, 0x34, 0, 3, 8, 2, 0x18, 0x49, 0x13, 0, 0,
        4, 0x24, 0, 0x0b, 0x0b, 0, 0, 0,
    ];
    /// The offset of the type, behind the header and the unit.
    const TYPE: u8 = 12;

    fn variable(name: u8, location: &[u8]) -> Vec<u8> {
        [&[3, name, 0, location.len() as u8], location, &[TYPE, 0, 0, 0]].concat()
    }

    /// The variables of a unit with one in memory, and of a function at 0x10 to 0x30 whose frame begins at the value of local 2.
    fn found(function: &[Vec<u8>]) -> Vec<SourceVariable> {
        let mut unit = vec![4, 0, 0, 0, 0, 0, 4, 1, 4, 4];
        unit.extend(variable(b'g', &[3, 0x80, 0, 0, 0]));
        unit.extend([2, 0x10, 0, 0, 0, 0x20, 0, 0, 0, 4, 0xed, 0, 2, 0x9f]);
        function.iter().for_each(|variable| unit.extend(variable));
        unit.extend([0, 0]);
        let info = [&(unit.len() as u32).to_le_bytes()[..], &unit].concat();
        let sections: [(&str, &[u8]); 2] = [(".debug_abbrev", &ABBREVIATIONS), (".debug_info", &info)];
        variables(&sections.into_iter().collect())
    }

    #[test]
    #[expect(clippy::single_range_in_vec_init, reason = "a scope is a list of ranges")]
    fn places_are_locals_memory_and_frames() {
        let all = found(&[
            variable(b'x', &[0xed, 0, 1, 0x9f]),
            variable(b'y', &[0x91, 8]),
            // On the stack of operands; and a part of a value.
            variable(b's', &[0xed, 2, 0, 0x9f]),
            variable(b'p', &[0xed, 0, 1, 0x9f, 0x93, 2]),
        ]);
        let of = |name: &str| all.iter().find(|variable| variable.name == name).expect("it is there");
        let place = |name| of(name).places.first().map(|(_, place)| *place);
        assert_eq!(place("g"), Some(VariablePlace::Memory { base: None, address: 0x80, size: 4 }));
        assert_eq!(place("x"), Some(VariablePlace::Local(1)));
        let base = Some(VariableBase::Local(2));
        assert_eq!(place("y"), Some(VariablePlace::Memory { base, address: 8, size: 4 }));
        assert_eq!([place("s"), place("p")], [None, None]);
        assert_eq!((of("g").scope.len(), &*of("x").scope), (0, &[0x10..0x30][..]));
    }

    #[test]
    fn what_is_malformed_ends_a_unit() {
        let mut last = variable(b'x', &[0xed, 0, 1, 0x9f]);
        last.truncate(6);
        assert_eq!(found(&[last]).first().map(|variable| variable.name.as_str()), Some("g"));
        // A location longer than all there is.
        assert_eq!(found(&[vec![3, b'x', 0, 0xff]]).len(), 1);
    }
}
