//! The shape of a program, as a recorded run carries it.
//!
//! In: an engine with its program. Out: its functions with their blocks, calls and lines, and its sources.
//! Invariant: functions have the numbers that events name them by, and blocks those of `dump --stage ir`.

use holloway::Engine;
use holloway_lang::ir::{FuncRef, Function};
use holloway_lang::source::SourceFile;
use holloway_profiler::wpp::{BlockShape, FunctionShape, Program, RecordedModule, SourceLines, SourceText};

/// The shape of an engine's program, with its arguments, and the module that it is.
pub fn program_of(engine: &Engine, arguments: &[Vec<u8>], module: Option<RecordedModule>) -> Program {
    let functions = engine.module().funcs.keys().map(|func| shape_of(engine, func)).collect();
    let source = |file: &SourceFile| SourceText { name: file.name.clone(), text: file.text.to_string() };
    let sources = engine.sources().files().map(|(_, file)| source(file)).collect();
    let arguments = arguments.iter().map(|argument| String::from_utf8_lossy(argument).into_owned()).collect();
    Program { functions, sources, arguments, inputs: Vec::new(), module }
}

fn shape_of(engine: &Engine, func: FuncRef) -> FunctionShape {
    let body: &Function = engine.module().function(func);
    let block = |block| {
        let file = body.blocks[block].span().file.as_u32();
        let (first, last) = engine.lines_of(func, block);
        let calls = body.blocks[block].insts.iter().filter(|inst| inst.is_call()).count() as u32;
        BlockShape { calls, lines: Some(SourceLines { file, first, last }) }
    };
    FunctionShape { name: body.name.clone(), blocks: body.blocks.keys().map(block).collect() }
}
