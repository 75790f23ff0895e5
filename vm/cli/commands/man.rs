//! `man`: one page for all commands, from the definition of the command line.
//!
//! In: the clap definition. Out: roff on standard output. The page has the usual sections; each command is a section of
//! its own, in which clap_mangen's sections become subsections.

use std::fmt::Write as _;
use std::io;

use clap::{Command, CommandFactory};
use clap_mangen::Man;

use crate::examples::EXIT_STATUSES;
use crate::{Cli, Exit, refuse, show};

/// Prints the manual page.
pub fn man() -> Exit {
    match page() {
        Ok(page) => show(&page),
        Err(error) => refuse(&format_args!("cannot make the manual page: {error}"), Exit::Failure),
    }
}

/// The whole page.
fn page() -> io::Result<String> {
    let mut cli = Cli::command().disable_help_subcommand(true);
    cli.build();
    let commands: Vec<Command> = cli.get_subcommands().cloned().collect();
    let version = cli.get_version().unwrap_or_default().to_owned();
    let man = Man::new(cli);
    let mut page = Vec::new();
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    // clap_mangen leaves a missing date out, so that what follows would be taken for it.
    let mut sections = format!("{APOSTROPHE}.TH HOLLOWAY 1 \"\" \"holloway {version}\" \"Holloway\"\n");
    sections.push_str(&without_preamble(&page));
    for command in commands {
        sections.push_str(&command_section(command)?);
    }
    sections.push_str(&exit_status_section());
    sections.push_str(ENVIRONMENT);
    Ok(sections)
}

/// Definition of roff's apostrophe, which clap_mangen's text uses.
const APOSTROPHE: &str = ".ie \\n(.g .ds Aq \\(aq\n.el .ds Aq '\n";

/// Sections without the definition of the apostrophe, which clap_mangen puts before each.
fn without_preamble(sections: &[u8]) -> String {
    String::from_utf8_lossy(sections).replace(APOSTROPHE, "")
}

/// One command: its sections, one level down, and its examples as they stand.
fn command_section(command: Command) -> io::Result<String> {
    let name = command.get_name().to_uppercase();
    let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let has_options = command.get_arguments().next().is_some();
    let man = Man::new(command);
    let mut sections = Vec::new();
    man.render_description_section(&mut sections)?;
    man.render_synopsis_section(&mut sections)?;
    if has_options {
        man.render_options_section(&mut sections)?;
    }
    let mut page = format!(".SH \"HOLLOWAY {name}\"\n");
    for line in without_preamble(&sections).lines() {
        match line.strip_prefix(".SH ") {
            Some("DESCRIPTION") => {}
            Some(heading) => writeln!(page, ".SS {heading}").expect("writing to a string"),
            None => writeln!(page, "{line}").expect("writing to a string"),
        }
    }
    page.push_str(".SS EXAMPLES\n.nf\n");
    for line in examples.lines().filter(|line| *line != "Examples:") {
        writeln!(page, "{}", escaped(line)).expect("writing to a string");
    }
    page.push_str(".fi\n");
    Ok(page)
}

fn exit_status_section() -> String {
    let mut section = String::from(".SH \"EXIT STATUS\"\n");
    for (status, meaning) in EXIT_STATUSES {
        writeln!(section, ".TP\n{}\n{}", escaped(status), escaped(meaning)).expect("writing to a string");
    }
    section
}

const ENVIRONMENT: &str = ".SH ENVIRONMENT
.TP
NO_COLOR
If set and not empty, messages are not coloured unless \\-\\-color always asks for it.
.TP
XDG_STATE_HOME
Where the REPL keeps its history, in the folder holloway; ~/.local/state if it is not set.
";

/// A line of plain text as roff reads it: no backslash escapes, no control lines.
fn escaped(line: &str) -> String {
    let line = line.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
    if line.starts_with('.') { format!("\\&{line}") } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_and_option_is_on_the_page() {
        let page = page().unwrap();
        for command in Cli::command().get_subcommands() {
            assert!(page.contains(&format!(".SH \"HOLLOWAY {}\"", command.get_name().to_uppercase())));
            // Hidden options are for the command itself.
            let shown = command.get_arguments().filter(|argument| !argument.is_hide_set());
            for option in shown.filter_map(clap::Arg::get_long) {
                assert!(page.contains(&format!("\\-\\-{}", option.replace('-', "\\-"))), "{option}");
            }
        }
        assert_eq!(page.matches(".TH ").count(), 1);
    }
}
