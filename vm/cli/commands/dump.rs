//! `dump`: any stage of the pipeline from text to machine code, as text.

use std::fmt::Write as _;
use std::io::Write as _;

use holloway_jit::{Entry, Tier};
use holloway_lang::ir::{FuncRef, print};
use holloway_lang::{ast_print, parse, token_print};

use holloway_aos::session::Keep;

use crate::config::{Compilation, CompiledTier, DumpConfig, ExecutionConfig, Stage, Versions};
use crate::{Exit, input, program, recompilation, refuse, show};
use holloway::internals::{Executor, is_module};
use holloway::{Engine, TierChoice};
use holloway_lang::source::SourceMap;
use holloway_runtime::Sink;
use holloway_study::report::text::function_name;
use holloway_study::report::text::nearest;
use holloway_study::report::{diagnostics, dot, machine_code};

/// Prints one stage of a program.
pub fn dump(config: &DumpConfig) -> Exit {
    let text = match &config.stage {
        _ if config.versions == Versions::OfARun => versions(config),
        Stage::Tokens | Stage::Ast => front(config),
        Stage::Ir | Stage::After(_) | Stage::Cfg | Stage::Clif(_) | Stage::Asm(_) => back(config),
    };
    match text {
        Ok(text) => show(&text),
        Err(exit) => exit,
    }
}

/// Prints the stages before checking, which programs with type errors have too.
fn front(config: &DumpConfig) -> Result<String, Exit> {
    let text = input::read(&config.program.source).map_err(|error| refuse(&error, Exit::NoInput))?;
    if is_module(&text.name, &text.bytes) {
        return Err(refuse(&"a module of WebAssembly has no tokens and no tree; show --stage ir", Exit::Usage));
    }
    let mut sources = SourceMap::new();
    let refused = |found: &[holloway_lang::diagnostic::Diagnostic], sources: &SourceMap| {
        program::tell(&diagnostics::render_all(found, sources, config.messages));
        Exit::DoesNotCompile
    };
    let file = sources.add_bytes(text.name, &text.bytes).map_err(|error| refused(&[error], &sources))?;
    if config.stage == Stage::Tokens {
        let (_, errors) = parse::tokens(&sources, file);
        if !errors.is_empty() {
            return Err(refused(&errors, &sources));
        }
        return Ok(token_print::print(&sources, file));
    }
    let (program, errors) = parse::parse(&sources, file);
    if errors.iter().any(holloway_lang::diagnostic::Diagnostic::is_error) {
        return Err(refused(&errors, &sources));
    }
    Ok(ast_print::print(&sources, &program, ast_print::Spans::Shown))
}

/// Prints the stages from the IR on.
fn back(config: &DumpConfig) -> Result<String, Exit> {
    let disabled_passes = config.disabled_passes.clone();
    let execution = ExecutionConfig { tier: TierChoice::Baseline, disabled_passes, ..ExecutionConfig::interpreted() };
    let mut engine = program::start(program::engine(&execution, &[], Sink::Stdout)?, Engine::new)?;
    if let Some(scheme) = config.scheme {
        engine.executor_mut().profile(scheme);
    }
    program::load(&mut engine, &config.program.source, config.messages)?;
    engine.executor_mut().number_program();
    let funcs = chosen(&engine, config.function.as_deref())?;
    let module = engine.module();
    match (&config.stage, config.function.is_some()) {
        (Stage::Ir, false) => Ok(print::module(module, print::Spans::Hidden)),
        (stage, _) => {
            let one = |func: &FuncRef| of_function(&engine, *func, stage);
            funcs.iter().map(one).collect::<Result<Vec<_>, _>>().map(|texts| texts.join("\n"))
        }
    }
}

fn of_function(engine: &Engine, func: FuncRef, stage: &Stage) -> Result<String, Exit> {
    let module = engine.module();
    match stage {
        Stage::Ir => Ok(print::function(module, func, print::Spans::Hidden)),
        Stage::Cfg => Ok(dot::of_function(module, func, engine.sources())),
        Stage::After(pass) => Ok(ssa_text(engine, func, pass)),
        Stage::Clif(tier) => machine_text(engine, func, *tier, |compiled| compiled.clif.clone()),
        Stage::Asm(tier) => machine_text(engine, func, *tier, |compiled| machine_code::text(engine, func, compiled)),
        Stage::Tokens | Stage::Ast => unreachable!("these stages are before functions"),
    }
}

/// Every version that a run compiles, by function, in order.
fn versions(config: &DumpConfig) -> Result<String, Exit> {
    let disabled_passes = config.disabled_passes.clone();
    // Two runs show the same versions.
    let compilation = Compilation::Synchronous;
    let execution =
        ExecutionConfig { tier: TierChoice::Auto, compilation, disabled_passes, ..ExecutionConfig::interpreted() };
    // Standard output holds the code alone.
    let output = Sink::Callback(Box::new(|bytes| {
        let _ = std::io::stderr().write_all(bytes);
    }));
    let mut settings = program::engine(&execution, &config.program.args, output)?;
    settings.adaptive = recompilation::session(&execution, Keep::Nothing)?;
    let mut engine = program::start(settings, Engine::new)?;
    if let Executor::Compiled(machine) = engine.executor_mut() {
        machine.code.list_versions();
    }
    program::load(&mut engine, &config.program.source, config.messages)?;
    program::stop_on_signals(&engine);
    let result = engine.run();
    // A failing program has code too.
    program::finish(&engine, result, config.messages);
    let Executor::Compiled(machine) = engine.executor() else { unreachable!("dump compiles") };
    let mut text = String::new();
    for func in chosen(&engine, config.function.as_deref())? {
        let name = function_name(engine.module(), func);
        for (id, kind, entry) in machine.code.listed(func) {
            let entered = match entry {
                Entry::Call => "entered by calls".to_owned(),
                Entry::Header(header) => format!("entered at the loop of line {}", engine.lines_of(func, header).0),
            };
            let compiled = machine.code.text_of(id).expect("it is listed");
            let compiled = compiled.map_err(|error| refuse(&error.0, Exit::Failure))?;
            let is_clif = matches!(config.stage, Stage::Clif(_));
            let code = if is_clif { compiled.clif } else { machine_code::text(&engine, func, &compiled) };
            let code = code.expect("text was asked for");
            writeln!(text, "; {name}, version {}, {kind}, {entered}\n{code}", id.0).expect("strings take all text");
        }
    }
    Ok(text)
}

fn ssa_text(engine: &Engine, func: FuncRef, pass: &str) -> String {
    let Executor::Compiled(machine) = engine.executor() else { unreachable!("dump compiles") };
    let name = function_name(engine.module(), func);
    format!("; {name}, after {pass}\n{}", machine.code.ssa_text(func, pass, machine.paths()))
}

fn machine_text(
    engine: &Engine,
    func: FuncRef,
    tier: CompiledTier,
    choose: impl FnOnce(&holloway_jit::Compiled) -> Option<String>,
) -> Result<String, Exit> {
    let Executor::Compiled(machine) = engine.executor() else { unreachable!("dump compiles") };
    let tier = match tier {
        CompiledTier::Baseline => Tier::Baseline,
        CompiledTier::Optimized => Tier::Optimized,
    };
    let name = function_name(engine.module(), func);
    let compiled = machine
        .code
        .text(func, tier, machine.paths())
        .map_err(|error| refuse(&format_args!("`{name}` is too large to compile: {}", error.0), Exit::Failure))?;
    let text = choose(&compiled).expect("text was asked for");
    Ok(format!("; {name}\n{text}"))
}

fn chosen(engine: &Engine, name: Option<&str>) -> Result<Vec<FuncRef>, Exit> {
    let Some(name) = name else { return Ok(engine.module().funcs.keys().collect()) };
    if let Some(func) = engine.function_named(name) {
        return Ok(vec![func]);
    }
    let names = engine.module().funcs.values().map(|decl| decl.body.name.as_str());
    let hint = nearest(name, names).map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
    Err(refuse(&format_args!("the program has no function '{name}'{hint}"), Exit::Usage))
}
