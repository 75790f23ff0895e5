//! Lists in settings, each kept once for the life of the process, so that settings are plain values.
//!
//! In: a list. Out: the one list that equals it. Invariant: equal lists are one, so that memory grows with the different lists alone, which
//! users write.

use std::sync::{Mutex, PoisonError};

/// The lists there are.
pub(super) struct Interned<T: 'static>(Mutex<Vec<&'static [T]>>);

impl<T: Eq + 'static> Interned<T> {
    /// None.
    pub(super) const fn new() -> Interned<T> {
        Interned(Mutex::new(Vec::new()))
    }

    /// The list that equals this one.
    pub(super) fn get(&self, list: Vec<T>) -> &'static [T] {
        if list.is_empty() {
            return &[];
        }
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.iter().find(|known| ***known == *list) {
            return found;
        }
        let kept: &'static [T] = Box::leak(list.into_boxed_slice());
        known.push(kept);
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lists_are_one() {
        static LISTS: Interned<u32> = Interned::new();
        let [first, second, other] = [vec![1, 2], vec![1, 2], vec![2, 1]].map(|list| LISTS.get(list));
        assert!(std::ptr::eq(first, second) && !std::ptr::eq(first, other));
        assert!(LISTS.get(Vec::new()).is_empty());
    }
}
