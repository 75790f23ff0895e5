//! The options of commands that run code and count: `--scheme S`, `--k K`, `--top N`, then the code.
//!
//! In: the text after the command's name. Out: a [`Count`], or one line that names the error. Invariant: options are
//! those of `holloway profile`, with the same defaults and limits.

use std::num::{NonZeroU32, NonZeroUsize};

use clap::ValueEnum;

use crate::cli::args::SchemeName;
use crate::cli::scheme::{self, NoSuchK};
use crate::config::Scheme;
use crate::profile::scheme::MOST_K;
use crate::report::text::{nearest, one_line};

/// Number of rows shown by default.
const TOP: usize = 10;

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
    /// Its scheme; `None` means that it takes `--scheme`.
    pub(super) scheme: Option<SchemeName>,
}

impl Counter {
    /// The options it takes, which completion offers.
    pub(super) fn options(self) -> &'static [&'static str] {
        match self.scheme {
            None => &["--k", "--scheme", "--top"],
            Some(SchemeName::KBl | SchemeName::Tfp) => &["--k", "--top"],
            Some(SchemeName::Edge | SchemeName::Bl | SchemeName::Bala) => &["--top"],
        }
    }

    /// Parses options and code.
    pub(super) fn parse(self, text: &str) -> Result<Count<'_>, String> {
        let (mut scheme, mut k, mut top) = (self.scheme, None, NonZeroUsize::new(TOP));
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
                    k = Some(number.map_err(|_| format!("':{name} --k' takes a whole number from 1 on"))?);
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

fn scheme_of(name: &str) -> Result<SchemeName, String> {
    SchemeName::from_str(name, false).map_err(|_| {
        let known: Vec<String> = schemes().collect();
        let hint = nearest(name, known.iter().map(String::as_str)).map(|near| format!("did you mean '{near}'?"));
        let hint = hint.unwrap_or_else(|| format!("there are {}", known.join(", ")));
        format!("there is no scheme '{}'; {hint}", one_line(name))
    })
}

/// The names of all schemes.
pub(super) fn schemes() -> impl Iterator<Item = String> {
    let named = |scheme: &SchemeName| scheme.to_possible_value().map(|value| value.get_name().to_owned());
    SchemeName::value_variants().iter().filter_map(named)
}

fn chosen(name: SchemeName, k: Option<NonZeroU32>) -> Result<Scheme, String> {
    scheme::with_k(scheme::usual(name), k.map(NonZeroU32::get)).map_err(|no| match no {
        NoSuchK::Single => "only the schemes 'k-bl' and 'tfp' have a K; leave --k out".to_owned(),
        NoSuchK::TooMany => format!("at most {MOST_K} paths are joined; write a smaller --k"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::PathScheme;

    const PATHS: Counter = Counter { name: "paths", scheme: Some(SchemeName::Bl) };
    const FOREST: Counter = Counter { name: "forest", scheme: Some(SchemeName::KBl) };
    const PROFILE: Counter = Counter { name: "profile", scheme: None };

    #[test]
    fn options_stand_before_code() {
        let parsed = FOREST.parse("--k 6 --top=0 f(1) - --k").unwrap();
        let scheme = Scheme::Paths(PathScheme::KBl { k: 6, forest_limit: None, sample: None });
        assert_eq!(parsed, Count { scheme, top: None, code: "f(1) - --k" });
        let parsed = PROFILE.parse("--scheme tfp --k 3 loop { }").unwrap();
        assert_eq!((parsed.scheme, parsed.code), (Scheme::Paths(PathScheme::Tfp { k: 3 }), "loop { }"));
        assert_eq!(PROFILE.parse("--scheme edge f()").unwrap().scheme, Scheme::Edge);
        assert_eq!(PATHS.parse("-1").unwrap().code, "-1");
        assert_eq!(PATHS.parse("--1").unwrap().code, "--1");
        assert_eq!(code_behind("--k 3 --top 1 f("), "f(");
    }

    #[test]
    fn what_is_wrong_is_said() {
        let refusal = |counter: Counter, text: &str| counter.parse(text).unwrap_err();
        assert_eq!(refusal(PATHS, ""), "':paths' wants code to run, as in ':paths f(10)'");
        assert_eq!(refusal(FOREST, "--k 3"), "':forest' wants code to run, as in ':forest --k 3 f(10)'");
        assert_eq!(refusal(FOREST, "--k f(3)"), "':forest --k' takes a whole number from 1 on");
        assert_eq!(refusal(FOREST, "--k 5000 f()"), "at most 1024 paths are joined; write a smaller --k");
        assert_eq!(refusal(FOREST, "--tip 3 f()"), "':forest' has no option '--tip'; did you mean '--top'?");
        assert_eq!(refusal(PATHS, "--k 3 f()"), "':paths' has no option '--k'; it takes --top");
        assert_eq!(
            refusal(PROFILE, "--k 3 f()"),
            "':profile' wants to know what to count: ':profile --scheme bl CODE'"
        );
        assert_eq!(refusal(PROFILE, "--scheme tfq f()"), "there is no scheme 'tfq'; did you mean 'tfp'?");
        assert_eq!(
            refusal(PROFILE, "--scheme wavelets f()"),
            "there is no scheme 'wavelets'; there are edge, bl, k-bl, tfp, bala"
        );
        let single = "only the schemes 'k-bl' and 'tfp' have a K; leave --k out";
        assert_eq!(refusal(PROFILE, "--scheme bl --k 2 f()"), single);
    }
}
