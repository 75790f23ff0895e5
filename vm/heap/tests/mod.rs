//! Tests of the heap: a small world of objects and explicit roots, without runtime or program.

mod buffers;
mod graphs;
mod limits;

use super::*;
use holloway_lang::ir::{Elem, RecordRef};

/// A record of a reference and an int.
const NODE: u32 = 0;
/// A record of an int and three references.
const FORK: u32 = 1;

/// A heap with its lists and root words.
struct World {
    heap: Heap,
    free: FreeLists,
    roots: Vec<u64>,
}

impl World {
    fn new(limit: usize, stress: u32) -> World {
        let mut heap =
            Heap::new(HeapConfig { limit, stress: NonZeroU32::new(stress) }).expect("the system gives address space");
        heap.add_layout(Layout::of([Elem::Ref, Elem::Int]));
        heap.add_layout(Layout::of([Elem::Int, Elem::Ref, Elem::Ref, Elem::Ref]));
        World { heap, free: [0; abi::SIZE_CLASSES], roots: Vec::new() }
    }

    fn collect(&mut self) {
        self.heap.collect(&mut self.free, &Roots { words: vec![&self.roots], stack: None });
    }

    fn cell(&mut self, size: usize) -> Result<Cell, Refused> {
        self.heap.alloc(&mut self.free, size).or_else(|refused| match refused {
            Refused::TooLarge => Err(refused),
            Refused::CollectionDue | Refused::Full => {
                self.collect();
                self.heap.alloc(&mut self.free, size)
            }
        })
    }

    fn record(&mut self, record: u32) -> Result<Obj, Refused> {
        let record = RecordRef::from_u32(record);
        let size = self.heap.layouts()[record].size;
        Ok(self.cell(size)?.into_record(record, size))
    }

    fn array(&mut self, elem: Elem, len: usize) -> Result<Obj, Refused> {
        Ok(self.cell(abi::ELEMENTS as usize + len * elem.size())?.into_array(elem, len))
    }

    fn string(&mut self, bytes: &[u8]) -> Result<Obj, Refused> {
        let mut object = self.cell(abi::CHARS as usize + bytes.len())?.into_str(bytes.len());
        object.bytes_mut().copy_from_slice(bytes);
        Ok(object)
    }

    fn live(&self) -> usize {
        self.heap.stats().live
    }
}

/// The object of a word that a test knows to be one.
#[expect(unsafe_code, reason = "a test's own words")]
fn handle(word: u64) -> Obj {
    // SAFETY: tests pass the words of objects that they keep.
    unsafe { Obj::from_word(word) }.expect("an object")
}

#[test]
fn only_what_roots_reach_survives() {
    let mut world = World::new(1 << 20, 0);
    let kept = world.string(b"kept").expect("room");
    let array = world.array(Elem::Ref, 2).expect("room");
    let lost = world.string(b"lost").expect("room");
    array.set_element(Elem::Ref, 1, kept.word());
    world.roots.push(array.word());
    world.collect();
    assert_eq!(world.live(), 32 + 32, "a string of 4 bytes and an array of 2 references");
    assert_eq!(kept.bytes(), b"kept");
    assert_eq!(world.heap.object_at(kept.word() as usize), Some(kept.word() as usize));
    assert_eq!(world.roots, [array.word()], "nothing moves");
    world.roots.clear();
    world.collect();
    assert_eq!((world.live(), world.heap.stats().used), (0, 0));
    assert_eq!(world.heap.object_at(lost.word() as usize), None);
}

#[test]
fn integers_inside_objects_keep_nothing() {
    let mut world = World::new(1 << 20, 0);
    let target = world.string(b"target").expect("room");
    let ints = world.array(Elem::Int, 1).expect("room");
    let node = world.record(NODE).expect("room");
    ints.set_element(Elem::Int, 0, target.word());
    node.set_field(1, target.word());
    world.roots.extend([ints.word(), node.word()]);
    world.collect();
    assert_eq!(world.live(), 32 + 32);
    let target = world.string(b"target").expect("room");
    node.set_field(0, target.word());
    world.collect();
    assert_eq!(world.live(), 32 + 32 + 32);
}

#[test]
fn roots_may_point_inside() {
    for len in [1, 3, 40, 600, 20_000, 200_000] {
        let mut world = World::new(1 << 24, 0);
        let mut array = world.array(Elem::Byte, len).expect("room");
        array.bytes_mut().fill(7);
        let start = array.word();
        for offset in [0, 1, 15 + len as u64] {
            world.roots = vec![start + offset];
            world.collect();
            assert_eq!(world.heap.object_at(start as usize), Some(start as usize), "offset {offset} of {len}");
        }
        assert!(array.bytes().iter().all(|byte| *byte == 7));
        world.roots = vec![start - 1];
        world.collect();
        assert_eq!(world.live(), 0);
    }
}

#[test]
fn words_that_are_no_addresses_do_no_harm() {
    let mut world = World::new(1 << 20, 0);
    let string = world.string(b"x").expect("room").word();
    world.collect();
    world.roots = vec![0, 1, u64::MAX, string - 16, string + (1 << 20), string + (1 << 40), string];
    world.collect();
    assert_eq!(world.live(), 0, "the string was already free");
}

#[test]
fn recycled_memory_reads_as_zero() {
    for len in [2, 100, 2_000, 10_000, 100_000] {
        let mut world = World::new(1 << 21, 0);
        let mut addresses = Vec::new();
        for _ in 0..3 {
            let mut array = world.array(Elem::Int, len).expect("room");
            assert!(array.words().iter().all(|word| *word == 0), "length {len}");
            array.words_mut().fill(u64::MAX);
            addresses.push(array.word());
            world.collect();
        }
        assert_eq!(addresses[1], addresses[2], "the memory was recycled");
    }
}

#[test]
fn compiled_code_may_pop_cells() {
    let mut world = World::new(1 << 20, 0);
    world.record(NODE).expect("room");
    let mut list = world.free[2];
    let mut cells = Vec::new();
    while let Some(cell) = cells::pop(&mut list) {
        cells.push(cell);
    }
    assert_eq!(cells.len(), BLOCK_SIZE / 32 - 1);
    assert!(cells.windows(2).all(|pair| pair[1] == pair[0] + 32), "lowest address first");
    // A list popped to its end without the heap's knowledge: the cells are no objects, and are found again.
    world.free[2] = 0;
    world.roots = cells.iter().map(|cell| *cell as u64).collect();
    world.collect();
    assert_eq!(world.live(), 0);
    world.record(NODE).expect("room");
    assert_ne!(world.free[2], 0);
}

#[test]
fn stress_collects_at_every_allocation_and_leaves_compiled_code_no_cells() {
    let mut world = World::new(1 << 20, 1);
    for at in 0..10 {
        let node = world.record(NODE).expect("room");
        node.set_field(1, 17);
        assert!(world.free.iter().all(|list| *list == 0));
        assert_eq!(world.heap.stats().collections, at);
        world.roots = vec![node.word()];
    }
    let mut world = World::new(1 << 20, 3);
    for _ in 0..10 {
        world.record(NODE).expect("room");
    }
    assert_eq!(world.heap.stats().collections, 3);
}

#[test]
fn stress_overwrites_the_dead() {
    let mut world = World::new(1 << 20, 1_000);
    let first = world.array(Elem::Int, 6).expect("room");
    let second = world.array(Elem::Int, 6).expect("room");
    world.roots = vec![second.word()];
    // The second collection begins with the sweep that the first one put off.
    world.collect();
    world.collect();
    let poison = u64::from_ne_bytes([cells::POISON; 8]);
    assert_eq!(first.field(3), poison, "read through a handle that outlived its object");
}
