//! Events as files: Chrome's trace-event format (`docs/events.md`), an event a line, each flushed; a run that is killed
//! leaves a readable file, as the closing bracket may be missing. Invariant: what was written reads back equal; a
//! damaged line is an error with its number, but for the last one of a file without an end.

use std::fmt;
use std::io::{self, Write};

use serde_json::{Value, json};

use super::event::{Event, SCHEMA_VERSION, Thread, What};

/// The process that events belong to, for viewers.
pub const PROCESS: u32 = 1;

/// Writes events as they happen.
pub struct EventWriter<W: Write> {
    out: W,
}

impl<W: Write> EventWriter<W> {
    /// Begins a file about a program that runs on this host.
    pub fn new(out: W, program: &str) -> io::Result<Self> {
        Self::of_host(out, program, &holloway_jit::arch::host())
    }

    /// Begins a file about a program that ran on a host, named by its target triple.
    pub fn of_host(mut out: W, program: &str, host: &str) -> io::Result<Self> {
        let name = json!({ "name": format!("holloway {program}"), "schema": SCHEMA_VERSION, "host": host });
        let process = json!({ "name": "process_name", "ph": "M", "pid": PROCESS, "args": name });
        writeln!(out, "[\n{process},")?;
        for thread in [Thread::Program, Thread::Compiler] {
            let name = json!({ "name": thread });
            let line =
                json!({ "name": "thread_name", "ph": "M", "pid": PROCESS, "tid": thread_number(thread), "args": name });
            writeln!(out, "{line},")?;
        }
        out.flush()?;
        Ok(Self { out })
    }

    /// Writes an event, so that it is there if the process ends.
    pub fn write(&mut self, event: &Event) -> io::Result<()> {
        writeln!(self.out, "{},", line(event))?;
        self.out.flush()
    }

    /// Writes another event of the format, which none of ours is made of when the file is read.
    pub fn write_other(&mut self, line: &Value) -> io::Result<()> {
        writeln!(self.out, "{line},")
    }

    /// Ends the file. One that is not ended can be read as well.
    pub fn finish(mut self, at: super::Micros) -> io::Result<()> {
        // The last element of an array has no comma after it.
        let end = json!({ "name": "end", "ph": "i", "ts": at.0, "pid": PROCESS, "tid": 1, "s": "g" });
        writeln!(self.out, "{end}\n]")?;
        self.out.flush()
    }
}

fn thread_number(thread: Thread) -> u32 {
    match thread {
        Thread::Program => 1,
        Thread::Compiler => 2,
    }
}

/// An event in the format. Compilations are asynchronous spans, as they may overlap.
fn line(event: &Event) -> Value {
    let (phase, id) = match &event.what {
        What::CompileStart(start) => ("b", Some(start.compilation)),
        What::CompileEnd(end) => ("e", Some(end.compilation)),
        _ => ("i", None),
    };
    let args = serde_json::to_value(event).expect("an event is JSON");
    let what = id.map_or(args["event"].as_str().unwrap_or_default(), |_| "compile");
    let name = format!("{what} {}", event.subject.function.as_deref().unwrap_or_default());
    let mut line = json!({
        "name": name.trim_end(), "cat": "adaptive", "ph": phase, "ts": event.time.0, "pid": PROCESS,
        "tid": thread_number(event.thread),
    });
    match id {
        Some(compilation) => line["id"] = compilation.0.into(),
        None => line["s"] = "t".into(),
    }
    line["args"] = args;
    line
}

/// Why a file of events cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EventFileError {
    /// The line, from 1.
    pub line: usize,
    /// Description of the mistake in it.
    pub reason: String,
}

impl fmt::Display for EventFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for EventFileError {}

/// Reads the events of a file.
pub fn read(text: &str) -> Result<Vec<Event>, EventFileError> {
    let fail = |line: usize, reason: String| Err(EventFileError { line: line + 1, reason });
    let lines: Vec<&str> = text.lines().collect();
    if lines.first().map(|line| line.trim()) != Some("[") {
        return fail(0, "this is no file of events: it does not start with [".to_owned());
    }
    let ended = lines.iter().any(|line| line.trim() == "]");
    let mut events = Vec::new();
    for (number, line) in lines.iter().enumerate().skip(1) {
        let body = line.trim().trim_end_matches(',');
        if body.is_empty() || body == "]" {
            continue;
        }
        let value: Value = match serde_json::from_str(body) {
            Ok(value) => value,
            Err(_) if !ended && number + 1 == lines.len() => break,
            Err(error) => return fail(number, format!("this is no JSON: {error}")),
        };
        if value["name"] == "process_name" && value["args"]["schema"] != SCHEMA_VERSION {
            let reason = format!("the schema is {}, and this version reads {SCHEMA_VERSION}", value["args"]["schema"]);
            return fail(number, reason);
        }
        if value["cat"] == "adaptive" {
            match serde_json::from_value(value["args"].clone()) {
                Ok(event) => events.push(event),
                Err(error) => return fail(number, format!("this is no event: {error}")),
            }
        }
    }
    Ok(events)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Micros;
    use crate::event::examples;

    fn file(end: bool) -> String {
        let mut bytes = Vec::new();
        let mut writer = EventWriter::new(&mut bytes, "sieve.hw").unwrap();
        examples().iter().for_each(|event| writer.write(event).unwrap());
        if end {
            writer.finish(Micros(9_999)).unwrap();
        }
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn what_was_written_reads_back() {
        assert_eq!(read(&file(true)), Ok(examples()));
        let array: Value = serde_json::from_str(&file(true)).unwrap();
        assert_eq!(array.as_array().unwrap().len(), examples().len() + 4);
    }

    /// Takes the reasons as data out of a record.
    fn in_words(value: Value) -> Value {
        match value {
            Value::Object(fields) => {
                let kept = fields.into_iter().filter(|(name, _)| name != "because");
                kept.map(|(name, value)| (name, in_words(value))).collect()
            }
            Value::Array(items) => items.into_iter().map(in_words).collect(),
            other => other,
        }
    }

    #[test]
    fn reasons_in_words_alone_read_as_what_they_say() {
        for event in examples() {
            let words = in_words(serde_json::to_value(&event).expect("an event is JSON"));
            let read: Event = serde_json::from_value(words.clone()).expect("words are enough");
            assert_eq!(in_words(serde_json::to_value(&read).expect("an event is JSON")), words);
        }
    }

    #[test]
    fn a_run_that_was_killed_leaves_a_file_that_reads() {
        let text = file(false);
        assert_eq!(read(&text), Ok(examples()));
        let events = read(&text[..text.len() - 20]).unwrap();
        assert_eq!(events, examples()[..examples().len() - 1]);
    }

    #[test]
    fn damaged_files_are_refused_with_the_line() {
        let text = file(true);
        let refusal = |text: &str| read(text).unwrap_err().to_string();
        assert_eq!(refusal("{}"), "line 1: this is no file of events: it does not start with [");
        assert!(refusal(&text.replacen("\"ph\":\"i\"", "\"ph\":", 1)).starts_with("line 5: this is no JSON"));
        assert!(
            refusal(&text.replacen("\"event\":\"considered\"", "\"event\":\"x\"", 1))
                .starts_with("line 5: this is no event")
        );
        assert_eq!(
            refusal(&text.replacen("\"schema\":3", "\"schema\":9", 1)),
            "line 2: the schema is 9, and this version reads 3"
        );
    }
}
