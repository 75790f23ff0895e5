//! Objects: their headers, fields, elements and bytes, as `abi` lays them out.
//!
//! In: fresh cells, or words that verified IR says are references. Out: [`Obj`], a handle through which objects are
//! read and written with every access to elements checked against the object's own length.
//!
//! Contract: an `Obj` is the address of an object of the heap or of a permanent one. Handles are made from cells, and
//! from words by [`Obj::from_word`], whose caller vouches for the word. A handle is used only while a root keeps the
//! object or no collection has happened since. Objects do not move. A slice of an object's memory that a method lends
//! is dropped before anything else touches the heap; only the thread that runs the program does. Handles are copied, so whoever writes
//! through one vouches that no slice of the object is lent, and that words are of the type that is stored there.
#![expect(unsafe_code, reason = "heap memory is shared with compiled code and is reached by address")]

use super::word;
use holloway_abi::{self as abi, Shape};
use holloway_ir::{Elem, RecordRef};
use std::num::NonZeroUsize;
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};

const ELEMENTS: usize = abi::ELEMENTS as usize;
const CHARS: usize = abi::CHARS as usize;
const FIELDS: usize = abi::FIELDS as usize;

/// Bytes of a string whose bytes lie in a buffer.
pub(super) const PART_SIZE: usize = CHARS + 8;

/// Initial contents of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Zeroes.
    Zeroes,
    /// Anything.
    Garbage,
}

/// Memory for one object, taken and not yet initialised. Exactly one object is made of it.
#[derive(Debug)]
pub struct Cell {
    address: usize,
    size: usize,
    content: Content,
}

impl Cell {
    /// Memory that the heap just took off its lists.
    pub(super) fn new(address: usize, size: usize, content: Content) -> Cell {
        Cell { address, size, content }
    }

    /// Makes a record of it whose fields are all 0.
    pub fn into_record(self, record: RecordRef, size: usize) -> Obj {
        self.zero(size);
        self.header(abi::SHAPE, Shape::Record(record).word());
        self.object()
    }

    /// Makes an array of it whose elements are all 0.
    pub fn into_array(self, elem: Elem, len: usize) -> Obj {
        self.zero(ELEMENTS + len * elem.size());
        self.header(abi::SHAPE, Shape::Array(elem).word());
        self.header(abi::LEN, len as u64);
        self.object()
    }

    /// Makes a string of it that holds its bytes itself. They are whatever lies there.
    pub fn into_str(self, len: usize) -> Obj {
        assert!(CHARS + len <= self.size, "a string of {len} bytes in a cell of {}", self.size);
        self.header(abi::SHAPE, Shape::Str.word());
        self.header(abi::LEN, len as u64);
        self.header(abi::BASE, (self.address + CHARS - ELEMENTS) as u64);
        self.object()
    }

    /// Makes a string of it whose bytes lie in a buffer, from that offset on.
    pub(super) fn into_part(self, buffer: Obj, offset: usize, len: usize) -> Obj {
        assert!(PART_SIZE <= self.size, "a string in a cell of {}", self.size);
        self.header(abi::SHAPE, Shape::Str.word());
        self.header(abi::LEN, len as u64);
        self.header(abi::BASE, (buffer.0.get() + offset - ELEMENTS) as u64);
        self.header(abi::CHARS, buffer.word());
        self.object()
    }

    /// Makes a buffer of it with such words behind its shape. Its bytes are whatever lies there.
    pub(super) fn into_buffer<const N: usize>(self, words: [u64; N], size: usize) -> Obj {
        assert!(8 * (N + 1) <= size && size <= self.size, "a buffer of {size} bytes in a cell of {}", self.size);
        self.header(abi::SHAPE, Shape::Buffer.word());
        for (at, word) in words.into_iter().enumerate() {
            self.header(8 * (at as i32 + 1), word);
        }
        self.object()
    }

    fn zero(&self, size: usize) {
        assert!(size <= self.size, "an object of {size} bytes in a cell of {}", self.size);
        if self.content == Content::Garbage {
            // SAFETY: the cell is ours and large enough; cells begin at, and are, multiples of 16 bytes.
            unsafe { word::clear(self.address, size.next_multiple_of(8)) };
        }
    }

    fn header(&self, offset: i32, word: u64) {
        // SAFETY: the cell is ours, and holds the words of the header of what it becomes.
        unsafe { word::store(self.address + offset as usize, word) };
    }

    fn object(self) -> Obj {
        Obj(NonZeroUsize::new(self.address).expect("no cell is at address 0"))
    }
}

/// An object of the heap, or a permanent string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Obj(NonZeroUsize);

impl Obj {
    /// The object that a word refers to; none for `none`.
    ///
    /// # Safety
    /// The word is a reference: 0, or the address of an object that is still there.
    #[inline]
    pub unsafe fn from_word(word: u64) -> Option<Obj> {
        NonZeroUsize::new(word as usize).map(Obj)
    }

    /// The reference as a word.
    #[inline]
    pub fn word(self) -> u64 {
        self.0.get() as u64
    }

    /// The shape of the object.
    #[inline]
    pub fn shape(self) -> Shape {
        Shape::of_word(self.load(abi::SHAPE as usize))
    }

    /// Length of an array or a string.
    #[inline]
    pub fn len(self) -> usize {
        debug_assert!(matches!(self.shape(), Shape::Array(_) | Shape::Str), "{:?} has no length", self.shape());
        self.load(abi::LEN as usize) as usize
    }

    /// True of an array without elements, and of an empty string.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// A record's field.
    ///
    /// # Safety
    /// The object is a record with that field.
    #[inline]
    pub unsafe fn field(self, field: u32) -> u64 {
        self.load(FIELDS + 8 * field as usize)
    }

    /// Sets a record's field to a word.
    ///
    /// # Safety
    /// The object is a record with that field, and the word is of the field's type.
    #[inline]
    pub unsafe fn set_field(self, field: u32, word: u64) {
        self.store(FIELDS + 8 * field as usize, word);
    }

    /// An element of an array, or a byte of a string.
    #[inline]
    pub fn element(self, index: usize) -> u64 {
        assert!(index < self.len(), "element {index} of {}", self.len());
        match self.elem_size() {
            1 => u64::from(self.bytes()[index]),
            _ => self.load(ELEMENTS + 8 * index),
        }
    }

    /// Sets an element of an array; of a word for a byte element the low 8 bits.
    ///
    /// # Safety
    /// No slice of the array is lent, and the word is of its elements' type.
    #[inline]
    pub unsafe fn set_element(mut self, index: usize, word: u64) {
        assert!(index < self.len(), "element {index} of {}", self.len());
        match self.elem_size() {
            1 => {
                // SAFETY: the caller vouches for it.
                let bytes = unsafe { self.bytes_mut() };
                bytes[index] = word as u8;
            }
            _ => self.store(ELEMENTS + 8 * index, word),
        }
    }

    /// The bytes of a string, or of an array whose elements are bytes or booleans.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        self.check_elements(1);
        // SAFETY: that many bytes follow the header, and nothing writes them while the slice is lent.
        unsafe { std::slice::from_raw_parts(with_exposed_provenance(self.elements()), self.len()) }
    }

    /// The bytes of an array whose elements are bytes or booleans, or of a string not yet handed out.
    ///
    /// # Safety
    /// Nothing else reads or writes the object while the slice is lent.
    pub unsafe fn bytes_mut(&mut self) -> &mut [u8] {
        self.check_elements(1);
        // SAFETY: that many bytes follow the header, and nothing else reaches them while the slice is lent.
        unsafe { std::slice::from_raw_parts_mut(with_exposed_provenance_mut(self.elements()), self.len()) }
    }

    /// The words of an array of any other elements.
    pub fn words(&self) -> &[u64] {
        self.check_elements(8);
        // SAFETY: as for `bytes`.
        unsafe { std::slice::from_raw_parts(with_exposed_provenance(self.elements()), self.len()) }
    }

    /// The words of an array of any other elements, to change.
    ///
    /// # Safety
    /// Nothing else reads or writes the object while the slice is lent, and words put in are of the elements' type.
    pub unsafe fn words_mut(&mut self) -> &mut [u64] {
        self.check_elements(8);
        // SAFETY: as for `bytes_mut`.
        unsafe { std::slice::from_raw_parts_mut(with_exposed_provenance_mut(self.elements()), self.len()) }
    }

    /// The strings in an array of strings.
    pub fn references(&self) -> impl Iterator<Item = Option<Obj>> + '_ {
        assert_eq!(self.shape(), Shape::Array(Elem::Ref), "an array of references");
        // SAFETY: the elements of such an array are references, kept by the array.
        self.words().iter().map(|word| unsafe { Obj::from_word(*word) })
    }

    /// Copies `count` elements of an array or bytes of a string to an array of the same element size; both may be one
    /// array, and the ranges may overlap. The ranges are within bounds.
    ///
    /// # Safety
    /// No slice of the array is lent, and the words are of its elements' type.
    pub unsafe fn copy_elements(self, to_index: usize, from: Obj, from_index: usize, count: usize) {
        let size = self.elem_size();
        assert_eq!(size, from.elem_size(), "elements of one size");
        let within = |object: Obj, start: usize| start.checked_add(count).is_some_and(|end| end <= object.len());
        assert!(within(self, to_index) && within(from, from_index), "a copy within bounds");
        let source = with_exposed_provenance::<u8>(from.elements() + size * from_index);
        let target = with_exposed_provenance_mut::<u8>(self.elements() + size * to_index);
        // SAFETY: both ranges lie inside their objects, and `copy` allows for overlap.
        unsafe { std::ptr::copy(source, target, size * count) };
    }

    /// Bytes of one element of an array or a string.
    pub fn elem_size(self) -> usize {
        match self.shape() {
            Shape::Array(elem) => elem.size(),
            Shape::Str => 1,
            Shape::Record(_) | Shape::Buffer | Shape::Free => panic!("{self:?} has no elements"),
        }
    }

    fn check_elements(self, size: usize) {
        assert_eq!(self.elem_size(), size, "{:?} has other elements", self.shape());
    }

    #[inline]
    fn elements(self) -> usize {
        let base = match self.shape() {
            Shape::Str => self.load(abi::BASE as usize) as usize,
            Shape::Array(_) | Shape::Record(_) | Shape::Buffer | Shape::Free => self.0.get(),
        };
        base + ELEMENTS
    }

    /// The buffer in which a string's bytes lie, with their offset; none for a string that holds them itself.
    pub(super) fn place(self) -> Option<(Obj, usize)> {
        debug_assert_eq!(self.shape(), Shape::Str, "a string");
        let bytes = self.elements();
        if bytes == self.0.get() + CHARS {
            return None;
        }
        let buffer =
            NonZeroUsize::new(self.load(CHARS) as usize).expect("a string whose bytes lie elsewhere has a buffer");
        Some((Obj(buffer), bytes - buffer.get()))
    }

    /// A word of a buffer's header.
    pub(super) fn buffer_word(self, at: usize) -> usize {
        debug_assert_eq!(self.shape(), Shape::Buffer, "a buffer");
        self.load(8 * (at + 1)) as usize
    }

    /// Sets a word of a buffer's header.
    pub(super) fn set_buffer_word(self, at: usize, word: usize) {
        debug_assert_eq!(self.shape(), Shape::Buffer, "a buffer");
        self.store(8 * (at + 1), word as u64);
    }

    /// Copies the bytes of a string to a buffer of `size` bytes, from an offset on. No string has any of these bytes
    /// yet.
    pub(super) fn copy_into_buffer(self, buffer: Obj, offset: usize, size: usize) {
        debug_assert_eq!((self.shape(), buffer.shape()), (Shape::Str, Shape::Buffer), "a string and a buffer");
        assert!(offset.checked_add(self.len()).is_some_and(|end| end <= size), "a copy within bounds");
        let source = with_exposed_provenance::<u8>(self.elements());
        let target = with_exposed_provenance_mut::<u8>(buffer.0.get() + offset);
        // SAFETY: the source is the string, and the target lies inside the buffer where no string is.
        unsafe { std::ptr::copy_nonoverlapping(source, target, self.len()) };
    }

    #[inline]
    fn load(self, offset: usize) -> u64 {
        // SAFETY: the offset is one of this object's, by its shape or by the caller's check.
        unsafe { word::load(self.0.get() + offset) }
    }

    #[inline]
    fn store(self, offset: usize, word: u64) {
        // SAFETY: the offset is one of this object's, by its shape or by the caller's check.
        unsafe { word::store(self.0.get() + offset, word) }
    }
}

/// A string outside of the heap.
pub struct PermanentStr(Box<[u64]>);

impl PermanentStr {
    /// A string of those bytes.
    pub fn new(bytes: &[u8]) -> PermanentStr {
        let mut words = vec![Shape::Str.word(), bytes.len() as u64, 0];
        words.extend(bytes.chunks(8).map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_ne_bytes(word)
        }));
        let mut words = words.into_boxed_slice();
        let address = words.as_mut_ptr().expose_provenance();
        words[abi::BASE as usize / 8] = (address + CHARS - ELEMENTS) as u64;
        PermanentStr(words)
    }

    /// The object.
    ///
    /// # Safety
    /// It is used only as long as this lives.
    pub unsafe fn object(&self) -> Obj {
        Obj(NonZeroUsize::new(self.0.as_ptr().expose_provenance()).expect("a box has an address"))
    }
}
