//! Facts that the controller knows of a function before it runs: how large it is, where it stands, which loops it has.
//!
//! In: a body of the IR and the sources. Out: [`FunctionInfo`]. Invariant: two bodies that differ have different
//! [`BodyHash`]es, but for chance; the hash of one text is the same on every machine and in every run.

use std::fmt::{self, Write};

use holloway_lang::ir::loops::Loop;
use holloway_lang::ir::{Block, Cfg, FuncRef, Function, FunctionKind, LoopId, Loops, Module, Terminator};
use holloway_lang::source::SourceMap;
use serde::{Deserialize, Serialize};

/// A function as it was declared to the controller.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionInfo {
    /// Name that people call it by.
    pub name: String,
    /// The file it stands in.
    pub file: String,
    /// The line it starts on.
    pub line: u32,
    /// Instructions of its body.
    pub size: u64,
    /// Its loops, outer ones first.
    pub loops: Vec<LoopInfo>,
    /// Its body, for telling whether advice is about the same one.
    pub hash: BodyHash,
}

/// A loop of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct LoopInfo {
    /// Its header.
    pub header: Block,
    /// The line it starts on.
    pub line: u32,
    /// The header of the loop around it.
    pub parent: Option<Block>,
    /// Branches in it that do not decide whether it is left: what an iteration can differ in, the trips of
    /// inner loops included.
    pub branches: u32,
}

/// A hash of the text of a body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BodyHash(pub u64);

impl BodyHash {
    /// The hash of a body. Where it stands in its file does not matter.
    pub fn of(body: &Function) -> Self {
        let mut text = format!("{:?}{:?}", body.params, body.locals);
        for block in body.blocks.values() {
            write!(text, "{:?}{:?}{:?}", block.insts, block.term, block.handler).expect("strings take all text");
        }
        Self(fnv1a(text.as_bytes()))
    }
}

impl fmt::Display for BodyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl From<BodyHash> for String {
    fn from(hash: BodyHash) -> String {
        hash.to_string()
    }
}

impl TryFrom<String> for BodyHash {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        u64::from_str_radix(&text, 16).map(Self).map_err(|_| format!("{text:?} is no hash"))
    }
}

impl FunctionInfo {
    /// Collects what there is to know of a function.
    pub fn of(module: &Module, sources: &SourceMap, func: FuncRef) -> Self {
        let body = module.function(func);
        let cfg = Cfg::compute(body);
        let loops = Loops::of(&cfg);
        let line_of = |block: Block| sources.line_col(body.blocks[block].span()).0;
        let info_of = |(id, found): (LoopId, &Loop)| {
            let decides = |block: &&Block| {
                let stays = cfg.succs(**block).iter().filter(|(to, _)| loops.contains(id, *to)).count();
                let branches =
                    matches!(body.blocks[**block].term, Terminator::Branch { .. } | Terminator::Switch { .. });
                branches && stays > 1
            };
            LoopInfo {
                header: found.header,
                line: line_of(found.header),
                parent: found.parent.map(|parent| loops.get(parent).header),
                branches: found.blocks.iter().filter(decides).count() as u32,
            }
        };
        let name = match body.kind {
            FunctionKind::Declared => body.name.clone(),
            FunctionKind::TopLevel => "top-level statements".to_owned(),
        };
        Self {
            name,
            file: sources.file(body.span.file).name.clone(),
            line: sources.line_col(body.span).0,
            size: body.size() as u64,
            loops: loops.iter().map(info_of).collect(),
            hash: BodyHash::of(body),
        }
    }

    /// The loop with that header.
    pub fn loop_at(&self, header: Block) -> Option<&LoopInfo> {
        self.loops.iter().find(|found| found.header == header)
    }

    /// The line of the loop with that header.
    pub fn loop_line(&self, header: Option<Block>) -> Option<u32> {
        self.loop_at(header?).map(|found| found.line)
    }
}

/// FNV-1a, because the standard library promises no hash that stays the same.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
