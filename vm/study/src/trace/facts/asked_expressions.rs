//! The expressions that a question is about, and the statements that compute them.
//!
//! In: a program, and which of its statements are asked about. Out: numbers of their expressions, of each what it reads
//! and its slot, and for each statement of the program the number of what it computes. Expressions of locals are those
//! of one function, and have a slot in each activation of it; others are shared by all functions.

use super::expressions::{Expression, ReadSet};
use super::place::Site;
use holloway_lang::ir::{Block, FuncRef, Module};
use std::collections::HashMap;

/// The slot of an expression's last computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::trace) enum Slot {
    /// In each activation of its function.
    Own(usize),
    /// Of the whole run.
    Shared(usize),
}

/// An expression that is asked about.
struct Asked {
    slot: Slot,
    reads: ReadSet,
}

/// Something of each statement: by function, block and instruction.
type ByStatement<T> = Vec<Vec<Vec<T>>>;

/// Those of a question.
pub(in crate::trace) struct AskedExpressions {
    asked: Vec<Asked>,
    /// The number of the expression, and true if the statement is asked about.
    statements: ByStatement<Option<(u32, bool)>>,
    /// Number of slots of each function.
    own: Vec<usize>,
    shared: usize,
    is_in_memory: bool,
}

impl AskedExpressions {
    /// The expressions of the statements that are asked about.
    pub(in crate::trace) fn new(module: &Module, is_asked: impl Fn(Site, &Expression) -> bool) -> AskedExpressions {
        let mut found = AskedExpressions {
            asked: Vec::new(),
            statements: Vec::new(),
            own: vec![0; module.funcs.len()],
            shared: 0,
            is_in_memory: false,
        };
        let all: ByStatement<Option<Expression>> =
            module.funcs.iter().map(|(func, _)| computed(module, func)).collect();
        let mut numbers: HashMap<(Option<FuncRef>, Expression), u32> = HashMap::new();
        each(&all, |site, expression| {
            if is_asked(site, expression) {
                let reads = expression.killed_by();
                let key = (owner(site.0, &reads), expression.clone());
                numbers.entry(key).or_insert_with(|| found.add(site.0, expression, reads));
            }
        });
        found.statements =
            all.iter().map(|blocks| blocks.iter().map(|insts| vec![None; insts.len()]).collect()).collect();
        each(&all, |site, expression| {
            let key = (owner(site.0, &expression.killed_by()), expression.clone());
            if let Some(number) = numbers.get(&key) {
                let (func, block) = (site.0.as_u32() as usize, site.1.as_u32() as usize);
                found.statements[func][block][site.2] = Some((*number, is_asked(site, expression)));
            }
        });
        found
    }

    fn add(&mut self, func: FuncRef, expression: &Expression, reads: ReadSet) -> u32 {
        let slots = match owner(func, &reads) {
            Some(func) => &mut self.own[func.as_u32() as usize],
            None => &mut self.shared,
        };
        let at = *slots;
        *slots += 1;
        let slot = if owner(func, &reads).is_some() { Slot::Own(at) } else { Slot::Shared(at) };
        self.is_in_memory |= expression.is_in_memory();
        self.asked.push(Asked { slot, reads });
        self.asked.len() as u32 - 1
    }

    /// The number of the expression that a statement computes if it is one of these, and true if the statement is asked
    /// about.
    pub(in crate::trace) fn at(&self, (func, block, at): Site) -> Option<(u32, bool)> {
        self.statements[func.as_u32() as usize][block.as_u32() as usize][at]
    }

    /// The slot of an expression, and the locations that change its value whatever address is stored to.
    pub(in crate::trace) fn expression(&self, number: u32) -> (Slot, &ReadSet) {
        let Asked { slot, reads } = &self.asked[number as usize];
        (*slot, reads)
    }

    /// Number of slots in each activation of a function.
    pub(in crate::trace) fn own(&self, func: FuncRef) -> usize {
        self.own[func.as_u32() as usize]
    }

    /// Number of slots of the whole run.
    pub(in crate::trace) fn shared(&self) -> usize {
        self.shared
    }

    /// True if some of them are loads from memory, whose address the execution tells.
    pub(in crate::trace) fn is_in_memory(&self) -> bool {
        self.is_in_memory
    }
}

/// The function whose locals an expression reads; `None` if it reads none.
fn owner(func: FuncRef, reads: &ReadSet) -> Option<FuncRef> {
    (!reads.locals.is_empty()).then_some(func)
}

/// The expression that each instruction of a function computes.
fn computed(module: &Module, func: FuncRef) -> Vec<Vec<Option<Expression>>> {
    let blocks = module.function(func).blocks.iter();
    blocks
        .map(|(block, data)| (0..data.insts.len()).map(|at| Expression::of(module, func, block, at)).collect())
        .collect()
}

fn each(all: &ByStatement<Option<Expression>>, mut look: impl FnMut(Site, &Expression)) {
    for (func, blocks) in all.iter().enumerate() {
        for (block, insts) in blocks.iter().enumerate() {
            for (at, expression) in insts.iter().enumerate() {
                if let Some(expression) = expression {
                    look((FuncRef::from_u32(func as u32), Block::from_u32(block as u32), at), expression);
                }
            }
        }
    }
}
