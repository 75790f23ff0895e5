//! Files that a command would write over though it reads them, or though they are programs.
//!
//! In: a file to write, the files that are read. Out: the exit status after the reason was reported. Invariant: nothing has been written yet.

use std::fs;
use std::path::Path;

use holloway_lang::source::SourceMap;

use super::exit::{Exit, refuse};
use holloway::internals::is_same_file;

/// Refuses to write a file that is one of `read`, by whatever path or link, or a program, or standard output.
pub(crate) fn refuse_overwriting(option: &str, output: &Path, read: &[&Path]) -> Result<(), Exit> {
    if output.as_os_str() == "-" {
        return Err(refuse(&format_args!("{option} writes a file: name one instead of -"), Exit::Usage));
    }
    match what_is_lost(output, read) {
        None => Ok(()),
        Some(what) => Err(refuse_losing(option, output, what)),
    }
}

/// Refuses to write a file that is one of a program's sources, which may be imports.
pub(crate) fn refuse_sources(option: &str, output: &Path, sources: &SourceMap) -> Result<(), Exit> {
    match sources.files().any(|(_, file)| is_same_file(output, Path::new(&file.name))) {
        false => Ok(()),
        true => Err(refuse_losing(option, output, "which is a source of the program")),
    }
}

/// Refuses to write two outputs to one file.
pub(crate) fn refuse_same(options: [&str; 2], outputs: [&Path; 2]) -> Result<(), Exit> {
    let ([one, other], [first, second]) = (options, outputs);
    match is_same_file(first, second) {
        false => Ok(()),
        true => {
            let message = format!("{one} and {other} would both write {}: name two files", second.display());
            Err(refuse(&message, Exit::Usage))
        }
    }
}

fn refuse_losing(option: &str, output: &Path, what: &str) -> Exit {
    let message = format!("{option} would write over {}, {what}: name another file", output.display());
    refuse(&message, Exit::Usage)
}

/// The use of a file that must not be lost.
fn what_is_lost(output: &Path, read: &[&Path]) -> Option<&'static str> {
    let there = fs::canonicalize(output).ok()?;
    let is_read = read.iter().any(|file| is_same_file(file, &there));
    let is_program = there.extension().is_some_and(|extension| extension == "hw");
    match (is_read, is_program) {
        (true, _) => Some("which this command reads"),
        (false, true) => Some("which is a program"),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn what_is_read_and_programs_stay() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        for name in ["a.hw", "b.json", "c.json"] {
            fs::write(file(name), "").unwrap();
        }
        symlink(file("b.json"), file("link")).unwrap();
        fs::hard_link(file("b.json"), file("hard")).unwrap();
        let lost = |output: &str| what_is_lost(&file(output), &[&file("b.json"), Path::new("<stdin>")]);
        assert_eq!(lost("a.hw"), Some("which is a program"));
        assert_eq!(lost("b.json"), Some("which this command reads"));
        assert_eq!(lost("link"), Some("which this command reads"));
        assert_eq!(lost("hard"), Some("which this command reads"));
        assert_eq!(lost("c.json"), None);
        assert_eq!(lost("new.hw"), None);
    }

    #[test]
    fn two_outputs_are_two_files() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        fs::write(file("a"), "").unwrap();
        fs::hard_link(file("a"), file("hard")).unwrap();
        symlink("b", file("dangling")).unwrap();
        let refused = |one: &str, other: &str| refuse_same(["--one", "--other"], [&file(one), &file(other)]).is_err();
        for (one, other, same) in [
            ("a", "a", true),
            ("a", "hard", true),
            ("b", "b", true),
            ("b", "dangling", true),
            ("a", "b", false),
            ("b", "c", false),
        ] {
            assert_eq!(refused(one, other), same, "{one} and {other}");
        }
        let null = Path::new("/dev/null");
        assert!(refuse_same(["--one", "--other"], [null, null]).is_ok(), "nothing is lost there");
    }
}
