//! The file of a run: lines of JSON, compressed by zstd, written as the run goes on.
//!
//! In: records. Out: a file, and the run in one. A record is flushed at the latest when the next one comes a tenth of a second later, so that
//! of a run that is killed all but the last moments can be read.
//! Invariant: a file that ends in the middle reads as what is before; one that is damaged, or of another form, is refused with the reason.

use super::Run;
use super::record::{FORMAT, Record};
use holloway_aos::event::SCHEMA_VERSION;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};
use zstd::stream::{Decoder, Encoder};

/// The first bytes of every such file.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The effort of compression: the program runs meanwhile.
const LEVEL: i32 = 3;
/// Time between flushes, at least.
const FLUSHED: Duration = Duration::from_millis(100);
/// Bytes of one record at most, so that no file takes all memory.
const LONGEST: u64 = 256 << 20;

/// A file that a run is written to.
pub struct RunFile {
    out: Encoder<'static, BufWriter<File>>,
    flushed: Instant,
    failed: Option<io::Error>,
}

impl RunFile {
    /// Begins a file.
    pub fn create(path: &Path) -> io::Result<RunFile> {
        let out = Encoder::new(BufWriter::new(File::create(path)?), LEVEL)?;
        Ok(RunFile { out, flushed: Instant::now(), failed: None })
    }

    /// Writes a record. After a mistake nothing more is written, and [`RunFile::finish`] says so: the program goes on.
    pub(super) fn write(&mut self, record: &Record) {
        if self.failed.is_none() {
            self.failed = self.try_write(record).err();
        }
    }

    fn try_write(&mut self, record: &Record) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, record)?;
        self.out.write_all(b"\n")?;
        if self.flushed.elapsed() >= FLUSHED {
            self.out.flush()?;
            self.flushed = Instant::now();
        }
        Ok(())
    }

    /// Ends the file. The error is why records are missing from it.
    pub fn finish(self) -> io::Result<()> {
        match self.failed {
            Some(error) => Err(error),
            None => self.out.finish()?.flush(),
        }
    }
}

/// Why a file of a run cannot be read.
#[derive(Debug)]
pub enum ReadError {
    /// The system does not give it.
    Io(io::Error),
    /// It is no such file, or a damaged one; the reason.
    Damaged(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::Damaged(reason) => write!(f, "{reason}"),
        }
    }
}

impl std::error::Error for ReadError {}

/// Returns whether a file looks like that of a run, by its first bytes.
pub fn is_run(path: &Path) -> bool {
    let mut first = [0; MAGIC.len()];
    let mut read = || File::open(path)?.read_exact(&mut first);
    path.is_file() && read().is_ok() && first == MAGIC
}

/// Reads the run in a file.
pub fn read(path: &Path) -> Result<Run, ReadError> {
    let file = File::open(path).map_err(ReadError::Io)?;
    let decoder = Decoder::new(file).map_err(ReadError::Io)?;
    records(BufReader::new(decoder))
}

fn records(mut lines: impl BufRead) -> Result<Run, ReadError> {
    let mut run = Run::default();
    let damaged = |reason: String| Err(ReadError::Damaged(reason));
    for number in 1.. {
        let mut line = Vec::new();
        match (&mut lines).take(LONGEST).read_until(b'\n', &mut line) {
            // What was being written when the process was killed.
            Ok(_) if line.last() != Some(&b'\n') && (line.len() as u64) < LONGEST => break,
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof && run.head.is_some() => break,
            Ok(_) => {}
            Err(error) => return damaged(format!("this is no recorded run, or a damaged one: {error}")),
        }
        if run.head.is_none() {
            check_head(&line)?;
        }
        match serde_json::from_slice(&line) {
            Ok(record) => run.add(record),
            Err(error) => return damaged(format!("record {number} is damaged: {error}")),
        }
    }
    match run.is_sound() {
        true => Ok(run),
        false if run.head.is_none() => damaged("there is nothing in it".to_owned()),
        false => damaged("records refer to what is not there".to_owned()),
    }
}

/// The head is looked at by itself: other versions have other fields.
fn check_head(line: &[u8]) -> Result<(), ReadError> {
    let head: serde_json::Value = serde_json::from_slice(line).unwrap_or_default();
    if head["record"] != "run" {
        return Err(ReadError::Damaged("this is no recorded run; `run FILE --save RUN.hwrun` makes one".to_owned()));
    }
    for (field, own) in [("format", FORMAT), ("schema", SCHEMA_VERSION)] {
        if head[field] != own {
            let reason = format!("its {field} is {}, and this version of holloway reads {own}", head[field]);
            return Err(ReadError::Damaged(reason));
        }
    }
    Ok(())
}
