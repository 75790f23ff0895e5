//! Functions of the program, as C has them.
//!
//! In: a function that the program gave, or that was looked up. Out: something for a pointer of C to lead to.

use holloway::DynamicFunction;

/// `hw_callable`
pub struct Callable(pub(crate) DynamicFunction);
