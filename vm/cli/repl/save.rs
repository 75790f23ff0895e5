//! `:save FILE`: the session as a program that runs.
//!
//! In: the inputs that ran, in order. Out: a file with their imports, the definitions that are valid now, and their
//! statements; a value that was shown is printed. Invariant: the file compiles. What would not, say a statement whose
//! variable has another type by now, stands in it as a comment with the reason.

use std::io;
use std::path::{Path, PathBuf};

use super::program_text::{Piece, Sort, assemble, pieces};
use super::workspace::{Ended, Workspace};
use holloway_study::report::text::one_line;

impl Workspace {
    /// `:save FILE`
    pub(super) fn save(&mut self, path: &Path, force: bool) -> Ended {
        if path.is_dir() {
            return self.refuse(&format!("cannot write {}: it is a folder", one_line(&path.display().to_string())));
        }
        let path = if path.extension().is_none() { path.with_extension("hw") } else { path.to_owned() };
        let shown = one_line(&path.display().to_string());
        if path.exists() && !force && !self.saved.contains(&path) {
            return self.refuse(&format!("{shown} is there already; ':save --force {shown}' writes over it"));
        }
        let folder = holloway::internals::Files::key(
            path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")),
        );
        let Ok(folder) = folder.map(PathBuf::from) else {
            return self.refuse(&format!("cannot write {shown}: there is no such folder"));
        };
        let mut found: Vec<Piece> = Vec::new();
        for logged in &self.log {
            found.extend(pieces(&self.engine, logged, &folder));
        }
        let text = assemble(&mut found, &folder);
        if let Err(error) = std::fs::write(&path, text) {
            return self.refuse(&format!("cannot write {shown}: {}", reason(&error)));
        }
        self.saved.push(path);
        self.say(&summary(&found, &shown))
    }
}

fn summary(pieces: &[Piece], path: &str) -> String {
    let count = |sort: Sort| pieces.iter().filter(|piece| piece.sort == sort && piece.refused.is_none()).count();
    let plural = |n: usize, what: &str| if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") };
    let (definitions, statements) =
        (plural(count(Sort::Definition), "definition"), plural(count(Sort::Statement), "statement"));
    let left_out = pieces.iter().filter(|piece| piece.refused.is_some()).count();
    let note = match left_out {
        0 => String::new(),
        _ => format!("; {left_out} left out, as comments that say why"),
    };
    format!("saved {definitions} and {statements} in {path}{note}\n")
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        _ => one_line(&error.to_string()),
    }
}
