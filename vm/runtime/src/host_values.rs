//! Values of the host that programs pass on.
//!
//! In: objects of the program, each with the value that it stands for. Out: the one for the other. Invariants: an object stands for
//! one value, and a value has one object as long as that lives, so that identity is the same on both sides. A value is
//! lost with the first collection that does not find its object. It is dropped on the host's stack, as a drop may need more
//! than the program's has left; a panic of it goes nowhere.

use holloway_ir::RecordRef;
use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::mem::take;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// A value of the host.
pub type HostValue = Arc<dyn Any + Send + Sync>;

/// Values of the host, by the objects that stand for them.
#[derive(Default)]
pub struct HostValues {
    of_objects: HashMap<u64, HostValue>,
    /// Objects by the addresses of their values.
    objects: HashMap<usize, u64>,
    /// The types of values that records stand for.
    types: HashMap<RecordRef, TypeId>,
    /// Values without an object, to be dropped.
    lost: Vec<HostValue>,
}

impl HostValues {
    /// The value that an object stands for.
    pub fn get(&self, object: u64) -> Option<&HostValue> {
        self.of_objects.get(&object)
    }

    /// The object that stands for a value, if there is one.
    pub fn object_of(&self, value: &HostValue) -> Option<u64> {
        self.objects.get(&address(value)).copied()
    }

    /// Objects of this record stand for values of the type, from now on.
    pub fn declare(&mut self, record: RecordRef, ty: TypeId) {
        self.types.insert(record, ty);
    }

    /// True if objects of the record stand for values of the type of this one.
    pub fn fits(&self, record: RecordRef, value: &HostValue) -> bool {
        self.types.get(&record) == Some(&(**value).type_id())
    }

    /// Has an object stand for a value.
    pub fn insert(&mut self, object: u64, value: HostValue) {
        self.objects.insert(address(&value), object);
        self.of_objects.insert(object, value);
    }

    /// True if objects of the record stand for values of the host.
    pub fn has_values(&self, record: RecordRef) -> bool {
        self.types.contains_key(&record)
    }

    /// Loses the values of objects that are not found.
    pub(crate) fn retain(&mut self, is_found: impl Fn(u64) -> bool) {
        if self.of_objects.is_empty() {
            return;
        }
        self.objects.retain(|_, object| is_found(*object));
        let lost = self.of_objects.extract_if(|object, _| !is_found(*object));
        self.lost.extend(lost.map(|(_, value)| value));
    }

    /// Drops the values that were lost, on the stack of whoever calls this.
    #[inline]
    pub(crate) fn drop_lost(&mut self) {
        if !self.lost.is_empty() {
            drop_all(take(&mut self.lost));
        }
    }
}

#[cold]
fn drop_all(lost: Vec<HostValue>) {
    for value in lost {
        // A drop that panics has said so; the program goes on.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(value)));
    }
}

fn address(value: &HostValue) -> usize {
    Arc::as_ptr(value).cast::<()>() as usize
}
