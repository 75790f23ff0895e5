//! Random modules: every tier does what the interpreter does.
//!
//! In: modules of `wasm-smith`, by seed. Out: a failed test that names the seed and the call. `HOLLOWAY_PROGRAMS` tries more, `HOLLOWAY_FIRST_SEED` others;
//! `HOLLOWAY_STORIES` is a file for what each module did, which `against_wasmtime.py` checks.

use arbitrary::Unstructured;
use holloway::wasm::{Export, ExportedFunction, ValType, WasmValue};
use holloway::{Adaptive, CallError, Config, Engine, HeapConfig, RunError, TierChoice};
use holloway_aos::Session;
use serde_json::json;
use std::fs::File;
use std::io::Write as _;
use wasm_smith::{Config as Smith, Module};

/// Loops and calls until a module ends by itself.
const STEPS: u32 = 2_000;
/// Bytes that a module is made of.
const BYTES: usize = 2_000;
/// The largest memory of a module. The heap has room for its tables beside it.
const MEMORY: usize = 1 << 24;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Bytes by a seed: splitmix64 [SLF14], as in the runtime.
fn bytes(seed: u64) -> Vec<u8> {
    let mut state = seed;
    let next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)).to_le_bytes()
    };
    std::iter::repeat_with(next).take(BYTES / 8).flatten().collect()
}

fn module(seed: u64) -> Option<Vec<u8>> {
    let config = Smith {
        canonicalize_nans: true,
        export_everything: true,
        max_imports: 0,
        min_funcs: 1,
        max_funcs: 12,
        max_instructions: 300,
        max_memory32_bytes: MEMORY as u64,
        max_table_elements: 1_000,
        max_tables: 3,
        memory_max_size_required: true,
        table_max_size_required: true,
        exceptions_enabled: false,
        gc_enabled: false,
        compact_imports_enabled: false,
        memory64_enabled: false,
        relaxed_simd_enabled: false,
        simd_enabled: false,
        tail_call_enabled: false,
        threads_enabled: false,
        wide_arithmetic_enabled: false,
        extended_const_enabled: false,
        allow_start_export: true,
        ..Smith::default()
    };
    let bytes = bytes(seed);
    let mut module = Module::new(config, &mut Unstructured::new(&bytes)).ok()?;
    module.ensure_termination(STEPS).expect("its functions are valid");
    Some(module.to_bytes())
}

/// An engine for a module, and what keeps it from running.
fn engine(module: &[u8], tier: TierChoice, chance: Option<u64>) -> Result<Engine, String> {
    let heap = HeapConfig { limit: 2 * MEMORY, ..HeapConfig::default() };
    let adaptive = chance.map(|seed| Adaptive(Session::by_chance(seed)));
    let mut engine = Engine::new(Config { tier, heap, adaptive, ..Config::default() }).expect("there is memory");
    if let Err(error) = engine.load("random.wasm", module) {
        return Err(error.to_string());
    }
    Ok(engine)
}

/// Functions and globals that a module exports, by name.
fn exports(engine: &Engine) -> Vec<(String, Export)> {
    let of = engine.exports().filter(|(_, export)| matches!(export, Export::Function(_) | Export::Global(..)));
    let mut exports: Vec<(String, Export)> = of.map(|(name, export)| (name.to_owned(), export.clone())).collect();
    exports.sort_by(|a, b| a.0.cmp(&b.0));
    exports
}

/// Calls or reads an export, in one of three rounds with arguments of their own.
fn used(engine: &mut Engine, name: &str, export: &Export, round: i32) -> Result<Vec<WasmValue>, CallError> {
    match export {
        Export::Function(ExportedFunction { ty, .. }) => {
            let args: Vec<WasmValue> = ty.params.iter().map(|ty| argument(*ty, round)).collect();
            engine.call_export(name, &args)
        }
        Export::Global(..) | Export::Memory | Export::Table(_) => engine.exported_global(name).map(|value| vec![value]),
    }
}

/// Results, failures and memory of a module, as text.
fn story(module: &[u8], tier: TierChoice, chance: Option<u64>) -> String {
    let mut engine = match engine(module, tier, chance) {
        Ok(engine) => engine,
        Err(error) => return error,
    };
    let mut story = String::new();
    let mut tell = |text: String| {
        story += &text;
        story.push('\n');
    };
    if let Err(error) = engine.run_statements() {
        tell(error.to_string());
        return story;
    }
    let exports = exports(&engine);
    // Once more, when the tiers know the functions.
    for round in 0..3 {
        for (name, export) in &exports {
            tell(format!("{name}: {}", ended(used(&mut engine, name, export, round))));
        }
        let memory = engine.linear_memory().unwrap_or_default();
        let sum = memory.iter().fold(0_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(*byte)));
        tell(format!("memory: {} bytes, {sum:x}", memory.len()));
    }
    story
}

/// The story of a module in the interpreter, in words that every engine has: a line of JSON.
fn line(seed: u64, module: &[u8]) -> String {
    let words = |error: CallError| match error {
        CallError::Run(RunError::Failure(failure)) => json!(failure.kind.to_string()),
        other => json!(other.to_string()),
    };
    let kind = |ty: ValType| format!("{ty:?}").to_lowercase();
    let value = |value: WasmValue| match (value, bits(value)) {
        (WasmValue::F32(float), (ty, _)) if float.is_nan() => json!([kind(ty), "nan"]),
        (WasmValue::F64(float), (ty, _)) if float.is_nan() => json!([kind(ty), "nan"]),
        (WasmValue::FuncRef(func), (ty, _)) => json!([kind(ty), u8::from(func.is_some())]),
        (_, (ty, bits)) => json!([kind(ty), bits]),
    };
    let mut story = Vec::new();
    let mut names = Vec::new();
    match engine(module, TierChoice::Interp, None) {
        Err(error) => story.push(json!(["start", error])),
        Ok(mut engine) => match engine.run_statements() {
            Err(error) => story.push(json!(["start", words(CallError::Run(error))])),
            Ok(_) => {
                let has_memory = engine.exports().any(|(_, export)| matches!(export, Export::Memory));
                let exports = exports(&engine);
                for round in 0..3 {
                    for (name, export) in &exports {
                        let used = used(&mut engine, name, export, round);
                        let told = used.map(|values| values.into_iter().map(value).collect());
                        story.push(json!([name, told.unwrap_or_else(words)]));
                    }
                    if let Some(memory) = engine.linear_memory().filter(|_| has_memory) {
                        let byte = |(at, byte): (usize, &u8)| (at as u64 + 1).wrapping_mul(u64::from(*byte));
                        let sum = memory.iter().enumerate().map(byte).fold(0_u64, u64::wrapping_add);
                        story.push(json!(["memory", [memory.len(), sum]]));
                    }
                }
                names = exports.into_iter().map(|(name, _)| name).collect();
            }
        },
    }
    let module: String = module.iter().map(|byte| format!("{byte:02x}")).collect();
    json!({ "seed": seed, "module": module, "exports": names, "story": story }).to_string() + "\n"
}

fn argument(ty: ValType, round: i32) -> WasmValue {
    match ty {
        ValType::I32 => WasmValue::I32([3, -1, i32::MIN][round as usize]),
        ValType::I64 => WasmValue::I64([5, -1, i64::MIN][round as usize]),
        ValType::F32 => WasmValue::F32([1.5, -0.0, f32::INFINITY][round as usize]),
        ValType::F64 => WasmValue::F64([2.5, -1e300, 1e-310][round as usize]),
        ValType::FuncRef => WasmValue::FuncRef(None),
        ValType::ExternRef => WasmValue::ExternRef(Some(round as u32)),
    }
}

fn ended(result: Result<Vec<WasmValue>, CallError>) -> String {
    match result {
        // Bits tell zeros and NaNs apart.
        Ok(values) => format!("{:?}", values.into_iter().map(bits).collect::<Vec<_>>()),
        Err(CallError::Run(RunError::Failure(failure))) => {
            format!("{} at {:?} in {} frames", failure.kind, failure.span, failure.stack.len())
        }
        Err(other) => other.to_string(),
    }
}

fn bits(value: WasmValue) -> (ValType, u64) {
    let bits = match value {
        WasmValue::I32(value) => u64::from(value as u32),
        WasmValue::I64(value) => value as u64,
        WasmValue::F32(value) => u64::from(value.to_bits()),
        WasmValue::F64(value) => value.to_bits(),
        WasmValue::FuncRef(value) | WasmValue::ExternRef(value) => value.map_or(0, |value| u64::from(value) + 1),
    };
    (value.ty(), bits)
}

#[test]
fn random_modules_do_the_same_in_every_tier() {
    let first = number("HOLLOWAY_FIRST_SEED", 0);
    let mut stories = std::env::var_os("HOLLOWAY_STORIES").map(|file| File::create(file).expect("the file is made"));
    let count = number("HOLLOWAY_PROGRAMS", 20);
    let (mut modules, mut results) = (0, 0);
    for seed in first..first + count {
        let Some(module) = module(seed) else { continue };
        if let Some(stories) = &mut stories {
            stories.write_all(line(seed, &module).as_bytes()).expect("the story is written");
        }
        let expected = story(&module, TierChoice::Interp, None);
        let chance = (TierChoice::Auto, Some(seed));
        for (tier, chance) in
            [(TierChoice::Baseline, None), (TierChoice::Optimized, None), (TierChoice::Auto, None), chance]
        {
            let found = story(&module, tier, chance);
            let differing = expected.lines().zip(found.lines()).find(|(expected, found)| expected != found);
            modules += 1;
            results += expected.matches('[').count();
            assert!(expected == found, "seed {seed}, {}, {chance:?}: {differing:?}", tier.name());
        }
    }
    assert!(modules > 2 * count && results as u64 > 5 * count, "{modules} runs with {results} results");
}
