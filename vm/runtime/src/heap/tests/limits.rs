//! Tests of the limit: it holds, no request below it fails, and freed memory can be used for anything.

use super::*;

#[test]
fn the_limit_holds_and_is_reached() {
    let limit = 4 << 20;
    let mut world = World::new(limit, 0);
    let mut nodes = 0;
    world.roots = vec![0];
    while let Ok(node) = world.record(NODE) {
        set_field(node, 0, world.roots[0]);
        world.roots[0] = node.word();
        nodes += 1;
        assert!(world.heap.stats().used <= limit);
    }
    assert_eq!(nodes, limit / 32, "every cell was used");
    assert_eq!(world.record(NODE), Err(Refused::Full), "and still");
    world.roots[0] = 0;
    assert!(world.record(NODE).is_ok());
}

#[test]
fn one_allocation_beyond_the_limit_is_refused_without_a_collection() {
    let mut world = World::new(1 << 20, 0);
    assert_eq!(world.cell((1 << 20) + 1).map(drop), Err(Refused::TooLarge));
    assert_eq!(world.cell(usize::MAX).map(drop), Err(Refused::TooLarge));
    assert_eq!(world.heap.stats().collections, 0);
    assert!(world.cell(1 << 20).is_ok());
    assert!(World::new(0, 0).cell(16).is_err(), "a heap of nothing");
}

#[test]
fn bounded_live_data_never_fail() {
    let mut world = World::new(1 << 20, 0);
    world.roots = vec![0; 16];
    for round in 0..200_000_usize {
        let object = match round % 3 {
            0 => world.array(Elem::Int, round % 700),
            1 => world.record(FORK),
            _ => world.string(&[1; 50]),
        };
        world.roots[round % 16] = object.expect("live data stay below the limit").word();
    }
    let stats = world.heap.stats();
    assert!(stats.collections > 50 && stats.allocated > 100 << 20, "{stats:?}");
}

#[test]
fn memory_of_one_size_serves_another() {
    let limit = 8 << 20;
    let mut world = World::new(limit, 0);
    world.roots = vec![0];
    for len in [1, 300, 4, 90_000, 0, 2_000, 30, 500_000, 2] {
        let mut bytes = 0;
        while let Ok(array) = world.array(Elem::Ref, len + 1) {
            set_element(array, len, world.roots[0]);
            world.roots[0] = array.word();
            bytes += 24 + 8 * len;
        }
        assert!(bytes > limit / 2, "only {bytes} bytes in objects of {len} elements");
        world.roots[0] = 0;
        world.collect();
        assert_eq!(world.heap.stats().used, 0);
    }
}

/// Bytes allocated from a collection to the next one.
fn between_collections(mut world: World) -> u64 {
    world.collect();
    let before = world.heap.stats();
    while world.heap.stats().collections == before.collections {
        world.record(NODE).expect("room");
    }
    world.heap.stats().allocated - before.allocated
}

/// A world in which an array of so many integers is live.
fn with_live(integers: usize) -> World {
    let mut world = World::new(1 << 30, 0);
    let array = world.array(Elem::Int, integers).expect("room");
    world.roots.push(array.word());
    world
}

#[test]
fn the_next_collection_waits_for_as_much_as_is_live() {
    let between = between_collections(with_live(4 << 20));
    assert!((32 << 20..33 << 20).contains(&between), "{between}");
}

#[test]
fn collections_come_sooner_where_little_is_live() {
    for (live, megabytes) in [(1, 2), (100 << 10, 6), (1 << 20, 16)] {
        let between = between_collections(with_live(live));
        assert!((megabytes << 20..(megabytes + 1) << 20).contains(&between), "{live}: {between}");
    }
}

#[test]
fn many_roots_count_as_live() {
    let mut world = World::new(1 << 30, 0);
    world.roots = vec![0; 1 << 18];
    let between = between_collections(world);
    assert!((16 << 20..17 << 20).contains(&between), "{between}");
}
