//! Reading programs, and what programs wrote.
//!
//! In: a [`Source`]. Out: [`Text`], its name and bytes as `SourceMap::add_bytes` takes them, or [`Unreadable`], one
//! line and exit status 66. Invariant: memory never holds more of a source than
//! `whole_file` allows.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::CommandFactory;

use super::args::Cli;
use crate::config::Source;
use holloway::whole_file::{self, LARGEST_INPUT};
use holloway_measure::bench::embedded;
use holloway_study::report::text::{nearest, one_line};

/// A program's text and its name in messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Text {
    /// The path as given, `<stdin>` or `<code>`.
    pub name: String,
    /// The folder from which its imports are found; `None` is the current one.
    pub folder: Option<PathBuf>,
    /// Its bytes, not yet known to be UTF-8.
    pub bytes: Vec<u8>,
}

/// A source that could not be read.
#[derive(Debug)]
pub struct Unreadable {
    name: String,
    error: io::Error,
    hint: Option<String>,
}

impl Unreadable {
    /// The same without a guess at a command line.
    pub fn without_hint(self) -> Self {
        Self { hint: None, ..self }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read {}: {}", one_line(&self.name), one_line(&reason(&self.error)))?;
        self.hint.iter().try_for_each(|hint| write!(f, "; {hint}"))
    }
}

/// The reason for which a file cannot be read or written.
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

/// Reads a program.
pub fn read(source: &Source) -> Result<Text, Unreadable> {
    read_by(source, |from| whole_file::source(from))
}

/// Reads a JSON object that a program wrote.
pub fn read_json(source: &Source) -> Result<Text, Unreadable> {
    read_by(source, |from| whole_file::json(from, LARGEST_INPUT))
}

fn read_by(source: &Source, read: fn(&mut dyn Read) -> io::Result<Vec<u8>>) -> Result<Text, Unreadable> {
    match source {
        Source::Code(code) => Ok(Text { name: "<code>".to_owned(), folder: None, bytes: code.clone().into_bytes() }),
        Source::Stdin => match read(&mut io::stdin().lock()) {
            Ok(bytes) => Ok(Text { name: "<stdin>".to_owned(), folder: None, bytes }),
            Err(error) => Err(Unreadable { name: "standard input".to_owned(), error, hint: None }),
        },
        Source::File(path) => read_file(path, read),
        Source::Bench(name) => {
            let name = format!("{name}.hw");
            let bytes = embedded::file(&name).expect("the program was looked up").to_vec();
            Ok(Text { name, folder: None, bytes })
        }
    }
}

fn read_file(path: &Path, read: fn(&mut dyn Read) -> io::Result<Vec<u8>>) -> Result<Text, Unreadable> {
    let name = path.display().to_string();
    match File::open(path).and_then(|mut file| read(&mut file)) {
        Ok(bytes) => Ok(Text { name, folder: path.parent().map(Path::to_owned), bytes }),
        Err(error) => {
            let hint = (error.kind() == io::ErrorKind::NotFound).then(|| hint(&name)).flatten();
            Err(Unreadable { name, error, hint })
        }
    }
}

/// A guess at the meaning of a missing file: a command, mistyped or after the options.
fn hint(name: &str) -> Option<String> {
    if name.contains(['/', '.']) {
        return None;
    }
    let cli = Cli::command();
    let commands: Vec<&str> = cli.get_subcommands().map(clap::Command::get_name).collect();
    match nearest(name, commands.iter().copied()) {
        Some(command) if command == name => {
            Some(format!("to use the command, write 'holloway {command}' first, its options after it"))
        }
        Some(command) => Some(format!("did you mean the command '{command}'?")),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(path: &str) -> String {
        read(&Source::File(PathBuf::from(path))).unwrap_err().to_string()
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        assert_eq!(refusal("no/such.hw"), "cannot read no/such.hw: there is no such file");
        assert_eq!(refusal("chekc"), "cannot read chekc: there is no such file; did you mean the command 'check'?");
        assert_eq!(refusal("/"), "cannot read /: it is a folder");
        assert_eq!(
            refusal("dump"),
            "cannot read dump: there is no such file; to use the command, write 'holloway dump' first, its options after it"
        );
    }

    #[test]
    fn code_is_its_own_text() {
        let text = read(&Source::Code("print(1)".to_owned())).unwrap();
        assert_eq!((text.name.as_str(), text.bytes.as_slice()), ("<code>", &b"print(1)"[..]));
    }
}
