//! `bench`: every selected program, run by every contender.

use std::env;
use std::io;

use super::child::Children;
use super::contender::{HOLLOWAY, Peer, RunOptions, holloway, installed, peer};
use super::progress;
use super::race::{Entrant, Interrupted, Outcome, race};
use super::results::{ProgramResults, Results};
use super::suite::BenchProgram;
use super::workspace::Workspace;
use super::{BenchConfig, BenchError, PeerChoice};

/// Measures as `config` says, with `children`, through which another thread may interrupt it.
pub fn measure(config: &BenchConfig, children: &Children) -> Result<Results, BenchError> {
    let (peers, absent) = match config.peers {
        PeerChoice::None => (Vec::new(), Vec::new()),
        PeerChoice::Installed => installed(&Peer::ALL, env::var_os("PATH").as_deref()),
    };
    let workspace = Workspace::new().map_err(BenchError::Workspace)?;
    workspace.place_below("peers/lib/").map_err(BenchError::Workspace)?;
    workspace.place_below("peers/programs/").map_err(BenchError::Workspace)?;
    let contenders: Vec<&str> = std::iter::once(HOLLOWAY).chain(peers.iter().map(|peer| peer.name())).collect();
    let runs = config.programs.len() * contenders.len() * config.rounds.get() as usize;
    let bar = progress::bar(config.progress, runs as u64);

    let mut programs = Vec::new();
    for program in &config.programs {
        let entrants = entrants(program, &peers, config, &workspace).map_err(BenchError::Workspace)?;
        let racing: Vec<usize> = (0..entrants.len()).filter(|at| entrants[*at].is_some()).collect();
        let entrants: Vec<Entrant> = entrants.into_iter().flatten().collect();
        let raced = race(&entrants, config.rounds, children, |at| {
            bar.set_message(format!("{}: {}", program.name, contenders[racing[at]]));
            bar.inc(1);
        });
        let mut outcomes = vec![Outcome::Absent; contenders.len()];
        for (at, outcome) in racing.iter().zip(raced.map_err(|Interrupted| BenchError::Interrupted)?) {
            outcomes[*at] = outcome;
        }
        programs.push(ProgramResults { program: *program, workload: program.workload(config.size), outcomes });
    }
    bar.finish_and_clear();
    Ok(Results {
        size: config.size,
        tier: config.tier,
        rounds: config.rounds,
        baseline: contenders.iter().position(|name| *name == Peer::Gcc.name()),
        contenders,
        absent: absent.into_iter().map(Peer::name).collect(),
        programs,
    })
}

/// The entrants for `program`, in the order of the contenders; none for a language in which it is not written.
fn entrants(
    program: &BenchProgram,
    peers: &[Peer],
    config: &BenchConfig,
    workspace: &Workspace,
) -> io::Result<Vec<Option<Entrant>>> {
    let workload = program.workload(config.size);
    let expected = workload.checksum.to_string();
    let BenchConfig { tier, without, ref disabled_passes, ref facts, .. } = *config;
    let options = RunOptions { tier, without, disabled_passes, facts: facts.as_deref(), policy: None };
    let own = holloway(&config.executable, options, program, workload, workspace);
    let recipe = |each: &Peer| peer(*each, "peers/programs", program.name, &[workload.size.to_string()], workspace);
    let theirs = peers.iter().map(|each| each.has(program).then(|| recipe(each)).transpose());
    let recipes = std::iter::once(own.map(Some)).chain(theirs);
    let entrant = |recipe| Entrant { recipe, expected: expected.clone() };
    recipes.map(|recipe| Ok(recipe?.map(entrant))).collect()
}
