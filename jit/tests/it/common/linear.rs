//! Programs with a linear memory and tables, which the language has not.
//!
//! In: a seed. Out: a module as text of the IR: loops that load, store, copy and grow, and call through a table, mostly
//! within bounds.

use super::Random;
use std::fmt::Write as _;

/// The beginning of every program: memory, tables and two functions that a table may hold.
const HEAD: &str = "type t0 = int
sig0 = (t0) -> t0
sig1 = ()
linear {
    memory 1 3
    table 6 9
    data \"some bytes, more than a few\"
    elements (1, 2, 0, 1)
    types (0, 0, 4294967295)
}
top_level f2

function f0 \"twice\" sig0(v0: int) -> int {
block0:
    v0 = wadd v0, v0
    return v0
}

function f1 \"kept\" sig0(v0: int) -> int {
    local v1: int
block0:
    v1 = load u32 8, 4
    store u32 8, 4, v0
    return v1
}

statements f2 \"main\" sig1() {
    local v0: int
    local v1: int
    local v2: int
    local v3: int
    local v4: int
    local v5: float
    local v6: bool
    local v7: func
    local v8: int
block0:
    v0 = copy 5
    v1 = copy 77
    v2 = copy 1024
    v3 = copy 3
    v4 = copy 0
    v5 = copy 1.5f
    v8 = copy 0
    builtin memory_init(0, 16, 0, 20)
    builtin table_init(0, 0, 1, 0, 4)
    jump block1
";

/// The text of a program.
pub(crate) fn program(seed: u64) -> String {
    let mut random = Random(seed);
    let mut text = HEAD.to_owned();
    let line = |text: &mut String, line: String| writeln!(text, "{line}").expect("text takes all");
    let loops = 1 + random.below(3);
    let mut rounds = 0;
    for first in (0..loops).map(|number| 1 + 3 * number) {
        let [otherwise, latch, next] = [1, 2, 3].map(|after| first + after);
        line(&mut text, format!("block{first}:"));
        (0..3 + random.below(8)).for_each(|_| inst(&mut random, &mut text));
        line(
            &mut text,
            format!("    v6 = ilt {}, 5000\n    branch v6, block{otherwise}, block{latch}", int(&mut random)),
        );
        line(&mut text, format!("block{otherwise}:"));
        (0..random.below(6)).for_each(|_| inst(&mut random, &mut text));
        line(&mut text, format!("    jump block{latch}"));
        rounds += 2 + random.below(40);
        line(&mut text, format!("block{latch}:\n    v4 = iadd v4, 1\n    v6 = ilt v4, {rounds}"));
        line(&mut text, format!("    branch v6, block{first}, block{next}"));
    }
    line(
        &mut text,
        format!("block{}:\n    store int 0, 0, v0\n    store float 40, 8, v5\n    return\n}}", 1 + 3 * loops),
    );
    text
}

fn int(random: &mut Random) -> &'static str {
    ["v0", "v1", "v2", "v3"][random.below(4) as usize]
}

fn inst(random: &mut Random, text: &mut String) {
    let (to, one, other) = (int(random), int(random), int(random));
    // Addresses have 32 bits; a few are out of bounds.
    let mask = [1_023, 1_023, 8_191, 65_535, 65_535, 1 << 18][random.below(40).min(5) as usize];
    let offset = [0, 1, 8, 100][random.below(4) as usize];
    let small = random.below(5);
    let loaded = ["u8", "s8", "u16", "s16", "u32", "s32", "int"][random.below(7) as usize];
    let stored = ["u8", "u16", "u32", "int"][random.below(4) as usize];
    let address = format!("    v8 = iand {one}, {mask}\n");
    let line = match random.below(22) {
        0..4 => format!("{address}    {to} = load {loaded} v8, {offset}\n"),
        4..8 => format!("{address}    store {stored} v8, {offset}, {other}\n"),
        8 => format!("{address}    v5 = load float v8, {offset}\n"),
        9 => format!("{address}    v5 = fadd v5, 0.5f\n    store float v8, {offset}, v5\n"),
        10 => format!("    {to} = wadd {one}, {other}\n"),
        11 => format!("    {to} = wmul {one}, {other}\n"),
        12 => format!("    {to} = isext32 {one}\n    {to} = ixor {to}, {other}\n"),
        13 => format!("    {to} = wshl {one}, {small}\n    {to} = iadd {to}, {other}\n"),
        14 => format!("    {to} = builtin memory_grow({})\n", small / 4),
        15 => format!("    {to} = builtin memory_size()\n"),
        16 => format!("{address}    builtin memory_fill(v8, {other}, {small})\n"),
        17 => format!("{address}    builtin memory_copy(v8, {offset}, {small})\n"),
        18 => format!("    builtin table_set(0, {small}, {})\n", random.below(3)),
        19 => format!("    {to} = builtin table_get(0, {small})\n"),
        20 => format!("    {to} = builtin table_grow(0, {}, {})\n", random.below(3), small / 4),
        _ => format!("    v7 = builtin table_callee(0, {small}, 0)\n    {to} = call_indirect sig0 v7({one})\n"),
    };
    text.push_str(&line);
}
