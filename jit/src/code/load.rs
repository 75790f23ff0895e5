//! Loading and linking: compiled code to code that runs, through `cranelift-jit`.
//!
//! In: [`Unlinked`] code. Out: [`LoadedCode`], at an address of a [`CodeMemory`].
//! A version is a module of its own, for a `JITModule` frees all of its functions or none; once it is linked the module
//! is dropped, and its place stays taken until the code is freed.
//! Invariant: code is written elsewhere than it runs, so all that is linked into it are absolute addresses of routines
//! of the host, and the distance from each poll that calls, where it runs, to the stub. The table of entry points leads
//! to other versions.
#![expect(unsafe_code, reason = "frees code, and reads it where it stands")]

use super::listing::{self, Listing, Parts};
use super::memory::{self, ALIGN, CodeMemory, CodeRange, OutOfCodeMemory};
use super::placement;
use super::poll_in_place::PollInPlace;
use crate::arch::{self, Moves};
use crate::backend;
use crate::emit::marks;
use crate::request::Env;
use crate::tier::Tier;
use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::ir::Signature;
use cranelift_codegen::{CompiledCode, FinalizedMachReloc, ir as clif};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, ModuleError, ModuleReloc, ModuleRelocTarget, default_libcall_names};
use holloway_abi::Reason;
use std::fmt;
use std::ops::Range;

/// The one function of a module.
fn function() -> FuncId {
    FuncId::from_u32(0)
}

/// Machine code that is not placed yet.
pub(crate) struct Unlinked {
    /// The code, behind what is left free before it.
    code: Vec<u8>,
    lead: usize,
    relocations: Vec<ModuleReloc>,
    /// The polls in place, by rising offset.
    polls: Vec<PollInPlace>,
    /// The places of what Cranelift's code had.
    moves: Moves,
}

impl fmt::Debug for Unlinked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes with {} relocations", self.size(), self.relocations.len())
    }
}

impl Unlinked {
    /// Takes what Cranelift made of a function; nothing if it made other code of a branch in place than can be one.
    pub(crate) fn of(compiled: &CompiledCode, func: &clif::Function, tier: Tier) -> Option<Unlinked> {
        let mut bytes = compiled.code_buffer().to_vec();
        let mut polls = polls(compiled, &mut bytes)?;
        leave_out_bounds(compiled, &mut bytes);
        let (mut lead, mut moves) = (0, Moves::default());
        if tier == Tier::Optimized {
            if let Some(relaxed) = relaxed(compiled, &bytes, &polls) {
                (bytes, moves) = (relaxed.code, relaxed.moves);
            }
            lead = placement::lead(&arch::loops(&bytes), compiled.buffer.alignment as usize);
        }
        let convert = |reloc| {
            let inside = ModuleReloc::from_mach_reloc(reloc, func, function());
            ModuleReloc { offset: moves.moved(inside.offset) + lead as u32, ..inside }
        };
        // Polls that call are led to their stub when the code is loaded. They are found where Cranelift put them, as
        // relocations are.
        let is_poll = |offset: u32| polls.binary_search_by_key(&offset, |poll| poll.offset).is_ok();
        let is_linked = |reloc: &&FinalizedMachReloc| reloc.offset == 0 || !is_poll(reloc.offset - 1);
        let relocations = compiled.buffer.relocs().iter().filter(is_linked).map(convert).collect();
        polls.iter_mut().for_each(|poll| poll.offset = moves.moved(poll.offset));
        let mut code = vec![arch::FILLER; lead];
        code.extend_from_slice(&bytes);
        Some(Unlinked { code, lead, relocations, polls, moves })
    }

    /// The offset of what has an offset in Cranelift's code.
    pub(crate) fn moved(&self, offset: u32) -> u32 {
        self.moves.moved(offset)
    }

    /// The code as it runs in its place: with polls disarmed, as they are but for moments, of which its loading may be
    /// one.
    pub(crate) fn bytes(&self, loaded: &LoadedCode) -> Vec<u8> {
        // SAFETY: the range is complete code, and stays so until `free` consumes the loaded code.
        let mut bytes = unsafe { memory::bytes(loaded.range) };
        for poll in &self.polls {
            bytes[poll.offset as usize] = poll.opcodes.disarmed;
        }
        bytes
    }

    /// Bytes of code.
    pub(crate) fn size(&self) -> usize {
        self.code.len() - self.lead
    }

    /// The code as text; `sites` are ranges of instructions with the sites they come from, if any, in order.
    pub(crate) fn list(&self, env: &Env, sites: Vec<(Range<u32>, Option<u32>)>) -> Listing {
        let named = |found: &ModuleReloc| (found.offset - self.lead as u32, found.name.to_string());
        let linked = self.relocations.iter().map(named).collect();
        listing::list(env, &self.code[self.lead..], &Parts { sites, polls: &self.polls, linked })
    }

    /// Loads the code, whose polls in place lead to a stub; nothing leads to it yet.
    pub(crate) fn load(&self, tier: Tier, memory: &CodeMemory, stub: usize) -> Result<LoadedCode, OutOfCodeMemory> {
        let mut builder = JITBuilder::with_isa(backend::isa(tier).clone(), default_libcall_names());
        builder.memory_provider(Box::new(memory.provider()));
        builder.symbol_lookup_fn(Box::new(arch::library_routine));
        let mut module = JITModule::new(builder);
        let id = module.declare_anonymous_function(&Signature::new(arch::COMPILED)).expect("it has no name to clash");
        assert_eq!(id, function(), "a module has one function");
        assert!(self.relocations.iter().all(is_absolute), "code runs elsewhere than it is linked");
        module.define_function_bytes(id, ALIGN as u64, &self.code, &self.relocations).map_err(out_of_memory)?;
        module.finalize_definitions().map_err(out_of_memory)?;
        let place = CodeRange { start: memory.run_address(module.get_finalized_function(id)), len: self.code.len() };
        let range = CodeRange { start: place.start + self.lead, len: self.size() };
        memory.add_polls(range, &self.polls, stub);
        Ok(LoadedCode { place, range, memory: memory.clone() })
    }
}

/// Makes the polls of code, disarmed, of what Cranelift made of them; nothing if it made other code of a branch in
/// place than can be one.
fn polls(compiled: &CompiledCode, code: &mut [u8]) -> Option<Vec<PollInPlace>> {
    let mut polls = Vec::new();
    for call in compiled.buffer.patchable_call_sites() {
        let offset = call.ret_addr - arch::POLL_SIZE as u32;
        code[offset as usize] = arch::CALLS.disarmed;
        polls.push(PollInPlace { offset, opcodes: arch::CALLS, reasons: Reason::Flag as u8 });
    }
    for range in compiled.buffer.get_srclocs_sorted() {
        let Some(reasons) = marks::reasons(range.loc) else { continue };
        for (at, opcodes) in arch::branches_in_place(&mut code[range.start as usize..range.end as usize])? {
            let offset = range.start + at as u32;
            polls.push(PollInPlace { offset, opcodes, reasons });
        }
    }
    polls.sort_unstable_by_key(|poll| poll.offset);
    Some(polls)
}

/// Jumps through tables do without Cranelift's test of the bounds.
fn leave_out_bounds(compiled: &CompiledCode, code: &mut [u8]) {
    for range in compiled.buffer.get_srclocs_sorted().iter().filter(|range| marks::is_of_table(range.loc)) {
        arch::without_bounds(&mut code[range.start as usize..range.end as usize]);
    }
}

/// The code with jumps as short as they can be.
fn relaxed(compiled: &CompiledCode, code: &[u8], polls: &[PollInPlace]) -> Option<arch::Relaxed> {
    let tables = compiled.buffer.get_srclocs_sorted().iter().filter(|range| marks::is_of_table(range.loc));
    let tables: Vec<Range<usize>> = tables.map(|range| range.start as usize..range.end as usize).collect();
    let polls: Vec<_> = polls.iter().map(|poll| (poll.offset as usize, poll.opcodes != arch::CALLS)).collect();
    let alignment = compiled.buffer.alignment as usize;
    arch::relaxed(code, &arch::Fixed { polls: &polls, tables: &tables, alignment })
}

/// True iff what is linked is the absolute address of a routine of the host.
fn is_absolute(relocation: &ModuleReloc) -> bool {
    relocation.kind == Reloc::Abs8 && matches!(relocation.name, ModuleRelocTarget::LibCall(_))
}

fn out_of_memory(error: ModuleError) -> OutOfCodeMemory {
    match error {
        ModuleError::Allocation { .. } => OutOfCodeMemory,
        other => panic!("code of one function is loaded: {other}"),
    }
}

/// The code of one version in its place. Dropped, and not freed, it leaves the code there as long as the [`CodeMemory`]
/// lives.
pub struct LoadedCode {
    /// The code, with what is left free before it.
    place: CodeRange,
    range: CodeRange,
    memory: CodeMemory,
}

impl LoadedCode {
    /// The place of the code.
    pub fn range(&self) -> CodeRange {
        self.range
    }

    /// Gives the memory back.
    ///
    /// # Safety
    /// No frame is in the code, and nothing leads to it any more.
    pub unsafe fn free(self) {
        self.memory.remove_polls(self.range);
        // SAFETY: the place is this code's own; for the rest, as the caller promises.
        unsafe { self.memory.free(self.place) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holloway_abi::PollSites;

    /// `mov rax, TARGET; jmp rax`.
    fn jump_to(name: ModuleRelocTarget) -> Unlinked {
        let code = vec![0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0];
        Unlinked {
            code,
            lead: 0,
            relocations: vec![ModuleReloc { offset: 2, kind: Reloc::Abs8, name, addend: 0 }],
            polls: Vec::new(),
            moves: Moves::default(),
        }
    }

    #[test]
    fn calls_of_library_routines_are_linked() {
        let memory = CodeMemory::new(1 << 16, PollSites::default()).unwrap();
        for (call, result) in
            [(clif::LibCall::CeilF64, 2.0), (clif::LibCall::FloorF64, 1.0), (clif::LibCall::TruncF64, 1.0)]
        {
            let loaded = jump_to(ModuleRelocTarget::LibCall(call)).load(Tier::Baseline, &memory, 0).unwrap();
            // SAFETY: the code jumps to a C function of this type.
            let routine: extern "C" fn(f64) -> f64 = unsafe { std::mem::transmute(loaded.range().start) };
            assert_eq!(routine(1.5), result, "{call}");
        }
    }

    #[test]
    #[should_panic(expected = "code runs elsewhere than it is linked")]
    fn code_that_refers_to_its_own_place_is_refused() {
        let memory = CodeMemory::new(1 << 16, PollSites::default()).unwrap();
        let unlinked = jump_to(ModuleRelocTarget::FunctionOffset(function(), 7));
        let _ = unlinked.load(Tier::Optimized, &memory, 0);
    }

    #[test]
    fn freed_code_makes_room() {
        let memory = CodeMemory::new(ALIGN, PollSites::default()).unwrap();
        let unlinked = jump_to(ModuleRelocTarget::LibCall(clif::LibCall::CeilF64));
        let first = unlinked.load(Tier::Baseline, &memory, 0).unwrap();
        assert_eq!(unlinked.load(Tier::Baseline, &memory, 0).err(), Some(OutOfCodeMemory));
        // SAFETY: the code was never called.
        unsafe { first.free() };
        let second = unlinked.load(Tier::Baseline, &memory, 0).unwrap();
        drop(second);
        assert_eq!(unlinked.load(Tier::Baseline, &memory, 0).err(), Some(OutOfCodeMemory));
    }

    #[test]
    fn polls_are_told_as_they_are_but_for_moments() {
        let sites = PollSites::default();
        let memory = CodeMemory::new(1 << 16, sites.clone()).unwrap();
        let polls = vec![PollInPlace { offset: 0, opcodes: arch::CALLS, reasons: Reason::Flag as u8 }];
        let code = vec![arch::CALLS.disarmed, 0, 0, 0, 0, 0xc3];
        let unlinked = Unlinked { code, lead: 0, relocations: Vec::new(), polls, moves: Moves::default() };
        sites.want(Reason::Flag, true);
        let loaded = unlinked.load(Tier::Optimized, &memory, memory.addresses().start).unwrap();
        // SAFETY: the range is complete code, which is not freed.
        let at_present = unsafe { memory::bytes(loaded.range()) };
        let told = unlinked.bytes(&loaded);
        assert_eq!((at_present[0], told[0]), (arch::CALLS.armed, arch::CALLS.disarmed));
        assert_eq!(at_present[1..], told[1..]);
    }
}
