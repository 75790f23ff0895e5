//! The commands: their names and arguments, and parsing them.
//!
//! In: an input that starts with a colon. Out: a [`Command`], or one line that names its error. Invariant: the table
//! here is the only list of commands; help and completion read it, too. A command may be cut short as long as no other
//! begins alike; some have a letter of their own.

use holloway_lang::parse::is_incomplete;
use std::path::PathBuf;

use super::options::{Count, Counter, code_behind};
use crate::config::CompiledTier;
use holloway_study::report::text::{nearest, one_line};

/// A command to the REPL itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command<'a> {
    Help(Option<&'a str>),
    Type(&'a str),
    Load(PathBuf),
    Reset,
    Ir(Option<&'a str>),
    Clif(Code<'a>),
    Asm(Code<'a>),
    Time(&'a str),
    Profile(Wish<'a>),
    /// Run code and show its profile.
    Count(Count<'a>),
    Tiers,
    /// Show the decisions about one function, or about all.
    Decisions(Option<&'a str>),
    Vars,
    /// Show the text of a definition.
    Source(&'a str),
    /// Edit a definition, or the last input.
    Edit(Option<&'a str>),
    Save(Target),
    Quit,
}

/// The file of `:save`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Target {
    pub(super) path: PathBuf,
    /// True if a file that is there may be lost.
    pub(super) force: bool,
}

/// Code of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Which {
    /// That of its present tier.
    Present,
    /// That of a tier.
    Tier(CompiledTier),
    /// That of a version, by number.
    Version(u32),
}

/// The code of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Code<'a> {
    pub(super) function: &'a str,
    /// The tier whose code it is; `None` means the tier it runs in.
    pub(super) which: Which,
}

/// The request of a `:profile` command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wish<'a> {
    /// Show the hottest edges so far.
    Hottest,
    /// Show the hottest edges of every input from now on, after it.
    On,
    /// Stop showing them.
    Off,
    /// Show all of a function.
    Function(&'a str),
}

/// The argument of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Argument {
    None,
    Name,
    Code,
    File,
    Function,
    /// A name of the program.
    Definition,
    Wish,
    /// Options, then code.
    Counted(Counter),
}

/// The entry of one command.
pub(super) struct Entry {
    pub(super) name: &'static str,
    /// The letter that selects it although other names begin alike.
    pub(super) letter: Option<&'static str>,
    argument: Argument,
    /// The argument as help writes it; in brackets if it may be left out.
    pub(super) takes: &'static str,
    pub(super) about: &'static str,
    /// A use of it.
    pub(super) example: &'static str,
    /// The further text of `:help NAME`.
    pub(super) more: &'static str,
}

const PATHS: Counter = Counter { name: "paths", scheme: Some("bl") };
const FOREST: Counter = Counter { name: "forest", scheme: Some("k-bl") };
const PERSISTENCE: Counter = Counter { name: "persistence", scheme: Some("tfp") };
/// `:profile` with options.
pub(super) const ANY_SCHEME: Counter = Counter { name: "profile", scheme: None };

/// Every command, in the order of `:help`.
pub(super) const COMMANDS: [Entry; 19] = [
    entry("help", None, Argument::Name, "[NAME]", "this list, or what a command, built-in or name of yours is")
        .such_as(":help :source"),
    entry("type", Some("t"), Argument::Code, "EXPR", "the type of an expression, without running it")
        .such_as(":type [1, 2].map(fn(n) => n * n)"),
    entry("vars", None, Argument::None, "", "what is defined, its bytes, and the code that functions run as")
        .such_as(":vars | sort"),
    entry("source", Some("s"), Argument::Name, "NAME", "the text of a definition, or of a built-in of the prelude")
        .such_as(":source filter"),
    entry("edit", Some("e"), Argument::Definition, "[NAME]", "change a definition or the last input in your editor")
        .such_as(":edit gcd")
        .with("what is saved runs as if it were typed; the editor is $VISUAL, else $EDITOR, else vi"),
    entry("load", None, Argument::File, "FILE", "add a program from a file and run its statements")
        .such_as(":load geometry.hw"),
    entry("save", None, Argument::File, "FILE", "write the session's definitions and inputs as a program")
        .such_as(":save session.hw")
        .with("'--force' before the file writes over one that is there"),
    entry("reset", None, Argument::None, "", "forget everything and start anew").such_as(":reset"),
    entry("ir", None, Argument::Function, "[FN]", "intermediate representation, of the last input or a function")
        .such_as(":ir gcd"),
    entry("clif", None, Argument::Function, "FN [TIER|N]", "what Cranelift is given for a function, or its version N")
        .such_as(":clif gcd optimized"),
    entry("asm", None, Argument::Function, "FN [TIER|N]", "machine code of a function, or of its version N in :tiers")
        .such_as(":asm gcd | less"),
    entry("time", None, Argument::Code, "CODE", "run something and say how long it took").such_as(":time gcd(48, 36)"),
    entry("profile", Some("p"), Argument::Wish, "[on|off|FN]", "the edges taken most often; on: after each input")
        .such_as(":profile gcd")
        .with("':profile --scheme SCHEME [--k K] [--top N] CODE' runs code and shows that profile of it"),
    entry("paths", None, Argument::Counted(PATHS), "CODE", "run code and show the paths it took most often")
        .such_as(":paths --top 3 gcd(48, 36)")
        .with("acyclic paths, after Ball and Larus; '--top N' before the code shows N of them, 0 all"),
    entry("forest", None, Argument::Counted(FOREST), "[--k K] CODE", "... the sequences of up to K paths (4)")
        .such_as(":forest --k 2 gcd(48, 36)")
        .with("sequences of acyclic paths, after D'Elia and Demetrescu; '--top N' shows N of them, 0 all"),
    entry(
        "persistence",
        None,
        Argument::Counted(PERSISTENCE),
        "[--k K] CODE",
        "... what stays the same K times in a row (8)",
    )
    .such_as(":persistence --k 3 gcd(48, 36)")
    .with(
        "K-persistent flow of each loop and function, after Nandy, Gao and Ferrante; '--top N' shows N of them, 0 all",
    ),
    entry("tiers", None, Argument::None, "", "what code each function runs and ran as").such_as(":tiers"),
    entry("decisions", None, Argument::Function, "[FN]", "what was decided about code so far, and on which figures")
        .such_as(":decisions gcd"),
    entry("quit", None, Argument::None, "", "leave, as Ctrl-D does").such_as(":quit"),
];

const fn entry(
    name: &'static str,
    letter: Option<&'static str>,
    argument: Argument,
    takes: &'static str,
    about: &'static str,
) -> Entry {
    Entry { name, letter, argument, takes, about, example: "", more: "" }
}

impl Entry {
    /// The same entry with an example.
    const fn such_as(self, example: &'static str) -> Self {
        Self { example, ..self }
    }

    /// The same entry with further text.
    const fn with(self, more: &'static str) -> Self {
        Self { more, ..self }
    }
}

/// Returns true if an input is for the REPL itself.
pub(super) fn is_command(text: &str) -> bool {
    text.starts_with(':')
}

/// The name of every command, without its colon.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|entry| entry.name)
}

/// The argument of the command `word`, if it is one.
pub(super) fn argument_of(word: &str) -> Option<Argument> {
    find(word.trim_start_matches(':')).ok().map(|entry| entry.argument)
}

/// The code in a command that takes some: the rest of its text.
pub(super) fn code_in(text: &str) -> Option<&str> {
    let (word, rest) = split(text)?;
    match argument_of(word)? {
        Argument::Code => Some(rest),
        Argument::Counted(_) => Some(code_behind(rest)),
        Argument::Wish if rest.starts_with("--") => Some(code_behind(rest)),
        Argument::None
        | Argument::Name
        | Argument::File
        | Argument::Function
        | Argument::Definition
        | Argument::Wish => None,
    }
}

/// The command that a word selects, without its colon.
pub(super) fn find(word: &str) -> Result<&'static Entry, String> {
    let exact = |entry: &&Entry| entry.name == word || entry.letter == Some(word);
    if let Some(entry) = COMMANDS.iter().find(exact) {
        return Ok(entry);
    }
    let meant: Vec<&Entry> = COMMANDS.iter().filter(|entry| entry.name.starts_with(word)).collect();
    match meant[..] {
        [only] => Ok(only),
        [] => {
            let hint = nearest(word, names()).map(|near| format!("did you mean ':{near}'?"));
            let hint = hint.unwrap_or_else(|| "':help' lists them".to_owned());
            Err(format!("there is no command ':{}'; {hint}", one_line(word)))
        }
        _ if word.is_empty() => Err("a command follows the colon; ':help' lists them".to_owned()),
        _ => {
            let names: Vec<String> = meant.iter().map(|entry| format!("':{}'", entry.name)).collect();
            Err(format!("':{word}' could be {}", names.join(" or ")))
        }
    }
}

/// The command in an input; `None` if it is code.
pub(super) fn parse(text: &str) -> Option<Result<Command<'_>, String>> {
    split(text).map(|(word, rest)| understood(&word[1..], rest.trim_end()))
}

/// The word of an input that is a command elsewhere, and the command that was likely meant.
pub(super) fn meant_by(text: &str) -> Option<(&str, &'static str)> {
    let text = text.trim();
    let word = text.strip_suffix("()").unwrap_or(text);
    match word {
        "help" | "?" => Some((word, "':help' says what there is")),
        "quit" | "q" | "exit" => Some((word, "':quit' or Ctrl-D leaves; 'exit(n)' does with a status")),
        _ => None,
    }
}

/// An input divided into the command and the rest.
fn split(text: &str) -> Option<(&str, &str)> {
    if !is_command(text) {
        return None;
    }
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    Some((&text[..end], text[end..].trim_start()))
}

fn understood<'a>(word: &str, rest: &'a str) -> Result<Command<'a>, String> {
    let entry = find(word)?;
    let optional = (!rest.is_empty()).then_some(rest);
    let required = || optional.ok_or_else(|| format!("':{0}' wants to know what: ':{0} {1}'", entry.name, entry.takes));
    if entry.argument == Argument::None && optional.is_some() {
        return Err(format!("':{}' takes nothing after it", entry.name));
    }
    Ok(match entry.name {
        "help" => Command::Help(optional),
        "type" => Command::Type(required()?),
        "load" => Command::Load(path(required()?)),
        "reset" => Command::Reset,
        "ir" => Command::Ir(optional),
        "clif" => Command::Clif(code(required()?)?),
        "asm" => Command::Asm(code(required()?)?),
        "time" => Command::Time(required()?),
        "profile" if rest.starts_with("--") => Command::Count(ANY_SCHEME.parse(rest)?),
        "profile" => Command::Profile(match optional {
            None => Wish::Hottest,
            Some("on") => Wish::On,
            Some("off") => Wish::Off,
            Some(function) if function.contains(char::is_whitespace) || function.contains('(') => {
                return Err(format!("':profile' takes a function's name; ':paths {}' runs code", one_line(function)));
            }
            Some(function) => Wish::Function(function),
        }),
        "paths" => Command::Count(PATHS.parse(rest)?),
        "forest" => Command::Count(FOREST.parse(rest)?),
        "persistence" => Command::Count(PERSISTENCE.parse(rest)?),
        "tiers" => Command::Tiers,
        "decisions" => Command::Decisions(optional),
        "vars" => Command::Vars,
        "source" => Command::Source(required()?),
        "edit" => Command::Edit(optional),
        "save" => Command::Save(target(required()?)?),
        "quit" => Command::Quit,
        other => unreachable!("':{other}' is in the table and does nothing"),
    })
}

fn code(rest: &str) -> Result<Code<'_>, String> {
    let (function, which) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let which = match which.trim() {
        "" => Which::Present,
        "baseline" => Which::Tier(CompiledTier::Baseline),
        "optimized" => Which::Tier(CompiledTier::Optimized),
        other => match other.parse() {
            Ok(number) => Which::Version(number),
            Err(_) => {
                let other = one_line(other);
                return Err(format!(
                    "'{other}' is no tier with code, nor the number of a version; there are 'baseline' and 'optimized'"
                ));
            }
        },
    };
    Ok(Code { function, which })
}

fn target(rest: &str) -> Result<Target, String> {
    match rest.split_once(char::is_whitespace).unwrap_or((rest, "")) {
        ("--force", "") => Err("':save --force' wants to know where: ':save --force FILE'".to_owned()),
        (option, _) if option.starts_with("--") && option != "--force" => {
            Err(format!("':save' has no option '{}'; a file that is called so is './{0}'", one_line(option)))
        }
        ("--force", file) => Ok(Target { path: path(file.trim_start()), force: true }),
        _ => Ok(Target { path: path(rest), force: false }),
    }
}

/// A path as a person types it, or completion does: in quotes, or with backslashes before blanks, or from `~`.
fn path(text: &str) -> PathBuf {
    let quoted = |quote| text.strip_prefix(quote).map(|rest: &str| rest.strip_suffix(quote).unwrap_or(rest).to_owned());
    let unescaped = || rustyline::completion::unescape(text, Some('\\')).into_owned();
    let text = quoted('"').or_else(|| quoted('\'')).unwrap_or_else(unescaped);
    match (text.strip_prefix("~/"), std::env::var_os("HOME")) {
        (Some(rest), Some(home)) => PathBuf::from(home).join(rest),
        _ => PathBuf::from(text),
    }
}

/// Returns true if the text typed so far is incomplete.
pub(super) fn wants_more(text: &str) -> bool {
    let text = text.trim_start();
    match code_in(text) {
        Some(code) => is_incomplete(code),
        None => !is_command(text) && is_incomplete(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_profiler::scheme::Scheme;

    fn refusal(text: &str) -> String {
        parse(text).unwrap().unwrap_err()
    }

    #[test]
    fn commands_may_be_cut_short() {
        assert_eq!(parse(":s f"), Some(Ok(Command::Source("f"))));
        assert_eq!(parse(":e"), Some(Ok(Command::Edit(None))));
        for text in [":q", ":qu", ":quit", ":quit  "] {
            assert_eq!(parse(text), Some(Ok(Command::Quit)), "{text:?}");
        }
        assert_eq!(parse(":t 1 + 2"), Some(Ok(Command::Type("1 + 2"))));
        assert_eq!(parse(":tim f()\n"), Some(Ok(Command::Time("f()"))));
        assert_eq!(parse(":tie"), Some(Ok(Command::Tiers)));
        assert_eq!(parse(":p"), Some(Ok(Command::Profile(Wish::Hottest))));
        for entry in &COMMANDS {
            let found = find(entry.name).unwrap();
            assert_eq!(found.name, entry.name);
            let rest = if entry.argument == Argument::None { "" } else { "x" };
            assert!(understood(entry.name, rest).is_ok(), "{}", entry.name);
        }
    }

    #[test]
    fn arguments_are_understood() {
        assert_eq!(parse("1"), None);
        assert_eq!(parse(":ir"), Some(Ok(Command::Ir(None))));
        assert_eq!(parse(":prof off"), Some(Ok(Command::Profile(Wish::Off))));
        assert_eq!(parse(":load a\\ b.hw"), Some(Ok(Command::Load("a b.hw".into()))));
        assert_eq!(parse(":load \"a b.hw\""), Some(Ok(Command::Load("a b.hw".into()))));
        let target = |path: &str, force| Some(Ok(Command::Save(Target { path: path.into(), force })));
        assert_eq!(parse(":save a\\ b.hw"), target("a b.hw", false));
        assert_eq!(parse(":save --force  a.hw"), target("a.hw", true));
        assert_eq!(parse(":save ./--force.hw"), target("./--force.hw", false));
        assert_eq!(parse(":dec"), Some(Ok(Command::Decisions(None))));
        assert_eq!(parse(":decisions f"), Some(Ok(Command::Decisions(Some("f")))));
        let count = |text| match parse(text) {
            Some(Ok(Command::Count(count))) => (count.scheme, count.code),
            other => panic!("{other:?}"),
        };
        assert_eq!(count(":paths f(1)"), (Scheme::named("bl").unwrap(), "f(1)"));
        assert_eq!(count(":pers --k 3 f(1)"), (Scheme::named("tfp").unwrap().with_k(3).unwrap(), "f(1)"));
        assert_eq!(count(":p --scheme bala f(1)"), (Scheme::named("bala").unwrap(), "f(1)"));
        assert_eq!(code_in(":profile --scheme k-bl --k 3 f("), Some("f("));
        assert_eq!(code_in(":profile f"), None);
        let code = Code { function: "f", which: Which::Tier(CompiledTier::Baseline) };
        assert_eq!(parse(":asm f  baseline"), Some(Ok(Command::Asm(code))));
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(refusal(":lod x"), "there is no command ':lod'; did you mean ':load'?");
        assert_eq!(refusal(":xyzzy"), "there is no command ':xyzzy'; ':help' lists them");
        assert_eq!(refusal(":"), "a command follows the colon; ':help' lists them");
        assert_eq!(refusal(": 1"), "a command follows the colon; ':help' lists them");
        assert_eq!(refusal(":load"), "':load' wants to know what: ':load FILE'");
        assert_eq!(refusal(":ti f()"), "':ti' could be ':time' or ':tiers'");
        assert_eq!(refusal(":profile f(1)"), "':profile' takes a function's name; ':paths f(1)' runs code");
        assert_eq!(refusal(":paths"), "':paths' wants code to run, as in ':paths f(10)'");
        assert_eq!(refusal(":tiers f"), "':tiers' takes nothing after it");
        assert_eq!(refusal(":save"), "':save' wants to know what: ':save FILE'");
        assert_eq!(refusal(":save --force"), "':save --force' wants to know where: ':save --force FILE'");
        let refused = "':save' has no option '--forceful.hw'; a file that is called so is './--forceful.hw'";
        assert_eq!(refusal(":save --forceful.hw"), refused);
        assert_eq!(refusal(":quit now"), "':quit' takes nothing after it");
        assert_eq!(
            refusal(":asm f fast"),
            "'fast' is no tier with code, nor the number of a version; there are 'baseline' and 'optimized'"
        );
    }
}
