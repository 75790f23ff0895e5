//! Record layouts: the words that the collector follows.
//! In: the storage of each field. Out: byte offsets of the references.

use cranelift_entity::PrimaryMap;
use holloway_abi as abi;
use holloway_ir::{Elem, RecordRef};

/// One record's layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Bytes of a whole record, header included.
    pub size: usize,
    /// Offsets of the fields that hold references.
    pub references: Vec<u32>,
}

/// Every record's layout.
pub type Layouts = PrimaryMap<RecordRef, Layout>;

impl Layout {
    /// The layout of a record with such fields.
    pub fn of(fields: impl IntoIterator<Item = Elem>) -> Layout {
        let (mut references, mut size) = (Vec::new(), abi::record_size(0));
        for elem in fields {
            if elem == Elem::Ref {
                references.push(size as u32);
            }
            size += 8;
        }
        Layout { size, references }
    }
}
