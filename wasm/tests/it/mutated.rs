//! Modules with wrong bytes: they are refused, or valid by chance, and nothing panics.
//!
//! In: modules of the suite, debug information included. `HOLLOWAY_MUTATIONS` tries more of each; the numbers of refused and of valid ones are printed.

use crate::suite::{buffer, files};
use holloway_wasm::lower;
use std::path::Path;
use wast::core::{EncodeOptions, GenerateDwarf};
use wast::{QuoteWat, Wast, WastDirective};

#[test]
fn wrong_bytes_are_errors() {
    let tries: usize = std::env::var("HOLLOWAY_MUTATIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(8);
    let mut state = 1_u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut counts = [0; 2];
    for file in files() {
        let buffer = buffer(&file);
        let wast: Wast<'_> = wast::parser::parse(&buffer).expect("the suite is well formed");
        for directive in wast.directives {
            let WastDirective::Module(QuoteWat::Wat(mut module)) = directive else { continue };
            let mut options = EncodeOptions::new();
            options.dwarf(Path::new("test.wat"), file.raw(), GenerateDwarf::Full);
            let bytes = options.encode_wat(&mut module).expect("the suite is well formed");
            for _ in 0..tries {
                let mut bytes = bytes.clone();
                for _ in 0..=next(3) {
                    if bytes.len() < 10 {
                        break;
                    }
                    let at = 8 + next(bytes.len() - 8);
                    match next(3) {
                        0 => bytes[at] = next(256) as u8,
                        1 => drop(bytes.remove(at)),
                        _ => bytes.insert(at, next(256) as u8),
                    }
                }
                let is_taken = lower("mutated.wasm", &bytes, &mut |_| Some(file.raw().to_owned())).is_ok();
                counts[usize::from(is_taken)] += 1;
            }
        }
    }
    println!("{} refused, {} valid", counts[0], counts[1]);
    assert!(counts.into_iter().all(|count| count > 100), "{counts:?}");
}
