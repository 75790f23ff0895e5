//! `bench --why`: the hottest loops of a program beside those of its C peer, in machine instructions.
//!
//! In: a [`WhyConfig`]. Out: [`Why`], as text or JSON. Both binaries run once under Linux perf, which takes samples at a fixed rate of CPU time.
//! Data flow: `perf record`, `perf script` -> `samples`; our code from the dump that `run --jitdump` writes, GCC's by `objdump`; both -> `hot_loops`.

mod hot_loops;
mod objdump;
mod report;
mod samples;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fmt, fs, io};

use super::child::{ChildError, Children, CommandLine};
use super::contender::{HOLLOWAY, Peer, Recipe, RunOptions, holloway, installed, peer};
use super::suite::BenchProgram;
use super::workspace::Workspace;
use crate::extent::SizeName;
use crate::jitdump;
use crate::jitdump::Code;
use crate::settings::SAMPLES_A_SECOND;
use holloway::TierChoice;
use holloway_study::report::style::OutputFormat;
use hot_loops::{HotLoop, hottest};
use samples::Samples;

/// Options of `bench --why`.
#[derive(Clone, PartialEq, Debug)]
pub struct WhyConfig {
    /// The program.
    pub program: BenchProgram,
    /// Its workload.
    pub size: SizeName,
    /// Tier for Holloway's run.
    pub tier: TierChoice,
    /// Passes that the optimizer skips.
    pub disabled_passes: Vec<String>,
    /// Format of the output.
    pub format: OutputFormat,
    /// The binary for `run --tier T FILE SIZE`: this one.
    pub executable: PathBuf,
}

/// The hottest loops of both.
#[derive(Clone, PartialEq, Debug)]
pub struct Why {
    /// Our run, and GCC's where it is installed.
    pub runs: Vec<Run>,
}

/// One run.
#[derive(Clone, PartialEq, Debug)]
pub struct Run {
    /// The contender.
    pub name: &'static str,
    /// Samples that were taken of it.
    pub samples: u64,
    /// Its hottest loops.
    pub loops: Vec<HotLoop>,
}

/// Reasons for which nothing was measured.
#[derive(Debug)]
pub enum WhyError {
    /// Ctrl-C.
    Interrupted,
    /// A command that this needs is not installed.
    Missing(&'static str),
    /// A command failed, with the beginning of what it wrote to standard error.
    Failed(String, String),
    /// The program printed something else than its checksum.
    WrongOutput(&'static str),
    /// Files could not be written or read.
    System(io::Error),
}

impl fmt::Display for WhyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WhyError::Interrupted => write!(f, "interrupted"),
            WhyError::Missing(command) => write!(f, "--why needs {command}, which is not on the search path"),
            WhyError::Failed(command, told) => write!(f, "{command} failed: {}", told.trim_end()),
            WhyError::WrongOutput(name) => write!(f, "{name} did not print the known checksum"),
            WhyError::System(error) => write!(f, "cannot write or read the files of a run: {error}"),
        }
    }
}

impl From<io::Error> for WhyError {
    fn from(error: io::Error) -> Self {
        WhyError::System(error)
    }
}

impl From<ChildError> for WhyError {
    fn from(error: ChildError) -> Self {
        match error {
            ChildError::Interrupted => WhyError::Interrupted,
            ChildError::System(error) => WhyError::System(error),
            ChildError::TimedOut(_) => WhyError::System(io::ErrorKind::TimedOut.into()),
        }
    }
}

/// Runs both and finds their loops.
pub fn measure_why(config: &WhyConfig, children: &Children) -> Result<Why, WhyError> {
    let workspace = Workspace::new()?;
    workspace.place_below("peers/lib/")?;
    workspace.place_below("peers/programs/")?;
    let workload = config.program.workload(config.size);
    let options = RunOptions { disabled_passes: &config.disabled_passes, ..RunOptions::of(config.tier) };
    let mut own = holloway(&config.executable, options, &config.program, workload, &workspace)?;
    own.run.args.insert(1, OsString::from("--jitdump"));
    let data = workspace.path().join("perf.data");
    let expected = workload.checksum.to_string();

    sample(&own.run, &data, &expected, HOLLOWAY, children)?;
    let samples = Samples::of_addresses(&perf_script(&data)?);
    let codes = jitdump::codes(&fs::read(dump_in(workspace.path())?)?);
    let mut runs = vec![Run::of(HOLLOWAY, &samples, &codes)];

    let is_installed = !installed(&[Peer::Gcc], env::var_os("PATH").as_deref()).0.is_empty();
    if is_installed && Peer::Gcc.has(&config.program) {
        let args = [workload.size.to_string()];
        let Recipe { build, run } = peer(Peer::Gcc, "peers/programs", config.program.name, &args, &workspace)?;
        let build = build.expect("C is compiled");
        let built = children.run(&build)?;
        if !built.status.success() {
            return Err(WhyError::Failed("gcc".to_owned(), built.stderr));
        }
        sample(&run, &data, &expected, Peer::Gcc.name(), children)?;
        let codes = objdump::codes(&output("objdump", [OsStr::new("-d"), run.program.as_os_str()])?);
        let samples = Samples::of_symbols(&perf_script(&data)?, &codes);
        runs.insert(0, Run::of(Peer::Gcc.name(), &samples, &codes));
    }
    Ok(Why { runs })
}

impl Run {
    fn of(name: &'static str, samples: &Samples, codes: &[Code]) -> Run {
        Run { name, samples: samples.total, loops: hottest(samples, codes) }
    }
}

/// Runs a command under perf.
fn sample(
    command: &CommandLine,
    data: &Path,
    expected: &str,
    name: &'static str,
    children: &Children,
) -> Result<(), WhyError> {
    let mut args: Vec<OsString> =
        ["record", "--quiet", "--event", "cpu-clock:u", "--freq"].map(OsString::from).to_vec();
    args.extend([SAMPLES_A_SECOND.to_string().into(), "--output".into()]);
    args.extend([data.as_os_str().to_owned(), "--".into(), command.program.clone().into_os_string()]);
    args.extend(command.args.iter().cloned());
    let recorded = children.run(&CommandLine::new("perf", args, &command.folder)).map_err(|error| match error {
        ChildError::System(error) if error.kind() == io::ErrorKind::NotFound => WhyError::Missing("perf"),
        other => WhyError::from(other),
    })?;
    if !recorded.status.success() {
        return Err(WhyError::Failed("perf record".to_owned(), recorded.stderr));
    }
    if recorded.stdout.trim_end() != expected { Err(WhyError::WrongOutput(name)) } else { Ok(()) }
}

/// The samples of a run, a line each.
fn perf_script(data: &Path) -> Result<String, WhyError> {
    output(
        "perf",
        ["script".as_ref(), "--fields".as_ref(), "ip,sym,symoff".as_ref(), "--input".as_ref(), data.as_os_str()],
    )
}

/// The dump that our run has written.
fn dump_in(folder: &Path) -> Result<PathBuf, WhyError> {
    let files = fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    let mut dumps = files.filter(|path| path.extension().is_some_and(|extension| extension == "dump"));
    dumps.next().ok_or_else(|| WhyError::Failed("holloway run --jitdump".to_owned(), "it wrote no dump".to_owned()))
}

/// The output of a command that is over soon.
fn output<'a>(command: &'static str, args: impl IntoIterator<Item = &'a OsStr>) -> Result<String, WhyError> {
    let output = Command::new(command).args(args).output().map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => WhyError::Missing(command),
        _ => WhyError::System(error),
    })?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(WhyError::Failed(command.to_owned(), String::from_utf8_lossy(&output.stderr).into_owned())),
    }
}
