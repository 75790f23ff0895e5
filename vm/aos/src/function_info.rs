//! Facts that the controller knows of a function before it runs, from its IR: size, place, loops. Invariant: bodies
//! that differ have different [`BodyHash`]es, but for chance; the hash of one text is the same on every machine.
#![expect(missing_docs, reason = "fields that have none are what their names say")]

use std::fmt;
use std::hash::{Hash, Hasher};

use hashbrown::HashSet;
use holloway_ir::loops::Loop;
use holloway_ir::{
    BinaryOp, Block, BlockData, Cfg, FuncRef, Function, FunctionKind, Inst, Local, LoopId, Loops, Module, Operand,
    Terminator,
};
use holloway_lang::source::SourceMap;
use serde::{Deserialize, Serialize};

/// A function as it was declared to the controller.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionInfo {
    /// Name that people call it by.
    pub name: String,
    pub file: String,
    pub line: u32,
    /// Instructions of its body.
    pub size: u64,
    /// True iff another compiler has optimized it.
    pub is_optimized: bool,
    /// Its loops, outer ones first.
    pub loops: Vec<LoopInfo>,
    /// Its body, for telling whether advice is about the same one.
    pub hash: BodyHash,
}

/// A loop of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct LoopInfo {
    pub header: Block,
    pub line: u32,
    /// The header of the loop around it.
    pub parent: Option<Block>,
    /// Branches in it that do not decide whether it is left: what a path through it can differ in. Those of inner loops are theirs.
    pub branches: u32,
    /// The most values of one local that it chooses among, by one switch or by comparisons with each, outside inner loops.
    pub choices: u32,
    /// True iff it may come round more often in one iteration of the loop around it than in another.
    pub trips_vary: bool,
}

/// A hash of the text of a body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BodyHash(pub u64);

impl BodyHash {
    /// The hash of a body. Where it stands in its file does not matter.
    pub fn of(body: &Function) -> Self {
        let mut hasher = Fnv1a::new();
        body.params.hash(&mut hasher);
        body.locals.values().for_each(|local| local.hash(&mut hasher));
        for block in body.blocks.values() {
            (&block.insts, &block.term, block.handler).hash(&mut hasher);
        }
        Self(hasher.finish())
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
        Self::expanded(module, sources, func, module.function(func))
    }

    /// The same of one whose paths go through an expanded body.
    pub fn expanded(module: &Module, sources: &SourceMap, func: FuncRef, whole: &Function) -> Self {
        let body = module.function(func);
        let cfg = Cfg::compute(whole);
        let loops = Loops::of(&cfg);
        let line_of = |block: Block| sources.line_col(body.blocks[block].span()).0;
        let assigned = assigned(whole, &loops);
        let info_of = |(id, found): (LoopId, &Loop)| {
            let own: Vec<Block> =
                found.blocks.iter().copied().filter(|block| loops.innermost(*block) == Some(id)).collect();
            let decides = |block: &&Block| {
                let stays = cfg.succs(**block).iter().filter(|(to, _)| loops.contains(id, *to)).count();
                let branches =
                    matches!(whole.blocks[**block].term, Terminator::Branch { .. } | Terminator::Switch { .. });
                branches && stays > 1
            };
            LoopInfo {
                header: found.header,
                line: line_of(found.header),
                parent: found.parent.map(|parent| loops.get(parent).header),
                branches: own.iter().filter(decides).count() as u32,
                choices: choices(whole, &own),
                trips_vary: found
                    .parent
                    .is_some_and(|parent| trips_vary(whole, found, |local| assigned.contains(&(parent, local)))),
            }
        };
        let name = match body.kind {
            FunctionKind::Declared | FunctionKind::Provided => body.name.clone(),
            FunctionKind::TopLevel => "top-level statements".to_owned(),
        };
        Self {
            name,
            file: sources.file(body.span.file).name.clone(),
            line: sources.line_col(body.span).0,
            size: body.size() as u64,
            is_optimized: module.is_optimized(),
            loops: loops.iter().map(info_of).collect(),
            hash: BodyHash::of(whole),
        }
    }

    pub fn loop_at(&self, header: Block) -> Option<&LoopInfo> {
        self.loops.iter().find(|found| found.header == header)
    }

    pub fn loop_line(&self, header: Option<Block>) -> Option<u32> {
        self.loop_at(header?).map(|found| found.line)
    }
}

/// The most values of one local that some blocks choose among.
fn choices(body: &Function, blocks: &[Block]) -> u32 {
    let mut compared: Vec<Local> = Vec::new();
    let mut most = 0;
    for block in blocks.iter().map(|block| &body.blocks[*block]) {
        match &block.term {
            Terminator::Switch { cases, .. } => most = most.max(cases.len()),
            _ => compared.extend(compared_with_int(block)),
        }
    }
    compared.sort_unstable();
    compared.chunk_by(|a, b| a == b).map(<[Local]>::len).fold(most, usize::max) as u32
}

/// The local that a block's branch compares with a constant for equality.
fn compared_with_int(block: &BlockData) -> Option<Local> {
    match test(block)? {
        Inst::Binary { op: BinaryOp::IntEq, lhs: Operand::Local(local), rhs: Operand::Int(_), .. } => Some(*local),
        _ => None,
    }
}

/// The instruction of a block that its branch goes by, if it is there.
fn test(block: &BlockData) -> Option<&Inst> {
    let Terminator::Branch { cond: Operand::Local(cond), .. } = block.term else { return None };
    block.insts.iter().rev().find(|inst| inst.dst() == Some(cond))
}

/// True iff iterations of a loop differ by how often loops inside it come round, and by nothing of its own.
pub fn differs_by_trips(loops: &[LoopInfo], around: &LoopInfo) -> bool {
    let is_inside = |found: &LoopInfo| found.parent == Some(around.header) && found.trips_vary;
    around.branches == 0 && loops.iter().any(is_inside)
}

/// FNV-1a, because the standard library promises no hash that stays the same.
struct Fnv1a(u64);

impl Fnv1a {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv1a {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The locals that each loop assigns, those in it included.
fn assigned(body: &Function, loops: &Loops) -> HashSet<(LoopId, Local)> {
    let mut found = HashSet::new();
    for (block, data) in body.blocks.iter() {
        for local in data.insts.iter().filter_map(Inst::dst) {
            let mut around = loops.innermost(block);
            // Where one knows it already, so do those around it.
            while let Some(id) = around.filter(|id| found.insert((*id, local))) {
                around = loops.get(id).parent;
            }
        }
    }
    found
}

/// True iff a loop may come round more often in one iteration of a loop around it than in another: unless its header compares a counter with what the outer
/// loop does not change.
fn trips_vary(body: &Function, inner: &Loop, changes: impl Fn(Local) -> bool) -> bool {
    let Some(Inst::Binary { lhs, rhs, .. }) = test(&body.blocks[inner.header]) else { return true };
    let assigning = |local: Local| {
        let insts = inner.blocks.iter().flat_map(|block| &body.blocks[*block].insts);
        insts.filter(move |inst| inst.dst() == Some(local))
    };
    let is_step = |local: Local, inst: &Inst| match inst {
        Inst::Binary { op: BinaryOp::IntAdd | BinaryOp::IntSub, lhs, rhs: Operand::Int(_), .. } => {
            *lhs == Operand::Local(local)
        }
        _ => false,
    };
    let is_counter = |operand: &Operand| match operand {
        Operand::Local(local) => assigning(*local).all(|inst| is_step(*local, inst)),
        _ => false,
    };
    let is_fixed = |operand: &Operand| match operand {
        Operand::Local(local) => !changes(*local),
        _ => true,
    };
    !(is_counter(lhs) && is_fixed(rhs) || is_counter(rhs) && is_fixed(lhs))
}
