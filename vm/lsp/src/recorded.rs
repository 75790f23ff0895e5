//! The recorded run that hints tell of, and what it says of the parts of a document.
//!
//! In: a run that was chosen, or the folder of a document; the document's text. Out: notes by line. Invariant: of a
//! function, or a statement at top level, whose text is not that of the run, nothing is said; one that only moved is
//! found at its new place.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::SystemTime;

use holloway_lang::ast::{Item, TopLevel};
use holloway_lang::parse::parse;
use holloway_lang::source::SourceMap;
use holloway_study::run::{Run, Time, read};

/// Shares of the run's time below this are not worth a note.
const LEAST_SHARE: f64 = 0.005;

/// The runs that were read.
#[derive(Default)]
pub(crate) struct Runs {
    chosen: Option<PathBuf>,
    /// The last one, with the time at which its file was written.
    last: Option<(PathBuf, SystemTime, Option<Rc<Recorded>>)>,
}

/// A run, with its samples summed up.
pub(crate) struct Recorded {
    pub(crate) run: Run,
    pub(crate) time: Time,
}

/// A note at the end of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Note {
    /// The line, from 1.
    pub(crate) line: u32,
    pub(crate) text: String,
}

impl Runs {
    /// Tells of a run that was chosen, or of the newest one beside a document.
    pub(crate) fn new(chosen: Option<PathBuf>) -> Self {
        Self { chosen, last: None }
    }

    /// Chooses a run, unless one was chosen at the start.
    pub(crate) fn choose(&mut self, path: PathBuf) {
        self.chosen.get_or_insert(path);
    }

    /// The run that is told of in a document of a folder. A file that is no run is none.
    pub(crate) fn beside(&mut self, folder: Option<&Path>) -> Option<Rc<Recorded>> {
        let path = self.chosen.clone().or_else(|| newest(folder?))?;
        let written = std::fs::metadata(&path).and_then(|about| about.modified()).ok()?;
        if let Some((known, when, run)) = &self.last
            && (known, *when) == (&path, written)
        {
            return run.clone();
        }
        let run = read(&path).ok().map(|run| Rc::new(Recorded { time: Time::of(&run), run }));
        self.last = Some((path, written, run.clone()));
        run
    }
}

/// The newest run in a folder.
fn newest(folder: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let runs = files.filter(|path| path.extension().is_some_and(|end| end == "hwrun"));
    runs.max_by_key(|path| std::fs::metadata(path).and_then(|about| about.modified()).ok())
}

/// A function or a statement at top level.
struct Part {
    /// Of a function, its name.
    name: Option<String>,
    text: String,
    /// Its first line and its last one.
    first: u32,
    last: u32,
}

fn parts(text: &str) -> Vec<Part> {
    let mut sources = SourceMap::new();
    let Ok(file) = sources.add_bytes("", text.as_bytes()) else { return Vec::new() };
    let (program, _) = parse(&sources, file);
    let part = |part: &TopLevel| {
        let name = match part {
            TopLevel::Item(Item::Fn(item)) => Some(item.name.text.to_string()),
            TopLevel::Stmt(_) => None,
            TopLevel::Item(Item::Struct(_) | Item::Enum(_) | Item::Const(_) | Item::Import(_)) => return None,
        };
        let (span, lines) = (part.span(), sources.file(file));
        let text = sources.snippet(span).to_owned();
        Some(Part { name, text, first: lines.line(span.start), last: lines.line(span.end) })
    };
    program.body.iter().filter_map(part).collect()
}

impl Recorded {
    /// Notes of the run about a document with a name and a text, in the order of lines.
    pub(crate) fn notes(&self, file: &Path, text: &str) -> Vec<Note> {
        let is_file = |name: &str| Path::new(name).file_name() == file.file_name();
        let now = parts(text);
        let mut notes = BTreeMap::new();
        for source in self.run.sources.iter().filter(|source| is_file(&source.file)) {
            let mut then: HashMap<String, Vec<Part>> = HashMap::new();
            for part in parts(&source.text).into_iter().rev() {
                then.entry(part.text.clone()).or_default().push(part);
            }
            for part in &now {
                // Statements of one text are taken in their order.
                if let Some(old) = then.get_mut(&part.text).and_then(Vec::pop) {
                    self.part(&source.file, &old, part.first, &mut notes);
                }
            }
        }
        notes.into_iter().map(|(line, texts): (u32, Vec<String>)| Note { line, text: texts.join(" · ") }).collect()
    }

    /// Notes of a part that begins at line `first` now.
    fn part(&self, file: &str, old: &Part, first: u32, notes: &mut BTreeMap<u32, Vec<String>>) {
        let is_in = |function: u32, line: u32| {
            self.run.functions[function as usize].file == file && (old.first..=old.last).contains(&line)
        };
        let mut add = |line: u32, text: String| notes.entry(line - old.first + first).or_default().push(text);
        let is_function = |function: u32| {
            let at = &self.run.functions[function as usize];
            at.file == file && Some(&at.name) == old.name.as_ref() && (old.first..=old.last).contains(&at.line)
        };
        if let Some(function) = (0..self.run.functions.len() as u32).find(|function| is_function(*function)) {
            add(old.first, self.function(function));
        }
        for row in self.run.figures.iter().filter(|row| row.file == file && row.iterations > 0) {
            let line = row.entry_line.unwrap_or(row.line);
            if (old.first..=old.last).contains(&line) {
                let exits = match row.failures {
                    0 => String::new(),
                    failures => format!(", {} side exits", grouped(failures)),
                };
                add(line, format!("{} iterations on its traces{exits}", grouped(row.iterations)));
            }
        }
        for line in self.time.lines.iter().filter(|line| is_in(line.function, line.line)) {
            let share = line.spent.own / self.time.total.max(f64::MIN_POSITIVE);
            if share >= LEAST_SHARE {
                let plural = if line.spent.samples == 1 { "sample" } else { "samples" };
                add(line.line, format!("{:.1}%, {} {plural}", share * 100.0, grouped(line.spent.samples)));
            }
        }
    }

    /// The tiers of a function, in the order in which it came to them, and its time.
    fn function(&self, function: u32) -> String {
        let mut tiers: Vec<&str> = Vec::new();
        for version in self.run.versions.iter().filter(|version| version.function == function) {
            if !tiers.contains(&version.tier.as_str()) {
                tiers.push(&version.tier);
            }
        }
        let tiers = if tiers.is_empty() { "inlined".to_owned() } else { tiers.join(", ") };
        match self.time.functions.iter().find(|time| time.function == function) {
            Some(time) if time.spent.own > 0.0 => {
                format!("{tiers}: {:.1}% of the time", time.spent.own / self.time.total * 100.0)
            }
            Some(_) | None => tiers,
        }
    }
}

/// A number with commas between its thousands.
fn grouped(number: u64) -> String {
    holloway_study::report::text::grouped(number as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_study::run::record::{Doing, Frame, Function, Sample, Source, Stack, Version};

    const PROGRAM: &str = "fn f(n: int) -> int {\n    return n + 1\n}\nlet x = f(1)\n";

    fn recorded() -> Recorded {
        let file = "dir/a.hw".to_owned();
        let function = |name: &str, line, last_line| Function {
            name: name.to_owned(),
            file: file.clone(),
            line,
            last_line,
            hash: serde_json::from_value(serde_json::json!("0000000000000000"))
                .unwrap_or_else(|_| panic!("a hash is text")),
        };
        let version = |id, tier: &str| Version {
            id,
            name: tier.into(),
            function: 0,
            tier: tier.into(),
            entry_line: None,
            bytes: 1,
        };
        let run = Run {
            sources: vec![Source { file: file.clone(), text: PROGRAM.to_owned() }],
            functions: vec![function("f", 1, 3), function("top-level statements", 4, 4)],
            versions: vec![version(1, "baseline"), version(2, "optimized")],
            frames: vec![
                Frame { function: 0, line: 2, version: 1, inlined: false },
                Frame { function: 1, line: 4, version: 0, inlined: false },
            ],
            stacks: vec![
                Stack { doing: Doing::Code, frames: vec![0, 1], left_out: None },
                Stack { doing: Doing::Code, frames: vec![1], left_out: None },
            ],
            samples: [0, 0, 0, 1].map(|stack| Sample { at: 1.0, weight: 10.0, stack }).to_vec(),
            ..Run::default()
        };
        Recorded { time: Time::of(&run), run }
    }

    fn notes(text: &str) -> Vec<(u32, String)> {
        recorded().notes(Path::new("/other/a.hw"), text).into_iter().map(|note| (note.line, note.text)).collect()
    }

    #[test]
    fn functions_and_lines_have_their_figures() {
        let expected = [(1, "baseline, optimized: 75.0% of the time"), (2, "75.0%, 3 samples"), (4, "25.0%, 1 sample")];
        assert_eq!(notes(PROGRAM), expected.map(|(line, text)| (line, text.to_owned())));
    }

    #[test]
    fn what_changed_is_not_told_and_what_moved_is() {
        assert_eq!(notes(&PROGRAM.replace("n + 1", "n + 2")), [(4, "25.0%, 1 sample".to_owned())]);
        let lines: Vec<u32> = notes(&format!("// more\n\n{PROGRAM}")).into_iter().map(|(line, _)| line).collect();
        assert_eq!(lines, [3, 4, 6]);
        assert_eq!(notes("let x = "), []);
        assert_eq!(recorded().notes(Path::new("/other/b.hw"), PROGRAM), []);
    }
}
