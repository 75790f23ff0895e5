//! Files that a command would write over though it reads them, or though they are programs.
//!
//! In: a file to write, the files that are read. Out: the exit status after the reason was reported. Invariant: nothing has been written yet.

use std::fs;
use std::path::Path;

use super::exit::{Exit, refuse};
use crate::engine::is_same_file;

/// Refuses to write a file that is one of `read`, by whatever path, or a program, or standard output.
pub(crate) fn refuse_overwriting(option: &str, output: &Path, read: &[&Path]) -> Result<(), Exit> {
    if output.as_os_str() == "-" {
        return Err(refuse(&format_args!("{option} writes a file: name one instead of -"), Exit::Usage));
    }
    match what_is_lost(output, read) {
        None => Ok(()),
        Some(what) => {
            let message = format!("{option} would write over {}, {what}: name another file", output.display());
            Err(refuse(&message, Exit::Usage))
        }
    }
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

    #[test]
    fn what_is_read_and_programs_stay() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        for name in ["a.hw", "b.json", "c.json"] {
            fs::write(file(name), "").unwrap();
        }
        std::os::unix::fs::symlink(file("b.json"), file("link")).unwrap();
        let lost = |output: &str| what_is_lost(&file(output), &[&file("b.json"), Path::new("<stdin>")]);
        assert_eq!(lost("a.hw"), Some("which is a program"));
        assert_eq!(lost("b.json"), Some("which this command reads"));
        assert_eq!(lost("link"), Some("which this command reads"));
        assert_eq!(lost("c.json"), None);
        assert_eq!(lost("new.hw"), None);
    }
}
