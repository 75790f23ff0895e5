//! Tests of the interpreter, on IR in text form. Spans in them are written behind instructions as `!file:start..end`.

mod failures;
mod instructions;
mod limits;
mod watching;

use super::*;
use holloway_ir::{Module, parse, verify};
use holloway_runtime::failure::Failure;
use holloway_runtime::heap::HeapConfig;
use holloway_runtime::{Limits, RuntimeConfig, Sink};
use std::num::NonZeroU32;
use std::sync::Arc;

/// Parses and verifies a module.
fn module(text: &str) -> Arc<Module> {
    let module = parse::module(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    for decl in module.funcs.values() {
        verify::verify(&module, &decl.body).unwrap_or_else(|error| panic!("{error}\n{text}"));
    }
    Arc::new(module)
}

fn runtime(text: &str, limits: Limits, stress: u32) -> Runtime {
    let heap = HeapConfig { limit: 64 << 20, stress: NonZeroU32::new(stress) };
    let config = RuntimeConfig { heap, limits, sink: Sink::Captured(Vec::new()), ..RuntimeConfig::default() };
    Runtime::new(module(text), config).expect("address space")
}

/// Runs function `f0`. Returns the output and the end.
fn run(text: &str) -> String {
    // Everything must come out the same however often the heap collects.
    let outcomes = [0, 1].map(|stress| {
        let mut rt = runtime(text, Limits::default(), stress);
        let outcome = Interpreter::new().call(&mut rt, FuncRef::from_u32(0), &[]);
        assert!(rt.registers.is_empty(), "every frame is gone");
        told(&mut rt, outcome)
    });
    assert_eq!(outcomes[0], outcomes[1]);
    outcomes[0].clone()
}

fn told(rt: &mut Runtime, outcome: Result<Option<u64>, Unwind>) -> String {
    let mut text = String::from_utf8_lossy(&rt.output.take_captured()).into_owned();
    text += &match outcome {
        Ok(None) => "returned".to_owned(),
        Ok(Some(word)) => format!("= {}", word as i64),
        Err(Unwind::Exit(status)) => format!("exit {status}"),
        Err(Unwind::Failure(failure)) => failure_text(rt, &failure),
    };
    text
}

/// A failure as `message @ start..end`, then one line for each frame.
fn failure_text(rt: &Runtime, failure: &Failure) -> String {
    let mut text = format!("{failure} @ {}", place_text(failure.span));
    for frame in &failure.stack {
        text += &format!("\n  in {} @ {}", rt.module().function(frame.function).name, place_text(frame.at));
    }
    text
}

fn place_text(span: Span) -> String {
    format!("{}..{}", span.start, span.end)
}

/// A module whose one function `f0`, of no parameters, gives an int and has the given locals and blocks.
fn int_function(body: &str) -> String {
    format!("type t0 = int\nsig0 = () -> t0\nfunction f0 \"main\" sig0() -> int {{\n{body}\n}}\n")
}
