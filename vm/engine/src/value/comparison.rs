//! Comparison of values.
//!
//! In: two values. Out: true if they have the same form and the same leaves; dicts and sets have no order. Invariant:
//! parts that values share are compared once, and dicts and sets are looked through by hashes, so that it takes no longer
//! than the values are large.

use super::Value;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// Parts of a key that are hashed, at most: a key may have very many, of which most are shared.
const MOST_HASHED: usize = 100;

/// Values are equal if they have the same form and the same leaves. A part equals itself, even with a NaN in it.
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        Comparison::default().equal(self, other)
    }
}

/// Pairs of shared parts that were compared, or are being compared: if they differ, so do the values.
#[derive(Default)]
struct Comparison(HashSet<(usize, usize)>);

impl Comparison {
    fn equal(&mut self, a: &Value, b: &Value) -> bool {
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a == b,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Str(a), Value::Str(b)) => self.is_known(a, b) || a == b,
            (Value::Array(a), Value::Array(b))
            | (Value::List(a), Value::List(b))
            | (Value::Tuple(a), Value::Tuple(b)) => self.in_order(a, b),
            (Value::Variant(a, of_a), Value::Variant(b, of_b)) => a == b && self.in_order(of_a, of_b),
            (Value::Set(a), Value::Set(b)) => {
                self.is_known(a, b) || self.in_any_order(a, b, |item| item, |_, _, _| true)
            }
            (Value::Dict(a), Value::Dict(b)) => {
                self.is_known(a, b) || self.in_any_order(a, b, |(key, _)| key, |all, (_, a), (_, b)| all.equal(a, b))
            }
            (Value::Struct(a, of_a), Value::Struct(b, of_b)) => {
                let fields = || of_a.iter().zip(&**of_b);
                a == b
                    && (self.is_known(of_a, of_b)
                        || of_a.len() == of_b.len()
                            && fields().all(|((a, of_a), (b, of_b))| a == b && self.equal(of_a, of_b)))
            }
            (Value::Function(a), Value::Function(b)) => a == b,
            (Value::Shared(a), Value::Shared(b)) => a.engine == b.engine && a.root.word() == b.root.word(),
            (Value::Opaque(a), Value::Opaque(b)) => Arc::ptr_eq(&a.value, &b.value),
            (Value::None, Value::None) => true,
            (
                Value::Int(_)
                | Value::Float(_)
                | Value::Bool(_)
                | Value::Str(_)
                | Value::Array(_)
                | Value::Shared(_)
                | Value::List(_)
                | Value::Dict(_)
                | Value::Set(_)
                | Value::Tuple(_)
                | Value::Variant(..)
                | Value::Struct(..)
                | Value::Function(_)
                | Value::Opaque(_)
                | Value::None,
                _,
            ) => false,
        }
    }

    fn in_order(&mut self, a: &Arc<[Value]>, b: &Arc<[Value]>) -> bool {
        self.is_known(a, b) || a.len() == b.len() && a.iter().zip(&**b).all(|(a, b)| self.equal(a, b))
    }

    /// Each item of one has one in the other of an equal key, with which it goes together; keys are distinct.
    fn in_any_order<T>(
        &mut self,
        a: &[T],
        b: &[T],
        key: impl Fn(&T) -> &Value,
        goes_with: impl Fn(&mut Comparison, &T, &T) -> bool,
    ) -> bool {
        if a.len() != b.len() {
            return false;
        }
        let mut by_hash: HashMap<u64, Vec<&T>> = HashMap::new();
        b.iter().for_each(|item| by_hash.entry(hash(key(item))).or_default().push(item));
        a.iter().all(|item| {
            let mut candidates = by_hash.get(&hash(key(item))).into_iter().flatten();
            // Keys that differ decide nothing, so their parts are compared apart.
            let found = candidates.find(|other| key(item) == key(other));
            found.is_some_and(|other| goes_with(self, item, other))
        })
    }

    /// Returns true if two parts are one, or if they are compared elsewhere.
    fn is_known<T: ?Sized>(&mut self, a: &Arc<T>, b: &Arc<T>) -> bool {
        let is_shared = Arc::strong_count(a) > 1 && Arc::strong_count(b) > 1;
        let pair = (Arc::as_ptr(a).addr(), Arc::as_ptr(b).addr());
        Arc::ptr_eq(a, b) || is_shared && !self.0.insert(pair)
    }
}

/// A hash of a key, of its first parts; equal ones have the same.
fn hash(key: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    add(&mut hasher, key, &mut { MOST_HASHED });
    hasher.finish()
}

fn add(hasher: &mut DefaultHasher, key: &Value, left: &mut usize) {
    let Some(less) = left.checked_sub(1) else { return };
    *left = less;
    match key {
        Value::Int(value) => value.hash(hasher),
        Value::Bool(value) => value.hash(hasher),
        Value::Str(bytes) => bytes.hash(hasher),
        Value::Tuple(parts) => parts.iter().for_each(|part| add(hasher, part, left)),
        Value::Variant(name, payloads) => {
            name.hash(hasher);
            payloads.iter().for_each(|payload| add(hasher, payload, left));
        }
        // No key of a program is one of these.
        Value::Float(_)
        | Value::Array(_)
        | Value::Shared(_)
        | Value::List(_)
        | Value::Dict(_)
        | Value::Set(_)
        | Value::Struct(..)
        | Value::Function(_)
        | Value::Opaque(_)
        | Value::None => {}
    }
}
