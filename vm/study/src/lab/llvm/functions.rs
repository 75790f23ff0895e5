//! The functions of a module of LLVM IR.
//!
//! In: its text. Out: a [`Module`]. Phases: 1. the lines of functions, arrays of guards and metadata; 2. names to numbers, locations to lines.
//! Invariant: each function of the result has at least one block, and a guard in each block that can be executed.

use hashbrown::HashMap;

use super::debug::Debug;
use super::instruction::{CallText, GUARDS, GuardPlace, Instruction, instruction};
use super::scan::{behind, metadata, name, number};
use super::{Block, Callee, End, Function, Module, TextError};

/// Reads a module.
pub fn parse(text: &str) -> Result<Module, TextError> {
    let mut parser = Parser { length: text.len(), ..Parser::default() };
    for (index, line) in text.lines().enumerate() {
        parser.at = index + 1;
        parser.line(line)?;
    }
    parser.at += 1;
    if let Some(open) = &parser.open {
        return Err(parser.fault(format!("the text ends within `{}`", open.name)));
    }
    parser.module()
}

#[derive(Default)]
struct Parser<'t> {
    /// Bytes of the text.
    length: usize,
    /// The line, from 1.
    at: usize,
    /// Arrays of guards with their lengths and lines.
    arrays: Vec<(&'t str, u32, usize)>,
    functions: Vec<FunctionText<'t>>,
    /// The function that the lines are in.
    open: Option<FunctionText<'t>>,
    debug: Debug<'t>,
}

struct FunctionText<'t> {
    line: usize,
    name: &'t str,
    subprogram: Option<u32>,
    blocks: Vec<BlockText<'t>>,
    marks_returns: bool,
}

struct BlockText<'t> {
    line: usize,
    name: &'t str,
    guard: Option<GuardPlace<'t>>,
    locations: Vec<u32>,
    calls: Vec<CallText<'t>>,
    /// Calls ahead of the mark of its return.
    before_mark: Option<usize>,
    end: Option<EndText>,
    /// Labels behind the terminator's opcode.
    labels: Vec<&'t str>,
    /// Number of instructions without those that LLVM passes over when it looks for `unreachable`: `phi`, debug information, lifetimes.
    instructions: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum EndText {
    Leads,
    Returns,
    Stops,
}

/// The label that LLVM leaves out before the first block.
const ENTRY: &str = "entry";

impl<'t> BlockText<'t> {
    fn new(line: usize, name: &'t str) -> BlockText<'t> {
        let (guard, end) = (None, None);
        BlockText {
            line,
            name,
            guard,
            locations: Vec::new(),
            calls: Vec::new(),
            before_mark: None,
            end,
            labels: Vec::new(),
            instructions: 0,
        }
    }
}

impl<'t> Parser<'t> {
    fn fault(&self, message: String) -> TextError {
        TextError { line: self.at, message }
    }

    fn line(&mut self, line: &'t str) -> Result<(), TextError> {
        if self.open.is_some() {
            return self.in_function(line);
        }
        if let Some(global) = line.strip_prefix('@') {
            return self.global(global);
        }
        if let Some(header) = line.strip_prefix("define ") {
            return self.define(header);
        }
        self.debug.read(line);
        Ok(())
    }

    /// `@__sancov_gen_.1 = private global [12 x i32] zeroinitializer, ...`
    fn global(&mut self, text: &'t str) -> Result<(), TextError> {
        let Some((array, rest)) = name(text).filter(|(name, _)| name.starts_with(GUARDS)) else { return Ok(()) };
        let length = behind(rest, "global [").next().and_then(number);
        let length = length.ok_or_else(|| self.fault(format!("`@{array}` is no array of guards")))?;
        self.arrays.push((array, length, self.at));
        Ok(())
    }

    fn define(&mut self, header: &'t str) -> Result<(), TextError> {
        let name = behind(header, "@").next().and_then(name).map(|(name, _)| name);
        let name = name.ok_or_else(|| self.fault("a definition has no name".into()))?;
        if !header.trim_end().ends_with('{') {
            return Err(self.fault(format!("the definition of `{name}` does not end with `{{`")));
        }
        let subprogram = metadata(header, "!dbg ");
        self.open = Some(FunctionText { line: self.at, name, subprogram, blocks: Vec::new(), marks_returns: false });
        Ok(())
    }

    fn in_function(&mut self, line: &'t str) -> Result<(), TextError> {
        let at = self.at;
        let open = self.open.as_mut().expect("a function is open");
        let text = line.trim_start();
        if text.is_empty() || text.starts_with(';') {
            return Ok(());
        }
        if line.starts_with('}') {
            let function = self.open.take().expect("a function is open");
            self.functions.push(function);
            return Ok(());
        }
        if text.len() == line.len() {
            let label = name(line).filter(|(_, rest)| rest.starts_with(':'));
            let Some((label, _)) = label else {
                return Err(self.fault("expected a label, an instruction or `}`".into()));
            };
            open.blocks.push(BlockText::new(at, label));
            return Ok(());
        }
        if open.blocks.is_empty() {
            open.blocks.push(BlockText::new(at, ENTRY));
        }
        let block = open.blocks.last_mut().expect("it was added");
        let text = text.trim_end();
        if block.end.is_some() {
            // The further lines of a terminator.
            block.add_labels(text);
            block.locations.extend(metadata(text, "!dbg "));
            return Ok(());
        }
        let read = instruction(text);
        if read == Instruction::UnreadGuard {
            return Err(self.fault("the guard of this block cannot be read".into()));
        }
        block.instructions += usize::from(!matches!(read, Instruction::Debug | Instruction::PhiOrLifetime));
        open.marks_returns |= read == Instruction::MarksReturn;
        block.add(read, text);
        Ok(())
    }

    fn module(self) -> Result<Module, TextError> {
        let mut bases: HashMap<&str, (u32, u32)> = HashMap::new();
        let mut guards: u32 = 0;
        for &(array, length, line) in &self.arrays {
            bases.insert(array, (guards, length));
            // Each guard has a call in the text, so the table of places is not much larger than that.
            let message = || format!("`@{array}` has {length} guards, and the text is too short for as many calls");
            let sum = guards.checked_add(length).filter(|sum| *sum as usize <= self.length);
            guards = sum.ok_or_else(|| TextError { line, message: message() })?;
        }
        let traced = |function: &&FunctionText| function.blocks.iter().any(|block| block.guard.is_some());
        let traced: Vec<&FunctionText> = self.functions.iter().filter(traced).collect();
        let ids: HashMap<&str, usize> = traced.iter().enumerate().map(|(id, function)| (function.name, id)).collect();
        let mut places = vec![None; guards as usize];
        let mut functions = Vec::new();
        for (id, text) in traced.iter().enumerate() {
            for (index, block) in text.blocks.iter().enumerate() {
                match block.guard {
                    Some(guard) => *place(&mut places, &bases, guard, block.line)? = Some((id, index)),
                    None if block.end == Some(EndText::Stops) && block.instructions == 1 => {}
                    None => return Err(no_guard(text, block)),
                }
            }
            functions.push(self.function(text, &ids)?);
        }
        Ok(Module { functions, guards: places })
    }

    fn function(&self, text: &FunctionText, ids: &HashMap<&str, usize>) -> Result<Function, TextError> {
        let mut labels = HashMap::new();
        for (index, block) in text.blocks.iter().enumerate() {
            if labels.insert(block.name, index).is_some() {
                let message = format!("`{}` has the label `{}` twice", text.name, block.name);
                return Err(TextError { line: block.line, message });
            }
        }
        let blocks = text.blocks.iter().map(|block| self.block(text, block, &labels, ids)).collect::<Result<_, _>>()?;
        let file = text.subprogram.and_then(|subprogram| self.debug.file(subprogram)).map(str::to_owned);
        Ok(Function { name: text.name.to_owned(), file, blocks, marks_returns: text.marks_returns })
    }

    fn block(
        &self,
        function: &FunctionText,
        text: &BlockText,
        labels: &HashMap<&str, usize>,
        ids: &HashMap<&str, usize>,
    ) -> Result<Block, TextError> {
        let fault = |message| TextError { line: text.line, message };
        let end = match text.end {
            None => return Err(fault(format!("block `{}` of `{}` has no terminator", text.name, function.name))),
            Some(EndText::Returns) => End::Returns,
            Some(EndText::Stops) => End::Stops,
            Some(EndText::Leads) => {
                let mut successors = Vec::new();
                for label in &text.labels {
                    let unknown = || fault(format!("block `{}` leads to `{label}`, which is no block", text.name));
                    let &successor = labels.get(label).ok_or_else(unknown)?;
                    if successor == 0 {
                        return Err(fault(format!("block `{}` leads to the entry of `{}`", text.name, function.name)));
                    }
                    if !successors.contains(&successor) {
                        successors.push(successor);
                    }
                }
                if successors.is_empty() { End::Stops } else { End::LeadsTo(successors) }
            }
        };
        let callee = |call: &CallText| match call {
            CallText::Named(name) => Some(ids.get(name).map_or(Callee::Outside, |&id| Callee::Traced(id))),
            CallText::Pointer => Some(Callee::Pointer),
            CallText::None => None,
        };
        let lines = || text.locations.iter().filter_map(|&location| self.debug.line(location));
        let calls: Vec<Callee> = text.calls.iter().filter_map(callee).collect();
        let is_behind_mark = |before: usize| text.calls[before..].iter().any(|call| callee(call).is_some());
        let tail_call = text.before_mark.filter(|before| is_behind_mark(*before)).map(|_| calls.len() - 1);
        Ok(Block { name: text.name.to_owned(), lines: lines().min().zip(lines().max()), calls, tail_call, end })
    }
}

impl<'t> BlockText<'t> {
    fn add(&mut self, read: Instruction<'t>, text: &'t str) {
        match read {
            Instruction::Guard(guard) => self.guard = self.guard.or(Some(guard)),
            Instruction::Call(call) => self.calls.push(call),
            Instruction::CallAndLeads(call) => {
                self.calls.push(call);
                self.end = Some(EndText::Leads);
            }
            Instruction::Leads => self.end = Some(EndText::Leads),
            Instruction::Returns => self.end = Some(EndText::Returns),
            Instruction::Stops => self.end = Some(EndText::Stops),
            Instruction::MarksReturn => self.before_mark = Some(self.calls.len()),
            Instruction::UnreadGuard => {}
            Instruction::Debug | Instruction::PhiOrLifetime | Instruction::Other => {}
        }
        if self.end.is_some() {
            self.add_labels(text);
        }
        if read != Instruction::Debug {
            self.locations.extend(metadata(text, "!dbg "));
        }
    }

    fn add_labels(&mut self, text: &'t str) {
        self.labels.extend(behind(text, "label %").filter_map(name).map(|(label, _)| label));
    }
}

/// The entry of a guard in the table of places.
fn place<'p>(
    places: &'p mut [Option<(usize, usize)>],
    bases: &HashMap<&str, (u32, u32)>,
    guard: GuardPlace,
    line: usize,
) -> Result<&'p mut Option<(usize, usize)>, TextError> {
    let GuardPlace { array, index } = guard;
    let fault = |message| TextError { line, message };
    let &(base, length) =
        bases.get(array).ok_or_else(|| fault(format!("the block's guard is in `@{array}`, which is not defined")))?;
    if index >= length {
        return Err(fault(format!("the block's guard is element {index} of `@{array}`, which has {length}")));
    }
    let place = &mut places[(base + index) as usize];
    if place.is_some() {
        return Err(fault(format!("element {index} of `@{array}` is the guard of two blocks")));
    }
    Ok(place)
}

fn no_guard(function: &FunctionText, block: &BlockText) -> TextError {
    let message = format!(
        "block `{}` of `{}` has no guard; compile with -fsanitize-coverage=trace-pc-guard,no-prune",
        block.name, function.name
    );
    TextError { line: block.line.max(function.line), message }
}
