//! The findings of `bench --why`, as a table and as JSON.

use serde_json::{Value, json};

use super::{HotLoop, Run, Why, WhyConfig};
use holloway_study::report::columns::Table;

impl Why {
    /// The table.
    pub fn text(&self, config: &WhyConfig) -> String {
        let (program, size, tier) = (config.program.name, config.size.name(), config.tier.name());
        let header = ["", "time", "instructions", "loads", "stores", "branches", "calls", "bytes", "loop"];
        let mut table = Table::new(header).with_text_in(8);
        for run in &self.runs {
            for (at, hot) in run.loops.iter().enumerate() {
                table.row(row(if at == 0 { run.name } else { "" }, hot));
            }
            if run.loops.is_empty() {
                table.row([run.name, "no loop has a good part of the time"]);
            }
        }
        let of_both = match self.runs.as_slice() {
            [theirs, ours] => format!(": {:.2} of its CPU time", ours.samples as f64 / theirs.samples as f64),
            _ => String::new(),
        };
        let counts: Vec<String> = self.runs.iter().map(|run| format!("{} of {}", run.samples, run.name)).collect();
        format!(
            "{program}, --tier {tier}, size {size}; samples: {}{of_both}\n\n{}\n\
             Counts are of the code of a loop, without the loops in it; an iteration executes those on its way.\n",
            counts.join(", "),
            table.render()
        )
    }

    /// The same as JSON.
    pub fn json(&self, config: &WhyConfig) -> Value {
        json!({
            "program": config.program.name,
            "size": config.size.name(),
            "tier": config.tier.name(),
            "runs": self.runs.iter().map(run).collect::<Vec<_>>(),
        })
    }
}

fn row(name: &str, hot: &HotLoop) -> [String; 9] {
    let share = format!("{:.1}%", hot.share * 100.0);
    let mix = hot.mix;
    let [instructions, loads, stores, branches, calls] =
        [mix.instructions, mix.loads, mix.stores, mix.branches, mix.calls].map(|count| count.to_string());
    [name.to_owned(), share, instructions, loads, stores, branches, calls, hot.bytes.to_string(), hot.place.clone()]
}

fn run(run: &Run) -> Value {
    let hot = |hot: &HotLoop| {
        json!({
            "loop": hot.place,
            "share": hot.share,
            "bytes": hot.bytes,
            "instructions": hot.mix.instructions,
            "loads": hot.mix.loads,
            "stores": hot.mix.stores,
            "branches": hot.mix.branches,
            "calls": hot.mix.calls,
        })
    };
    json!({ "contender": run.name, "samples": run.samples, "loops": run.loops.iter().map(hot).collect::<Vec<_>>() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::select;
    use crate::extent::SizeName;
    use holloway::TierChoice;
    use holloway_jit::arch::Mix;
    use holloway_study::report::style::OutputFormat;

    #[test]
    fn loops_stand_beside_those_of_c() {
        let hot = |place: &str, share| HotLoop {
            place: place.to_owned(),
            share,
            bytes: 100,
            mix: Mix { instructions: 24, loads: 3, stores: 0, branches: 5, calls: 0 },
        };
        let run = |name, samples, loops| Run { name, samples, loops };
        let ours = vec![hot("holloway:main:optimized:v3+0xc67", 0.9), hot("holloway:f:optimized:v2+0x30", 0.08)];
        let why = Why { runs: vec![run("gcc -O2", 2000, vec![hot("bench+0x3f0", 0.99)]), run("holloway", 3000, ours)] };
        let config = WhyConfig {
            program: select(&["huffman".to_owned()]).unwrap()[0],
            size: SizeName::Default,
            tier: TierChoice::Optimized,
            disabled_passes: Vec::new(),
            format: OutputFormat::Text,
            executable: "holloway".into(),
        };
        insta::assert_snapshot!(why.text(&config));
        assert_eq!(why.json(&config)["runs"][1]["loops"][0]["loads"], 3);
    }
}
