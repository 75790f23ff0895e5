//! From addresses to the program: functions, versions, places and stacks as records, each told once.
//!
//! In: versions as they are placed, and samples. Out: the records that they need, each before the first that refers to it.
//! Invariant: no address belongs to two versions, as [`holloway_machine::CodeStore::keep_origins`] sees to.

use super::record::{Doing, Frame, Function, Record, Sample, Stack, Version};
use holloway_aos::input::BodyHash;
use holloway_jit::{Entry, Site};
use holloway_lang::ir::{FuncRef, Module};
use holloway_lang::source::{SourceMap, Span};
use holloway_machine::sampler;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::report::text::function_name;
use crate::report::unique_names::function_names;

/// Stacks that are known by their addresses: of more, which deep recursion makes, each is found anew.
const MOST_KNOWN: usize = 1 << 14;

/// The addresses and places of a run.
pub(super) struct Places {
    module: Arc<Module>,
    sources: SourceMap,
    /// Versions by address, with their indices.
    versions: BTreeMap<usize, (u32, Arc<holloway_jit::Version>)>,
    indices: HashMap<u32, u32>,
    /// Names of the functions of the module, told apart.
    names: HashMap<FuncRef, String>,
    /// Versions of each function and kind so far.
    counts: HashMap<(u32, &'static str), u32>,
    functions: HashMap<FuncRef, u32>,
    frames: HashMap<Frame, u32>,
    stacks: HashMap<Stack, u32>,
    /// Stacks by the addresses that they were found by, and whether there were more.
    known: HashMap<(sampler::Doing, Vec<usize>, bool), u32>,
    /// Lines of spans: most samples fall on few of them.
    lines: HashMap<Span, u32>,
    new: Vec<Record>,
}

impl Places {
    pub(super) fn of(module: Arc<Module>, sources: SourceMap) -> Places {
        Places {
            names: names(&module, &sources),
            module,
            sources,
            versions: BTreeMap::new(),
            indices: HashMap::new(),
            counts: HashMap::new(),
            functions: HashMap::new(),
            frames: HashMap::new(),
            stacks: HashMap::new(),
            known: HashMap::new(),
            lines: HashMap::new(),
            new: Vec::new(),
        }
    }

    /// The records that have become necessary since this was asked last.
    pub(super) fn take_new(&mut self) -> Vec<Record> {
        std::mem::take(&mut self.new)
    }

    /// Takes a version that is in its place now.
    pub(super) fn add(&mut self, version: &Arc<holloway_jit::Version>) {
        let function = self.function(version.func);
        let kind = version.kind();
        let count = self.counts.entry((function, kind)).or_default();
        *count += 1;
        let count = *count;
        let name =
            format!("{}/{}-{count}", self.names[&version.func], if kind == "specialized" { "trace" } else { kind });
        let entry_line = match version.entry {
            Entry::Call => None,
            Entry::Header(header) => {
                let body = self.module.function(version.func);
                body.blocks.get(header).map(|block| self.sources.line_col(block.span()).0)
            }
        };
        let index = self.versions.len() as u32;
        self.versions.insert(version.range.start, (index, Arc::clone(version)));
        self.indices.insert(version.id.0, index);
        let bytes = version.range.len as u64;
        let tier = kind.to_owned();
        self.new.push(Record::Version(Version { id: version.id.0, name, function, tier, entry_line, bytes }));
    }

    /// The index of a version.
    pub(super) fn index_of(&self, id: u32) -> Option<u32> {
        self.indices.get(&id).copied()
    }

    /// The index of a function.
    pub(super) fn function(&mut self, func: FuncRef) -> u32 {
        if let Some(known) = self.functions.get(&func) {
            return *known;
        }
        let body = self.module.function(func);
        let line = self.sources.line_col(body.span).0;
        let is_own = |span: &Span| span.file == body.span.file;
        let spans = body.blocks.values().flat_map(|block| [block.span(), block.term_span]).filter(is_own);
        let last_line = spans.map(|span| self.sources.line_col(span).0).max().map_or(line, |last| last.max(line));
        let function = Function {
            name: function_name(&self.module, func),
            file: self.sources.file(body.span.file).name.clone(),
            line,
            last_line,
            hash: BodyHash::of(body),
        };
        let index = self.functions.len() as u32;
        self.functions.insert(func, index);
        self.new.push(Record::Function(function));
        index
    }

    pub(super) fn line(&mut self, span: Span) -> u32 {
        let sources = &self.sources;
        *self.lines.entry(span).or_insert_with(|| sources.line_col(span).0)
    }

    /// The sample of what was taken.
    pub(super) fn sample(&mut self, taken: sampler::Sample) -> Sample {
        let micros = |time: std::time::Duration| time.as_nanos() as f64 / 1e3;
        let (at, weight) = (micros(taken.at), micros(taken.weight));
        let key = (taken.doing, taken.frames, taken.left_out > 0);
        let stack = match self.known.get(&key) {
            Some(known) => *known,
            None => {
                let stack = self.stack(key.0, &key.1, key.2);
                if self.known.len() >= MOST_KNOWN {
                    self.known.clear();
                }
                self.known.insert(key, stack);
                stack
            }
        };
        Sample { at, weight, stack }
    }

    fn stack(&mut self, doing: sampler::Doing, addresses: &[usize], has_left_out: bool) -> u32 {
        let mut frames = Vec::new();
        let mut left_behind = None;
        for (nth, address) in addresses.iter().enumerate() {
            if has_left_out && nth == sampler::MOST_INNER {
                left_behind = Some(frames.len());
            }
            let is_running = nth == 0 && doing == sampler::Doing::Code;
            frames.extend(self.frames_at(*address, is_running));
        }
        let doing = match doing {
            sampler::Doing::Code => Doing::Code,
            sampler::Doing::Call if !frames.is_empty() => Doing::Runtime,
            sampler::Doing::Call | sampler::Doing::Outside => Doing::Outside,
        };
        let stack = Stack { doing, frames, left_out: left_behind };
        if let Some(known) = self.stacks.get(&stack) {
            return *known;
        }
        let index = self.stacks.len() as u32;
        self.stacks.insert(stack.clone(), index);
        self.new.push(Record::Stack(stack));
        index
    }

    /// The frames of one in compiled code, innermost first: more than one where functions are inlined.
    fn frames_at(&mut self, address: usize, is_running: bool) -> Vec<u32> {
        let Some((_, (index, version))) = self.versions.range(..=address).next_back() else { return Vec::new() };
        let (index, version) = (*index, Arc::clone(version));
        // The stubs between the versions belong to none, and words that look like return addresses and follow no call are none.
        // A call may be the last instruction: what it returns to lies right behind the version.
        let offset = address - version.range.start;
        let is_outside = if is_running { offset >= version.range.len } else { offset > version.range.len };
        if is_outside || !is_running && version.call_returning_to(address).is_none() {
            return Vec::new();
        }
        let site = match is_running {
            true => version.site_at(address).or(version.frame.entry_site),
            false => version.call_returning_to(address).map(|call| call.site),
        };
        let sites: Vec<Site> = site.into_iter().flat_map(|site| version.frames_at(site)).collect();
        if sites.is_empty() {
            let function = self.function(version.func);
            let line = self.line(self.module.function(version.func).span);
            return vec![self.frame(Frame { function, line, version: index, inlined: false })];
        }
        let last = sites.len() - 1;
        let frames = sites.into_iter().enumerate().map(|(nth, site)| {
            let function = self.function(site.func);
            let line = self.line(site.span);
            self.frame(Frame { function, line, version: index, inlined: nth < last })
        });
        frames.collect()
    }

    fn frame(&mut self, frame: Frame) -> u32 {
        if let Some(known) = self.frames.get(&frame) {
            return *known;
        }
        let index = self.frames.len() as u32;
        self.frames.insert(frame, index);
        self.new.push(Record::Frame(frame));
        index
    }
}

/// The names of all functions of a module, told apart: the same in each run of a program.
fn names(module: &Module, sources: &SourceMap) -> HashMap<FuncRef, String> {
    let funcs: Vec<FuncRef> = module.funcs.keys().collect();
    let named: Vec<(String, &str, u32)> = funcs
        .iter()
        .map(|func| {
            let span = module.function(*func).span;
            (function_name(module, *func), sources.file(span.file).name.as_str(), sources.line_col(span).0)
        })
        .collect();
    let named: Vec<(&str, &str, u32)> = named.iter().map(|(name, file, line)| (name.as_str(), *file, *line)).collect();
    funcs.into_iter().zip(function_names(&named)).collect()
}
