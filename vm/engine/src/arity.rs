//! The numbers of parameters and parts that functions and tuples may have, for macros that implement traits for each.
//!
//! In: the name of a macro. Out: calls of it with a row for each number: type parameters with their positions. Invariant:
//! the longest row has [`MOST_ARGS`](crate::types::MOST_ARGS) of them.

/// Rows for tuples: from 2 parts.
macro_rules! each_tuple {
    ($then:ident) => { $crate::arity::each_tuple! { $then [] } };
    ($then:ident [$($first:tt)*]) => {
        $then! {
            $($first)*
            A 0, B 1;
            A 0, B 1, C 2;
            A 0, B 1, C 2, D 3;
            A 0, B 1, C 2, D 3, E 4;
            A 0, B 1, C 2, D 3, E 4, F 5;
            A 0, B 1, C 2, D 3, E 4, F 5, G 6;
            A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7;
        }
    };
}

/// Rows for functions: from no parameters.
macro_rules! each_arity {
    ($then:ident) => {
        $crate::arity::each_tuple! { $then [; A 0;] }
    };
}

pub(crate) use {each_arity, each_tuple};
