//! A value that is borrowed at run time: by many who read it, or by one who changes it.
//!
//! In: a value. Out: borrows, or none where another one stands in the way; nobody waits. Invariant: while the state is
//! [`OWNED`] one borrow changes the value; otherwise the state is the number of borrows that read it.
#![expect(unsafe_code, reason = "lends a value under a count that it keeps itself")]

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering};

const OWNED: usize = usize::MAX;

/// A value that is borrowed at run time.
#[derive(Debug)]
pub(crate) struct Guarded<T> {
    state: AtomicUsize,
    value: UnsafeCell<T>,
}

// SAFETY: the value is reached by borrows alone, of which one that changes it is alone; the state orders them.
unsafe impl<T: Send + Sync> Sync for Guarded<T> {}

/// The end of a borrow.
pub(crate) trait Release: Send + Sync {
    /// Ends a borrow of [`Guarded::share`].
    fn release_shared(&self);
    /// Ends that of [`Guarded::own`].
    fn release_owned(&self);
}

impl<T> Guarded<T> {
    pub(crate) fn new(value: T) -> Self {
        Guarded { state: AtomicUsize::new(0), value: UnsafeCell::new(value) }
    }

    /// Borrows the value to read it, until [`Release::release_shared`].
    pub(crate) fn share(&self) -> Option<*const T> {
        let more = |state: usize| state.checked_add(1).filter(|state| *state != OWNED);
        self.state.fetch_update(Ordering::Acquire, Ordering::Relaxed, more).ok()?;
        Some(self.value.get())
    }

    /// Borrows the value to change it, until [`Release::release_owned`].
    pub(crate) fn own(&self) -> Option<*mut T> {
        self.state.compare_exchange(0, OWNED, Ordering::Acquire, Ordering::Relaxed).ok()?;
        Some(self.value.get())
    }
}

impl<T: Send + Sync> Guarded<T> {
    /// Calls a function with the value, unless it is being changed.
    pub(crate) fn with<R>(&self, f: impl FnOnce(&T) -> R) -> Option<R> {
        let value = self.share()?;
        let _end = End(|| self.release_shared());
        // SAFETY: the borrow is there until this function ends, and none that changes the value beside it.
        Some(f(unsafe { &*value }))
    }

    /// Calls a function with the value, unless it is being read or changed.
    pub(crate) fn with_mut<R>(&self, f: impl FnOnce(&mut T) -> R) -> Option<R> {
        let value = self.own()?;
        let _end = End(|| self.release_owned());
        // SAFETY: the borrow is the only one until this function ends.
        Some(f(unsafe { &mut *value }))
    }
}

impl<T: Send + Sync> Release for Guarded<T> {
    fn release_shared(&self) {
        self.state.fetch_sub(1, Ordering::Release);
    }

    fn release_owned(&self) {
        self.state.store(0, Ordering::Release);
    }
}

/// Calls a function at the end of a scope, be it by a panic.
struct End<F: Fn()>(F);

impl<F: Fn()> Drop for End<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borrows_exclude_each_other() {
        let value = Guarded::new(1);
        assert_eq!(value.with(|a| value.with(|b| a + b)), Some(Some(2)));
        assert_eq!(value.with(|_| value.with_mut(|_| ())), Some(None));
        assert_eq!(value.with_mut(|_| (value.with(|_| ()), value.with_mut(|_| ()))), Some((None, None)));
        let panics = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| value.with_mut(|_| panic!("it ends"))));
        assert!(panics.is_err());
        assert_eq!(value.with_mut(|a| *a += 1), Some(()));
        assert_eq!(value.with(|a| *a), Some(2));
    }
}
