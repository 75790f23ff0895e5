//! `lab import`: an input of the lab from a C program that ran.
//!
//! In: the text of the program's LLVM IR, and the trace that `c-trace/holloway_trace.c` wrote. Out: graphs as JSON, and the trace in their blocks.
//!
//! Phases: 1. the module (`llvm`); 2. a first reading of the trace: activations (`walk`), and the callees of calls through pointers and of callbacks
//! (`observed`); 3. graphs, in which blocks are split at calls (`graphs`); 4. a second reading, in which the blocks are written (`write`).
//!
//! The lab's JSON does not hold a trace of many millions of blocks: with names they take tens of bytes each, and the parser would keep all of them.
//! So the trace goes into a file beside the JSON ([`block_trace`](super::block_trace)), a byte or two a block, from which the lab streams.
//! A trace without a file, for small programs and pipes, stands in the JSON. Running the schemes in the import itself was rejected: an input that
//! is a file of its own can be evaluated with every scheme, be looked at, and be cut by hand.
//!
//! Invariant: no event of a trace is kept; memory is bounded by the text of the program, all of which is read at once, the graphs and the depth
//! of calls.

mod graphs;
mod observed;
mod raw_trace;
mod walk;
mod write;

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::checksum::cksum;
use super::llvm::{self, TextError};
use graphs::Graphs;
use holloway::internals::is_same_file;
use holloway::whole_file::{self, LARGEST_INPUT};
use observed::Observed;
use raw_trace::{RawTrace, RawTraceError};
use walk::{Walk, WalkError};
use write::{InFile, InJson, TraceWriter};

/// The files of an import.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportFiles {
    /// The text of the LLVM IR.
    pub program: PathBuf,
    /// The trace.
    pub trace: PathBuf,
}

/// Reasons for which nothing is imported.
#[derive(Debug)]
pub enum ImportError {
    /// A file cannot be read.
    Read(PathBuf, io::Error),
    /// The input, its trace and the files that are imported are not all different files.
    SameFile(PathBuf, &'static str),
    /// The output cannot be written.
    Write(Option<PathBuf>, io::Error),
    /// The text is no LLVM IR with guards.
    Text(PathBuf, TextError),
    /// The text has no guard, or no `main`.
    NotTraced(PathBuf, &'static str),
    /// The file is no trace of this program.
    Trace(PathBuf, RawTraceError),
    /// The trace does not follow the program's graphs.
    Walk(PathBuf, WalkError),
    /// The trace has an event that only a file beside the JSON can hold.
    NeedsFile,
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImportError::Read(path, error) => write!(f, "cannot read {}: {error}", path.display()),
            ImportError::SameFile(path, is) => write!(f, "-o would overwrite {}, which is {is}", path.display()),
            ImportError::Write(Some(path), error) => write!(f, "cannot write {}: {error}", path.display()),
            ImportError::Write(None, error) => write!(f, "cannot write: {error}"),
            ImportError::Text(path, error) => write!(f, "{}:{}: {}", path.display(), error.line, error.message),
            ImportError::NotTraced(path, lacks) => write!(f, "{}: {lacks}", path.display()),
            ImportError::Trace(path, error) => write!(f, "{}: {error}", path.display()),
            ImportError::Walk(path, error) => write!(f, "{}: {error}", path.display()),
            ImportError::NeedsFile => {
                f.write_str("the trace cuts activations that others outlive, which JSON has no form for; write it to a file with -o")
            }
        }
    }
}

/// Writes the input, with the trace in it.
pub fn to_stream(files: &ImportFiles, out: &mut dyn Write) -> Result<(), ImportError> {
    let program = Program::read(files)?;
    if program.cuts {
        return Err(ImportError::NeedsFile);
    }
    let failed = |error| ImportError::Write(None, error);
    let head = program.graphs.json_head(&program.module);
    write!(out, "{head},\n\"traces\":[[").map_err(failed)?;
    program.write(&mut InJson::new(&program.graphs, &program.module, &mut *out), &failed)?;
    writeln!(out, "]]}}").and_then(|()| out.flush()).map_err(failed)
}

/// Writes the input to a file, and the trace to one beside it.
pub fn to_files(files: &ImportFiles, json: &Path) -> Result<(), ImportError> {
    let trace = json.with_extension("blocks");
    refuse_overwriting(files, json, &trace)?;
    let program = Program::read(files)?;
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| ImportError::Write(Some(path.clone()), error)
    };
    let create = |path: &Path| File::create(path).map(BufWriter::new).map_err(failed(path));
    let mut out = create(json)?;
    let name = trace.file_name().unwrap_or(trace.as_os_str()).to_string_lossy();
    let head = program.graphs.json_head(&program.module);
    writeln!(out, "{head},\n\"trace_file\":{}}}", serde_json::Value::from(name)).map_err(failed(json))?;
    out.flush().map_err(failed(json))?;
    let mut writer = InFile::new(program.graphs.blocks(), create(&trace)?).map_err(failed(&trace))?;
    program.write(&mut writer, &failed(&trace))?;
    writer.finish().map_err(failed(&trace))
}

/// Compares what is written with what is read, and with each other.
fn refuse_overwriting(files: &ImportFiles, json: &Path, trace: &Path) -> Result<(), ImportError> {
    let read = [(&files.program, "the program to import"), (&files.trace, "the trace to import")];
    let same = |path: &Path, is| Err(ImportError::SameFile(path.to_owned(), is));
    for written in [json, trace] {
        if let Some((_, is)) = read.iter().find(|(path, _)| is_same_file(written, path)) {
            return same(written, is);
        }
    }
    if is_same_file(json, trace) {
        return same(trace, "where the trace goes; name the input LAB.json");
    }
    Ok(())
}

/// A program with its graphs, after the first reading of its trace.
struct Program<'f> {
    files: &'f ImportFiles,
    module: llvm::Module,
    main: usize,
    graphs: Graphs,
    /// Set if the trace cuts activations.
    cuts: bool,
    checksum: u32,
}

impl Program<'_> {
    fn read(files: &ImportFiles) -> Result<Program<'_>, ImportError> {
        let path = || files.program.clone();
        let bytes = File::open(&files.program).and_then(|file| whole_file::bytes(file, LARGEST_INPUT));
        let bytes = bytes.map_err(|error| ImportError::Read(path(), error))?;
        let no_text = |error: std::str::Utf8Error| {
            let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
            let message = "this is no text; bitcode becomes text by llvm-dis".to_owned();
            ImportError::Text(path(), TextError { line, message })
        };
        let text = std::str::from_utf8(&bytes).map_err(no_text)?;
        let module = llvm::parse(text).map_err(|error| ImportError::Text(path(), error))?;
        if module.functions.is_empty() {
            let lacks =
                "no function has guards; compile with -fsanitize-coverage=trace-pc-guard,no-prune -S -emit-llvm";
            return Err(ImportError::NotTraced(path(), lacks));
        }
        let main = module.functions.iter().position(|function| function.name == "main");
        let main = main.ok_or_else(|| ImportError::NotTraced(path(), "no function with guards is `main`"))?;
        let checksum = cksum(&bytes);
        let mut observed = Observed::default();
        follow(files, &module, main, checksum, &mut observed, &|error| ImportError::Write(None, error))?;
        let graphs = Graphs::new(&module, main, &observed);
        Ok(Program { files, module, main, graphs, cuts: observed.cuts, checksum })
    }

    fn write<W: TraceWriter>(&self, out: &mut W, failed: &dyn Fn(io::Error) -> ImportError) -> Result<(), ImportError> {
        let mut listener = write::Blocks::new(&self.graphs, out);
        follow(self.files, &self.module, self.main, self.checksum, &mut listener, failed)
    }
}

/// Has the activations of the trace followed.
fn follow<L: walk::Listener>(
    files: &ImportFiles,
    module: &llvm::Module,
    main: usize,
    checksum: u32,
    listener: &mut L,
    failed: &dyn Fn(io::Error) -> ImportError,
) -> Result<(), ImportError> {
    let path = || files.trace.clone();
    let refused = |error| ImportError::Trace(path(), error);
    let file = File::open(&files.trace).map_err(|error| ImportError::Read(path(), error))?;
    let mut trace = RawTrace::open(file, checksum, module.guards.len()).map_err(refused)?;
    let mut walk = Walk::new(module, main);
    while let Some(event) = trace.next().map_err(refused)? {
        let stepped = walk.step(event, listener).map_err(failed)?;
        stepped.map_err(|error| ImportError::Walk(path(), error))?;
    }
    walk.finish(listener).map_err(failed)
}

#[cfg(test)]
mod tests;
