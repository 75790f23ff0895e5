//! The options of commands that run code and count: `--scheme S`, `--k K`, `--top N`, then the code.
//!
//! In: the text after the command's name. Out: a [`Count`], or one line that names the error. Invariant: options are
//! those of `holloway profile`, with the same defaults and limits.

use super::settings::TOP;
use std::num::{NonZeroU32, NonZeroUsize};

use holloway_profiler::scheme::{SCHEMES, Scheme};

use holloway_study::report::text::{nearest, one_line};

/// Code to run, and the profile to collect.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Count<'a> {
    pub(super) scheme: Scheme,
    /// Number of rows shown; `None` shows all.
    pub(super) top: Option<NonZeroUsize>,
    pub(super) code: &'a str,
}

/// A command that takes options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Counter {
    /// Its name, for messages.
    pub(super) name: &'static str,
    /// The name of the scheme that it counts by; it takes `--scheme` if that is open.
    pub(super) scheme: Option<&'static str>,
}

impl Counter {
    /// The options it takes, which completion offers.
    pub(super) fn options(self) -> &'static [&'static str] {
        match self.scheme.and_then(Scheme::named) {
            None => &["--k", "--scheme", "--top"],
            Some(scheme) if scheme.k().is_some() => &["--k", "--top"],
            Some(_) => &["--top"],
        }
    }

    /// Parses options and code.
    pub(super) fn parse(self, text: &str) -> Result<Count<'_>, String> {
        let (mut scheme, mut k, mut top) = (self.scheme.and_then(Scheme::named), None, NonZeroUsize::new(TOP));
        let mut rest = text;
        while let Some((option, value, after)) = split_option(rest) {
            let name = self.name;
            if !self.options().contains(&option) {
                return Err(self.unknown(option));
            }
            match option {
                "--scheme" => scheme = Some(scheme_of(value)?),
                "--k" => {
                    let number = value.parse::<NonZeroU32>();
                    let range = || format!("':{name} --k' takes a whole number from 1 to {}", u32::MAX);
                    k = Some(number.map_err(|_| range())?);
                }
                "--top" => {
                    let number = value.parse::<usize>();
                    let number = number.map_err(|_| format!("':{name} --top' takes a number of rows; 0 shows all"))?;
                    top = NonZeroUsize::new(number);
                }
                other => unreachable!("'{other}' is among the options and does nothing"),
            }
            rest = after;
        }
        let Some(scheme) = scheme else {
            return Err(format!("':{0}' wants to know what to count: ':{0} --scheme bl CODE'", self.name));
        };
        if rest.is_empty() {
            return Err(format!("':{0}' wants code to run, as in ':{0} {1}f(10)'", self.name, written(text)));
        }
        Ok(Count { scheme: chosen(scheme, k)?, top, code: rest })
    }

    fn unknown(self, option: &str) -> String {
        let names = self.options().iter().map(|known| known.trim_start_matches('-'));
        let hint = nearest(option.trim_start_matches('-'), names).map(|near| format!("did you mean '--{near}'?"));
        let hint = hint.unwrap_or_else(|| format!("it takes {}", self.options().join(", ")));
        format!("':{}' has no option '{}'; {hint}", self.name, one_line(option))
    }
}

/// The options of a text without code, in the form that precedes code.
fn written(options: &str) -> String {
    if options.is_empty() { String::new() } else { format!("{} ", one_line(options.trim_end())) }
}

/// The code behind the options of a text; the incomplete option, if the text ends in one.
pub(super) fn code_behind(text: &str) -> &str {
    let mut rest = text;
    while let Some((.., after)) = split_option(rest) {
        rest = after;
    }
    rest
}

/// The first option of a text with its value, and the rest; `None` if it starts with code.
fn split_option(text: &str) -> Option<(&str, &str, &str)> {
    let is_option = text.strip_prefix("--").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()));
    if !is_option {
        return None;
    }
    let end = text.find(|c: char| c.is_whitespace() || c == '=').unwrap_or(text.len());
    let (option, rest) = text.split_at(end);
    let rest = rest.strip_prefix('=').unwrap_or(rest).trim_start();
    let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
    Some((option, &rest[..end], rest[end..].trim_start()))
}

fn scheme_of(name: &str) -> Result<Scheme, String> {
    Scheme::named(name).ok_or_else(|| {
        let hint = nearest(name, schemes()).map(|near| format!("did you mean '{near}'?"));
        let hint = hint.unwrap_or_else(|| format!("there are {}", schemes().collect::<Vec<_>>().join(", ")));
        format!("there is no scheme '{}'; {hint}", one_line(name))
    })
}

/// The names of all schemes.
pub(super) fn schemes() -> impl Iterator<Item = &'static str> {
    SCHEMES.iter().map(|row| row.name)
}

fn chosen(scheme: Scheme, k: Option<NonZeroU32>) -> Result<Scheme, String> {
    match k {
        None => Ok(scheme),
        Some(k) => scheme.with_k(u64::from(k.get())).map_err(|error| error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATHS: Counter = Counter { name: "paths", scheme: Some("bl") };
    const FOREST: Counter = Counter { name: "forest", scheme: Some("k-bl") };
    const PROFILE: Counter = Counter { name: "profile", scheme: None };

    #[test]
    fn options_stand_before_code() {
        let parsed = FOREST.parse("--k 6 --top=0 f(1) - --k").unwrap();
        let scheme = Scheme::named("k-bl").unwrap().with_k(6).unwrap();
        assert_eq!(parsed, Count { scheme, top: None, code: "f(1) - --k" });
        let parsed = PROFILE.parse("--scheme tfp --k 3 loop { }").unwrap();
        assert_eq!((parsed.scheme, parsed.code), (Scheme::named("tfp").unwrap().with_k(3).unwrap(), "loop { }"));
        assert_eq!(PROFILE.parse("--scheme edge f()").unwrap().scheme, Scheme::named("edge").unwrap());
        assert_eq!(PATHS.parse("-1").unwrap().code, "-1");
        assert_eq!(PATHS.parse("--1").unwrap().code, "--1");
        assert_eq!(code_behind("--k 3 --top 1 f("), "f(");
    }

    #[test]
    fn what_is_wrong_is_said() {
        let refusal = |counter: Counter, text: &str| counter.parse(text).unwrap_err();
        assert_eq!(refusal(PATHS, ""), "':paths' wants code to run, as in ':paths f(10)'");
        assert_eq!(refusal(FOREST, "--k 3"), "':forest' wants code to run, as in ':forest --k 3 f(10)'");
        let range = "':forest --k' takes a whole number from 1 to 4294967295";
        assert_eq!([refusal(FOREST, "--k f(3)"), refusal(FOREST, "--k 99999999999 f()")], [range; 2]);
        assert_eq!(
            refusal(FOREST, "--k 5000 f()"),
            "--scheme k-bl takes at most 1024 paths in a sequence; write a smaller --k"
        );
        assert_eq!(refusal(FOREST, "--tip 3 f()"), "':forest' has no option '--tip'; did you mean '--top'?");
        assert_eq!(refusal(PATHS, "--k 3 f()"), "':paths' has no option '--k'; it takes --top");
        assert_eq!(
            refusal(PROFILE, "--k 3 f()"),
            "':profile' wants to know what to count: ':profile --scheme bl CODE'"
        );
        assert_eq!(refusal(PROFILE, "--scheme tfq f()"), "there is no scheme 'tfq'; did you mean 'tfp'?");
        assert_eq!(
            refusal(PROFILE, "--scheme wavelets f()"),
            format!("there is no scheme 'wavelets'; there are {}", schemes().collect::<Vec<_>>().join(", "))
        );
        let single = "--scheme bl counts single paths; leave --k out, or write --scheme k-bl";
        assert_eq!(refusal(PROFILE, "--scheme bl --k 2 f()"), single);
    }
}
