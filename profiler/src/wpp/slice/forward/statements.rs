//! The statements of a program by dense numbers, and what decides on its blocks.
//!
//! In: procedures. Out: tables that a forward slicer looks things up in at every step. Invariant: the numbers of the statements of a block follow each other,
//! and so do those of the parts of a statement: its definitions, and its decision.

use std::collections::HashMap;

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

use crate::graph::Node;
use crate::wpp::slice::control::ControlDependence;
use crate::wpp::slice::model::{LocalId, Location, Procedure, ProcedureId, Statement, StatementId};

/// The tables of a program.
#[derive(Clone, Debug)]
pub(super) struct Statements<'p> {
    pub(super) procedures: &'p PrimaryMap<ProcedureId, Procedure>,
    /// Each statement, by its number.
    ids: Vec<StatementId>,
    /// The number of the first part of each.
    parts: Vec<u32>,
    /// The numbers of the uses of all parts, each part's decision before it; the same location has one number in all
    /// parts of a statement.
    uses: Vec<u32>,
    /// The index of the first of each part.
    first_use: Vec<u32>,
    tables: SecondaryMap<ProcedureId, ProcedureTable>,
}

/// The tables of a procedure.
#[derive(Clone, Debug, Default)]
pub(super) struct ProcedureTable {
    /// The number of the first statement of each block.
    first: SecondaryMap<Node, u32>,
    pub(super) control: ControlDependence,
    /// The number of each block that ends with a branch, among those.
    branches: SecondaryMap<Node, Option<u32>>,
    /// The branches that decide on each block, by those numbers.
    deciding: SecondaryMap<Node, Vec<u32>>,
    /// Blocks that end with a branch.
    pub(super) branch_count: usize,
    /// Locals.
    pub(super) local_count: usize,
}

impl<'p> Statements<'p> {
    pub(super) fn new(procedures: &'p PrimaryMap<ProcedureId, Procedure>) -> Statements<'p> {
        let mut found = Statements {
            procedures,
            ids: Vec::new(),
            parts: Vec::new(),
            uses: Vec::new(),
            first_use: Vec::new(),
            tables: SecondaryMap::new(),
        };
        let mut next_use = 0;
        for (id, procedure) in procedures {
            let control = ControlDependence::new(&procedure.graph);
            let mut table = ProcedureTable { control, ..ProcedureTable::default() };
            let mut locals = procedure.parameters.iter().map(|local| local.index() + 1).max().unwrap_or(0);
            for block in procedure.graph.nodes() {
                table.first[block] = found.ids.len() as u32;
                for (index, statement) in (0..).zip(&procedure.blocks[block]) {
                    found.ids.push(StatementId { procedure: id, block, index });
                    found.parts.push(found.first_use.len() as u32);
                    next_use = found.add_uses(statement, next_use);
                    locals = locals.max(locals_of(statement));
                }
                if procedure.graph.normal_successors(block).nth(1).is_some() {
                    table.branches[block] = Some(table.branch_count as u32);
                    table.branch_count += 1;
                }
            }
            for block in procedure.graph.nodes() {
                let deciding = table.control.branches(block).filter_map(|branch| table.branches[branch]).collect();
                table.deciding[block] = deciding;
            }
            table.local_count = locals;
            found.tables[id] = table;
        }
        found
    }

    /// Parts of all statements.
    pub(super) fn part_count(&self) -> usize {
        self.first_use.len()
    }

    /// Numbers the uses of a statement from here; returns the next number.
    fn add_uses(&mut self, statement: &Statement, decision: u32) -> u32 {
        let mut numbers: HashMap<Location, u32> = HashMap::new();
        let parts = statement.definitions.iter().map(|definition| &definition.uses).chain([&statement.decides_on]);
        for uses in parts {
            self.first_use.push(self.uses.len() as u32);
            self.uses.push(decision);
            for location in uses {
                let next = decision + 1 + numbers.len() as u32;
                self.uses.push(*numbers.entry(*location).or_insert(next));
            }
        }
        decision + 1 + numbers.len() as u32
    }

    /// The number of a use of a part: at 0 of the decision on its block, then of each location that it uses.
    pub(super) fn use_number(&self, part: usize, position: usize) -> u32 {
        self.uses[self.first_use[part] as usize + position]
    }

    pub(super) fn table(&self, procedure: ProcedureId) -> &ProcedureTable {
        &self.tables[procedure]
    }

    pub(super) fn get(&self, id: StatementId) -> &'p Statement {
        &self.procedures[id.procedure].blocks[id.block][id.index as usize]
    }

    pub(super) fn id(&self, number: u32) -> StatementId {
        self.ids[number as usize]
    }

    pub(super) fn number(&self, id: StatementId) -> u32 {
        self.tables[id.procedure].first[id.block] + id.index
    }

    /// The number of a statement's first part.
    pub(super) fn part(&self, number: u32) -> u32 {
        self.parts[number as usize]
    }
}

impl ProcedureTable {
    /// The number of the branch at the end of a block, if it has one.
    pub(super) fn branch(&self, block: Node) -> Option<u32> {
        self.branches[block]
    }

    /// The branches that decide on a block.
    pub(super) fn deciding(&self, block: Node) -> &[u32] {
        &self.deciding[block]
    }
}

/// One more than the greatest number of a local in a statement.
fn locals_of(statement: &Statement) -> usize {
    let definitions = statement.definitions.iter();
    let all = definitions.flat_map(|it| it.uses.iter().chain([&it.target])).chain(&statement.decides_on);
    let number = |location: &Location| match location {
        Location::Local(local) => LocalId::index(*local) + 1,
        Location::Global(_) | Location::Cell { .. } | Location::Argument(_) | Location::Result | Location::Returned => {
            0
        }
    };
    all.map(number).max().unwrap_or(0)
}
