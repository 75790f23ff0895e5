//! The store that set each byte of the linear memory, and each entry of a table, last.
//!
//! In: stores as they happen, by address. Out: for addresses, the numbers of the stores that set them last.
//!
//! Addresses are those of the program for the memory; the entries of each table, and the sizes of all of them, have addresses behind. Invariant: there
//! are pages for what was set alone, and a page that one store has set whole is one number.

use hashbrown::HashMap;
use std::ops::Range;

/// Addresses of a page.
const PAGE: u64 = 1 << 12;
/// The address of the first entry of table 0, and the distance to that of the next table.
const TABLES: u64 = 1 << 40;
const TABLE: u64 = 1 << 32;
/// The address of the memory's size, behind which are those of the tables.
pub(super) const MEMORY_SIZE: u64 = 1 << 60;

/// The address of an entry of a table.
pub(super) fn entry(table: u64, index: u64) -> u64 {
    TABLES + table * TABLE + index
}

/// The address of the size of a table.
pub(super) fn table_size(table: u64) -> u64 {
    MEMORY_SIZE + 1 + table
}

/// The stores of a page; 0 stands for none, and others are one more than their numbers.
#[derive(Clone, Debug)]
enum Page {
    All(u64),
    Each(Box<[u64; PAGE as usize]>),
}

/// The stores of all addresses.
#[derive(Clone, Debug, Default)]
pub(super) struct LinearShadow {
    pages: HashMap<u64, Page>,
}

impl LinearShadow {
    /// The store that set an address last.
    pub(super) fn store_of(&self, address: u64) -> Option<u64> {
        let found = match self.pages.get(&(address / PAGE))? {
            Page::All(store) => *store,
            Page::Each(stores) => stores[(address % PAGE) as usize],
        };
        found.checked_sub(1)
    }

    /// The distinct stores that set some addresses last, in order of their numbers; addresses that nothing has set have none.
    pub(super) fn stores(&self, addresses: Range<u64>) -> Vec<u64> {
        let mut found: Vec<u64> = Vec::new();
        let mut add = |store: u64| {
            if store != 0 && found.last() != Some(&(store - 1)) {
                found.push(store - 1);
            }
        };
        for (page, within) in pages(addresses) {
            match self.pages.get(&page) {
                None => {}
                Some(Page::All(store)) => add(*store),
                Some(Page::Each(stores)) => stores[within].iter().for_each(|store| add(*store)),
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Some addresses are set by a store, or by none that counts.
    pub(super) fn set(&mut self, addresses: Range<u64>, store: Option<u64>) {
        let store = store.map_or(0, |store| store + 1);
        for (page, within) in pages(addresses) {
            let is_whole = within.len() == PAGE as usize;
            match self.pages.entry(page).or_insert(Page::All(0)) {
                Page::All(known) if *known == store => {}
                present if is_whole => *present = Page::All(store),
                present => present.each()[within].fill(store),
            }
        }
    }

    /// Successive addresses are set by successive stores.
    pub(super) fn set_each(&mut self, addresses: Range<u64>, first: u64) {
        for (store, address) in (first + 1..).zip(addresses) {
            let page = self.pages.entry(address / PAGE).or_insert(Page::All(0));
            page.each()[(address % PAGE) as usize] = store;
        }
    }
}

impl Page {
    fn each(&mut self) -> &mut [u64; PAGE as usize] {
        if let Page::All(store) = *self {
            *self = Page::Each(Box::new([store; PAGE as usize]));
        }
        match self {
            Page::Each(stores) => stores,
            Page::All(_) => unreachable!("it was made so"),
        }
    }
}

/// The pages of some addresses, each with the part of it that they are.
fn pages(addresses: Range<u64>) -> impl Iterator<Item = (u64, Range<usize>)> {
    let Range { start, end } = addresses;
    let numbers = if start < end { start / PAGE..(end - 1) / PAGE + 1 } else { 0..0 };
    numbers.map(move |page| {
        let within = |address: u64| (address.clamp(page * PAGE, (page + 1) * PAGE) - page * PAGE) as usize;
        (page, within(start)..within(end))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_the_last_store_across_pages() {
        let mut shadow = LinearShadow::default();
        assert_eq!((shadow.store_of(5), shadow.stores(0..3 * PAGE)), (None, vec![]));
        shadow.set(PAGE - 2..3 * PAGE + 2, Some(0));
        shadow.set(2 * PAGE - 4..2 * PAGE + 4, Some(7));
        shadow.set_each(2 * PAGE + 2..2 * PAGE + 5, 20);
        let at = |address| shadow.store_of(address);
        assert_eq!([at(PAGE - 3), at(PAGE - 2), at(2 * PAGE - 5), at(2 * PAGE - 4)], [None, Some(0), Some(0), Some(7)]);
        assert_eq!([at(2 * PAGE + 1), at(2 * PAGE + 2), at(2 * PAGE + 4)], [Some(7), Some(20), Some(22)]);
        assert_eq!([at(2 * PAGE + 5), at(3 * PAGE + 1), at(3 * PAGE + 2)], [Some(0), Some(0), None]);
        assert_eq!(shadow.stores(2 * PAGE - 6..2 * PAGE + 6), [0, 7, 20, 21, 22]);
        assert!(shadow.stores(2 * PAGE..2 * PAGE).is_empty());
        shadow.set(0..4 * PAGE, None);
        assert!(shadow.stores(0..4 * PAGE).is_empty());
    }

    #[test]
    fn a_page_that_is_set_whole_is_one_number() {
        let mut shadow = LinearShadow::default();
        shadow.set(1..2, Some(3));
        shadow.set(0..(1 << 32), Some(4));
        assert!(shadow.pages.values().all(|page| matches!(page, Page::All(5))));
        assert_eq!(shadow.stores(100..(1 << 32)), [4]);
    }
}
