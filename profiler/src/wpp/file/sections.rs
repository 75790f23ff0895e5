//! Contents of the sections but those of the functions' traces: the program, the names of its functions, and the dynamic call graph.
//!
//! In: a [`Program`] or a [`CallGraph`]. Out: bytes, and back.
//! Invariant: a call graph that was read has no cycle, and names traces that exist.

use std::io::{self, Write};

use hashbrown::hash_map::Entry;

use super::error::FileError;
use super::numbers::{NumberWriter, Numbers, put, put_bytes, put_signed};
pub(crate) use super::seal::lzw;
use crate::event::FunctionId;
use crate::hash::KeyMap;
use crate::settings::wpp::LONGEST_SHORT;
use crate::wpp::call_graph::{CUT, CallGraph, CallNode};
use crate::wpp::program::{BlockShape, FunctionShape, Program, RecordedModule, SourceLines, SourceText};
use crate::wpp::sequence::{Sequence, SequenceView};

/// Bytes of a node in the tables of a call graph, its children aside.
const BYTES_OF_NODE: usize = 12;

/// Content as one vector.
pub(crate) fn plain(content: impl Fn(&mut dyn Write) -> io::Result<()>) -> Vec<u8> {
    let mut bytes = Vec::new();
    content(&mut bytes).expect("writing into memory does not fail");
    bytes
}

/// The names of the functions by id, apart: who looks for a function needs nothing else of the program.
pub(super) fn write_names(program: &Program, to: &mut dyn Write) -> io::Result<()> {
    put(to, program.functions.len() as u64)?;
    program.functions.iter().try_for_each(|function| put_bytes(to, function.name.as_bytes()))
}

pub(super) fn read_names(mut from: Numbers) -> Result<Vec<String>, FileError> {
    let names = from.list(Numbers::text)?;
    from.end()?;
    Ok(names)
}

pub(super) fn write_program(program: &Program, to: &mut dyn Write) -> io::Result<()> {
    put(to, program.functions.len() as u64)?;
    for function in &program.functions {
        put(to, function.blocks.len() as u64)?;
        function.blocks.iter().try_for_each(|block| put(to, u64::from(block.calls)))?;
        write_lines(&function.blocks, to)?;
    }
    put(to, program.sources.len() as u64)?;
    for SourceText { name, text } in &program.sources {
        put_bytes(to, name.as_bytes())?;
        put_bytes(to, text.as_bytes())?;
    }
    put(to, program.arguments.len() as u64)?;
    program.arguments.iter().try_for_each(|argument| put_bytes(to, argument.as_bytes()))?;
    put_bytes(to, &program.inputs)?;
    program.module.iter().try_for_each(|module| write_module(module, to))
}

fn write_module(module: &RecordedModule, to: &mut dyn Write) -> io::Result<()> {
    let RecordedModule { bytes, export, room, environment } = module;
    put_bytes(to, bytes)?;
    put(to, export.iter().len() as u64)?;
    export.iter().try_for_each(|name| put_bytes(to, name.as_bytes()))?;
    put(to, *room)?;
    put(to, environment.len() as u64)?;
    environment.iter().flat_map(|(name, value)| [name, value]).try_for_each(|text| put_bytes(to, text.as_bytes()))
}

/// For each block 0, or the number of its text plus 1; then for those that have one the distance of the first line from that of the block
/// before, and the number of lines behind it.
fn write_lines(blocks: &[BlockShape], to: &mut dyn Write) -> io::Result<()> {
    blocks.iter().try_for_each(|block| put(to, block.lines.map_or(0, |lines| u64::from(lines.file) + 1)))?;
    let lines = || blocks.iter().filter_map(|block| block.lines);
    let mut before = 0;
    for SourceLines { first, .. } in lines() {
        put_signed(to, i64::from(first) - before)?;
        before = i64::from(first);
    }
    lines().try_for_each(|SourceLines { first, last, .. }| put(to, u64::from(last.saturating_sub(first))))
}

/// Reads a program whose functions have these names, and which may be a module.
pub(super) fn read_program(mut from: Numbers, names: Vec<String>, has_module: bool) -> Result<Program, FileError> {
    let mut functions = from.list(read_shape)?;
    if functions.len() != names.len() {
        return Err(from.invalid());
    }
    functions.iter_mut().zip(names).for_each(|(function, name)| function.name = name);
    let sources = from.list(|from| Ok(SourceText { name: from.text()?, text: from.text()? }))?;
    let (arguments, inputs) = (from.list(Numbers::text)?, from.bytes()?);
    let module = if has_module { Some(read_module(&mut from)?) } else { None };
    let program = Program { functions, sources, arguments, inputs, module };
    from.end()?;
    Ok(program)
}

fn read_module(from: &mut Numbers) -> Result<RecordedModule, FileError> {
    let bytes = from.bytes()?;
    let export = match from.number()? {
        0 => None,
        1 => Some(from.text()?),
        _ => return Err(from.invalid()),
    };
    let room = from.number()?;
    let environment = from.list(|from| Ok((from.text()?, from.text()?)))?;
    Ok(RecordedModule { bytes, export, room, environment })
}

fn read_shape(from: &mut Numbers) -> Result<FunctionShape, FileError> {
    let mut blocks = from.list(|from| Ok(BlockShape { calls: from.small()?, lines: None }))?;
    for block in &mut blocks {
        let Some(file) = from.small()?.checked_sub(1) else { continue };
        block.lines = Some(SourceLines { file, first: 0, last: 0 });
    }
    let mut before = 0_i64;
    for SourceLines { first, .. } in blocks.iter_mut().filter_map(|block| block.lines.as_mut()) {
        before = before.checked_add(from.signed()?).ok_or(from.invalid())?;
        *first = u32::try_from(before).map_err(|_| from.invalid())?;
    }
    for SourceLines { first, last, .. } in blocks.iter_mut().filter_map(|block| block.lines.as_mut()) {
        *last = first.checked_add(from.small()?).ok_or(from.invalid())?;
    }
    Ok(FunctionShape { name: String::new(), blocks })
}

/// Columns: functions; traces; numbers of children; children, as [`write_children`] gives them.
///
/// A trace is 0 if it is the next one of its function that no node named before, else its number plus 1.
pub(crate) fn write_call_graph(calls: &CallGraph, to: &mut dyn Write) -> io::Result<()> {
    put(to, u64::from(calls.len()))?;
    (0..calls.len()).try_for_each(|node| put(to, u64::from(calls.trace(node).0.as_u32())))?;
    let mut next: Vec<u32> = Vec::new();
    for node in 0..calls.len() {
        let (function, trace) = calls.trace(node);
        let next = of_function(&mut next, function);
        if trace == *next {
            *next += 1;
            put(to, 0)?;
        } else {
            put(to, u64::from(trace) + 1)?;
        }
    }
    (0..calls.len()).try_for_each(|node| put(to, calls.children(node).len()))?;
    let mut known = KnownCalls { numbers: vec![(u32::MAX, 0); calls.len() as usize], ..KnownCalls::default() };
    let mut numbers = NumberWriter::new(to);
    for node in 0..calls.len() {
        write_children(calls.children(node), node, (calls.trace(node).0.as_u32(), &mut known), &mut numbers)?;
    }
    numbers.put(calls.roots().len())?;
    // The host is a caller that is no function.
    write_children(calls.roots().view(), calls.len(), (u32::MAX - 1, &mut known), &mut numbers)?;
    numbers.finish()
}

/// The calls that each function made so far, numbered from 0.
#[derive(Default)]
struct KnownCalls {
    /// The first caller of each node, and the number of the call among that function's.
    numbers: Vec<(u32, u32)>,
    /// Those of other callers.
    others: KeyMap<(u32, CallNode), u32>,
    /// Number of different calls that each function made.
    counts: KeyMap<u32, u32>,
}

impl KnownCalls {
    /// The number of a call, and whether it is made for the first time.
    #[inline]
    fn number(&mut self, caller: u32, child: CallNode) -> (u32, bool) {
        let first = self.numbers[child as usize];
        if first.0 == caller { (first.1, false) } else { self.other_number(caller, child) }
    }

    fn other_number(&mut self, caller: u32, child: CallNode) -> (u32, bool) {
        let first = &mut self.numbers[child as usize];
        let count = self.counts.entry(caller).or_insert(0);
        if first.0 == u32::MAX {
            *first = (caller, *count);
        } else {
            match self.others.entry((caller, child)) {
                Entry::Occupied(number) => return (*number.get(), false),
                Entry::Vacant(place) => place.insert(*count),
            };
        }
        *count += 1;
        (*count - 1, true)
    }
}

/// The entry of a function in a table by function.
fn of_function<T: Default>(table: &mut Vec<T>, function: FunctionId) -> &mut T {
    let index = function.as_u32() as usize;
    if index >= table.len() {
        table.resize_with(index + 1, T::default);
    }
    &mut table[index]
}

/// Writes each child as 0 for [`CUT`], as twice its distance back from the caller if the caller's function calls it for the first time,
/// else as twice its number among the known ones of that function, plus 1. So the same calls are the same bytes, whichever node makes them.
fn write_children(
    children: SequenceView<'_>,
    caller: CallNode,
    (function, known): (u32, &mut KnownCalls),
    to: &mut NumberWriter<'_>,
) -> io::Result<()> {
    children.try_for_each_run(|child, times| {
        if child == CUT {
            return to.put_times(0, times);
        }
        let (number, is_new) = known.number(function, child);
        if is_new {
            to.put(u64::from(caller - child) << 1)?;
        }
        to.put_times(u64::from(number) << 1 | 1, times - u64::from(is_new))
    })
}

/// Reads a call graph whose function `f` has `traces[f]` traces.
pub(super) fn read_call_graph(mut from: Numbers, traces: &[u32]) -> Result<CallGraph, FileError> {
    let count = from.below(CUT)?;
    let functions = from.items(count.into(), |from| Ok(FunctionId::from_u32(from.below(traces.len() as u32)?)))?;
    let mut next = vec![0_u32; traces.len()];
    let mut numbers = Vec::new();
    for function in &functions {
        from.charge(size_of::<u32>())?;
        let index = function.as_u32() as usize;
        let trace = match from.small()? {
            0 => {
                next[index] += 1;
                next[index] - 1
            }
            number => number - 1,
        };
        if trace >= traces[index] {
            return Err(from.invalid());
        }
        numbers.push(trace);
    }
    let lengths = from.items(count.into(), Numbers::number)?;
    let mut calls = CallGraph::default();
    let mut known = vec![Vec::new(); traces.len()];
    let mut short = Vec::new();
    for (node, (function, trace)) in functions.into_iter().zip(numbers).enumerate() {
        let len = lengths[node];
        let node = node as CallNode;
        from.charge(BYTES_OF_NODE)?;
        let known = &mut known[function.as_u32() as usize];
        if len <= LONGEST_SHORT as u64 {
            short.clear();
            for _ in 0..len {
                from.charge(size_of::<CallNode>())?;
                short.push(read_child(&mut from, node, known)?);
            }
            calls.push(function, trace, &short);
        } else {
            let children = read_children(&mut from, node, len, known)?;
            calls.push_long(function, trace, children);
        }
    }
    let roots = from.number()?;
    *calls.roots_mut() = read_children(&mut from, count, roots, &mut Vec::new())?;
    from.end()?;
    Ok(calls)
}

/// Reads a child, which [`write_children`] wrote; `known` are those of the caller's function so far.
fn read_child(from: &mut Numbers, caller: CallNode, known: &mut Vec<CallNode>) -> Result<CallNode, FileError> {
    let number = from.number()?;
    let half = u32::try_from(number >> 1).map_err(|_| from.invalid())?;
    match number {
        0 => Ok(CUT),
        _ if number & 1 == 1 => known.get(half as usize).copied().ok_or(from.invalid()),
        _ => {
            let child = caller.checked_sub(half).ok_or(from.invalid())?;
            from.charge(size_of::<CallNode>())?;
            known.push(child);
            Ok(child)
        }
    }
}

fn read_children(
    from: &mut Numbers,
    caller: CallNode,
    len: u64,
    known: &mut Vec<CallNode>,
) -> Result<Sequence, FileError> {
    let mut children = Sequence::default();
    for _ in 0..len {
        children.push(read_child(from, caller, known)?);
    }
    Ok(children)
}
