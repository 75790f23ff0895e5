//! `:save FILE`: the session as a program that runs.
//!
//! In: the inputs that ran, in order. Out: a file with their imports, the definitions that are valid now, and their
//! statements; a value that was shown is printed. Invariant: the file compiles. What would not, say a statement whose
//! variable has another type by now, stands in it as a comment with the reason.

use std::path::Path;

use super::program_text::{Piece, Sort, assemble, pieces};
use super::workspace::{Ended, Workspace};
use crate::input::reason;
use holloway::internals::destination;
use holloway_study::report::text::{one_line, plural};

impl Workspace {
    /// `:save FILE`
    pub(super) fn save(&mut self, path: &Path, force: bool) -> Ended {
        if path.is_dir() {
            return self.refuse(&format!("cannot write {}: it is a folder", one_line(&path.display().to_string())));
        }
        let path = if path.extension().is_none() { path.with_extension("hw") } else { path.to_owned() };
        let shown = one_line(&path.display().to_string());
        // The file that will be there, whatever links lead to it: its imports are relative to its folder.
        let file = destination(&path);
        if path.exists() && !force && !self.saved.contains(&file) {
            return self.refuse(&format!("{shown} is there already; ':save --force {shown}' writes over it"));
        }
        let Some(folder) = file.parent().filter(|folder| folder.is_dir()) else {
            return self.refuse(&format!("cannot write {shown}: there is no such folder"));
        };
        let mut found = pieces(&self.engine, &self.log, folder);
        let text = assemble(&mut found, &file.to_string_lossy());
        if let Err(error) = std::fs::write(&file, text) {
            return self.refuse(&format!("cannot write {shown}: {}", one_line(&reason(&error))));
        }
        self.saved.push(file);
        self.say(&summary(&found, &shown))
    }
}

fn summary(pieces: &[Piece], path: &str) -> String {
    let count = |sort: Sort| pieces.iter().filter(|piece| piece.sort == sort && piece.refused.is_none()).count();
    let (definitions, statements) =
        (plural(count(Sort::Definition), "definition"), plural(count(Sort::Statement), "statement"));
    let left_out = pieces.iter().filter(|piece| piece.refused.is_some()).count();
    let note = match left_out {
        0 => String::new(),
        _ => format!("; {left_out} left out, as comments that say why"),
    };
    format!("saved {definitions} and {statements} in {path}{note}\n")
}
