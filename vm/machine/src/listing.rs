//! Code as text, for people: of a function in a tier, or of a version that was made.
//!
//! In: a function or the number of a version. Out: CLIF, assembly, or the SSA form. Code is compiled again for it, from the same
//! request; nothing of it runs. Invariant: listings change nothing that runs.

use super::code::{CodeStore, Reuse};
use super::edge_profile::EdgeProfiles;
use holloway_ir::FuncRef;
use holloway_jit::probes::Paths;
use holloway_jit::{Compiled, Entry, Origins, Request, Text, Tier, VersionId};
use std::collections::BTreeMap;

impl CodeStore {
    /// Keeps what the instructions of all versions that are compiled from now on come from, and gives no address to two versions:
    /// samples are looked at later.
    pub fn keep_origins(&mut self) {
        self.env.origins = Origins::Kept;
        self.reuse = Reuse::Never;
    }

    /// Keeps the requests of all versions from now on, so that they can be listed when their code is gone.
    pub fn list_versions(&mut self) {
        self.listed.get_or_insert_with(BTreeMap::new);
    }

    /// The versions of a function that can be listed, in order, each with its kind and its entry.
    pub fn listed(&self, func: FuncRef) -> Vec<(VersionId, &'static str, Entry)> {
        let all = self.listed.iter().flatten().filter(|(_, request)| request.func == func);
        all.map(|(id, request)| (*id, request.kind(), request.entry)).collect()
    }

    /// The CLIF and the assembly of a version that can be listed.
    pub fn text_of(&self, version: VersionId) -> Option<Result<Compiled, holloway_jit::CompileError>> {
        let request = self.listed.as_ref()?.get(&version)?;
        Some(holloway_jit::compile(self.env(), &Request { text: Text::Keep, ..request.clone() }))
    }

    /// The CLIF and the assembly of a function, as `dump` shows them.
    pub fn text(&self, func: FuncRef, tier: Tier, paths: &Paths) -> Result<Compiled, holloway_jit::CompileError> {
        let request = Request { paths: paths.clone(), text: Text::Keep, ..self.sample(func, tier) };
        holloway_jit::compile(self.env(), &request)
    }

    /// The SSA form of a function after a pass.
    pub fn ssa_text(&self, func: FuncRef, pass: &str, paths: &Paths) -> String {
        let mut request = Request { paths: paths.clone(), ..self.request(func, Tier::Optimized) };
        request.passes.until = Some(pass.to_owned());
        holloway_jit::ssa_text(self.env(), &request)
    }

    /// Compiles a function as its tier would, and leaves it at that: for measuring.
    pub fn trial(&self, func: FuncRef, tier: Tier) -> Result<Compiled, holloway_jit::CompileError> {
        holloway_jit::compile(self.env(), &self.sample(func, tier))
    }

    /// A request for code that is looked at and not run: nobody has the counters that it counts in.
    fn sample(&self, func: FuncRef, tier: Tier) -> Request {
        let mut request = self.request(func, tier);
        if tier == Tier::Baseline {
            request.probes = EdgeProfiles::default().probes(func, &request.body);
        }
        request
    }
}
