//! A list of things, one for each of some functions.
//!
//! In: functions, each with its own. Out: what is one's own. Invariant: there are few, so a search is a scan.

use holloway_lang::ir::FuncRef;
use std::sync::Arc;

/// Things by their functions.
#[derive(Debug)]
pub struct ByFunction<T>(Vec<(FuncRef, Arc<T>)>);

impl<T> Clone for ByFunction<T> {
    fn clone(&self) -> ByFunction<T> {
        ByFunction(self.0.clone())
    }
}

impl<T> Default for ByFunction<T> {
    fn default() -> ByFunction<T> {
        ByFunction(Vec::new())
    }
}

impl<T> ByFunction<T> {
    /// Adds that of a function.
    pub fn add(&mut self, func: FuncRef, its: Arc<T>) {
        self.0.push((func, its));
    }

    /// That of a function.
    pub fn of(&self, func: FuncRef) -> Option<&Arc<T>> {
        self.0.iter().find(|(known, _)| *known == func).map(|(_, its)| its)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (FuncRef, &T)> {
        self.0.iter().map(|(func, its)| (*func, &**its))
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
