//! Strings that share buffers, against a model of their bytes.

use super::*;
use crate::heap::buffer::{self, NewBuffer};
use crate::rng::Rng;

/// Joins two strings that a root keeps, in a buffer if they are long.
fn join(world: &mut World, a: Obj, b: Obj) -> Obj {
    if let Some(room) = buffer::room_for(a, b) {
        let cell = world.cell(buffer::STRING_SIZE).expect("room");
        return room.join(cell, a, b);
    }
    let Some(new) = NewBuffer::of(a, b) else { return world.string(&[a.bytes(), b.bytes()].concat()).expect("room") };
    let cell = world.cell(new.size()).expect("room");
    let buffer = new.fill(cell, a, b);
    world.roots.push(buffer.word());
    let cell = world.cell(buffer::STRING_SIZE).expect("room");
    world.roots.pop();
    new.string(cell, buffer)
}

/// Joins random strings of some roots, and compares all of them with their models.
fn random_strings(seed: u64, stress: u32) {
    let mut world = World::new(64 << 20, stress);
    let mut rng = Rng::seeded(seed);
    let mut below = |bound: usize| (rng.next_u64() % bound as u64) as usize;
    let mut models: Vec<Vec<u8>> = vec![b"first".to_vec(); 6];
    for model in &models {
        let word = world.string(model).expect("room").word();
        world.roots.push(word);
    }
    for step in 0..3_000 {
        let (a, b, to) = (below(6), below(6), below(6));
        if models[a].len() + models[b].len() > 40_000 || below(40) == 0 {
            let fresh = vec![step as u8; below(400)];
            world.roots[to] = world.string(&fresh).expect("room").word();
            models[to] = fresh;
        } else {
            let [first, second] = [a, b].map(|root| handle(world.roots[root]));
            world.roots[to] = join(&mut world, first, second).word();
            models[to] = [models[a].as_slice(), &models[b]].concat();
        }
        if below(200) == 0 {
            world.collect();
        }
        for (root, model) in world.roots.iter().zip(&models) {
            assert_eq!((handle(*root).len(), handle(*root).bytes()), (model.len(), model.as_slice()), "step {step}");
        }
    }
    world.roots.clear();
    world.collect();
    assert_eq!((world.live(), world.heap.stats().used), (0, 0));
}

#[test]
fn joined_strings_keep_their_bytes() {
    (0..4).for_each(|seed| random_strings(seed, 0));
}

#[test]
fn joined_strings_survive_a_collection_at_every_allocation() {
    (10..12).for_each(|seed| random_strings(seed, 1));
}

/// Bytes allocated while a string grows by 4 bytes, so many times.
fn allocated(times: usize, grow: impl Fn(&mut World, usize, Obj, Obj) -> Obj) -> u64 {
    let mut world = World::new(64 << 20, 0);
    let (start, piece) = (world.string(b"").expect("room"), world.string(b"wxyz").expect("room"));
    world.roots.extend([start.word(), piece.word()]);
    for at in 0..times {
        let (grown, piece) = (handle(world.roots[0]), handle(world.roots[1]));
        world.roots[0] = grow(&mut world, at, grown, piece).word();
    }
    assert_eq!(handle(world.roots[0]).bytes(), b"wxyz".repeat(times));
    world.heap.stats().allocated
}

/// Joins a string and a piece at some step.
type GrowthStep = fn(&mut World, usize, Obj, Obj) -> Obj;

#[test]
fn growing_at_any_end_allocates_in_proportion() {
    let ways: [GrowthStep; 3] = [
        |world, _, grown, piece| join(world, grown, piece),
        |world, _, grown, piece| join(world, piece, grown),
        |world, at, grown, piece| if at % 2 == 0 { join(world, piece, grown) } else { join(world, grown, piece) },
    ];
    for (way, grow) in ways.into_iter().enumerate() {
        let (half, whole) = (allocated(20_000, grow), allocated(40_000, grow));
        assert!(whole < half * 5 / 2, "way {way}: {half}, then {whole}");
    }
}

#[test]
fn a_string_whose_buffer_went_on_keeps_its_end() {
    let mut world = World::new(1 << 20, 0);
    let (long, x, y) = (world.string(&[b'a'; 300]), world.string(b"x"), world.string(b"y"));
    let [long, x, y] = [long, x, y].map(|string| string.expect("room"));
    let grown = join(&mut world, long, x);
    let (first, second) = (join(&mut world, grown, x), join(&mut world, grown, y));
    assert_eq!((first.bytes()[301], second.bytes()[301]), (b'x', b'y'));
    assert_eq!(first.place().map(|(buffer, _)| buffer), grown.place().map(|(buffer, _)| buffer), "it had room");
    assert_ne!(second.place().map(|(buffer, _)| buffer), grown.place().map(|(buffer, _)| buffer), "its end was taken");
}
