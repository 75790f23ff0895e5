//! The code of an engine: compiled versions, the table of entries and stubs.
//!
//! In: functions to compile. Out: entries to call. Invariant: the table has an entry for every function
//! of the installed module; a function without code has its stub there.
#![expect(unsafe_code, reason = "writes the table that compiled code reads, and frees code")]

use super::callees::Callees;
use super::density::Density;
use super::settings::{CODE_SIZE, LEAST_CODE_SIZE, MOST_POLLS_IN_PLACE};
use cranelift_entity::{EntityRef, PrimaryMap};
use hashbrown::{HashMap, HashSet};
use holloway_ir::module::MOST_FUNCTIONS;
use holloway_ir::{Block, FuncRef, Function};
use holloway_jit::arch::{STUB_SIZE, check_host, lazy_stub, poll_stub, return_barrier};
use holloway_jit::arrays::Arrays;
use holloway_jit::opt::pipeline::{INLINE, Options};
use holloway_jit::probes::Paths;
use holloway_jit::progress::Progress;
use holloway_jit::trace::{Formed, Traces};
use holloway_jit::trivial::TrivialFunctions;
use holloway_jit::{
    CodeMap, CodeMemory, Compiled, Entry, Env, FuelCounting, LoadedCode, LoopPolls, Origins, PollStubs, Request, Tier,
    Version, VersionId, compile_unmeasured,
};
use holloway_runtime::failure::FailureKind;
use holloway_runtime::heap::mapping::Mapping;
use holloway_runtime::{Runtime, cpu_time};
use std::collections::BTreeMap;
use std::io;
use std::ptr::with_exposed_provenance_mut;
use std::sync::Arc;
use std::time::Duration;

/// Cost of compilations so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodeStats {
    /// Functions compiled.
    pub functions: u64,
    /// Instructions of the IR in them.
    pub instructions: u64,
    /// Bytes of machine code.
    pub bytes: u64,
    /// CPU time of the thread that compiled them.
    pub time: Duration,
}

/// Reuse of the memory of freed versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reuse {
    /// For versions that are compiled later.
    Allowed,
    /// Never: an address belongs to one version for the whole run.
    Never,
}

/// Is told of a version installed: the version, its code, its name.
type Listener = Box<dyn FnMut(&Arc<Version>, &[u8], &str) + Send>;

/// The code of one function.
struct Slot {
    body: Arc<Function>,
    stub: usize,
    /// The version that new calls run.
    version: Option<Arc<Version>>,
    /// OSR entries, by loop header.
    continuations: HashMap<Block, Arc<Version>>,
}

/// All code.
pub struct CodeStore {
    pub(super) memory: CodeMemory,
    /// By address.
    pub map: CodeMap,
    /// The code of each version in the map.
    loaded: HashMap<VersionId, LoadedCode>,
    table: Mapping,
    callees: Callees,
    /// Address of the return barrier.
    pub(super) barrier: usize,
    slots: PrimaryMap<FuncRef, Slot>,
    trivial: TrivialFunctions,
    pub(super) env: Env,
    /// Passes that the optimizer leaves out.
    pub passes: Options,
    /// Reuse of code memory.
    pub reuse: Reuse,
    /// Versions placed so far: the number of the last.
    versions: u32,
    /// Versions that no entry leads to; some frame may still be in one.
    retired: Vec<Arc<Version>>,
    /// Those of them that may be activated again.
    kept: HashSet<VersionId>,
    /// Calls that are active in a frame, by the frame's return address, as far as looked up.
    active_calls: HashMap<usize, u32>,
    largest_frame: usize,
    density: Density,
    /// Code without inlined calls, for calls close to the limit of their depth.
    exact: HashMap<FuncRef, Arc<Version>>,
    /// Cost of compilations.
    pub stats: CodeStats,
    /// Told of every version installed, for profilers.
    pub listeners: Vec<Listener>,
    /// The requests of all versions, for listings; `None` keeps none.
    pub(super) listed: Option<BTreeMap<VersionId, Request>>,
}

impl CodeStore {
    /// Code for the runtime's module: stubs only.
    pub(super) fn new(runtime: &Runtime, callees: Callees) -> io::Result<CodeStore> {
        check_host().map_err(|error| io::Error::new(io::ErrorKind::Unsupported, error))?;
        let table = Mapping::zeroed(8 * MOST_FUNCTIONS)?;
        let memory = CodeMemory::within(LEAST_CODE_SIZE, CODE_SIZE, &runtime.context().polls())?;
        let context = runtime.context().as_ptr() as usize;
        let place = |stub: &[u8]| match memory.place(stub) {
            Ok(placed) => Ok(placed.start),
            Err(_) => Err(io::ErrorKind::OutOfMemory),
        };
        let stub = |target| place(&poll_stub(context, target));
        let PollStubs { entry, edge, header } = callees.polls;
        let barrier = place(&return_barrier(context, callees.passed))?;
        let env = Env {
            module: Arc::clone(runtime.module()),
            arrays: Arc::new(Arrays::new(Arc::clone(runtime.module()))),
            context,
            table: table.base(),
            globals: runtime.globals().address(),
            linear: Default::default(),
            strings: Arc::default(),
            runtime_calls: callees.runtime_calls,
            poll_stubs: PollStubs { entry: stub(entry)?, edge: stub(edge)?, header: stub(header)? },
            fuel: FuelCounting::Off,
            polls: LoopPolls::InPlace,
            origins: Origins::Left,
        };
        let mut store = CodeStore {
            memory,
            barrier,
            map: CodeMap::default(),
            loaded: HashMap::new(),
            table,
            callees,
            slots: PrimaryMap::new(),
            trivial: TrivialFunctions::default(),
            env,
            passes: Options::default(),
            reuse: Reuse::Allowed,
            versions: 0,
            retired: Vec::new(),
            kept: HashSet::new(),
            active_calls: HashMap::new(),
            largest_frame: 0,
            density: Density::default(),
            exact: HashMap::new(),
            stats: CodeStats::default(),
            listeners: Vec::new(),
            listed: None,
        };
        store.install(runtime);
        Ok(store)
    }

    /// Takes the runtime's present module; gives the functions whose bodies were replaced, and whether all code is invalidated: any other
    /// function may have such a one inlined, or rely on what got to it before.
    pub fn install(&mut self, runtime: &Runtime) -> (Vec<FuncRef>, bool) {
        let module = Arc::clone(runtime.module());
        let strings = module.strings.keys().map(|id| runtime.constant(id).word() as usize);
        self.env.strings = Arc::new(strings.collect());
        self.env.module = Arc::clone(&module);
        let mut is_invalid = self.install_arrays(self.env.arrays.become_those_of(Arc::clone(&module)));
        let mut replaced = Vec::new();
        for (func, slot) in self.slots.iter_mut() {
            let body = &module.funcs[func].body;
            if !Arc::ptr_eq(body, &slot.body) {
                slot.body = Arc::clone(body);
                replaced.push(func);
            }
        }
        is_invalid |= !replaced.is_empty();
        if is_invalid {
            self.trivial.clear();
            self.drop_versions();
        }
        self.add_stubs(&module.funcs.values().skip(self.slots.len()).map(|decl| &decl.body).collect::<Vec<_>>());
        (replaced, is_invalid)
    }

    /// Takes facts about arrays; true iff code may rely on others, or a compilation that is under way. No program may be running.
    pub(super) fn install_arrays(&mut self, arrays: Arrays) -> bool {
        let before = std::mem::replace(&mut self.env.arrays, Arc::new(arrays));
        Arc::strong_count(&before) > 1 || !before.are_implied_by(&self.env.arrays)
    }

    /// True iff facts about arrays are known, so that code may rely on them.
    pub(super) fn relies_on_arrays(&self) -> bool {
        self.env.arrays.are_known()
    }

    fn add_stubs(&mut self, bodies: &[&Arc<Function>]) {
        if bodies.is_empty() {
            return;
        }
        let first = self.slots.len();
        let stub = |at| lazy_stub(FuncRef::new(first + at), self.env.context, self.callees.compile);
        let code: Vec<u8> = (0..bodies.len()).flat_map(stub).collect();
        let range = self.memory.place(&code).expect("stubs take little of the code memory");
        for (at, body) in bodies.iter().enumerate() {
            let stub = range.start + at * STUB_SIZE;
            self.slots.push(Slot { body: Arc::clone(body), stub, version: None, continuations: HashMap::new() });
            self.set_entry(FuncRef::new(first + at), stub);
        }
    }

    /// Sets fuel counting. Invalidates all code that does otherwise; no program may be running.
    pub fn set_fuel_counting(&mut self, fuel: FuelCounting) {
        if self.env.fuel != fuel {
            self.env.fuel = fuel;
            self.drop_versions();
        }
    }

    /// Every function that there is code or a stub for.
    pub fn functions(&self) -> Vec<FuncRef> {
        self.slots.keys().collect()
    }

    pub(super) fn drop_versions(&mut self) {
        self.functions().into_iter().for_each(|func| self.drop_version(func));
    }

    /// The address to call a function at.
    pub fn entry(&self, func: FuncRef) -> usize {
        self.slots[func].version.as_ref().map_or(self.slots[func].stub, |version| version.range.start)
    }

    /// The version of a function that new calls run.
    pub fn version(&self, func: FuncRef) -> Option<&Arc<Version>> {
        self.slots[func].version.as_ref()
    }

    /// The OSR entry of a function at a loop header.
    pub fn continuation(&self, func: FuncRef, header: Block) -> Option<&Arc<Version>> {
        self.slots[func].continuations.get(&header)
    }

    /// True iff the code of a version is there.
    pub fn has(&self, version: &Version) -> bool {
        self.loaded.contains_key(&version.id)
    }

    /// True iff something leads to a version.
    pub fn is_active(&self, version: &Version) -> bool {
        let active = match version.entry {
            Entry::Call => self.slots[version.func].version.as_ref(),
            Entry::Header(header) => self.continuation(version.func, header),
        };
        active.is_some_and(|active| active.id == version.id)
    }

    /// All of a function's versions that are entered at loop headers.
    pub fn continuations(&self, func: FuncRef) -> impl Iterator<Item = &Arc<Version>> {
        self.slots[func].continuations.values()
    }

    /// True iff frames of a version are to go on in another one. Versions that are both in use, for calls and for loop
    /// headers, are as good as each other.
    pub fn takes_over(&self, to: &Version, from: &Version) -> bool {
        to.id != from.id && (from.tier < to.tier || !self.is_active(from))
    }

    /// The headers at which another version waits for the frames of one.
    pub fn awaited(&self, from: &Version) -> impl Iterator<Item = Block> {
        let waits = |(header, to): (&Block, &Arc<Version>)| self.takes_over(to, from).then_some(*header);
        self.slots[from.func].continuations.iter().filter_map(waits)
    }

    /// A request for plain code of a function.
    pub fn request(&self, func: FuncRef, tier: Tier) -> Request {
        Request { passes: self.passes.clone(), ..Request::new(func, Arc::clone(&self.slots[func].body), tier) }
    }

    /// True iff a function is optimized at its first call.
    pub(super) fn starts_optimized(&mut self, func: FuncRef) -> bool {
        self.trivial.starts_optimized(&self.env.module, func)
    }

    /// The environment of compilations, for compiling on another thread.
    pub fn env(&self) -> &Env {
        &self.env
    }

    /// Compiles; nothing leads to the code yet.
    pub fn compile(&mut self, request: &Request) -> Result<Arc<Version>, FailureKind> {
        let start = cpu_time::of_thread();
        let compiled = compile_unmeasured(&self.env, request).map_err(|_| FailureKind::FunctionTooLarge)?;
        self.add_since(start, request, compiled)
    }

    /// Places what was compiled; nothing leads to it yet.
    pub fn add(&mut self, request: &Request, compiled: Compiled) -> Result<Arc<Version>, FailureKind> {
        self.add_since(cpu_time::of_thread(), request, compiled)
    }

    fn add_since(
        &mut self,
        start: Duration,
        request: &Request,
        compiled: Compiled,
    ) -> Result<Arc<Version>, FailureKind> {
        let version = self.place(request, compiled)?;
        self.stats.functions += 1;
        self.stats.instructions += request.body.size() as u64;
        self.stats.bytes += version.range.len as u64;
        self.stats.time += cpu_time::of_thread() - start;
        Ok(version)
    }

    /// Compiles a body with traces, formed on the function's own, and makes its code the one that new calls run.
    pub fn compile_formed(
        &mut self,
        func: FuncRef,
        formed: &Formed,
        progress: Option<Arc<Progress>>,
    ) -> Result<Arc<Version>, FailureKind> {
        let traces = Some(Arc::new(Traces::new(Arc::new(formed.clone()))));
        let version = self.compile(&Request { traces, progress, ..self.request(func, Tier::Optimized) })?;
        self.activate(&version);
        Ok(version)
    }

    /// True iff a request is for the body that its function has now.
    pub fn is_current(&self, request: &Request) -> bool {
        Arc::ptr_eq(&self.slots[request.func].body, &request.body)
    }

    /// Makes a version the code of its entry; what was there is retired.
    pub fn activate(&mut self, version: &Arc<Version>) {
        let slot = &mut self.slots[version.func];
        let before = match version.entry {
            Entry::Call => slot.version.replace(Arc::clone(version)),
            Entry::Header(header) => slot.continuations.insert(header, Arc::clone(version)),
        };
        if version.entry == Entry::Call {
            self.set_entry(version.func, version.range.start);
        }
        self.kept.remove(&version.id);
        self.retired.retain(|retired| retired.id != version.id);
        self.retired.extend(before.filter(|before| before.id != version.id));
    }

    /// Lets nothing lead to a version any more. Calls compile anew.
    pub fn deactivate(&mut self, version: &Arc<Version>) {
        self.kept.remove(&version.id);
        let func = version.func;
        let slot = &mut self.slots[func];
        let stub = slot.stub;
        let is_it = |active: Option<&Arc<Version>>| active.is_some_and(|active| active.id == version.id);
        match version.entry {
            Entry::Call if is_it(slot.version.as_ref()) => {
                slot.version = None;
                self.set_entry(func, stub);
            }
            Entry::Header(header) if is_it(slot.continuations.get(&header)) => {
                slot.continuations.remove(&header);
            }
            Entry::Call | Entry::Header(_) => return,
        }
        self.retired.push(Arc::clone(version));
    }

    /// Lets nothing lead to a version, whose code is kept until it is deactivated: it may be activated again.
    pub fn retire(&mut self, version: &Arc<Version>) {
        self.deactivate(version);
        self.kept.insert(version.id);
    }

    /// True iff some version may be freed when no frame is in it.
    pub fn has_retired(&self) -> bool {
        self.retired.iter().any(|version| !self.kept.contains(&version.id))
    }

    /// Frees retired versions that no frame is in.
    pub fn free_retired(&mut self, is_in_use: impl Fn(&Version) -> bool) {
        let (kept, gone) = std::mem::take(&mut self.retired)
            .into_iter()
            .partition(|version| is_in_use(version) || self.kept.contains(&version.id));
        self.retired = kept;
        for version in gone {
            self.free(&version);
        }
    }

    /// Calls that are active in a frame that waits at a return address; 0 where that is not in code of a function.
    pub(super) fn active_calls(&mut self, pc: usize) -> usize {
        let map = &self.map;
        let count = || {
            let version = map.find(pc)?;
            let call = version.call_returning_to(pc).expect("every frame of compiled code waits at a call");
            Some(version.frames(call).count() as u32)
        };
        *self.active_calls.entry(pc).or_insert_with(|| count().unwrap_or(0)) as usize
    }

    fn free(&mut self, version: &Version) {
        self.active_calls.clear();
        self.map.remove(version.range.start);
        let loaded = self.loaded.remove(&version.id).expect("a version in the map is loaded");
        if self.reuse == Reuse::Allowed {
            // SAFETY: the version is retired or dropped, so no entry leads to it; no frame is in it, as the callers checked.
            unsafe { loaded.free() }
        }
    }

    /// Bytes of the largest frame of any code made so far.
    pub fn largest_frame(&self) -> usize {
        self.largest_frame
    }

    /// Logical frames that there can be in how little stack.
    pub fn density(&self) -> Density {
        self.density
    }

    /// The entry of code of a function in which every call makes a frame.
    pub fn exact(&mut self, func: FuncRef, paths: Option<&Paths>) -> Result<usize, FailureKind> {
        if let Some(version) = self.exact.get(&func) {
            return Ok(version.range.start);
        }
        let mut request = self.request(func, Tier::Baseline);
        if let Some(paths) = paths {
            // What is counted on the way must not be lost.
            request.tier = Tier::Optimized;
            request.paths = paths.clone();
            request.passes.disabled.push(INLINE.to_owned());
        }
        let version = self.compile(&request)?;
        let entry = version.range.start;
        self.exact.insert(func, version);
        Ok(entry)
    }

    fn place(&mut self, request: &Request, compiled: Compiled) -> Result<Arc<Version>, FailureKind> {
        let loaded = compiled.load(&self.memory, self.env.poll_stubs.edge).map_err(|_| FailureKind::OutOfMemory)?;
        let bytes = if self.listeners.is_empty() { Vec::new() } else { compiled.bytes(&loaded) };
        self.versions += 1;
        let id = VersionId(self.versions);
        self.largest_frame = self.largest_frame.max(compiled.frame_size as usize);
        let version = Arc::new(Version {
            id,
            func: request.func,
            tier: compiled.tier,
            entry: request.entry,
            frame: compiled.frame,
            traces: request.traces.clone(),
            inlined_traces: request.inlined_traces.clone(),
            progress: request.progress.clone(),
            paths: request.paths.clone(),
            range: loaded.range(),
            frame_size: compiled.frame_size,
            missed: compiled.missed,
            calls: compiled.calls,
            sites: compiled.sites,
            origins: compiled.origins,
            inlining: if self.env.origins == Origins::Kept { compiled.inlining } else { Vec::new() },
        });
        if let Some(kept) = &mut self.listed {
            kept.insert(id, request.clone());
        }
        self.density.add(&version);
        self.map.insert(Arc::clone(&version));
        self.listeners.iter_mut().for_each(|listener| listener(&version, &bytes, &request.body.name));
        self.loaded.insert(id, loaded);
        self.env.polls = match self.memory.polls_in_place() < MOST_POLLS_IN_PLACE {
            true => LoopPolls::InPlace,
            false => LoopPolls::Tested,
        };
        Ok(version)
    }

    /// Drops all code of a function. No program may be running.
    fn drop_version(&mut self, func: FuncRef) {
        let slot = &mut self.slots[func];
        let stub = slot.stub;
        let gone: Vec<Arc<Version>> =
            slot.version.take().into_iter().chain(slot.continuations.drain().map(|(_, version)| version)).collect();
        let gone: Vec<Arc<Version>> = gone.into_iter().chain(self.exact.remove(&func)).collect();
        for retired in self.retired.iter().filter(|version| version.func == func) {
            self.kept.remove(&retired.id);
        }
        gone.iter().for_each(|version| self.free(version));
        self.set_entry(func, stub);
    }

    fn set_entry(&mut self, func: FuncRef, address: usize) {
        assert!(func.index() < MOST_FUNCTIONS, "a session takes no more functions than that");
        let entry = with_exposed_provenance_mut::<usize>(self.table.base() + 8 * func.index());
        // SAFETY: the table's mapping has room for this index; code reads entries as whole words.
        unsafe { entry.write_volatile(address) }
    }
}
