//! The engines that run a module, and the comparisons of one with another.
//!
//! In: a module and its argument. Out: command lines whose output is a [`ModuleRun`](super::ModuleRun) as JSON.

use std::ffi::OsStr;
use std::path::Path;

use super::super::child::{Children, CommandLine};
use super::super::contender::is_there;
use super::super::request::Request;
use super::job::{ModuleJob, Own};
use super::sample::Sample;
use crate::settings::PATIENCE;

/// A way to run a module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Contestant {
    /// Optimized code for everything.
    Optimized,
    /// The adaptive system.
    Auto,
    /// The adaptive system without what path profiles lead to.
    Without,
    /// Cranelift, everything ahead.
    Wasmtime,
    /// V8's two tiers.
    Node,
}

impl Contestant {
    pub(super) const ALL: [Contestant; 5] =
        [Contestant::Optimized, Contestant::Auto, Contestant::Without, Contestant::Wasmtime, Contestant::Node];

    /// The name in tables.
    pub(super) fn name(self) -> &'static str {
        match self {
            Contestant::Optimized => "optimized",
            Contestant::Auto => "auto",
            Contestant::Without => "without",
            Contestant::Wasmtime => "wasmtime",
            Contestant::Node => "node",
        }
    }

    /// The script that another engine runs a module by.
    pub(super) fn script(self) -> Option<&'static str> {
        match self {
            Contestant::Optimized | Contestant::Auto | Contestant::Without => None,
            Contestant::Wasmtime => Some("run_wasmtime.py"),
            Contestant::Node => Some("run_node.mjs"),
        }
    }

    /// Returns true if it can run here.
    pub(super) fn is_there(self, search_path: Option<&OsStr>, children: &Children) -> bool {
        match self {
            Contestant::Optimized | Contestant::Auto | Contestant::Without => true,
            Contestant::Wasmtime => {
                let import = CommandLine::new("python3", ["-c", "import wasmtime"], ".").within(PATIENCE);
                children.run(&import).is_ok_and(|finished| finished.status.success())
            }
            Contestant::Node => is_there("node", search_path),
        }
    }

    /// The command that runs a module; scripts are in the folder `scripts`.
    pub(super) fn command(self, executable: &Path, file: &Path, size: u64, scripts: &Path) -> CommandLine {
        let own = |by: Own| {
            let request = Request::Module(ModuleJob { file: file.to_owned(), size, by });
            let request = serde_json::to_string(&request).expect("a request is plain data");
            CommandLine::new(executable, ["bench", "--child", &request], ".")
        };
        let peer = |program: &str, options: &[&str]| {
            let script = self.script().expect("another engine has a script");
            let (file, size) = (file.as_os_str(), size.to_string());
            let args = options.iter().map(OsStr::new).chain([script.as_ref(), file, size.as_ref()]);
            CommandLine::new(program, args, scripts)
        };
        let command = match self {
            Contestant::Optimized => own(Own::Optimized),
            Contestant::Auto => own(Own::Auto),
            Contestant::Without => own(Own::AutoWithoutTraces),
            Contestant::Wasmtime => peer("python3", &[]),
            Contestant::Node => peer("node", &["--no-warnings"]),
        };
        command.within(PATIENCE)
    }
}

/// A ratio of a figure of two contestants.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparison {
    /// The name in tables.
    pub(super) name: &'static str,
    /// The contestant, and the one that it is compared with.
    pub(super) sides: (Contestant, Contestant),
    /// The figure.
    pub(super) of: fn(&Sample) -> f64,
}

/// The comparisons, in the order of the columns.
pub(super) const COMPARISONS: [Comparison; 9] = [
    Comparison {
        name: "optimized/wasmtime",
        sides: (Contestant::Optimized, Contestant::Wasmtime),
        of: |sample| sample.cpu,
    },
    Comparison { name: "auto/wasmtime", sides: (Contestant::Auto, Contestant::Wasmtime), of: |sample| sample.cpu },
    Comparison { name: "elapsed", sides: (Contestant::Auto, Contestant::Wasmtime), of: |sample| sample.wall },
    Comparison { name: "ready", sides: (Contestant::Auto, Contestant::Wasmtime), of: |sample| sample.ready },
    Comparison { name: "memory", sides: (Contestant::Auto, Contestant::Wasmtime), of: |sample| sample.memory },
    Comparison { name: "auto/node", sides: (Contestant::Auto, Contestant::Node), of: |sample| sample.cpu },
    Comparison { name: "node memory", sides: (Contestant::Auto, Contestant::Node), of: |sample| sample.memory },
    Comparison { name: "auto/optimized", sides: (Contestant::Auto, Contestant::Optimized), of: |sample| sample.cpu },
    Comparison { name: "auto/without", sides: (Contestant::Auto, Contestant::Without), of: |sample| sample.cpu },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines() {
        let line = |contestant: Contestant| {
            let command = contestant.command(Path::new("/bin/holloway"), Path::new("/m/p.wasm"), 9, Path::new("/s"));
            assert!(command.limit.is_some());
            let args: Vec<_> = command.args.iter().map(|arg| arg.to_string_lossy()).collect();
            format!("({}) {} {}", command.folder.display(), command.program.display(), args.join(" "))
        };
        insta::assert_snapshot!(Contestant::ALL.map(line).join("\n"), @r#"
        (.) /bin/holloway bench --child {"Module":{"file":"/m/p.wasm","size":9,"by":"Optimized"}}
        (.) /bin/holloway bench --child {"Module":{"file":"/m/p.wasm","size":9,"by":"Auto"}}
        (.) /bin/holloway bench --child {"Module":{"file":"/m/p.wasm","size":9,"by":"AutoWithoutTraces"}}
        (/s) python3 run_wasmtime.py /m/p.wasm 9
        (/s) node --no-warnings run_node.mjs /m/p.wasm 9
        "#);
    }
}
