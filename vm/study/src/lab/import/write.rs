//! A trace in the lab's blocks.
//!
//! In: activations along a trace, and graphs. Out: each block that the lab steps through, to a file of numbers or to JSON in names.
//! Invariant: consecutive blocks are edges, calls or returns of the graphs.

use std::io::{self, Seek, Write};

use super::graphs::Graphs;
use super::walk::{Listener, Place, Site};
use crate::lab::block_trace::BlockTraceWriter;
use crate::lab::llvm::Module;

/// Consumer of the lab's blocks.
pub(super) trait TraceWriter {
    /// A block is entered.
    fn block(&mut self, number: u32) -> io::Result<()>;
    /// The innermost activation is cut.
    fn cut(&mut self) -> io::Result<()>;
}

/// From activations to the lab's blocks.
pub(super) struct Blocks<'a, W> {
    graphs: &'a Graphs,
    out: &'a mut W,
}

impl<'a, W> Blocks<'a, W> {
    /// Writes to `out`.
    pub(super) fn new(graphs: &'a Graphs, out: &'a mut W) -> Blocks<'a, W> {
        Blocks { graphs, out }
    }
}

impl<W: TraceWriter> Listener for Blocks<'_, W> {
    fn block(&mut self, place: Place) -> io::Result<()> {
        self.out.block(self.graphs.block(place))
    }

    fn call(&mut self, site: Site, callee: usize, _: u32) -> io::Result<()> {
        let blocks = self.graphs.site(site).expect("the first reading saw the call");
        if let Some(repeat) = blocks.repeat {
            self.out.block(repeat)?;
        }
        match blocks.arms.iter().find(|(function, _)| *function == callee) {
            Some(&(_, arm)) => self.out.block(arm),
            None => Ok(()),
        }
    }

    fn passed(&mut self, site: Site, _: u32) -> io::Result<()> {
        let Some(blocks) = self.graphs.site(site) else { return Ok(()) };
        if let Some(repeat) = blocks.repeat {
            self.out.block(repeat)?;
        }
        self.out.block(blocks.next)
    }

    fn leave(&mut self, function: usize) -> io::Result<()> {
        match self.graphs.exit(function) {
            Some(exit) => self.out.block(exit),
            None => Ok(()),
        }
    }

    fn cut(&mut self) -> io::Result<()> {
        self.out.cut()
    }
}

/// Numbers in a file.
pub(super) struct InFile<W: Write + Seek>(BlockTraceWriter<W>);

impl<W: Write + Seek> InFile<W> {
    /// Starts the file.
    pub(super) fn new(blocks: u32, out: W) -> io::Result<InFile<W>> {
        BlockTraceWriter::new(blocks, out).map(InFile)
    }

    /// Completes the file.
    pub(super) fn finish(self) -> io::Result<()> {
        self.0.finish()
    }
}

impl<W: Write + Seek> TraceWriter for InFile<W> {
    fn block(&mut self, number: u32) -> io::Result<()> {
        self.0.block(number)
    }

    fn cut(&mut self) -> io::Result<()> {
        self.0.cut()
    }
}

/// Names in JSON, separated by commas.
pub(super) struct InJson<'a> {
    graphs: &'a Graphs,
    module: &'a Module,
    out: &'a mut dyn Write,
    separator: &'static str,
}

impl<'a> InJson<'a> {
    /// Starts a list.
    pub(super) fn new(graphs: &'a Graphs, module: &'a Module, out: &'a mut dyn Write) -> InJson<'a> {
        InJson { graphs, module, out, separator: "" }
    }
}

impl TraceWriter for InJson<'_> {
    fn block(&mut self, number: u32) -> io::Result<()> {
        let name = serde_json::Value::from(self.graphs.name(self.module, number));
        write!(self.out, "{}{name}", self.separator)?;
        self.separator = ",";
        Ok(())
    }

    /// The lab's lists of names have no such event, so the first reading refused the trace if it had one.
    fn cut(&mut self) -> io::Result<()> {
        Err(io::Error::other("the trace changed while it was read"))
    }
}
