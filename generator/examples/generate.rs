//! Prints the program of a seed: `cargo run -p holloway-generator --example generate -- SEED [small|medium|large]`.

use holloway_generator::{Size, program};

fn main() {
    let mut args = std::env::args().skip(1);
    let seed = args.next().and_then(|arg| arg.parse().ok()).unwrap_or(0);
    let size = match args.next().as_deref() {
        Some("small") => Size::Small,
        Some("large") => Size::Large,
        _ => Size::Medium,
    };
    print!("{}", program(seed, size));
}
