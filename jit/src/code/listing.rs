//! Machine code as it will run, for people.
//!
//! In: code that Cranelift made. Out: [`Listing`]: its instructions, each with the place in the program that it comes
//! from, the number of loops that it is in, and what the addresses in it are.

use super::poll_in_place::PollInPlace;
use crate::abi::RuntimeCall;
use crate::arch;
use crate::request::{Env, PollStubs};
use hashbrown::HashMap;
use holloway_lang::ir::Builtin;
use std::ops::Range;

/// Machine code of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Instructions, in order.
    pub instructions: Vec<Listed>,
    /// Constants behind them: offsets and words.
    pub constants: Vec<(u32, u64)>,
}

/// An instruction of machine code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its offset.
    pub offset: u32,
    /// The instruction.
    pub text: String,
    /// The number of loops around it.
    pub depth: usize,
    /// The place it comes from: an index into the sites of the code. The frame's own instructions have none.
    pub site: Option<u32>,
    /// Its part in the program, or the name of an address in it.
    pub note: Option<String>,
}

/// Parts of code that the bytes do not tell.
pub(crate) struct Parts<'a> {
    /// Offsets of each range of instructions with the site it comes from, if any, in order.
    pub(crate) sites: Vec<(Range<u32>, Option<u32>)>,
    /// The polls in place.
    pub(crate) polls: &'a [PollInPlace],
    /// Offsets and names of addresses that are linked.
    pub(crate) linked: Vec<(u32, String)>,
}

/// Lists code.
pub(crate) fn list(env: &Env, code: &[u8], parts: &Parts<'_>) -> Listing {
    let end = parts.sites.last().map_or(code.len(), |(range, _)| range.end as usize);
    let (instructions, constants) = code.split_at(end);
    let site = |offset: u32| {
        let at = parts.sites.partition_point(|(range, _)| range.end <= offset);
        parts.sites.get(at).filter(|(range, _)| range.start <= offset).and_then(|(_, site)| *site)
    };
    let found = arch::disassemble(instructions);
    let loops = arch::loops(instructions);
    let next = found.iter().skip(1).map(|next| next.offset).chain([end as u32]);
    let ends: Vec<u32> = next.collect();
    let names: HashMap<usize, String> = env.named_addresses().into_iter().rev().collect();
    let listed = found.into_iter().zip(ends).map(|(found, end)| {
        let linked = parts.linked.iter().find(|(offset, _)| (found.offset..end).contains(offset));
        let poll = parts.polls.binary_search_by_key(&found.offset, |poll| poll.offset);
        let note = match (poll, linked) {
            (Ok(_), _) => Some("poll in place".to_owned()),
            (Err(_), Some((_, name))) => Some(name.clone()),
            (Err(_), None) => found.constant.and_then(|address| names.get(&(address as usize)).cloned()),
        };
        Listed {
            depth: loops.iter().filter(|range| range.contains(&(found.offset as usize))).count(),
            site: site(found.offset),
            offset: found.offset,
            text: found.text,
            note,
        }
    });
    Listing { instructions: listed.collect(), constants: words(constants, end) }
}

/// Constants are aligned to words.
fn words(bytes: &[u8], start: usize) -> Vec<(u32, u64)> {
    let padding = (start.next_multiple_of(8) - start).min(bytes.len());
    let word = |(nth, word): (usize, &[u8])| {
        let mut all = [0; 8];
        all[..word.len()].copy_from_slice(word);
        ((start + padding + 8 * nth) as u32, u64::from_le_bytes(all))
    };
    bytes[padding..].chunks(8).enumerate().map(word).collect()
}

impl Env {
    /// The addresses that code refers to, with what is there.
    pub fn named_addresses(&self) -> Vec<(usize, String)> {
        let functions = self.module.funcs.values().map(|decl| format!("entry of {}", decl.body.name));
        let globals = self.module.globals.values().map(|global| global.name.clone());
        let slots = |start: usize| (0..).map(move |nth: usize| start + 8 * nth);
        let PollStubs { entry, edge, header } = self.poll_stubs;
        let builtins = Builtin::untyped().map(RuntimeCall::Builtin);
        let calls = RuntimeCall::PLAIN.iter().copied().chain(builtins);
        std::iter::once((self.context, "context".to_owned()))
            .chain(slots(self.table).zip(functions))
            .chain(slots(self.globals).zip(globals))
            .chain(self.strings.iter().map(|string| (*string, "string".to_owned())))
            .chain([entry, edge, header].map(|stub| (stub, "poll".to_owned())))
            .chain(calls.map(|call| ((self.runtime_calls)(call), call.name())))
            .collect()
    }
}
