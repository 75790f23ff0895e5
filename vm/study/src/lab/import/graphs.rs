//! The lab's graphs of a module.
//!
//! In: a [`Module`], and what a trace shows of calls that it does not name. Out: [`Graphs`]: procedures with blocks in which at most the
//! last thing is a call, and for each block and call of the module the numbers of theirs.
//!
//! ```text
//!   b: ..., call f, ..., ret        b -> f, back to b+1                     one callee
//!   b: ..., call *p, ...            b -> b@f or b@g, each back to b+1       several; an edge b -> b+1 if some executions called none
//!   b: ..., call qsort, ...         b -> b@ -> b@f, back to b@ -> b+1       callbacks, any number of times
//! ```
//!
//! A function with several blocks that return, or none, gets a block `@exit` behind them. No label of LLVM has a `+` or an `@` unless it is quoted.
//! Invariant: blocks are numbered as the lab numbers them: each is a key of its procedure's successors, in this order.

use hashbrown::HashMap;
use serde_json::{Value, json};

use super::observed::{Callees, Observed};
use super::walk::{Place, Site};
use crate::lab::llvm::{Block, Callee, End, Function, Module};

/// Every procedure, and the numbers of its blocks.
pub(super) struct Graphs {
    main: usize,
    procedures: Vec<ProcedureGraph>,
    /// The number of each block of each function.
    block_numbers: Vec<Vec<u32>>,
    /// The number of each function's `@exit`, where it has one.
    exits: Vec<Option<u32>>,
    sites: HashMap<Site, SiteBlocks>,
    names: Vec<(usize, usize)>,
}

/// The numbers of the blocks at a call.
#[derive(Clone, Debug, Default)]
pub(super) struct SiteBlocks {
    /// Of the block before each callee, where there is a choice.
    pub(super) arms: Vec<(usize, u32)>,
    /// Of the block to which callbacks return.
    pub(super) repeat: Option<u32>,
    /// Of the block behind the call.
    pub(super) next: u32,
}

#[derive(Default)]
struct ProcedureGraph {
    exit: String,
    blocks: Vec<LabBlock>,
}

struct LabBlock {
    name: String,
    lines: Option<(u32, u32)>,
    successors: Vec<String>,
    /// The function called at the end, and the return site.
    call: Option<(usize, String)>,
}

const EXIT: &str = "@exit";

impl Graphs {
    /// Builds every graph.
    pub(super) fn new(module: &Module, main: usize, observed: &Observed) -> Graphs {
        let (procedures, block_numbers, exits) = (Vec::new(), Vec::new(), Vec::new());
        let mut graphs = Graphs { main, procedures, block_numbers, exits, sites: HashMap::new(), names: Vec::new() };
        for (index, function) in module.functions.iter().enumerate() {
            graphs.add(index, function, &module.functions, observed);
        }
        graphs
    }

    fn add(&mut self, index: usize, function: &Function, functions: &[Function], observed: &Observed) {
        let first = self.names.len();
        let returns = function.blocks.iter().filter(|block| block.end == End::Returns).count();
        let (exits_apart, exit, blocks) = (returns != 1, EXIT.to_owned(), Vec::new());
        let mut building = Building { functions, function, first, blocks, exits_apart, exit };
        let mut numbers = Vec::new();
        for (block, text) in function.blocks.iter().enumerate() {
            numbers.push(building.next_number());
            let place = Place { function: index, block };
            let calls = text.calls.iter().enumerate().filter_map(|(call, callee)| {
                let site = Site { place, call };
                match callee {
                    Callee::Traced(callee) => Some((site, Callees { functions: vec![*callee], ..Callees::default() })),
                    Callee::Pointer | Callee::Outside => Some((site, observed.at(site)?.clone())),
                }
            });
            for (site, blocks) in building.block(text, calls) {
                self.sites.insert(site, blocks);
            }
        }
        let exit = building.exits_apart.then(|| building.push(EXIT.to_owned(), None));
        self.names.extend((0..building.blocks.len()).map(|block| (index, block)));
        self.block_numbers.push(numbers);
        self.exits.push(exit);
        self.procedures.push(ProcedureGraph { exit: building.exit, blocks: building.blocks });
    }

    /// Number of blocks.
    pub(super) fn blocks(&self) -> u32 {
        u32::try_from(self.names.len()).expect("a text has fewer blocks than bytes")
    }

    /// The number of a block.
    pub(super) fn block(&self, place: Place) -> u32 {
        self.block_numbers[place.function][place.block]
    }

    /// The block behind those that return, if it is one of its own.
    pub(super) fn exit(&self, function: usize) -> Option<u32> {
        self.exits[function]
    }

    /// The blocks at a call, if it called a traced function.
    pub(super) fn site(&self, site: Site) -> Option<&SiteBlocks> {
        self.sites.get(&site)
    }

    /// The name of a block in traces.
    pub(super) fn name(&self, module: &Module, number: u32) -> String {
        let (function, block) = self.names[number as usize];
        let name = &self.procedures[function].blocks[block].name;
        if self.procedures.len() == 1 { name.clone() } else { format!("{}:{name}", module.functions[function].name) }
    }

    /// The input without its traces, and without its closing brace. A procedure a line.
    pub(super) fn json_head(&self, module: &Module) -> String {
        let functions = &module.functions;
        let procedure = |(graph, function): (&ProcedureGraph, &Function)| {
            format!("{}:{}", Value::from(function.name.as_str()), graph.json(function, functions))
        };
        let procedures: Vec<String> = self.procedures.iter().zip(functions).map(procedure).collect();
        let main = Value::from(functions[self.main].name.as_str());
        format!("{{\"scheme\":\"bl\",\"main\":{main},\n\"procedures\":{{\n{}\n}}", procedures.join(",\n"))
    }
}

impl ProcedureGraph {
    /// The procedure as JSON. The order of members is the order of numbers, which a map of JSON values would not keep.
    fn json(&self, function: &Function, functions: &[Function]) -> String {
        let text = |name: &str| Value::from(name).to_string();
        let object = |member: &dyn Fn(&LabBlock) -> Option<Value>| {
            let members = self.blocks.iter().filter_map(|b| Some(format!("{}:{}", text(&b.name), member(b)?)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        };
        let successors = object(&|block| Some(json!(block.successors)));
        let call = |(callee, site): &(usize, String)| json!({ "callee": functions[*callee].name, "return_site": site });
        let calls = object(&|block| block.call.as_ref().map(call));
        let lines = object(&|block| block.lines.map(|(first, last)| json!([first, last])));
        let file = function.file.as_deref().map(|file| format!("\"file\":{},", text(file))).unwrap_or_default();
        let (entry, exit) = (text(&self.blocks[0].name), text(&self.exit));
        format!(
            "{{\"entry\":{entry},\"exit\":{exit},{file}\"successors\":{successors},\"calls\":{calls},\"lines\":{lines}}}"
        )
    }
}

/// A procedure whose blocks are being added.
struct Building<'m> {
    functions: &'m [Function],
    function: &'m Function,
    /// The number of its first block.
    first: usize,
    blocks: Vec<LabBlock>,
    exits_apart: bool,
    exit: String,
}

impl Building<'_> {
    fn next_number(&self) -> u32 {
        u32::try_from(self.first + self.blocks.len()).expect("a text has fewer blocks than bytes")
    }

    fn push(&mut self, name: String, lines: Option<(u32, u32)>) -> u32 {
        let number = self.next_number();
        self.blocks.push(LabBlock { name, lines, successors: Vec::new(), call: None });
        number
    }

    /// Adds a block, split at its calls.
    fn block(&mut self, text: &Block, calls: impl Iterator<Item = (Site, Callees)>) -> Vec<(Site, SiteBlocks)> {
        let mut name = text.name.clone();
        self.push(name.clone(), text.lines);
        let mut sites = Vec::new();
        for (nth, (site, callees)) in calls.enumerate() {
            let next = format!("{}+{}", text.name, nth + 1);
            let mut at = SiteBlocks::default();
            if let (&[callee], false, false) = (&callees.functions[..], callees.calls_none, callees.repeats) {
                self.last().call = Some((callee, next.clone()));
            } else {
                let (mut choice, mut return_site) = (self.blocks.len() - 1, next.clone());
                if callees.repeats {
                    return_site = format!("{name}@");
                    self.last().successors.push(return_site.clone());
                    choice = self.blocks.len();
                    at.repeat = Some(self.push(return_site.clone(), text.lines));
                }
                for callee in callees.functions {
                    let arm = format!("{name}@{}", self.functions[callee].name);
                    self.blocks[choice].successors.push(arm.clone());
                    at.arms.push((callee, self.push(arm, text.lines)));
                    self.last().call = Some((callee, return_site.clone()));
                }
                if callees.repeats || callees.calls_none {
                    self.blocks[choice].successors.push(next.clone());
                }
            }
            at.next = self.push(next.clone(), text.lines);
            name = next;
            sites.push((site, at));
        }
        let end = match &text.end {
            End::LeadsTo(successors) => successors.iter().map(|&s| self.function.blocks[s].name.clone()).collect(),
            End::Returns if self.exits_apart => vec![EXIT.to_owned()],
            End::Returns => {
                self.exit.clone_from(&name);
                Vec::new()
            }
            End::Stops => Vec::new(),
        };
        self.last().successors = end;
        sites
    }

    fn last(&mut self) -> &mut LabBlock {
        self.blocks.last_mut().expect("a block was added")
    }
}
