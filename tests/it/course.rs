//! The course (`docs/course/`): each command prints what its chapter shows.
//!
//! In: chapters. A fence with a language and a name is a file of that name, mostly a program; one of `console` has lines `$ holloway ...`, each with what the command prints; one of `sh` has
//! commands whose figures differ from run to run, which make the pictures of the chapter. The commands of a chapter run in order, in one folder. Out: a failed test that shows what is printed instead. `HOLLOWAY_BLESS=1` writes that into the chapters.
//! Invariant: a command ends well, or its output says `holloway:`.

use crate::command::{holloway, run, succeeds};
use std::fs;
use std::path::{Path, PathBuf};

/// The chapters, in order.
fn chapters() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/course");
    let files = fs::read_dir(folder).expect("the course is there").map(|file| file.expect("it can be listed").path());
    let mut chapters: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    chapters.sort();
    chapters
}

/// A chapter with the output of its commands as it is now, and how many commands it has.
fn as_it_is(text: &str, folder: &Path) -> (String, usize) {
    let (mut told, mut commands) = (String::new(), 0);
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        told += &format!("{line}\n");
        let Some(language) = line.strip_prefix("```").filter(|language| !language.is_empty()) else { continue };
        let inside: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match language.split_once(' ') {
            Some((_, name)) => {
                let file = inside.join("\n") + "\n";
                fs::write(folder.join(name), &file).expect("it is written");
                told += &file;
            }
            _ if language == "console" => {
                for command in inside.iter().filter_map(|line| line.strip_prefix("$ holloway ")) {
                    commands += 1;
                    let done = run(holloway(folder, command.split(' ')));
                    assert!(done.status == 0 || done.err.contains("holloway:"), "{command}: {}", done.err);
                    told += &format!("$ holloway {command}\n{}{}", done.out, done.err);
                }
            }
            _ if language == "sh" => {
                for line in &inside {
                    told += &format!("{line}\n");
                    let command = line.strip_prefix("holloway ").expect("the command is ours");
                    commands += 1;
                    succeeds(folder, &command.split(' ').collect::<Vec<_>>());
                }
            }
            _ => inside.iter().for_each(|line| told += &format!("{line}\n")),
        }
        told += "```\n";
    }
    (told, commands)
}

/// The pictures of a chapter, by the names of their files.
fn pictures(text: &str) -> Vec<&str> {
    text.split("](pictures/").skip(1).filter_map(|rest| rest.split(')').next()).collect()
}

#[test]
fn every_command_prints_what_its_chapter_shows() {
    let chapters = chapters();
    assert_eq!(chapters.len(), 8, "seven chapters and the way to them: {chapters:?}");
    let blesses = std::env::var_os("HOLLOWAY_BLESS").is_some();
    for chapter in chapters {
        let text = fs::read_to_string(&chapter).expect("it is text");
        let folder = tempfile::tempdir().expect("a folder");
        let (told, commands) = as_it_is(&text, folder.path());
        if blesses {
            fs::write(&chapter, &told).expect("it is written");
            continue;
        }
        assert_eq!(told, text, "{}", chapter.display());
        for picture in pictures(&text) {
            let kept = chapter.with_file_name("pictures").join(picture);
            for path in [folder.path().join(picture), kept] {
                let drawn = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                assert!(drawn.contains("<svg"), "{} is no picture", path.display());
            }
        }
        let is_chapter = !chapter.ends_with("README.md");
        assert!(!is_chapter || !pictures(&text).is_empty(), "{} has no picture", chapter.display());
        assert!(!is_chapter || commands >= 3, "{} has {commands} commands", chapter.display());
        assert!(!is_chapter || text.contains("\n## Exercises\n") && text.contains("\n## Answers\n"), "{text}");
    }
}
