//! `bench --compile`: the compile time of a tier.
//!
//! In: the embedded programs and a tier. Out: the amount of code compiled and the time taken. Every function of every
//! program is compiled in each round, on this thread, with the probes of its tier; nothing is installed or run.

use std::cmp::Reverse;
use std::time::{Duration, Instant};

use holloway_jit::opt::pipeline::Options;
use holloway_jit::{Tier, Timings};
use serde_json::{Map, Value, json};

use super::{CompileConfig, embedded, progress, statistics};
use holloway::TierChoice;
use holloway::internals::Executor;
use holloway::{Config, Engine};
use holloway_runtime::Sink;

/// Results of all rounds.
#[derive(Clone, PartialEq, Debug)]
pub struct CompileResults {
    /// The tier.
    pub tier: Tier,
    /// Functions compiled in a round.
    pub functions: usize,
    /// Instructions of the IR in them.
    pub instructions: usize,
    /// Bytes of machine code generated for them.
    pub bytes: usize,
    /// The time of each round.
    pub rounds: Vec<Duration>,
    /// The time of each part of the compiler in all rounds.
    pub timings: Timings,
}

/// Measures the compile time.
pub fn measure_compile(config: &CompileConfig) -> CompileResults {
    let tier = match config.tier {
        TierChoice::Auto | TierChoice::Optimized => Tier::Optimized,
        TierChoice::Interp | TierChoice::Baseline => Tier::Baseline,
    };
    let engines: Vec<Engine> = embedded::program_names().map(|name| engine_with(name, config)).collect();
    let (rounds, timings) = (Vec::new(), Timings::default());
    let mut results = CompileResults { tier, functions: 0, instructions: 0, bytes: 0, rounds, timings };
    let bar = progress::bar(config.progress, u64::from(config.rounds.get()));
    // The first round is a warm-up and is not counted.
    for round in 0..=config.rounds.get() {
        (results.functions, results.instructions, results.bytes) = (0, 0, 0);
        let start = Instant::now();
        for engine in &engines {
            compile_all(engine, tier, &mut results);
        }
        if round > 0 {
            results.rounds.push(start.elapsed());
            bar.inc(1);
        } else {
            results.timings = Timings::default();
        }
    }
    bar.finish_and_clear();
    results
}

fn engine_with(name: &str, config: &CompileConfig) -> Engine {
    let config = Config {
        tier: TierChoice::Baseline,
        passes: Options { disabled: config.disabled_passes.clone(), ..Options::default() },
        output: Sink::Captured(Vec::new()),
        ..Config::default()
    };
    let mut engine = Engine::new(config).expect("there is memory for an engine");
    let file = format!("{name}.hw");
    engine.load(&file, embedded::file(&file).expect("the program is embedded")).expect("embedded programs compile");
    engine
}

fn compile_all(engine: &Engine, tier: Tier, results: &mut CompileResults) {
    let Executor::Compiled(machine) = engine.executor() else { unreachable!("the engine compiles") };
    for (func, decl) in engine.module().funcs.iter() {
        let code = machine.code.trial(func, tier).expect("functions of the programs are small");
        results.functions += 1;
        results.instructions += decl.body.size();
        results.bytes += code.size();
        results.timings.add(&code.timings);
    }
}

impl CompileResults {
    /// The median round.
    pub fn median(&self) -> Duration {
        statistics::median(self.rounds.iter().copied()).expect("there is at least one round")
    }

    fn per_second(&self, count: usize) -> f64 {
        count as f64 / self.median().as_secs_f64()
    }

    /// The results as text.
    pub fn text(&self) -> String {
        format!(
            "{} tier: {} functions, {} IR instructions, {} bytes of code\n\
             {:.0} functions a second, {:.0} IR instructions a second, {:.1} bytes an instruction\n\
             (median of {} rounds, {:.2} ms each)\n",
            self.tier.name(),
            self.functions,
            self.instructions,
            self.bytes,
            self.per_second(self.functions),
            self.per_second(self.instructions),
            self.bytes as f64 / self.instructions as f64,
            self.rounds.len(),
            self.median().as_secs_f64() * 1e3,
        )
    }

    /// The time of each part in a round, the longest first, as text.
    pub fn timings_text(&self) -> String {
        let mut parts: Vec<(&str, Duration)> = self.timings.parts().collect();
        parts.sort_by_key(|(_, time)| Reverse(*time));
        let whole: Duration = parts.iter().map(|(_, time)| *time).sum();
        let mut text = format!("\n{:>9}  {:>6}  part\n", "ms", "share");
        for (part, time) in parts {
            let (ms, share) = (self.per_round(time), 100.0 * time.as_secs_f64() / whole.as_secs_f64());
            text.push_str(&format!("{ms:>9.2}  {share:>5.1}%  {part}\n"));
        }
        text
    }

    /// Milliseconds a round, of a time in all rounds.
    fn per_round(&self, time: Duration) -> f64 {
        time.as_secs_f64() * 1e3 / self.rounds.len() as f64
    }

    /// The results as JSON.
    pub fn json(&self) -> Value {
        json!({
            "tier": self.tier.name(),
            "functions": self.functions,
            "instructions": self.instructions,
            "bytes": self.bytes,
            "seconds": self.rounds.iter().map(Duration::as_secs_f64).collect::<Vec<_>>(),
            "functions_per_second": self.per_second(self.functions),
            "instructions_per_second": self.per_second(self.instructions),
            "parts_ms": self.timings.parts().map(|(part, time)| (part.to_owned(), self.per_round(time).into())).collect::<Map<_, _>>(),
        })
    }
}
