//! The file of a run: lines of JSON, compressed by zstd, written as the run goes on.
//!
//! In: records. Out: a file, and the run in one. A record is flushed at the latest when the next one comes a tenth of a second later, so that
//! of a run that is killed all but the last moments can be read.
//! Invariant: a file that ends in the middle reads as what is before; one that is damaged, or of another form, is refused with the reason.

use super::Run;
use super::killed::completed;
use super::record::{FORMAT, Record};
use super::sound::is_sound;
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
const LEVEL: i32 = 1;
/// Time between flushes, at least.
const FLUSHED: Duration = Duration::from_millis(100);
/// Bytes of one record at most, so that no file takes all memory.
const LONGEST: u64 = 256 << 20;
/// And of all records: a run of an hour has a hundredth of them.
const MOST: u64 = 4 << 30;

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
        if self.flushed.elapsed() >= FLUSHED { self.try_flush() } else { Ok(()) }
    }

    /// Hands all that was written to the system.
    pub(super) fn flush(&mut self) {
        if self.failed.is_none() {
            self.failed = self.try_flush().err();
        }
    }

    fn try_flush(&mut self) -> io::Result<()> {
        self.flushed = Instant::now();
        self.out.flush()
    }

    /// Ends the file. The error is why records are missing from it.
    pub fn finish(self) -> io::Result<()> {
        match self.failed {
            Some(error) => Err(error),
            None => self.out.finish()?.flush(),
        }
    }
}

/// Reasons for which a file of a run cannot be read.
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
    records(BufReader::new(decoder), MOST)
}

/// The run in records of at most so many bytes.
fn records(mut lines: impl BufRead, most: u64) -> Result<Run, ReadError> {
    let mut run = Run::default();
    let mut left = most;
    let mut has_head = false;
    let damaged = |reason: String| Err(ReadError::Damaged(reason));
    for number in 1.. {
        let mut line = Vec::new();
        match (&mut lines).take(LONGEST).read_until(b'\n', &mut line) {
            // What was being written when the process was killed.
            Ok(_) if line.last() != Some(&b'\n') && (line.len() as u64) < LONGEST => break,
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof && has_head => break,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                return damaged("it ends before anything is told".to_owned());
            }
            Err(error) => return damaged(format!("this is no recorded run, or a damaged one: {error}")),
        }
        match left.checked_sub(line.len() as u64) {
            Some(less) => left = less,
            None => return damaged(format!("it is larger than any run: its records have more than {most} bytes")),
        }
        if !has_head {
            check_head(&line)?;
            has_head = true;
        }
        match serde_json::from_slice(&line) {
            Ok(record) => run.add(record),
            Err(error) => return damaged(format!("record {number} is damaged: {error}")),
        }
    }
    match (has_head, is_sound(&run)) {
        (true, true) => Ok(completed(run)),
        (true, false) => damaged("records refer to what is not there".to_owned()),
        (false, _) => damaged("there is nothing in it".to_owned()),
    }
}

/// The head is looked at by itself: other versions have other fields.
fn check_head(line: &[u8]) -> Result<(), ReadError> {
    let head: serde_json::Value = serde_json::from_slice(line).unwrap_or_default();
    if head["record"] != "run" {
        return Err(ReadError::Damaged(
            "this is no recorded run; `holloway run --save RUN.hwrun FILE` makes one".to_owned(),
        ));
    }
    for (field, own) in [("format", FORMAT), ("schema", SCHEMA_VERSION)] {
        if head[field] != own {
            let reason = format!("its {field} is {}, and this version of holloway reads {own}", head[field]);
            return Err(ReadError::Damaged(reason));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::record::{Doing, End, Function, Head, Sample, Stack};
    use super::*;
    use holloway_aos::event::examples;
    use holloway_aos::input::BodyHash;

    fn records() -> Vec<Record> {
        let head = Head {
            format: FORMAT,
            schema: SCHEMA_VERSION,
            program: "walk.hw".to_owned(),
            args: vec!["9".to_owned()],
            hz: Some(997),
            settings: serde_json::json!({ "k": 4 }),
            ..Head::default()
        };
        let function =
            Function { name: "walk".to_owned(), file: "walk.hw".to_owned(), line: 3, last_line: 9, hash: BodyHash(7) };
        let mut records = vec![Record::Run(head), Record::Function(function)];
        records.push(Record::Stack(Stack { doing: Doing::Outside, frames: Vec::new(), left_out: None }));
        records.extend(examples().into_iter().map(|event| Record::Event { event: Box::new(event) }));
        records.push(Record::Samples { samples: vec![Sample { at: 1000.5, weight: 1000.5, stack: 0 }] });
        records.push(Record::End(End { cpu: 2000.0, sampled: 1000.5, lost: 0, status: 3 }));
        records
    }

    /// A file of records.
    fn file(records: &[Record]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let mut writer = RunFile::create(file.path()).expect("it can be written");
        records.iter().for_each(|record| writer.write(record));
        writer.finish().expect("it is written");
        file
    }

    fn run(records: Vec<Record>) -> Run {
        let mut run = Run::default();
        records.into_iter().for_each(|record| run.add(record));
        run
    }

    fn refusal(records: &[Record]) -> String {
        read(file(records).path()).expect_err("it is refused").to_string()
    }

    #[test]
    fn what_was_written_reads_back() {
        let file = file(&records());
        assert!(is_run(file.path()));
        assert_eq!(read(file.path()).expect("it reads"), run(records()));
    }

    #[test]
    fn a_file_that_ends_anywhere_reads_as_what_is_before() {
        let mut text = Vec::new();
        let mut lengths = Vec::new();
        for record in records() {
            text.extend(serde_json::to_vec(&record).expect("a record is JSON"));
            text.push(b'\n');
            lengths.push(text.len());
        }
        for end in (lengths[0]..=text.len()).step_by(7) {
            let whole = lengths.iter().filter(|length| **length <= end).count();
            let read = super::records(&text[..end], MOST).expect("it reads");
            assert_eq!(read, completed(run(records()[..whole].to_vec())), "{end}");
        }
    }

    #[test]
    fn a_file_that_unpacks_to_too_much_is_refused() {
        let mut text = Vec::new();
        for record in records() {
            text.extend(serde_json::to_vec(&record).expect("a record is JSON"));
            text.push(b'\n');
        }
        let most = text.len() as u64;
        assert!(super::records(&text[..], most).is_ok());
        let refused = super::records(&text[..], most - 1).expect_err("it is refused").to_string();
        assert_eq!(refused, format!("it is larger than any run: its records have more than {} bytes", most - 1));
    }

    #[test]
    fn files_of_other_kinds_and_damaged_ones_are_refused() {
        assert_eq!(refusal(&[]), "there is nothing in it");
        assert!(refusal(&records()[1..]).starts_with("this is no recorded run; "));
        let Record::Run(head) = records().remove(0) else { panic!("the head is first") };
        let newer = Record::Run(Head { format: 9, ..head });
        assert_eq!(refusal(&[newer]), format!("its format is 9, and this version of holloway reads {FORMAT}"));
        let mut lost = records();
        lost.retain(|record| !matches!(record, Record::Stack(_)));
        assert_eq!(refusal(&lost), "records refer to what is not there");
        let text = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(text.path(), "fn main() {}").expect("it is written");
        assert!(!is_run(text.path()) && !is_run(Path::new("/")));
    }
}
