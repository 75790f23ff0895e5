//! Shows how few counters an exact edge profile takes: one line for each benchmark program, and totals.
//!
//! In: the programs of `bench-programs/`; nothing is run. Out: a table of functions, edges and counters placed.
//! `cargo run -p holloway --example counters`

use holloway::{Config, Engine};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench-programs");
    let mut programs: Vec<_> =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    programs.retain(|path| path.extension().is_some_and(|extension| extension == "hw"));
    programs.sort();
    println!("{:<14} {:>9} {:>6} {:>8} {:>6}", "program", "functions", "edges", "counters", "share");
    let mut total = [0; 3];
    for path in &programs {
        let mut engine = Engine::new(Config::default())?;
        engine.load_file(path)?;
        let profile = engine.edge_profile();
        let counters: usize = profile.iter().map(|function| function.counters).sum();
        let edges: usize = profile.iter().map(|function| function.edges.len()).sum();
        let row = [profile.len(), edges, counters];
        print_row(&path.file_stem().unwrap_or_default().to_string_lossy(), row);
        total = std::array::from_fn(|at| total[at] + row[at]);
    }
    print_row("all", total);
    Ok(())
}

fn print_row(name: &str, [functions, edges, counters]: [usize; 3]) {
    let share = 100.0 * counters as f64 / edges as f64;
    println!("{name:<14} {functions:>9} {edges:>6} {counters:>8} {share:>5.1}%");
}
