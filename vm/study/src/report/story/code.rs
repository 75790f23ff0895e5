//! The machine code of a version with its source beside it: `--why VERSION`. Every instruction is shown once.

use crate::report::machine_code::line_of;
use crate::report::story::Lines;
use crate::report::text::{grouped, one_line, percent};
use crate::run::Run;
use crate::run::record::Instruction;
use std::collections::HashMap;

pub(super) fn text(run: &Run, id: u32, width: usize) -> Option<String> {
    let (index, version) = run.version(id)?;
    let code = run.code.iter().find(|code| code.version as usize == index)?;
    let heat = heat(run, index as u32);
    let mut text = format!("\nCode of {}, {} bytes\n", one_line(&version.name), grouped(version.bytes as usize));
    for stretch in code.instructions.chunk_by(|a, b| a.at == b.at) {
        text.push_str(&heading(run, stretch[0].at, &heat, width));
        for Instruction { offset, depth, text: told, note, .. } in stretch {
            text.push_str(&line_of((*offset, *depth), told, note.as_ref()));
        }
    }
    Some(text)
}

/// The part of all time that fell on each line in the code of a version.
fn heat(run: &Run, version: u32) -> HashMap<(u32, u32), f64> {
    let total = run.sampled().max(f64::MIN_POSITIVE);
    let mut heat = HashMap::new();
    for sample in &run.samples {
        let innermost = run.stacks[sample.stack as usize].frames.first().map(|frame| run.frames[*frame as usize]);
        if let Some(frame) = innermost.filter(|frame| frame.version == version) {
            *heat.entry((frame.function, frame.line)).or_default() += sample.weight / total;
        }
    }
    heat
}

fn heading(run: &Run, at: Option<(u32, u32)>, heat: &HashMap<(u32, u32), f64>, width: usize) -> String {
    let Some((function, line)) = at else { return "  of the frame itself\n".to_owned() };
    let file = &run.functions[function as usize].file;
    let source = run.line(file, line).unwrap_or_default();
    let part = heat.get(&(function, line)).map(|part| format!("  {}", percent(*part))).unwrap_or_default();
    let told = format!("  {}:{line} | {}", one_line(file), one_line(source.trim()));
    let room = width.saturating_sub(part.len()).max(20);
    let cut: String = told.chars().take(room).collect();
    format!("{cut}{part}\n")
}
