//! `:help`: the commands, and the meaning of a name.
//!
//! In: a name, or none. Out: a few lines. A name of the program comes first, as it does in programs.

use std::fmt::Write as _;

use holloway_lang::session::Definition;
use holloway_lang::words;

use super::command::{self, COMMANDS, Entry};
use super::workspace::{Ended, Workspace};
use holloway_study::report::text::one_line;

impl Workspace {
    /// `:help [NAME]`
    pub(super) fn help(&self, name: Option<&str>) -> Ended {
        let Some(name) = name else { return self.say(&overview()) };
        let found = match name.strip_prefix(':') {
            Some(command) => command::find(command).map(told),
            None => self.about(name),
        };
        match found {
            Ok(text) => self.say(&text),
            Err(reason) => self.refuse(&reason),
        }
    }

    fn about(&self, name: &str) -> Result<String, String> {
        if let Some(found) = self.definition(name) {
            let (line, _) = self.engine.sources().line_col(found.span);
            let file = one_line(&self.engine.sources().file(found.span.file).name);
            return Ok(defined(&found, &format!("{file}:{line}")));
        }
        if let Some((_, forms, about)) = words::find(name) {
            return Ok(format!("{forms}\n    {about}\n"));
        }
        if let Ok(entry) = command::find(name) {
            return Ok(told(entry));
        }
        Err(self.unknown(name, words::names().chain(command::names())))
    }
}

fn overview() -> String {
    let mut text =
        String::from("Expressions show their values, statements run, definitions stay until they are replaced.\n\n");
    let left = |entry: &Entry| format!(":{} {}", entry.name, entry.takes);
    let width = COMMANDS.iter().map(|entry| left(entry).len()).max().unwrap_or(0);
    for entry in &COMMANDS {
        let letter = entry.letter.map(|letter| format!(" (:{letter})")).unwrap_or_default();
        writeln!(text, "  {:width$}  {}{letter}", left(entry), entry.about).expect("strings take all text");
    }
    text.push_str(
        "\nA value that was shown is 'ans', or '_' for short, in the next input. ':vars | less' sends an\n\
         answer through a command of the shell. ':help NAME' has an example of each command. To begin with:\n\n\
         \x20 > fn gcd(a: int, b: int) -> int { return if b == 0 { a } else { gcd(b, a % b) } }\n\
         \x20 > gcd(48, 36)\n\
         \x20 > ans * 2\n\
         \x20 > :type [ans, 1]\n\
         \x20 > :source gcd\n\
         \x20 > :save gcd.hw\n",
    );
    text.push_str(
        "\nEnter ends an input when its brackets are closed, Alt-Enter starts another line of it,\n\
         Tab completes, Ctrl-C stops what runs or drops what is typed, Ctrl-D leaves.\n",
    );
    text
}

fn told(entry: &Entry) -> String {
    let head = format!(":{} {}", entry.name, entry.takes);
    // In the list, dots stand for the text of the line above.
    let about =
        entry.about.strip_prefix("... ").map_or(entry.about.to_owned(), |about| format!("run code and show {about}"));
    let mut text = format!("{}\n    {about}\n", head.trim_end());
    writeln!(text, "    for example: {}", entry.example).expect("strings take all text");
    if !entry.more.is_empty() {
        writeln!(text, "    {}", entry.more).expect("strings take all text");
    }
    text
}

fn defined(found: &Definition, place: &str) -> String {
    let mut text = format!("{}\n", found.head);
    for line in found.doc.iter().flat_map(|doc| doc.lines()) {
        writeln!(text, "    {}", one_line(line).trim()).expect("strings take all text");
    }
    writeln!(text, "    defined at {place}").expect("strings take all text");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_overview_fits_a_screen() {
        assert!(
            COMMANDS
                .iter()
                .all(|entry| command::find(entry.example[1..].split(' ').next().unwrap()).unwrap().name == entry.name)
        );
        insta::assert_snapshot!(overview(), @"
        Expressions show their values, statements run, definitions stay until they are replaced.

          :help [NAME]               this list, or what a command, built-in or name of yours is
          :type EXPR                 the type of an expression, without running it (:t)
          :vars                      what is defined, its bytes, and the code that functions run as
          :source NAME               the text of a definition, or of a built-in of the prelude (:s)
          :edit [NAME]               change a definition or the last input in your editor (:e)
          :load FILE                 add a program from a file and run its statements
          :save FILE                 write the session's definitions and inputs as a program
          :reset                     forget everything and start anew
          :ir [FN]                   intermediate representation, of the last input or a function
          :clif FN [TIER|N]          what Cranelift is given for a function, or its version N
          :asm FN [TIER|N]           machine code of a function, or of its version N in :tiers
          :time CODE                 run something and say how long it took
          :profile [on|off|FN]       the edges taken most often; on: after each input (:p)
          :paths CODE                run code and show the paths it took most often
          :forest [--k K] CODE       ... the sequences of up to K paths (4)
          :persistence [--k K] CODE  ... what stays the same K times in a row (8)
          :tiers                     what code each function runs and ran as
          :decisions [FN]            what was decided about code so far, and on which figures
          :quit                      leave, as Ctrl-D does

        A value that was shown is 'ans', or '_' for short, in the next input. ':vars | less' sends an
        answer through a command of the shell. ':help NAME' has an example of each command. To begin with:

          > fn gcd(a: int, b: int) -> int { return if b == 0 { a } else { gcd(b, a % b) } }
          > gcd(48, 36)
          > ans * 2
          > :type [ans, 1]
          > :source gcd
          > :save gcd.hw

        Enter ends an input when its brackets are closed, Alt-Enter starts another line of it,
        Tab completes, Ctrl-C stops what runs or drops what is typed, Ctrl-D leaves.
        ");
        assert!(overview().lines().count() < 40 && overview().lines().all(|line| line.len() <= 100));
    }
}
