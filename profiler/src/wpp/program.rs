//! The program of a recorded run: all that is needed to read the path without the program.
//!
//! In: names, blocks and sources from whoever records. Out: [`Program`], which the file carries.
//! Invariant: functions are in the order of their [`FunctionId`]s.

use crate::event::FunctionId;
use crate::graph::Node;

/// The program, its sources, and what the run read from outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The functions, by [`FunctionId`]. One that was not declared has an empty name and no blocks.
    pub functions: Vec<FunctionShape>,
    /// The source texts, which [`SourceLines::file`] indexes.
    pub sources: Vec<SourceText>,
    /// The program's arguments.
    pub arguments: Vec<String>,
    /// The input that the run consumed (lines read, values of the clock), as the recording side encodes it.
    pub inputs: Vec<u8>,
    /// The module, if the program is one of WebAssembly: its sources do not make it.
    pub module: Option<RecordedModule>,
}

/// A module of WebAssembly, as the run had it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordedModule {
    /// Its bytes, or its text.
    pub bytes: Vec<u8>,
    /// The export that was called with the arguments, in place of the start function.
    pub export: Option<String>,
    /// The most bytes that its memory and tables could take together: the program sees what growing them gives.
    pub room: u64,
    /// The environment that the program saw: names and values.
    pub environment: Vec<(String, String)>,
}

/// One function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionShape {
    /// Its name.
    pub name: String,
    /// Its blocks, by [`Node`].
    pub blocks: Vec<BlockShape>,
}

/// One block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockShape {
    /// Number of calls that an execution of the whole block makes, each one activation of a recorded function.
    pub calls: u32,
    /// Its source lines, if it has any.
    pub lines: Option<SourceLines>,
}

/// Lines of a source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLines {
    /// The text, an index of [`Program::sources`].
    pub file: u32,
    /// The first line, from 1.
    pub first: u32,
    /// The last line.
    pub last: u32,
}

/// One source text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceText {
    /// Its name.
    pub name: String,
    /// The text.
    pub text: String,
}

impl Program {
    /// A function's shape.
    pub fn function(&self, function: FunctionId) -> Option<&FunctionShape> {
        self.functions.get(function.as_u32() as usize)
    }

    /// The function with this name.
    pub fn find(&self, name: &str) -> Option<FunctionId> {
        let index = self.functions.iter().position(|function| function.name == name)?;
        Some(FunctionId::from_u32(index as u32))
    }

    /// The calls that `block` makes; 0 if the function has no such block.
    pub fn calls(&self, function: FunctionId, block: Node) -> u32 {
        let block = self.function(function).and_then(|function| function.blocks.get(block.as_u32() as usize));
        block.map_or(0, |block| block.calls)
    }
}
