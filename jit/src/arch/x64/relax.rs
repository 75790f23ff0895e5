//! Relaxation: jumps and immediate operands as short as they can be [Szymanski78].
//!
//! In: code of a function as Cranelift makes it, where every jump has 32 bits, with its polls in place and its tables. Out: the same instructions in fewer bytes,
//! without the fillers among them, and the place of each. Every jump is short at first, and those that do not reach their targets become long, until all reach.
//! Invariant: only sizes, distances and fillers differ. Polls keep their size, and constants behind the code their alignment.
//!
//! [Szymanski78] T. G. Szymanski, "Assembling Code for Machines with Span-Dependent Instructions", CACM 21(4), 1978.

use super::{FILLER, POLL_SIZE};
use iced_x86::{ConstantOffsets, Decoder, DecoderOptions, Instruction, Mnemonic, OpKind};
use std::ops::Range;

/// Knowledge that instructions do not tell.
pub struct Fixed<'a> {
    /// Offsets of the polls in place, by rising offset, and whether their operand is a distance within the code.
    pub polls: &'a [(usize, bool)],
    /// Ranges that end with a jump through a table and its table.
    pub tables: &'a [Range<usize>],
    /// The alignment of constants, a power of two.
    pub alignment: usize,
}

/// Bytes of a jump with 8 bits of distance.
const SHORT: usize = 2;
/// Bytes of one with 32, if it has no condition; with one it has a byte more.
const LONG: usize = 5;
/// The opcode of arithmetic with an immediate operand of 32 bits.
const WIDE: u8 = 0x81;
/// The same with one of 8 bits.
const NARROW: u8 = 0x83;
/// Bytes between the two.
const SPARED: usize = 3;

/// Shorter code.
pub struct Relaxed {
    /// Its bytes.
    pub code: Vec<u8>,
    /// The places of what the code before had.
    pub moves: Moves,
}

/// The offsets at which instructions begin: before, and now. The first is 0. By default nothing moves.
pub struct Moves(Vec<(u32, u32)>);

impl Default for Moves {
    fn default() -> Moves {
        Moves(vec![(0, 0)])
    }
}

impl Moves {
    /// The place now of what was at an offset; within an instruction that is shorter now, at most its end.
    pub fn moved(&self, offset: u32) -> u32 {
        let nth = self.0.partition_point(|(before, _)| *before <= offset) - 1;
        let (before, now) = self.0[nth];
        let end = self.0.get(nth + 1).map_or(u32::MAX, |(_, end)| *end);
        (now + (offset - before)).min(end)
    }
}

/// An instruction, or something else between instructions. Its number is its index among all: `numbers` leads from offsets before to numbers,
/// `places` from numbers to offsets now.
struct Item {
    at: usize,
    end: usize,
    kind: Kind,
}

enum Kind {
    /// As it is.
    Same,
    /// Left out.
    Filler,
    /// A jump: the second byte of its long opcode, if it has two; its target, and whether 8 bits reach it.
    Jump { condition: Option<u8>, target: usize, is_short: bool },
    /// 32 bits at an offset in it are the distance of a place from its end.
    Relative { field: usize, target: usize },
    /// An operation with an immediate operand that 8 bits hold: its opcode's offset in it.
    Narrow { opcode: usize },
    /// Distances of places from the table's beginning.
    Table { targets: Vec<usize> },
    /// Constants.
    Data,
}

/// Shortens code; nothing if there is anything in it of which the rules are not known.
pub fn relaxed(code: &[u8], fixed: &Fixed<'_>) -> Option<Relaxed> {
    let mut items = items(code, fixed)?;
    let numbers = numbers(&items, code.len())?;
    let number = |before: usize| numbers[before] as usize;
    let mut places = places(&items, fixed);
    loop {
        let mut grew = false;
        for (item, end) in items.iter_mut().zip(&places[1..]) {
            if let Kind::Jump { target, is_short: is_short @ true, .. } = &mut item.kind
                && i8::try_from(places[number(*target)] as i64 - *end as i64).is_err()
            {
                *is_short = false;
                grew = true;
            }
        }
        if !grew {
            break;
        }
        places = self::places(&items, fixed);
    }
    let place = |before: usize| places[number(before)] + (before - items[number(before)].at);
    let mut made = Vec::with_capacity(places[items.len()]);
    for (item, at) in items.iter().zip(&places) {
        made.resize(*at, 0);
        emit(item, &code[item.at..item.end], place, &mut made);
    }
    debug_assert!(items.iter().zip(&places).all(|(item, at)| is_same(item, code, &made[*at..], *at, place)));
    let before = items.iter().map(|item| item.at).chain([code.len()]);
    let moves = before.zip(&places).map(|(before, now)| (before as u32, *now as u32)).collect();
    Some(Relaxed { code: made, moves: Moves(moves) })
}

/// The number of the item that begins at each offset, and for all offsets among constants theirs; nothing if a target is no such offset.
fn numbers(items: &[Item], size: usize) -> Option<Vec<u32>> {
    let mut numbers = vec![u32::MAX; size];
    for (number, item) in items.iter().enumerate() {
        let starts = if let Kind::Data = item.kind { item.at..item.end } else { item.at..item.at + 1 };
        numbers[starts].fill(number as u32);
    }
    let mut targets = items.iter().flat_map(targets);
    targets.all(|target| numbers.get(*target).is_some_and(|number| *number != u32::MAX)).then_some(numbers)
}

/// The offsets at which items begin, and that at which the last ends.
fn places(items: &[Item], fixed: &Fixed<'_>) -> Vec<usize> {
    let mut places = Vec::with_capacity(items.len() + 1);
    let mut at = 0;
    for item in items {
        if let Kind::Data = item.kind {
            // As far from the next place of its alignment as it was.
            at += item.at.wrapping_sub(at) & (fixed.alignment - 1);
        }
        places.push(at);
        at += size(item);
    }
    places.push(at);
    places
}

fn size(item: &Item) -> usize {
    let before = item.end - item.at;
    match item.kind {
        Kind::Same | Kind::Relative { .. } | Kind::Table { .. } | Kind::Data => before,
        Kind::Filler => 0,
        Kind::Jump { is_short: true, .. } => SHORT,
        Kind::Jump { condition, .. } => LONG + usize::from(condition.is_some()),
        Kind::Narrow { .. } => before - SPARED,
    }
}

fn targets(item: &Item) -> &[usize] {
    match &item.kind {
        Kind::Jump { target, .. } | Kind::Relative { target, .. } => std::slice::from_ref(target),
        Kind::Table { targets } => targets,
        Kind::Same | Kind::Filler | Kind::Narrow { .. } | Kind::Data => &[],
    }
}

fn emit(item: &Item, bytes: &[u8], place: impl Fn(usize) -> usize, made: &mut Vec<u8>) {
    let start = made.len();
    let distance = |target: usize, from: usize| (place(target) as i64 - from as i64) as i32;
    match &item.kind {
        Kind::Same | Kind::Data => made.extend(bytes),
        Kind::Filler => {}
        Kind::Jump { condition, target, is_short: true } => {
            // A short opcode is the long one's second byte less 0x10.
            made.push(condition.map_or(0xeb, |condition| condition - 0x10));
            let distance = i8::try_from(distance(*target, start + SHORT)).expect("8 bits reach it");
            made.push(distance as u8);
        }
        Kind::Jump { condition, target, is_short: false } => {
            match condition {
                Some(condition) => made.extend([0x0f, *condition]),
                None => made.push(0xe9),
            }
            let end = made.len() + size_of::<i32>();
            made.extend(distance(*target, end).to_le_bytes());
        }
        Kind::Relative { field, target } => {
            made.extend(bytes);
            let operand = distance(*target, made.len()).to_le_bytes();
            made[start + field..start + field + operand.len()].copy_from_slice(&operand);
        }
        Kind::Narrow { opcode } => {
            made.extend(&bytes[..bytes.len() - SPARED]);
            made[start + opcode] = NARROW;
        }
        Kind::Table { targets } => {
            targets.iter().for_each(|target| made.extend(distance(*target, start).to_le_bytes()));
        }
    }
}

/// Cuts code into items.
fn items(code: &[u8], fixed: &Fixed<'_>) -> Option<Vec<Item>> {
    let mut items: Vec<Item> = Vec::with_capacity(code.len() / 4);
    let mut decoder = Decoder::new(64, code, DecoderOptions::NONE);
    let mut instruction = Instruction::default();
    let mut polls = fixed.polls.iter().peekable();
    // Tables are known by their addresses, constants by where they are read.
    let mut table = None;
    let mut data = code.len();
    let mut at = 0;
    while at < data {
        decoder.decode_out(&mut instruction);
        let end = instruction.next_ip() as usize;
        if instruction.is_invalid() || end > data {
            break;
        }
        let bytes = &code[at..end];
        let kind = match polls.next_if(|(poll, _)| *poll == at) {
            Some((_, leads)) => {
                let distance = i32::from_le_bytes(bytes[1..POLL_SIZE].try_into().expect("four bytes"));
                match leads {
                    true => Kind::Relative { field: 1, target: end.checked_add_signed(distance as isize)? },
                    false => Kind::Same,
                }
            }
            None if instruction.is_ip_rel_memory_operand() => {
                let target = instruction.ip_rel_memory_address() as usize;
                if instruction.mnemonic() == Mnemonic::Lea {
                    let is_marked = fixed.tables.iter().any(|range| range.contains(&at) && range.contains(&target));
                    table = Some(is_marked.then_some(target)?);
                } else {
                    data = data.min(target);
                }
                Kind::Relative { field: decoder.get_constant_offsets(&instruction).displacement_offset(), target }
            }
            None => kind(code, at, &instruction, &decoder.get_constant_offsets(&instruction))?,
        };
        items.push(Item { at, end, kind });
        at = end;
        if instruction.mnemonic() == Mnemonic::Jmp
            && instruction.op0_kind() == OpKind::Register
            && let Some(begin) = table.take()
        {
            if !code.get(at..begin)?.iter().all(|byte| *byte == FILLER) {
                return None;
            }
            let end = fixed.tables.iter().find(|range| range.contains(&begin))?.end;
            let targets = places_of_table(code, begin..end)?;
            if at < begin {
                items.push(Item { at, end: begin, kind: Kind::Filler });
            }
            items.push(Item { at: begin, end, kind: Kind::Table { targets } });
            at = end;
            decoder.set_position(at).expect("it is in the code");
            decoder.set_ip(at as u64);
        }
    }
    if table.is_some() || polls.next().is_some() {
        return None;
    }
    // Zeros fill the gap before constants, and most of them read as instructions.
    while let Some(zeros) = items.pop_if(|item| code[item.at..item.end].iter().all(|byte| *byte == 0)) {
        at = zeros.at;
    }
    if code[at..data].iter().any(|byte| *byte != 0) {
        return None;
    }
    if data < code.len() {
        items.push(Item { at: data, end: code.len(), kind: Kind::Data });
    }
    Some(items)
}

/// The places that a table leads to.
fn places_of_table(code: &[u8], table: Range<usize>) -> Option<Vec<usize>> {
    let (entries, []) = code.get(table.clone())?.as_chunks() else { return None };
    entries.iter().map(|entry| table.start.checked_add_signed(i32::from_le_bytes(*entry) as isize)).collect()
}

fn kind(code: &[u8], at: usize, instruction: &Instruction, offsets: &ConstantOffsets) -> Option<Kind> {
    let bytes = &code[at..instruction.next_ip() as usize];
    Some(match (instruction.op0_kind(), instruction.mnemonic()) {
        (OpKind::NearBranch64, Mnemonic::Call) => return None,
        (OpKind::NearBranch64, _) => {
            let target = instruction.near_branch_target() as usize;
            match *bytes {
                [0xe9, ..] => Kind::Jump { condition: None, target, is_short: true },
                [0x0f, condition, ..] => Kind::Jump { condition: Some(condition), target, is_short: true },
                _ => return None,
            }
        }
        (_, Mnemonic::Nop) => Kind::Filler,
        _ => {
            let (field, size) = (offsets.immediate_offset(), offsets.immediate_size());
            let opcode = usize::from(bytes[0] & 0xf0 == 0x40);
            if size == 4 && bytes[opcode] == WIDE {
                let operand = i32::from_le_bytes(bytes[field..field + size].try_into().expect("four bytes"));
                if i8::try_from(operand).is_ok() { Kind::Narrow { opcode } } else { Kind::Same }
            } else {
                Kind::Same
            }
        }
    })
}

/// True iff an item is the same instruction as what now begins at its place, which goes to the places of its targets.
fn is_same(item: &Item, code: &[u8], made: &[u8], at: usize, place: impl Fn(usize) -> usize) -> bool {
    if let Kind::Filler | Kind::Table { .. } | Kind::Data = item.kind {
        return true;
    }
    let decoded = |bytes, ip: usize| Decoder::with_ip(64, bytes, ip as u64, DecoderOptions::NONE).decode();
    let (before, now) = (decoded(&code[item.at..], item.at), decoded(made, at));
    let is_relative = before.is_ip_rel_memory_operand();
    let immediate = |of: &Instruction, nth| match of.op_kind(nth) {
        // Only operands of 8 bits are sign-extended by the decoder.
        OpKind::Immediate32 => Ok(of.immediate32() as i32 as u64),
        _ => of.try_immediate(nth),
    };
    let same_operand = |nth: u32| match before.op_kind(nth) {
        OpKind::NearBranch64 => now.near_branch_target() as usize == place(before.near_branch_target() as usize),
        OpKind::Memory if is_relative => {
            now.ip_rel_memory_address() as usize == place(before.ip_rel_memory_address() as usize)
        }
        OpKind::Memory => {
            let parts = |of: &Instruction| {
                (
                    of.memory_base(),
                    of.memory_index(),
                    of.memory_index_scale(),
                    of.memory_displacement64(),
                    of.memory_size(),
                )
            };
            parts(&before) == parts(&now)
        }
        OpKind::Register => before.op_register(nth) == now.op_register(nth),
        // A poll's operand is told by its item.
        _ => matches!(item.kind, Kind::Relative { .. }) || immediate(&before, nth).ok() == immediate(&now, nth).ok(),
    };
    before.mnemonic() == now.mnemonic()
        && before.op_count() == now.op_count()
        && (0..before.op_count()).all(same_operand)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Fixed<'_> = Fixed { polls: &[], tables: &[], alignment: 1 };
    /// `mov rax, rcx`.
    const PLAIN: [u8; 3] = [0x48, 0x89, 0xc8];

    /// A long jump that ends at an offset, to another.
    fn jump(from: usize, to: usize) -> Vec<u8> {
        let distance = to as i32 - from as i32;
        [&[0xe9][..], &distance.to_le_bytes()].concat()
    }

    fn short(code: &[u8]) -> Vec<u8> {
        relaxed(code, &NONE).expect("all of it is known").code
    }

    #[test]
    fn jumps_that_reach_are_short() {
        // Over 127 bytes, which is as far as 8 bits reach, and over one more.
        for (bytes, size) in [(127, 2), (128, LONG)] {
            let over = LONG + bytes;
            // `push rax`.
            let code = [jump(LONG, over), vec![0x50; bytes], vec![0xc3]].concat();
            assert_eq!(short(&code).len(), size + bytes + 1, "over {bytes} bytes");
        }
        // Back over 126 bytes and itself, and over one more.
        for (bytes, size) in [(126, 2), (127, LONG)] {
            let code = [vec![0x50; bytes], jump(bytes + LONG, 0)].concat();
            assert_eq!(short(&code).len(), bytes + size, "back over {bytes} bytes");
        }
    }

    #[test]
    fn a_jump_that_grows_makes_others_grow() {
        // The first goes over the second, which is long: 122 bytes and 5 would be in reach, 123 are not.
        for (bytes, sizes) in [(122, 2 + LONG), (123, 2 * LONG)] {
            let (second, end) = (2 * LONG, 2 * LONG + bytes);
            let code = [jump(LONG, end), jump(second, end + 200), vec![0x50; bytes + 200], vec![0xc3]].concat();
            assert_eq!(short(&code).len(), sizes + bytes + 200 + 1, "over {bytes} bytes");
        }
    }

    #[test]
    fn operands_of_8_bits_are_short() {
        // `add rdx, 1; cmp r8, 200000; add r9, -128`.
        let code = [
            0x48, 0x81, 0xc2, 1, 0, 0, 0, 0x49, 0x81, 0xf8, 0x40, 0x0d, 3, 0, 0x49, 0x81, 0xc1, 0x80, 0xff, 0xff, 0xff,
        ];
        let made = [0x48, 0x83, 0xc2, 1, 0x49, 0x81, 0xf8, 0x40, 0x0d, 3, 0, 0x49, 0x83, 0xc1, 0x80];
        assert_eq!(short(&code), made);
        // `add ecx, -1`.
        assert_eq!(short(&[0x81, 0xc1, 0xff, 0xff, 0xff, 0xff]), [0x83, 0xc1, 0xff]);
    }

    #[test]
    fn polls_keep_their_size_and_lead_to_the_same() {
        // A poll that leads over a filler and a jump.
        let nop = [0x0f, 0x1f, 0x80, 0, 0, 0, 0];
        let code = [&[0xa9, 12, 0, 0, 0][..], &nop, &jump(17, 0), &PLAIN].concat();
        let found = relaxed(&code, &Fixed { polls: &[(0, true)], ..NONE }).unwrap();
        assert_eq!(found.code, [&[0xa9, 2, 0, 0, 0][..], &[0xeb, 0xf9], &PLAIN].concat());
        assert_eq!([0, 5, 12, 17, 20].map(|offset| found.moves.moved(offset)), [0, 5, 5, 7, 10]);
    }

    #[test]
    fn tables_and_constants_are_found_again() {
        // `lea rax, [rip+6]; jmp rax`, fillers, a table of two places; `movsd xmm0, [rip+...]`; a jump to it; constants.
        let mut code = vec![0x48, 0x8d, 0x05, 4, 0, 0, 0, 0xff, 0xe0, FILLER, FILLER];
        code.extend([8, 0, 0, 0, 16, 0, 0, 0]);
        code.extend([0xf2, 0x0f, 0x10, 0x05, 5, 0, 0, 0]);
        code.extend(jump(32, 19));
        assert_eq!(code.len(), 32);
        code.extend([7; 8]);
        let tables = [Range { start: 0, end: 19 }];
        let found = relaxed(&code, &Fixed { tables: &tables, alignment: 16, ..NONE }).unwrap();
        let mut made = vec![0x48, 0x8d, 0x05, 2, 0, 0, 0, 0xff, 0xe0];
        made.extend([8, 0, 0, 0, 16, 0, 0, 0]);
        made.extend([0xf2, 0x0f, 0x10, 0x05, 7, 0, 0, 0]);
        made.extend([0xeb, 0xf6]);
        made.resize(32, 0);
        made.extend([7; 8]);
        assert_eq!(found.code, made);
        assert!(relaxed(&code, &NONE).is_none(), "a table that is not marked");
    }

    #[test]
    fn the_gap_before_constants_is_filled_anew() {
        // `movsd xmm0, [rip+...]`; a jump to it, which ends at 13; zeros up to 16; constants.
        let mut code = vec![0xf2, 0x0f, 0x10, 0x05, 8, 0, 0, 0];
        code.extend(jump(13, 0));
        code.resize(16, 0);
        code.extend([7; 8]);
        let found = relaxed(&code, &Fixed { alignment: 4, ..NONE }).unwrap();
        let mut made = vec![0xf2, 0x0f, 0x10, 0x05, 4, 0, 0, 0, 0xeb, 0xf6, 0, 0];
        made.extend([7; 8]);
        assert_eq!(found.code, made);
    }

    #[test]
    fn what_is_not_known_stays() {
        // `call +0`; a jump into the middle of an instruction; a poll that is none; a byte with which no instruction begins.
        assert!(relaxed(&[0xe8, 0, 0, 0, 0, 0xc3], &NONE).is_none());
        assert!(relaxed(&[jump(5, 6), PLAIN.to_vec()].concat(), &NONE).is_none());
        assert!(relaxed(&PLAIN, &Fixed { polls: &[(1, false)], ..NONE }).is_none());
        assert!(relaxed(&[&PLAIN[..], &[0x06], &PLAIN].concat(), &NONE).is_none());
    }
}
