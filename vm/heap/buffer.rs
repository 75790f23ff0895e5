//! Buffers: bytes that several strings share, with room before and behind them, so that a string grows at either end
//! in time that is proportional to what it grows by.
//!
//! In: two strings, and memory for what joins them. Out: one string of the bytes of both.
//! Invariants: the bytes from `first` up to `end` are those of strings and never change; the others are nobody's. A
//! string grows in its buffer only at an end that is also the buffer's, so no other string has the bytes that it
//! takes.
//!
//! ```text
//! shape | first | end | size |  room ...  | first ... bytes ... end | ... room
//! ```
//!
//! A buffer that becomes too small at one end is followed by one with room there for half of the bytes that it is
//! made for, and with the room that was left at the other end. So each end is copied after it has grown by half,
//! however the two ends take turns, and the room of both is at most as much as the bytes.

use super::object::{Cell, Obj, PART_SIZE};
use super::settings::LEAST_BUFFERED;

/// The words of the header, behind the shape.
const FIRST: usize = 0;
const END: usize = 1;
const SIZE: usize = 2;
/// Bytes of the header.
const HEADER: usize = 32;

/// Bytes of a string whose bytes lie in a buffer.
pub const STRING_SIZE: usize = PART_SIZE;

/// The end of one string at which another is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Before its first byte.
    Front,
    /// Behind its last byte.
    Back,
}

/// A place for the bytes of two strings, in a buffer that has those of one of them already.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    buffer: Obj,
    /// Offset of the first byte of both.
    offset: usize,
    /// The end at which the string in the buffer grows.
    grows: End,
}

/// The sizes of a buffer for two strings that no buffer has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewBuffer {
    front: usize,
    len: usize,
    back: usize,
}

/// The bytes that are nobody's beside a string, at one end of it.
fn room(string: Obj, end: End) -> usize {
    let Some((buffer, offset)) = string.place() else { return 0 };
    let (first, behind) = (buffer.buffer_word(FIRST), offset + string.len());
    match end {
        End::Front if offset == first => first - HEADER,
        End::Back if behind == buffer.buffer_word(END) => buffer.buffer_word(SIZE) - behind,
        End::Front | End::Back => 0,
    }
}

/// The room that the buffer of one of two strings has for both.
pub fn room_for(a: Obj, b: Obj) -> Option<Room> {
    let behind = a.place().filter(|_| room(a, End::Back) >= b.len());
    let before = || b.place().filter(|_| room(b, End::Front) >= a.len());
    match behind {
        Some((buffer, offset)) => Some(Room { buffer, offset, grows: End::Back }),
        None => before().map(|(buffer, offset)| Room { buffer, offset: offset - a.len(), grows: End::Front }),
    }
}

impl Room {
    /// Makes a string of both in a cell of [`STRING_SIZE`] bytes.
    pub fn join(self, cell: Cell, a: Obj, b: Obj) -> Obj {
        let Room { buffer, offset, grows } = self;
        let (middle, end) = (offset + a.len(), offset + a.len() + b.len());
        let size = buffer.buffer_word(SIZE);
        match grows {
            End::Front => {
                a.copy_into_buffer(buffer, offset, size);
                buffer.set_buffer_word(FIRST, offset);
            }
            End::Back => {
                b.copy_into_buffer(buffer, middle, size);
                buffer.set_buffer_word(END, end);
            }
        }
        cell.into_part(buffer, offset, end - offset)
    }
}

impl NewBuffer {
    /// The buffer for two strings: the shorter one is what the longer one grows by. `None` if both are short, or
    /// there is no number for its size.
    pub fn of(a: Obj, b: Obj) -> Option<NewBuffer> {
        let len = a.len().checked_add(b.len()).filter(|len| *len >= LEAST_BUFFERED)?;
        let more = len / 2;
        let (front, back) = match a.len() >= b.len() {
            true => (room(a, End::Front).min(more), more),
            false => (more, room(b, End::Back).min(more)),
        };
        let this = NewBuffer { front, len, back };
        HEADER.checked_add(front)?.checked_add(len)?.checked_add(back)?;
        Some(this)
    }

    /// Its size in bytes.
    pub fn size(self) -> usize {
        HEADER + self.front + self.len + self.back
    }

    /// Makes it, with the bytes of both, in a cell of [`NewBuffer::size`] bytes.
    pub fn fill(self, cell: Cell, a: Obj, b: Obj) -> Obj {
        let (first, end, size) = (HEADER + self.front, HEADER + self.front + self.len, self.size());
        let buffer = cell.into_buffer([first as u64, end as u64, size as u64], size);
        a.copy_into_buffer(buffer, first, size);
        b.copy_into_buffer(buffer, first + a.len(), size);
        buffer
    }

    /// Makes the string of both, in a cell of [`STRING_SIZE`] bytes.
    pub fn string(self, cell: Cell, buffer: Obj) -> Obj {
        cell.into_part(buffer, HEADER + self.front, self.len)
    }
}
