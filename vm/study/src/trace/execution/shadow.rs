//! The store that set each element, field and length last.
//!
//! In: allocations and stores as they happen. Out: for an object, the number of the store that set a part of it last, and an address that
//! no other object of the execution has.
//!
//! Invariant: no object moves, so it is known by its address until another one is allocated there. Strings are not here.

use super::linear_shadow::LinearShadow;
use hashbrown::HashMap;
use std::ops::Range;

/// The stores that set an object.
#[derive(Clone, Debug)]
struct ShadowObject {
    /// The address of its first part.
    base: u64,
    length: Option<u64>,
    parts: Parts,
}

/// The store of each part. Most arrays are only ever set whole.
#[derive(Clone, Debug)]
enum Parts {
    All { store: u64, count: usize },
    Each(Vec<u64>),
}

/// The stores that set all objects.
#[derive(Clone, Debug, Default)]
pub(super) struct Shadow {
    objects: HashMap<u64, ShadowObject>,
    /// The stores of a module's memory and tables.
    pub(super) linear: LinearShadow,
    next_address: u64,
    stores: u64,
}

impl Shadow {
    /// Numbers for so many stores; the first of them.
    pub(super) fn number(&mut self, count: u32) -> u64 {
        let first = self.stores;
        self.stores += u64::from(count);
        first
    }

    /// An object whose parts were set by one store.
    pub(super) fn allocate(&mut self, word: u64, length: Option<u64>, count: usize, store: u64) {
        self.add(word, length, Parts::All { store, count });
    }

    /// An object whose parts were set by successive stores.
    pub(super) fn allocate_each(&mut self, word: u64, length: Option<u64>, stores: Vec<u64>) {
        self.add(word, length, Parts::Each(stores));
    }

    fn add(&mut self, word: u64, length: Option<u64>, parts: Parts) {
        let base = self.next_address;
        // An object without parts has an address, too.
        self.next_address += parts.count().max(1) as u64;
        self.objects.insert(word, ShadowObject { base, length, parts });
    }

    /// The store of an object's length.
    pub(super) fn length(&self, word: u64) -> Option<u64> {
        self.objects.get(&word)?.length
    }

    /// The distinct stores that set some parts last.
    pub(super) fn stores(&self, word: u64, parts: Range<usize>) -> Vec<u64> {
        let Some(object) = self.objects.get(&word) else { return Vec::new() };
        match &object.parts {
            Parts::All { .. } if parts.is_empty() => Vec::new(),
            Parts::All { store, .. } => vec![*store],
            Parts::Each(stores) => stores[parts].to_vec(),
        }
    }

    /// The store that set one part last.
    pub(super) fn store_of(&self, word: u64, part: usize) -> Option<u64> {
        match &self.objects.get(&word)?.parts {
            Parts::All { store, count } => (part < *count).then_some(*store),
            Parts::Each(stores) => stores.get(part).copied(),
        }
    }

    /// The addresses of some parts.
    pub(super) fn addresses(&self, word: u64, parts: Range<usize>) -> Range<u64> {
        let base = self.objects.get(&word).map_or(0, |object| object.base);
        base + parts.start as u64..base + parts.end as u64
    }

    /// Some parts are set by a store.
    pub(super) fn set(&mut self, word: u64, parts: Range<usize>, store: u64) {
        let Some(object) = self.objects.get_mut(&word) else { return };
        let count = object.parts.count();
        if parts == (0..count) {
            object.parts = Parts::All { store, count };
            return;
        }
        if let Parts::All { store, count } = object.parts {
            object.parts = Parts::Each(vec![store; count]);
        }
        if let Parts::Each(stores) = &mut object.parts {
            stores[parts].fill(store);
        }
    }
}

impl Parts {
    fn count(&self) -> usize {
        match self {
            Parts::All { count, .. } => *count,
            Parts::Each(stores) => stores.len(),
        }
    }
}
