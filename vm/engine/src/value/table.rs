//! Dicts and sets of the host as those of a program, which look keys up by hashes.
//!
//! In: entries, or keys. Out: the record that a program has for them: entries in their order, and the table of places that
//! leads from a hash to an entry (`lang/src/prelude/dict.hw`). Invariants: hashes are those of the prelude; of equal keys
//! the later value stands in the place of the first. Nobody iterates over the dict yet, so it knows of no moves.

use super::Value;
use super::argument::{Maker, object_of_words, set_element};
use super::result::{element, object_tag, record_field, str_hash};
use crate::error::CallError;
use holloway_lang::ir::{RecordRef, Shape, Type, TypeRef};
use std::collections::HashMap;

/// Entries that a dict with any has room for, at least.
const LEAST_CAPACITY: usize = 4;

/// The fields of a dict.
mod field {
    pub(super) const KEYS: u32 = 0;
    pub(super) const VALUES: u32 = 1;
    pub(super) const HASHES: u32 = 2;
    pub(super) const USED: u32 = 3;
    pub(super) const LEN: u32 = 4;
    pub(super) const TABLE: u32 = 5;
}

impl Maker<'_> {
    /// A dict of entries.
    pub(super) fn dict(&mut self, record: RecordRef, entries: &[(Value, Value)]) -> Result<u64, CallError> {
        let values: Vec<&Value> = entries.iter().map(|(_, value)| value).collect();
        self.table(record, entries.iter().map(|(key, _)| key), &values)
    }

    /// A set of keys: a dict whose values are true.
    pub(super) fn set(&mut self, record: RecordRef, keys: &[Value]) -> Result<u64, CallError> {
        let Type::Record(dict) = self.module.types[self.module.records[record].fields[0].ty] else {
            unreachable!("a set has a dict")
        };
        let dict = self.table(dict, keys.iter(), &vec![&Value::Bool(true); keys.len()])?;
        object_of_words(self.rt, record, &[(0, dict)])
    }

    fn table<'v>(
        &mut self,
        record: RecordRef,
        given: impl ExactSizeIterator<Item = &'v Value>,
        given_values: &[&Value],
    ) -> Result<u64, CallError> {
        let fields = &self.module.records[record].fields;
        let (of_keys, of_values, of_ints) = (fields[0].ty, fields[1].ty, fields[2].ty);
        let [of_keys, of_values, int] = [of_keys, of_values, of_ints].map(|array| self.module.element_type(array));
        let capacity = match given.len() {
            0 => 0,
            count => count.next_power_of_two().max(LEAST_CAPACITY),
        };
        let keys = self.empty_array(of_keys, capacity)?;
        let values = self.empty_array(of_values, capacity)?;
        let hashes = self.empty_array(int, capacity)?;
        let table = self.empty_array(int, 2 * capacity)?;
        (0..2 * capacity).for_each(|place| set_element(table, place, u64::MAX));
        // Entries by their hashes, with their keys.
        let mut known: HashMap<i64, Vec<(usize, &Value)>> = HashMap::new();
        let mut used = 0;
        for (key, value) in given.zip(given_values) {
            let (key_word, value) = (self.word(of_keys, key)?, self.word(of_values, value)?);
            let hash = self.hash(of_keys, key_word);
            let alike = known.entry(hash).or_default();
            if let Some((entry, _)) = alike.iter().find(|(_, other)| *other == key) {
                set_element(values, *entry, value);
                continue;
            }
            alike.push((used, key));
            set_element(keys, used, key_word);
            set_element(values, used, value);
            set_element(hashes, used, hash as u64);
            let mask = 2 * capacity - 1;
            let mut place = hash as usize & mask;
            while element(table, place) != u64::MAX {
                place = (place + 1) & mask;
            }
            set_element(table, place, used as u64);
            used += 1;
        }
        let count = used as u64;
        let fields = [
            (field::KEYS, keys),
            (field::VALUES, values),
            (field::HASHES, hashes),
            (field::USED, count),
            (field::LEN, count),
            (field::TABLE, table),
        ];
        object_of_words(self.rt, record, &fields)
    }

    /// The hash of a key, as the prelude finds it.
    fn hash(&self, ty: TypeRef, word: u64) -> i64 {
        let record = match self.module.types[ty] {
            Type::Str => return str_hash(word),
            Type::Int | Type::Bool => return mixed(word as i64),
            Type::Record(record) => record,
            ref other => unreachable!("{other:?} is no key"),
        };
        let decl = &self.module.records[record];
        let of_field = |hash: i64, field: u32| {
            let part = self.hash(decl.fields[field as usize].ty, record_field(word, field));
            mixed(hash.wrapping_mul(31).wrapping_add(part))
        };
        match &decl.shape {
            Shape::Tag(_) => mixed(word as i64),
            Shape::Tuple => (0..decl.fields.len() as u32).fold(decl.fields.len() as i64, of_field),
            Shape::Enum(variants) => {
                let tag = object_tag(word);
                variants[tag].fields.iter().fold(mixed(tag as i64), |hash, field| of_field(hash, *field))
            }
            other => unreachable!("{other:?} is no key"),
        }
    }
}

/// `hash_int` of the prelude.
fn mixed(number: i64) -> i64 {
    let hash = number.wrapping_mul(-7_046_029_254_386_353_131);
    (hash ^ (hash as u64 >> 29) as i64) & i64::MAX
}
