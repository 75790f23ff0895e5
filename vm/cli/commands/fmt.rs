//! `fmt`: the one formatting.

use std::fs;
use std::path::Path;

use holloway::internals::is_module;
use holloway_lang::source::SourceMap;

use crate::config::{FormatConfig, FormatInput, FormatMode, Source};
use crate::{Exit, input, program, refuse, show};
use holloway_study::report::diagnostics;

/// Formats files in place or standard input. The exit status is that of the worst result.
pub fn fmt(config: &FormatConfig) -> Exit {
    match &config.input {
        FormatInput::Stdin => stdin(config).unwrap_or_else(|exit| exit),
        FormatInput::Files(paths) => {
            let worse = |worst: Exit, exit: Exit| if exit.status() > worst.status() { exit } else { worst };
            paths.iter().map(|path| file(path, config).unwrap_or_else(|exit| exit)).fold(Exit::Success, worse)
        }
    }
}

fn stdin(config: &FormatConfig) -> Result<Exit, Exit> {
    let (before, after) = formatted(&Source::Stdin, config)?;
    match config.mode {
        FormatMode::Write => Ok(show(&after)),
        FormatMode::Check if before == after => Ok(Exit::Success),
        FormatMode::Check => Ok(refuse(&"standard input is not formatted", Exit::Failure)),
    }
}

fn file(path: &Path, config: &FormatConfig) -> Result<Exit, Exit> {
    let (before, after) = formatted(&Source::File(path.to_owned()), config)?;
    if before == after {
        return Ok(Exit::Success);
    }
    match config.mode {
        FormatMode::Check => Ok(refuse(&format_args!("{} is not formatted", path.display()), Exit::Failure)),
        FormatMode::Write => match write_whole(path, &after) {
            Ok(()) => Ok(Exit::Success),
            Err(error) => Ok(refuse(&format_args!("cannot write {}: {error}", path.display()), Exit::Failure)),
        },
    }
}

/// Replaces a file's text by way of a new file beside it, so that a full disk loses nothing.
pub(super) fn write_whole(path: &Path, text: &str) -> std::io::Result<()> {
    let target = fs::canonicalize(path)?;
    let mut beside = target.clone().into_os_string();
    beside.push(".holloway-fmt");
    fs::write(&beside, text)?;
    fs::set_permissions(&beside, fs::metadata(&target)?.permissions())?;
    fs::rename(&beside, &target).inspect_err(|_| {
        // The text is still in its place; the copy is of no use.
        let _ = fs::remove_file(&beside);
    })
}

fn formatted(source: &Source, config: &FormatConfig) -> Result<(String, String), Exit> {
    let text = input::read(source).map_err(|error| refuse(&error, Exit::NoInput))?;
    if is_module(&text.name, &text.bytes) {
        let message = format!("{} is a module of WebAssembly, and no program of the language", text.name);
        return Err(refuse(&message, Exit::DoesNotCompile));
    }
    let mut sources = SourceMap::new();
    let refused = |found: &[holloway_lang::diagnostic::Diagnostic], sources: &SourceMap| {
        program::tell(&diagnostics::render_all(found, sources, config.messages));
        Exit::DoesNotCompile
    };
    let file = sources.add_bytes(text.name, &text.bytes).map_err(|error| refused(&[error], &sources))?;
    let after = holloway_lang::format::format(&sources, file).map_err(|errors| refused(&errors, &sources))?;
    Ok((String::from_utf8(text.bytes).expect("the source map took it"), after))
}
