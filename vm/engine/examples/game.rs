//! A game loop whose program is reloaded while it runs: `cargo run -p holloway --example game`.
//!
//! In: two versions of a program, and numbers that both sides share. Out: the frames. The second version goes on with the
//! state of the first; a third, whose state does not fit, is refused, and the second goes on.

use holloway::{Array, Config, Engine, Function};
use std::error::Error;
use std::fmt::Write as _;

const FIRST: &str = "
struct Ball { x: float, dx: float }
var ball = Ball(x: 0.0, dx: 1.0)
var frames = 0

fn step(heights: [float]) -> float {
    frames += 1
    ball.x += ball.dx
    for i in 0..len(heights) { heights[i] = heights[i] * 0.5 }
    return ball.x
}
";

/// Runs some frames of each version.
pub(crate) fn run() -> Result<String, Box<dyn Error>> {
    let mut engine = Engine::new(Config::default())?;
    engine.load("game.hw", FIRST)?;
    let step: Function<(Array<f64>,), f64> = engine.typed("step")?;
    let heights: Array<f64> = engine.array(&[8.0, 16.0])?;
    let mut report = String::new();
    for frame in 0..9 {
        if frame == 3 {
            // Somebody has edited the program: the ball goes twice as fast, and bounces.
            let faster =
                FIRST.replace("ball.x += ball.dx", "if ball.x >= 4.0 { ball.dx = -2.0 }\n    ball.x += ball.dx * 2.0");
            engine.reload("game.hw", faster)?;
        }
        if frame == 6 {
            let other = FIRST.replace("var frames = 0", "var frames = 0.0").replace("frames += 1", "frames += 1.0");
            let refused = engine.reload("game.hw", other).expect_err("the state does not fit");
            writeln!(report, "not reloaded: {refused}")?;
            heights.with_mut(&mut engine, |heights| heights[0] = 1024.0)?;
        }
        let x = step.call(&mut engine, (heights.clone(),))?;
        let shown = heights.with(&mut engine, <[f64]>::to_vec)?;
        writeln!(report, "{frame}: {x} {shown:?}")?;
    }
    writeln!(report, "{} frames", engine.get::<i64>("frames")?)?;
    Ok(report)
}

fn main() -> Result<(), Box<dyn Error>> {
    print!("{}", run()?);
    Ok(())
}
