//! Meaning of command lines, on a terminal and off it.

use super::super::{ParseEnd, parse};
use super::*;
use crate::config::{Explained, Limits};
use holloway::{FileAccess, TierChoice};
use holloway_measure::bench::{self, PeerChoice, Progress, WarmupConfig};
use holloway_measure::extent::SizeName;
use holloway_profiler::counts::TableKind;
use holloway_profiler::scheme::Scheme;
use holloway_study::report::style::{Color, MessageFormat, OutputFormat};
use std::path::{Path, PathBuf};

fn environment() -> Environment {
    Environment {
        stdin_is_terminal: false,
        stderr_is_terminal: false,
        no_color: false,
        width: None,
        state_home: Some(PathBuf::from("/state")),
        config_home: Some(PathBuf::from("/config")),
        executable: Some(PathBuf::from("/bin/holloway")),
    }
}

fn terminal() -> Environment {
    Environment { stdin_is_terminal: true, stderr_is_terminal: true, width: Some(80), ..environment() }
}

fn command(line: &[&str]) -> Command {
    command_in(line, &environment())
}

fn command_in(line: &[&str], environment: &Environment) -> Command {
    let args = std::iter::once("holloway").chain(line.iter().copied()).map(OsString::from);
    parse(args, environment).unwrap_or_else(|end| panic!("{line:?}: {end:?}"))
}

fn refusal(line: &[&str]) -> String {
    let args = std::iter::once("holloway").chain(line.iter().copied()).map(OsString::from);
    match parse(args, &environment()) {
        Err(ParseEnd::Refused(error)) => error.to_string(),
        other => panic!("{line:?} was not refused: {other:?}"),
    }
}

fn run_of(line: &[&str]) -> RunConfig {
    match command(line) {
        Command::Run(config) | Command::Stream(config) => config,
        other => panic!("{line:?} runs nothing: {other:?}"),
    }
}

fn program_of(line: &[&str]) -> (Source, Vec<String>) {
    let program = run_of(line).program;
    (program.source, program.args.into_iter().map(|arg| arg.into_string().unwrap()).collect())
}

fn file(path: &str) -> Source {
    Source::File(PathBuf::from(path))
}

/// Arguments that begin with `-`, or have a `.` or `/`, are read without the commands.
#[test]
fn commands_are_named_by_letters() {
    for command in <Cli as clap::CommandFactory>::command().get_subcommands() {
        assert!(
            !command.get_name().starts_with('-') && !command.get_name().contains(['.', '/']),
            "{}",
            command.get_name()
        );
    }
}

#[test]
fn decisions_can_be_kept_followed_and_left_to_chance() {
    let adaptive = |line: &[&str]| {
        let execution = run_of(line).execution;
        (execution.adaptive, execution.compilation)
    };
    let (config, compilation) = adaptive(&["--events", "e.json", "--advice", "a.json", "x.hw"]);
    assert_eq!((config.events, config.advice), (Some(PathBuf::from("e.json")), Some(PathBuf::from("a.json"))));
    assert_eq!((config.decided_by, compilation), (DecidedBy::default(), Compilation::Background));
    let (config, compilation) = adaptive(&["run", "--replay", "a.json", "x.hw"]);
    assert_eq!(
        (config.decided_by, compilation),
        (DecidedBy::Advice(PathBuf::from("a.json")), Compilation::Synchronous)
    );
    assert_eq!(adaptive(&["--stress", "7", "x.hw"]).0.decided_by, DecidedBy::Chance(7));
    let counters = adaptive(&["--policy", "counters", "x.hw"]).0.decided_by;
    assert_eq!(counters, DecidedBy::Strategy(crate::config::StrategyName("counters")));
    let refusals = [
        refusal(&["--tier", "optimized", "--events", "e.json", "x.hw"]),
        refusal(&["--advice", "a.json", "--replay", "b.json", "x.hw"]),
        refusal(&["--stress", "1", "--replay", "b.json", "x.hw"]),
        refusal(&["--stress", "x", "x.hw"]),
        refusal(&["--policy", "ahead", "--stress", "1", "x.hw"]),
        refusal(&["--policy", "haste", "x.hw"]),
    ];
    insta::assert_snapshot!(refusals.join("\n"));
}

#[test]
fn explaining_needs_no_file() {
    let explained = |line: &[&str]| match command(line) {
        Command::Explain(config) => config.explained,
        other => panic!("{line:?} explains nothing: {other:?}"),
    };
    assert_eq!(explained(&["explain", "--json"]), Explained::Demonstration);
    let program = Program { source: file("x.hw"), args: vec!["60".into()] };
    assert_eq!(explained(&["explain", "x.hw", "60"]), Explained::Program(program));
}

/// The number of benchmark programs.
fn all_programs() -> usize {
    bench::select(&[]).expect("all programs").len()
}

#[test]
fn calibration_takes_all_programs_or_some() {
    let config = |line: &[&str]| match command(line) {
        Command::Calibrate(config) => config,
        other => panic!("{line:?} calibrates nothing: {other:?}"),
    };
    let all = config(&["calibrate", "-o", "table.json"]);
    assert_eq!(
        (all.programs.len(), all.rounds.get(), all.output),
        (all_programs(), 3, Some(PathBuf::from("table.json")))
    );
    assert_eq!(config(&["calibrate", "fib", "--rounds", "9"]).rounds.get(), 9);
    assert!(refusal(&["calibrate", "fibb"]).contains("did you mean 'fib'?"));
}

#[test]
fn options_after_the_file_are_the_programs() {
    let expected = (file("a.hw"), vec!["--tier".to_owned(), "interp".to_owned(), "--help".to_owned(), "-e".to_owned()]);
    assert_eq!(program_of(&["a.hw", "--tier", "interp", "--help", "-e"]), expected);
    assert_eq!(program_of(&["run", "a.hw", "--tier", "interp", "--help", "-e"]), expected);
    let run = run_of(&["--tier", "interp", "a.hw", "--tier", "auto"]);
    assert_eq!((run.execution.tier, run.program.args.len()), (TierChoice::Interp, 2));
}

#[test]
fn a_double_dash_after_the_file_is_the_programs() {
    assert_eq!(program_of(&["a.hw", "--", "x"]), (file("a.hw"), vec!["--".to_owned(), "x".to_owned()]));
    assert_eq!(program_of(&["run", "--", "-a.hw", "x"]), (file("-a.hw"), vec!["x".to_owned()]));
}

#[test]
fn a_file_named_like_a_command_can_be_run() {
    assert_eq!(program_of(&["./bench"]).0, file("./bench"));
    assert_eq!(program_of(&["run", "bench"]).0, file("bench"));
    assert!(matches!(command(&["bench"]), Command::Bench(_)));
}

#[test]
fn code_takes_arguments() {
    let code = Source::Code("print(1)".to_owned());
    assert_eq!(program_of(&["-e", "print(1)", "a", "-b"]), (code.clone(), vec!["a".to_owned(), "-b".to_owned()]));
    assert_eq!(program_of(&["run", "-e", "print(1)"]), (code.clone(), vec![]));
    assert_eq!(program_of(&["-e", "print(1)", "bench"]), (code, vec!["bench".to_owned()]));
    assert_eq!(program_of(&["-e", "-1"]).0, Source::Code("-1".to_owned()));
}

#[test]
fn without_arguments_the_terminal_decides() {
    assert_eq!(program_of(&[]), (Source::Stdin, vec![]));
    assert_eq!(program_of(&["-", "x"]), (Source::Stdin, vec!["x".to_owned()]));
    match command_in(&["--tier", "baseline"], &terminal()) {
        Command::Repl(config) => {
            assert_eq!(config.history, Some(PathBuf::from("/state/holloway/history")));
            assert_eq!(config.execution.tier, TierChoice::Baseline);
            assert_eq!(config.startup, Some(PathBuf::from("/config/holloway/startup.hw")));
            assert_eq!((config.inputs, config.program), (Inputs::Terminal, None));
        }
        other => panic!("no REPL: {other:?}"),
    }
    assert!(matches!(command(&[]), Command::Stream(_)) && matches!(command(&["-"]), Command::Run(_)));
}

#[test]
fn dialogues_may_start_with_a_file_and_without_the_start_up_file() {
    let repl = |line: &[&str], environment: &Environment| match command_in(line, environment) {
        Command::Repl(config) => config,
        other => panic!("no REPL: {other:?}"),
    };
    let config = repl(&["-i", "a.hw", "-x"], &terminal());
    assert_eq!((config.program, config.args), (Some(file("a.hw")), vec![OsString::from("-x")]));
    assert!(config.startup.is_some());
    assert_eq!(repl(&["--no-startup"], &terminal()).startup, None);
    let config = repl(&["run", "-i", "-e", "let x = 1"], &environment());
    assert_eq!((config.program, config.inputs), (Some(Source::Code("let x = 1".to_owned())), Inputs::Stream));
    assert_eq!(config.startup, None);
    assert!(refusal(&["-i", "-"]).contains("name a file instead of -"));
}

#[test]
fn limits_are_resolved() {
    let limits = run_of(&["--heap-limit", "64M", "--time-limit", "1.5", "--fuel", "7", "a.hw"]).execution.limits;
    assert_eq!(limits.heap.map(u64::from), Some(64 << 20));
    assert_eq!(limits.time, Some(std::time::Duration::from_millis(1500)));
    assert_eq!(limits.fuel, Some(7));
    assert_eq!(run_of(&["a.hw"]).execution.limits, Limits::default());
}

#[test]
fn files_are_allowed_unless_they_are_refused() {
    assert_eq!(run_of(&["a.hw"]).execution.files, FileAccess::Allowed);
    assert_eq!(run_of(&["--no-files", "a.hw"]).execution.files, FileAccess::Refused);
}

#[test]
fn color_follows_the_terminal_and_the_choice() {
    let color = |line: &[&str], environment: &Environment| match command_in(line, environment) {
        Command::Check(config) => config.messages.style.color,
        other => panic!("{other:?}"),
    };
    let no_color = Environment { no_color: true, ..terminal() };
    assert_eq!(color(&["check", "a"], &environment()), Color::Plain);
    assert_eq!(color(&["check", "a"], &terminal()), Color::Ansi);
    assert_eq!(color(&["check", "a"], &no_color), Color::Plain);
    assert_eq!(color(&["check", "a", "--color", "always"], &no_color), Color::Ansi);
    assert_eq!(color(&["check", "a", "--color", "never"], &terminal()), Color::Plain);
}

#[test]
fn profile_takes_its_options_on_both_sides_of_the_file() {
    let config = match command(&["profile", "a.hw", "60", "--scheme", "edge", "--json", "--top", "0", "--", "-v"]) {
        Command::Profile(config) => config,
        other => panic!("{other:?}"),
    };
    assert_eq!(config.program, Program { source: file("a.hw"), args: vec!["60".into(), "-v".into()] });
    assert_eq!((config.scheme, config.format, config.shown.top), (named("edge"), OutputFormat::Json, None));
}

#[test]
fn profile_shows_a_screenful_to_people_and_all_to_programs() {
    let top = |options: &[&str]| match command(&[&["profile", "a.hw", "--scheme", "edge"], options].concat()) {
        Command::Profile(config) => config.shown.top.map(std::num::NonZeroUsize::get),
        other => panic!("{other:?}"),
    };
    assert_eq!([top(&[]), top(&["--json"])], [Some(10), None]);
    assert_eq!([top(&["--top", "3"]), top(&["--json", "--top", "3"]), top(&["--top", "0"])], [Some(3), Some(3), None]);
}

fn named(scheme: &str) -> Scheme {
    Scheme::named(scheme).unwrap()
}

#[test]
fn profile_schemes_take_their_options() {
    let scheme = |line: &str| match command(&line.split(' ').collect::<Vec<_>>()) {
        Command::Profile(config) => (config.scheme, config.shown.top.map(NonZeroUsize::get)),
        other => panic!("{other:?}"),
    };
    let bl = |table| {
        let mut scheme = named("bl");
        scheme.settings.table = table;
        scheme
    };
    assert_eq!(scheme("profile a --scheme bl"), (bl(None), Some(10)));
    assert_eq!(scheme("profile a --scheme bl --table array --json"), (bl(Some(TableKind::Array)), None));
    assert_eq!(scheme("profile a --scheme bl --table hash --json --top 3"), (bl(Some(TableKind::Hash)), Some(3)));
    let k_bl = |k, forest_limit, sample| {
        let mut scheme = named("k-bl").with_k(k).unwrap();
        (scheme.settings.forest_limit, scheme.settings.sample) = (forest_limit, sample);
        scheme
    };
    assert_eq!(scheme("profile a --scheme k-bl").0, k_bl(4, None, None));
    assert_eq!(scheme("profile a --scheme k-bl --k 1024 --forest-limit 64K").0, k_bl(1024, Some(1 << 16), None));
    let sample = crate::quantity::sampling("10/90").ok();
    let gap = Gap::Ids(90.try_into().expect("it is not 0"));
    assert_eq!(sample.map(|sample| (sample.burst.get(), sample.gap)), Some((10, gap)));
    let ticked = crate::quantity::sampling("10").ok();
    assert_eq!(ticked.map(|sample| (sample.burst.get(), sample.gap)), Some((10, Gap::Ticks)));
    assert_eq!(scheme("profile a --scheme k-bl --sample 10").0, k_bl(4, None, ticked));
    assert_eq!(scheme("profile a --scheme k-bl --sample 10/90").0, k_bl(4, None, sample));
    let usual = crate::quantity::sampling("1000").ok();
    assert_eq!(scheme("profile a --scheme k-bl --sample").0, k_bl(4, None, usual));
    assert_eq!(scheme("profile --scheme k-bl --sample --k 4 a").0, k_bl(4, None, usual));
    assert_eq!(scheme("profile a --scheme tfp").0, named("tfp").with_k(8).unwrap());
    assert_eq!(scheme("profile a --scheme tfp --k 4000000000").0, named("tfp").with_k(4_000_000_000).unwrap());
    assert_eq!(scheme("profile a --scheme bala --top 0"), (named("bala"), None));
    let [smart, source] =
        ["smart", "source"].map(|order| scheme(&format!("profile a --scheme bl --numbering {order}")).0);
    assert_eq!((smart.takes_frequencies(), source), (true, bl(None)));
}

#[test]
fn dump_knows_which_stages_have_a_tier() {
    let stage = |line: &[&str]| match command(line) {
        Command::Dump(config) => config.stage,
        other => panic!("{other:?}"),
    };
    assert_eq!(stage(&["dump", "--stage", "asm", "a"]), Stage::Asm(CompiledTier::Optimized));
    assert_eq!(stage(&["dump", "--stage", "clif", "--tier", "baseline", "a"]), Stage::Clif(CompiledTier::Baseline));
    assert_eq!(stage(&["dump", "--stage", "cfg", "--fn", "f", "a"]), Stage::Cfg);
}

#[test]
fn bench_has_its_defaults() {
    match command_in(&["bench", "fib", "sieve", "fib"], &terminal()) {
        Command::Bench(config) => {
            assert_eq!(config.programs.iter().map(|program| program.name).collect::<Vec<_>>(), ["fib", "sieve"]);
            assert_eq!((config.size, config.rounds.get(), config.peers), (SizeName::Default, 3, PeerChoice::None));
            assert_eq!((config.progress, config.format), (Progress::Bar, OutputFormat::Text));
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(command(&["bench"]), Command::Bench(config) if config.programs.len() == all_programs()));
    assert!(matches!(command(&["bench", "--startup"]), Command::Startup(config) if config.rounds.get() == 20));
    let warmup = |config: &WarmupConfig, names: &[&str]| {
        config.rounds.get() == 3 && config.programs.iter().map(|program| program.name).eq(names.iter().copied())
    };
    let usual = ["bytecodevm", "lzw", "matmul", "nbody", "spectralnorm"];
    assert!(matches!(command(&["bench", "--warmup"]), Command::Warmup(config) if warmup(&config, &usual)));
    assert!(matches!(command(&["bench", "--warmup", "fib"]), Command::Warmup(config) if warmup(&config, &["fib"])));
}

#[test]
fn a_folder_is_measured_with_sizes() {
    let config = |line: &[&str]| match command_in(&[&["bench", "--unseen", "dir"], line].concat(), &terminal()) {
        Command::Unseen(config) => config,
        other => panic!("{other:?}"),
    };
    let plain = config(&[]);
    assert_eq!((plain.folder.as_path(), plain.names.len(), plain.sizes.len()), (Path::new("dir"), 0, 0));
    assert_eq!((plain.size, plain.rounds.get(), plain.progress), (SizeName::Default, 6, Progress::Bar));
    let chosen = config(&["a", "b", "--sizes", "300,sort=5000", "--sizes", "x=y=7", "--size", "mid", "--rounds", "9"]);
    let sizes: Vec<(Option<&str>, u64)> =
        chosen.sizes.iter().map(|given| (given.program.as_deref(), given.size)).collect();
    assert_eq!(sizes, [(None, 300), (Some("sort"), 5000), (Some("x=y"), 7)]);
    assert_eq!((chosen.names, chosen.size, chosen.rounds.get()), (vec!["a".into(), "b".into()], SizeName::Mid, 9));
}

#[test]
fn messages_take_their_format() {
    match command(&["check", "--message-format", "json", "-", "b.hw"]) {
        Command::Check(config) => {
            assert_eq!(config.messages.format, MessageFormat::Json);
            assert_eq!(config.sources, [Source::Stdin, file("b.hw")]);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_refusal_is_one_line_that_says_what_to_do() {
    let lines: &[&[&str]] = &[
        &["run"],
        &["--teir", "interp", "a.hw"],
        &["run", "--tier", "fast", "a.hw"],
        &["run", "--heap-limit", "64MB", "a.hw"],
        &["run", "--fuel", "-1", "a.hw"],
        &["check"],
        &["fmt", "-", "a.hw"],
        &["dump", "a.hw"],
        &["dump", "--stage", "ir", "--tier", "baseline", "a.hw"],
        &["dump", "--stage", "tokens", "--fn", "f", "a.hw"],
        &["profile", "a.hw"],
        &["profile", "a.hw", "--scheme", "edge", "--k", "2"],
        &["profile", "a.hw", "--scheme", "edge", "--verbose"],
        &["profile", "a.hw", "--scheme", "kbl"],
        &["profile", "a.hw", "--scheme", "bl", "--k", "2"],
        &["profile", "a.hw", "--scheme", "bala", "--k", "2"],
        &["profile", "a.hw", "--scheme", "k-bl", "--k", "0"],
        &["profile", "a.hw", "--scheme", "k-bl", "--k", "1025"],
        &["profile", "a.hw", "--scheme", "k-bl", "--forest-limit", "0"],
        &["profile", "a.hw", "--scheme", "k-bl", "--forest-limit", "64MB"],
        &["profile", "a.hw", "--scheme", "k-bl", "--sample", "1000/"],
        &["profile", "a.hw", "--scheme", "k-bl", "--sample", "1000", "--tier", "interp"],
        &["profile", "a.hw", "--scheme", "k-bl", "--sample", "1000", "--fuel", "5"],
        &["profile", "a.hw", "--scheme", "k-bl", "--sample", "1000", "--forest-limit", "5K"],
        &["profile", "a.hw", "--scheme", "k-bl", "--sample", "0/5"],
        &["profile", "a.hw", "--scheme", "k-bl", "--table", "hash"],
        &["profile", "a.hw", "--scheme", "bl", "--table", "tree"],
        &["profile", "a.hw", "--scheme", "tfp", "--sample", "1/1"],
        &["profile", "a.hw", "--scheme", "bl", "--forest-limit", "1M"],
        &["export", "run.hwrun"],
        &["export", "run.hwrun", "--to", "csv"],
        &["export", "run.hwrun", "--to", "speedscop"],
        &["bench", "seive"],
        &["bench", "--rounds", "0"],
        &["bench", "fib", "--startup"],
        &["completions", "tcsh"],
        &["help", "chekc"],
    ];
    let shown: Vec<String> =
        lines.iter().map(|line| format!("$ holloway {}\n{}", line.join(" "), refusal(line))).collect();
    assert!(shown.iter().all(|shown| shown.lines().count() == 2));
    insta::assert_snapshot!(shown.join("\n"));
}

#[test]
fn report_shows_one_run_or_two() {
    let report = |line: &[&str]| match command(line) {
        Command::Report(config) => config,
        other => panic!("{line:?} is no report: {other:?}"),
    };
    let path = |name: &str| Some(PathBuf::from(name));
    let one = report(&["report", "a.hwrun"]);
    assert_eq!((one.run, one.other, one.output), (PathBuf::from("a.hwrun"), None, path("report.html")));
    let two = report(&["report", "a.hwrun", "b.hwrun", "-o", "-"]);
    assert_eq!((two.other, two.output), (path("b.hwrun"), None));
    assert!(refusal(&["report", "a", "b", "c"]).contains("'c'"), "{}", refusal(&["report", "a", "b", "c"]));
}
