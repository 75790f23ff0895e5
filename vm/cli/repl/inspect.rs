//! `:ir`, `:clif`, `:asm`: functions as the compiler sees them.
//!
//! In: the name of a function. Out: its text at that stage.

use holloway_jit::probes::Paths;
use holloway_jit::{Compiled, Tier};
use holloway_lang::ir::{FuncRef, print};
use holloway_lang::words;

use super::command::{Code, Which};
use super::workspace::{Ended, Workspace};
use crate::config::CompiledTier;
use holloway::Engine;
use holloway::internals::Executor;
use holloway_study::report::machine_code;
use holloway_study::report::text::function_name;
use holloway_study::report::text::{nearest, one_line};

impl Workspace {
    /// `:ir [FN]`
    pub(super) fn ir(&self, name: Option<&str>) -> Ended {
        let funcs = match name.map(|name| self.function(name)) {
            Some(Ok(func)) => vec![func],
            Some(Err(reason)) => return self.refuse(&reason),
            None if self.recent.is_empty() => return self.refuse("no input was compiled yet"),
            None => self.recent.clone(),
        };
        let text = |func: &FuncRef| print::function(self.engine.module(), *func, print::Spans::Hidden);
        self.say(&funcs.iter().map(text).collect::<Vec<_>>().join("\n"))
    }

    /// `:clif FN [TIER]`
    pub(super) fn clif(&self, code: Code<'_>) -> Ended {
        self.machine_text(code, |_, _, compiled| compiled.clif.clone())
    }

    /// `:asm FN [TIER]`
    pub(super) fn asm(&self, code: Code<'_>) -> Ended {
        self.machine_text(code, machine_code::text)
    }

    fn machine_text(&self, code: Code<'_>, choose: fn(&Engine, FuncRef, &Compiled) -> Option<String>) -> Ended {
        let Executor::Compiled(machine) = self.engine.executor() else {
            return self.refuse("the interpreter runs this session; machine code is there with any other --tier");
        };
        let func = match self.function(code.function) {
            Ok(func) => func,
            Err(reason) => return self.refuse(&reason),
        };
        let (kind, compiled) = match code.which {
            Which::Version(number) => {
                let Some((id, kind, _)) = machine.code.listed(func).into_iter().find(|(id, ..)| id.0 == number) else {
                    return self.refuse(&format!("'{}' has no version {number}; ':tiers' lists them", code.function));
                };
                (format!("version {number}, {kind}"), machine.code.text_of(id).expect("it is listed"))
            }
            Which::Present | Which::Tier(_) => {
                let tier = match code.which {
                    Which::Tier(CompiledTier::Baseline) => Tier::Baseline,
                    Which::Tier(CompiledTier::Optimized) => Tier::Optimized,
                    _ => machine.code.version(func).map_or(machine.first_tier, |version| version.tier),
                };
                (tier.name().to_owned(), machine.code.text(func, tier, &Paths::default()))
            }
        };
        match compiled {
            Ok(compiled) => {
                let text = choose(&self.engine, func, &compiled).expect("text was asked for");
                let name = function_name(self.engine.module(), func);
                self.say(&format!("; {name}, {kind}\n{text}"))
            }
            Err(error) => self.refuse(&format!("'{}' is too large to compile: {}", code.function, error.0)),
        }
    }

    /// The function that a name means now.
    pub(super) fn function(&self, name: &str) -> Result<FuncRef, String> {
        if let Some(func) = self.function_named(name) {
            return Ok(func);
        }
        let names = self.engine.names().filter(|name| self.engine.function_named(name).is_some());
        let hint = nearest(name, names).map(|near| format!("; did you mean '{near}'?")).unwrap_or_default();
        let name = one_line(name);
        Err(match self.definition(&name) {
            None if words::find(&name).is_some() => format!("'{name}' is built in, and no function of the program"),
            Some(found) => format!("'{name}' is no function but '{}'{hint}", found.head),
            None => format!("there is no function '{name}'{hint}"),
        })
    }
}
