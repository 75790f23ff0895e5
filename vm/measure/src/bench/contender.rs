//! The contenders of a benchmark, Holloway and its peers, and their command lines.
//!
//! In: a program's files in the workspace. Out: [`CommandLine`]s to build and to run it. The peers' flags are those of
//! `bench-programs/README.md`: strict floating point, so that every language prints the same checksum.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use super::child::CommandLine;
use super::embedded;
use super::suite::{BenchProgram, Workload};
use super::workspace::Workspace;
use holloway::TierChoice;
use holloway_aos::Parts;

/// The flags of C compilers: what makes figures that every language prints alike.
pub(super) const C_FLAGS: [&str; 3] = ["-O2", "-ffp-contract=off", "-fno-math-errno"];

/// The column of Holloway's own figures.
pub(super) const HOLLOWAY: &str = "holloway";

/// Another language with the same programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Peer {
    /// C, the baseline of ratios.
    Gcc,
    /// C by another compiler.
    Clang,
    /// C by that compiler as WebAssembly, which Cranelift compiles.
    Wasmtime,
    /// Lua.
    LuaJit,
    /// JavaScript.
    Node,
    /// Java.
    Java,
    /// Python.
    PyPy,
}

impl Peer {
    /// All peers, in the order of the columns.
    pub(super) const ALL: [Self; 7] =
        [Self::Gcc, Self::Clang, Self::Wasmtime, Self::LuaJit, Self::Node, Self::Java, Self::PyPy];

    /// The name of its column.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Gcc => "gcc -O2",
            Self::Clang => "clang -O2",
            Self::Wasmtime => "wasmtime",
            Self::LuaJit => "luajit",
            Self::Node => "node",
            Self::Java => "java",
            Self::PyPy => "pypy3",
        }
    }

    /// The binaries that it needs.
    fn binaries(self) -> &'static [&'static str] {
        match self {
            Self::Gcc => &["gcc"],
            Self::Clang => &["clang"],
            Self::Wasmtime => &["wasmtime", "clang", "wasm-ld"],
            Self::LuaJit => &["luajit"],
            Self::Node => &["node"],
            Self::Java => &["java", "javac"],
            Self::PyPy => &["pypy3"],
        }
    }

    /// File name extension of its programs.
    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::Gcc | Self::Clang | Self::Wasmtime => "c",
            Self::LuaJit => "lua",
            Self::Node => "js",
            Self::Java => "java",
            Self::PyPy => "py",
        }
    }

    /// Returns true if the program is written in its language; those that live on lists, dicts and closures are not in C.
    pub(super) fn has(self, program: &BenchProgram) -> bool {
        embedded::file(&format!("peers/programs/{}.{}", program.name, self.extension())).is_some()
    }
}

/// Those of some peers whose binaries are on `search_path`, and the absent ones.
pub(super) fn installed(peers: &[Peer], search_path: Option<&OsStr>) -> (Vec<Peer>, Vec<Peer>) {
    peers.iter().copied().partition(|peer| peer.binaries().iter().all(|binary| is_there(binary, search_path)))
}

/// The C compiler on `search_path`: gcc, or else whatever cc is.
pub(super) fn c_compiler(search_path: Option<&OsStr>) -> Option<&'static str> {
    ["gcc", "cc"].into_iter().find(|compiler| is_there(compiler, search_path))
}

/// Returns true if a binary is on the search path.
pub(super) fn is_there(binary: &str, search_path: Option<&OsStr>) -> bool {
    search_path.is_some_and(|path| std::env::split_paths(path).any(|folder| folder.join(binary).is_file()))
}

/// The commands that build and run a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Recipe {
    /// The build before the first round, if any.
    pub(super) build: Option<CommandLine>,
    /// The run of each round.
    pub(super) run: CommandLine,
}

/// Options of Holloway's runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RunOptions<'a> {
    /// The tier.
    pub(super) tier: TierChoice,
    /// Parts of the adaptive system that are left out.
    pub(super) without: Parts,
    /// Passes of the optimizer that are left out.
    pub(super) disabled_passes: &'a [String],
    /// The file of facts that the optimizer is told.
    pub(super) facts: Option<&'a Path>,
    /// The strategy that decides about recompilation, if it is not the usual one.
    pub(super) policy: Option<&'static str>,
}

impl RunOptions<'_> {
    /// The tier with nothing left out.
    pub(super) fn of(tier: TierChoice) -> Self {
        RunOptions { tier, without: Parts::NONE, disabled_passes: &[], facts: None, policy: None }
    }
}

/// The recipe of Holloway's run of `program`.
pub(super) fn holloway(
    executable: &Path,
    options: RunOptions<'_>,
    program: &BenchProgram,
    workload: Workload,
    workspace: &Workspace,
) -> io::Result<Recipe> {
    let file = workspace.place(&format!("{}.hw", program.name))?;
    Ok(holloway_of(executable, options, &file, workload.size, workspace.path()))
}

/// The recipe of Holloway's run of a file, in a folder.
pub(super) fn holloway_of(executable: &Path, options: RunOptions<'_>, file: &Path, size: u64, folder: &Path) -> Recipe {
    let size = size.to_string();
    let without = options.without.names();
    let mut args = vec![OsStr::new("run"), "--tier".as_ref(), options.tier.name().as_ref()];
    if options.without != Parts::NONE {
        args.extend([OsStr::new("--without"), without.as_ref()]);
    }
    options.policy.iter().for_each(|policy| args.extend([OsStr::new("--policy"), policy.as_ref()]));
    options.disabled_passes.iter().for_each(|pass| args.extend([OsStr::new("--disable-pass"), pass.as_ref()]));
    options.facts.iter().for_each(|facts| args.extend([OsStr::new("--facts"), facts.as_os_str()]));
    args.extend([file.as_os_str(), size.as_ref()]);
    Recipe { build: None, run: CommandLine::new(executable, args, folder) }
}

/// The recipe of a peer's run of the program `stem` with `args`; its file is in `folder`.
pub(super) fn peer(peer: Peer, folder: &str, stem: &str, args: &[String], workspace: &Workspace) -> io::Result<Recipe> {
    let file = format!("{stem}.{}", peer.extension());
    let folder = workspace.path().join(folder);
    let recipe = |build: Option<CommandLine>, program: PathBuf, before: Vec<OsString>| {
        let args = before.into_iter().chain(args.iter().map(OsString::from));
        Recipe { build, run: CommandLine::new(program, args, &folder) }
    };
    Ok(match peer {
        Peer::Gcc => {
            let binary = workspace.folder("built/c")?.join(stem);
            recipe(Some(of_c("gcc", &[], file.as_ref(), &binary, &folder)), binary, vec![])
        }
        Peer::Clang => {
            let binary = workspace.folder("built/clang")?.join(stem);
            recipe(Some(of_c("clang", &[], file.as_ref(), &binary, &folder)), binary, vec![])
        }
        Peer::Wasmtime => {
            let module = workspace.folder("built/wasm")?.join(format!("{stem}.wasm"));
            let library = ["--target=wasm32-wasi", "-mexec-model=reactor"];
            let run = ["run", "--invoke", "bench"].map(OsString::from).into_iter().chain([module.clone().into()]);
            recipe(Some(of_c("clang", &library, file.as_ref(), &module, &folder)), "wasmtime".into(), run.collect())
        }
        Peer::Java => {
            let classes = workspace.folder("built/java")?;
            let build = CommandLine::new("javac", ["-d".as_ref(), classes.as_os_str(), file.as_ref()], &folder);
            recipe(Some(build), "java".into(), vec!["-cp".into(), classes.into(), stem.into()])
        }
        Peer::LuaJit => recipe(None, "luajit".into(), vec![file.into()]),
        Peer::Node => recipe(None, "node".into(), vec![file.into()]),
        Peer::PyPy => recipe(None, "pypy3".into(), vec![file.into()]),
    })
}

/// The command that compiles a C program.
pub(super) fn of_c(compiler: &str, target: &[&str], file: &Path, out: &Path, folder: &Path) -> CommandLine {
    let flags = target.iter().chain(&C_FLAGS).map(OsStr::new);
    let files = [file.as_os_str(), OsStr::new("-lm"), OsStr::new("-o"), out.as_os_str()];
    CommandLine::new(compiler, flags.chain(files), folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::select;
    use crate::extent::SizeName;

    /// The command as a shell would take it, with the workspace as `$W`.
    fn shown(command: &CommandLine, workspace: &Workspace) -> String {
        let words = std::iter::once(command.program.as_os_str()).chain(command.args.iter().map(OsString::as_os_str));
        let line = words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
        format!("({}) {line}", command.folder.display()).replace(&workspace.path().display().to_string(), "$W")
    }

    #[test]
    fn command_lines() {
        let workspace = Workspace::new().unwrap();
        let fib = select(&["fib".to_owned()]).unwrap()[0];
        let workload = fib.workload(SizeName::Small);
        let own = holloway(Path::new("/bin/holloway"), RunOptions::of(TierChoice::Interp), &fib, workload, &workspace)
            .unwrap();
        let mut lines = vec![shown(&own.run, &workspace)];
        for each in Peer::ALL {
            let recipe = peer(each, "peers/programs", "fib", &[workload.size.to_string()], &workspace).unwrap();
            lines.extend(recipe.build.iter().chain([&recipe.run]).map(|command| shown(command, &workspace)));
        }
        assert!(workspace.path().join("fib.hw").is_file());
        insta::assert_snapshot!(lines.join("\n"), @r#"
        ($W) /bin/holloway run --tier interp $W/fib.hw 20
        ($W/peers/programs) gcc -O2 -ffp-contract=off -fno-math-errno fib.c -lm -o $W/built/c/fib
        ($W/peers/programs) $W/built/c/fib 20
        ($W/peers/programs) clang -O2 -ffp-contract=off -fno-math-errno fib.c -lm -o $W/built/clang/fib
        ($W/peers/programs) $W/built/clang/fib 20
        ($W/peers/programs) clang --target=wasm32-wasi -mexec-model=reactor -O2 -ffp-contract=off -fno-math-errno fib.c -lm -o $W/built/wasm/fib.wasm
        ($W/peers/programs) wasmtime run --invoke bench $W/built/wasm/fib.wasm 20
        ($W/peers/programs) luajit fib.lua 20
        ($W/peers/programs) node fib.js 20
        ($W/peers/programs) javac -d $W/built/java fib.java
        ($W/peers/programs) java -cp $W/built/java fib 20
        ($W/peers/programs) pypy3 fib.py 20
        "#);
    }

    #[test]
    fn a_peer_is_installed_with_all_its_binaries() {
        let folder = tempfile::tempdir().unwrap();
        for binary in ["luajit", "java", "wasmtime", "wasm-ld"] {
            std::fs::write(folder.path().join(binary), "").unwrap();
        }
        let (there, absent) = installed(&Peer::ALL, Some(folder.path().as_os_str()));
        assert_eq!(there, [Peer::LuaJit]);
        assert_eq!(absent, [Peer::Gcc, Peer::Clang, Peer::Wasmtime, Peer::Node, Peer::Java, Peer::PyPy]);
        assert_eq!(installed(&Peer::ALL, None).0, []);
        let compiler = || c_compiler(Some(folder.path().as_os_str()));
        assert_eq!((compiler(), c_compiler(None)), (None, None));
        std::fs::write(folder.path().join("cc"), "").unwrap();
        assert_eq!(compiler(), Some("cc"));
        std::fs::write(folder.path().join("gcc"), "").unwrap();
        assert_eq!(compiler(), Some("gcc"));
    }
}
