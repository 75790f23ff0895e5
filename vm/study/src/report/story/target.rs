//! One thing that a report can be asked about by `--why`: a function, a place, a version. Invariant: what names nothing
//! of the run is an error that says what there is.

use holloway_aos::Event;
use holloway_aos::event::{GuardSummary, Subject, What};

/// The thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// A function, by its name.
    Function(String),
    /// A function or a loop, by its file and line; or a loop by its function and line, as reports name it.
    Place(String, u32),
    /// A version, by its number.
    Version(u32),
    /// The calls in a function, by its name.
    Inlining(String),
    /// A guard, by its file and line.
    Guard(String, u32),
}

impl Target {
    /// The thing that a text names: `inlining:FUNCTION` and `guard:FILE:LINE` what they say; digits a version, `FILE:LINE` and `FUNCTION:LINE` a place, anything else a function.
    pub fn parse(text: &str) -> Target {
        if let Ok(version) = text.parse() {
            return Target::Version(version);
        }
        if let Some(function) = text.strip_prefix("inlining:") {
            return Target::Inlining(function.to_owned());
        }
        let place =
            |text: &str| text.rsplit_once(':').and_then(|(file, line)| Some((file.to_owned(), line.parse().ok()?)));
        if let Some((file, line)) = text.strip_prefix("guard:").and_then(place) {
            return Target::Guard(file, line);
        }
        match place(text) {
            Some((file, line)) => Target::Place(file, line),
            None => Target::Function(text.to_owned()),
        }
    }

    pub(super) fn is_of(&self, event: &Event) -> bool {
        if let Target::Guard(file, line) = self {
            let is_there = |guards: &GuardSummary| guards.worst.iter().any(|guard| guard.line == *line);
            let is_in_file = || event.subject.loop_file().is_some_and(|known| is_file(known, file));
            return matches!(&event.what, What::GuardReport(guards) if is_there(guards)) && is_in_file();
        }
        if let What::Transition(transition) = &event.what
            && transition.loops.iter().any(|one| self.is_subject(&one.subject(&event.subject)))
        {
            return true;
        }
        let left = match &event.what {
            What::Osr(osr) => Some(osr.from),
            _ => None,
        };
        self.is_subject(&event.subject) || matches!(self, Target::Version(version) if left == Some(*version))
    }

    fn is_subject(&self, subject: &Subject) -> bool {
        match self {
            Target::Function(name) => subject.function.as_ref() == Some(name),
            Target::Place(name, line) => {
                let is = |known: Option<&str>, at: Option<u32>| {
                    at == Some(*line) && known.is_some_and(|known| is_file(known, name))
                };
                is(subject.loop_file(), subject.loop_line)
                    // A loop that is inlined goes by the function that it is inlined into, too.
                    || is(subject.loop_function(), subject.loop_line)
                    || is(subject.function.as_deref(), subject.loop_line)
                    || is(subject.file.as_deref(), subject.line)
            }
            Target::Version(version) => subject.version == Some(*version),
            Target::Inlining(_) | Target::Guard(..) => false,
        }
    }
}

/// Returns whether a file is meant by a name: its whole path or the end of it.
fn is_file(known: &str, name: &str) -> bool {
    known == name || known.strip_suffix(name).is_some_and(|before| before.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_aos::event::examples;

    #[test]
    fn what_is_typed_is_a_version_a_place_or_a_function() {
        assert_eq!(Target::parse("7"), Target::Version(7));
        assert_eq!(Target::parse("a/b.hw:40"), Target::Place("a/b.hw".into(), 40));
        assert_eq!(Target::parse("walk"), Target::Function("walk".into()));
        assert_eq!(Target::parse("x:y"), Target::Function("x:y".into()));
    }

    #[test]
    fn events_are_about_their_function_loop_and_version() {
        let events = examples();
        let about = |text: &str| events.iter().filter(|event| Target::parse(text).is_of(event)).count();
        let of_functions = events.iter().filter(|event| event.subject.function.is_some()).count();
        assert_eq!(about("walk"), of_functions);
        assert_eq!(about("walk.hw:3"), of_functions);
        assert!(about("walk.hw:5") > 0 && about("walk.hw:5") < of_functions);
        assert_eq!(about("walk:5"), about("walk.hw:5"));
        assert!(about("3") > 0 && about("3") < of_functions);
        assert_eq!((about("run"), about("alk.hw:5"), about("alk:5"), about("99")), (0, 0, 0, 0));
    }
}
