//! Traces of the lab in a file of their own: numbers of blocks.
//!
//! In: blocks, as they are executed. Out: a file, and the same blocks as a [`BlockStream`].
//!
//! The form: 8 bytes `hwblock1`; the number of blocks of all procedures, 4 bytes; the number of events, 8 bytes, both little-endian; the
//! events, each as LEB128: 0 if the innermost activation is cut, else 1 more than the number of the block. Most take one byte, in
//! large programs two.
//! Invariant: a file that is cut short, or of graphs of another size, is an error; none causes a panic.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use holloway_profiler::lab::{BlockEvent, BlockStream, LabError};

const MAGIC: &[u8; 8] = b"hwblock1";

/// Writes a trace.
pub(super) struct BlockTraceWriter<W> {
    out: W,
    blocks: u32,
    events: u64,
}

impl<W: Write + Seek> BlockTraceWriter<W> {
    /// Starts a trace of graphs with so many blocks.
    pub(super) fn new(blocks: u32, out: W) -> io::Result<BlockTraceWriter<W>> {
        let mut writer = BlockTraceWriter { out, blocks, events: 0 };
        writer.header()?;
        Ok(writer)
    }

    fn header(&mut self) -> io::Result<()> {
        self.out.write_all(MAGIC)?;
        self.out.write_all(&self.blocks.to_le_bytes())?;
        self.out.write_all(&self.events.to_le_bytes())
    }

    /// A block is entered.
    pub(super) fn block(&mut self, number: u32) -> io::Result<()> {
        self.event(u64::from(number) + 1)
    }

    /// The innermost activation is cut.
    pub(super) fn cut(&mut self) -> io::Result<()> {
        self.event(0)
    }

    fn event(&mut self, mut value: u64) -> io::Result<()> {
        self.events += 1;
        while value >= 0x80 {
            self.out.write_all(&[(value & 0x7f) as u8 | 0x80])?;
            value >>= 7;
        }
        self.out.write_all(&[value as u8])
    }

    /// Writes the number of events, without which the file is no trace.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.out.seek(SeekFrom::Start(0))?;
        self.header()?;
        self.out.flush()
    }
}

/// A trace in the file with that path.
#[derive(Clone, Debug)]
pub struct BlockTraceFile(pub PathBuf);

impl BlockTraceFile {
    fn fault(&self, fault: &str) -> LabError {
        LabError::Stream(format!("the trace {}: {fault}", self.0.display()))
    }

    fn unread(&self, error: &io::Error) -> LabError {
        match error.kind() {
            io::ErrorKind::NotFound => self.fault("there is no such file"),
            io::ErrorKind::UnexpectedEof => self.fault("the file ends before the trace does; import it again"),
            _ => self.fault(&error.to_string()),
        }
    }
}

impl BlockStream for BlockTraceFile {
    fn read(&self, graphs: u32, each: &mut dyn FnMut(BlockEvent) -> Result<(), LabError>) -> Result<(), LabError> {
        let unread = |error: io::Error| self.unread(&error);
        let mut bytes = BufReader::with_capacity(1 << 16, File::open(&self.0).map_err(unread)?);
        let (mut magic, mut blocks, mut events) = ([0; 8], [0; 4], [0; 8]);
        bytes.read_exact(&mut magic).map_err(unread)?;
        if magic != *MAGIC {
            return Err(self.fault("this is no trace of the lab; `holloway lab import` writes them"));
        }
        bytes.read_exact(&mut blocks).and_then(|()| bytes.read_exact(&mut events)).map_err(unread)?;
        let (blocks, events) = (u32::from_le_bytes(blocks), u64::from_le_bytes(events));
        if blocks != graphs {
            return Err(self
                .fault(&format!("it is of graphs with {blocks} blocks, and these have {graphs}; import both again")));
        }
        if events == 0 {
            return Err(self.fault("it has no block; was the import interrupted?"));
        }
        for event in 1..=events {
            let value = leb128(&mut bytes).map_err(unread)?;
            let number = value.map(|value| value.checked_sub(1)).ok_or_else(|| self.fault("an event is no number"))?;
            let stepped = each(number.map_or(BlockEvent::Cut, BlockEvent::Block));
            stepped.map_err(|error| self.fault(&format!("event {event}: {error}")))?;
        }
        Ok(())
    }
}

/// A number of at most 32 bits; `None` if it has more.
fn leb128(bytes: &mut impl Read) -> io::Result<Option<u32>> {
    let mut value: u64 = 0;
    for shift in [0, 7, 14, 21, 28] {
        let mut byte = [0];
        bytes.read_exact(&mut byte)?;
        value |= u64::from(byte[0] & 0x7f) << shift;
        if byte[0] < 0x80 {
            return Ok(u32::try_from(value).ok());
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_back() {
        for number in [0, 1, 126, 127, 128, 16_383, 16_384, u32::MAX - 1] {
            let mut file = io::Cursor::new(Vec::new());
            let mut writer = BlockTraceWriter::new(9, &mut file).expect("it is memory");
            writer.block(number).and_then(|()| writer.finish()).expect("it is memory");
            let bytes = file.into_inner();
            assert_eq!(leb128(&mut &bytes[20..]).expect("it is complete"), Some(number + 1));
            assert_eq!(&bytes[8..20], [9, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
        }
        assert_eq!(leb128(&mut &[0xff_u8; 5][..]).expect("it is complete"), None);
        assert!(leb128(&mut &[0xff_u8; 4][..]).is_err(), "it ends too early");
    }
}
