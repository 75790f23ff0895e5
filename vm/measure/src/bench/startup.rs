//! `bench --startup`: the time in which a language starts, does next to nothing, and ends.
//!
//! Languages that take code on the command line print 1; the others run the empty program of
//! `bench-programs/peers/startup/`. C's empty program shows the start-up time of any process.

use std::env;
use std::io;

use super::child::{Children, CommandLine};
use super::contender::{HOLLOWAY, Peer, Recipe, installed, peer};
use super::progress;
use super::race::{Entrant, Interrupted, race};
use super::results::StartupResults;
use super::workspace::Workspace;
use super::{BenchError, StartupConfig};
use holloway::TierChoice;

/// The peers that are compared: an empty program starts as fast whichever compiler made it, and a module is compiled first.
const PEERS: [Peer; 5] = [Peer::Gcc, Peer::LuaJit, Peer::Node, Peer::Java, Peer::PyPy];

/// Measures the start-up of Holloway and of every installed peer.
pub fn measure_startup(config: &StartupConfig, children: &Children) -> Result<StartupResults, BenchError> {
    let (peers, absent) = installed(&PEERS, env::var_os("PATH").as_deref());
    let workspace = Workspace::new().map_err(BenchError::Workspace)?;
    workspace.place_below("peers/startup/").map_err(BenchError::Workspace)?;
    let mut starters = vec![own(config, &workspace)];
    for each in peers {
        starters.push(starter(each, &workspace).map_err(BenchError::Workspace)?);
    }
    let names: Vec<&str> = starters.iter().map(|starter| starter.name).collect();
    let bar = progress::bar(config.progress, starters.len() as u64 * u64::from(config.rounds.get()));

    let (labels, entrants): (Vec<_>, Vec<_>) =
        starters.into_iter().map(|starter| ((starter.name, starter.shown), starter.entrant)).unzip();
    let raced = race(&entrants, config.rounds, children, |at| {
        bar.set_message(names[at]);
        bar.inc(1);
    });
    let outcomes = raced.map_err(|Interrupted| BenchError::Interrupted)?;
    bar.finish_and_clear();
    let entries = labels.into_iter().zip(outcomes).map(|((name, shown), outcome)| (name, shown, outcome)).collect();
    let absent = absent.into_iter().map(Peer::name).collect();
    Ok(StartupResults { tier: config.tier, rounds: config.rounds, absent, entries })
}

/// One contender of the start-up measurement.
struct Starter {
    name: &'static str,
    /// Its command, as a person would write it.
    shown: String,
    entrant: Entrant,
}

fn own(config: &StartupConfig, workspace: &Workspace) -> Starter {
    let tier = match config.tier {
        TierChoice::Auto => vec![],
        pinned @ (TierChoice::Interp | TierChoice::Baseline | TierChoice::Optimized) => vec!["--tier", pinned.name()],
    };
    let shown = ["holloway"].into_iter().chain(tier.iter().copied()).chain(["-e 'print(1)'"]).collect::<Vec<_>>();
    let args = tier.iter().copied().chain(["-e", "print(1)"]);
    let recipe = Recipe { build: None, run: CommandLine::new(&config.executable, args, workspace.path()) };
    Starter { name: HOLLOWAY, shown: shown.join(" "), entrant: Entrant { recipe, expected: "1".to_owned() } }
}

fn starter(each: Peer, workspace: &Workspace) -> io::Result<Starter> {
    let code = |binary: &str, option: &str, code: &str| Starter {
        name: each.name(),
        shown: format!("{binary} {option} '{code}'"),
        entrant: Entrant {
            recipe: Recipe { build: None, run: CommandLine::new(binary, [option, code], workspace.path()) },
            expected: "1".to_owned(),
        },
    };
    let empty = || -> io::Result<Starter> {
        let recipe = peer(each, "peers/startup", "empty", &[], workspace)?;
        let shown = format!("an empty {} program", if each == Peer::Java { "Java" } else { "C" });
        Ok(Starter { name: each.name(), shown, entrant: Entrant { recipe, expected: String::new() } })
    };
    match each {
        Peer::Gcc | Peer::Clang | Peer::Wasmtime | Peer::Java => empty(),
        Peer::LuaJit => Ok(code("luajit", "-e", "print(1)")),
        Peer::Node => Ok(code("node", "-e", "console.log(1)")),
        Peer::PyPy => Ok(code("pypy3", "-c", "print(1)")),
    }
}
