//! The pieces of work, which are the same in each language.

/// A piece of work in one of the languages.
pub struct Work {
    /// The language that does it.
    pub language: &'static str,
    /// The piece.
    pub piece: Piece,
    /// Does it.
    pub run: Box<dyn FnMut()>,
}

/// The pieces of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A call with two numbers.
    Call,
    /// A call that calls a function of the host [`CALLS`] times.
    HostCalls,
    /// A call with a struct of three numbers, which the host makes.
    Struct,
    /// A call that adds [`NUMBERS`] numbers up which it shares with the host.
    Floats,
    /// An engine, a program and one call.
    Creation,
}

/// Calls of a function of the host that one piece of work makes.
pub(crate) const CALLS: u64 = 1000;
/// Numbers that are shared.
pub(crate) const NUMBERS: usize = 1000;

impl Piece {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Piece::Call => "call",
            Piece::HostCalls => "host call",
            Piece::Struct => "struct",
            Piece::Floats => "1,000 floats",
            Piece::Creation => "creation",
        }
    }

    /// The number of times that one run does what is measured.
    pub fn times(self) -> u64 {
        match self {
            Piece::HostCalls => CALLS,
            Piece::Call | Piece::Struct | Piece::Floats | Piece::Creation => 1,
        }
    }
}

impl Work {
    pub(crate) fn new(language: &'static str, piece: Piece, run: impl FnMut() + 'static) -> Work {
        Work { language, piece, run: Box::new(run) }
    }
}

/// All pieces in a language that has them all.
pub(crate) fn all(
    language: &'static str,
    call: impl FnMut() + 'static,
    host: impl FnMut() + 'static,
    structure: impl FnMut() + 'static,
    floats: impl FnMut() + 'static,
    creation: impl FnMut() + 'static,
) -> Vec<Work> {
    vec![
        Work::new(language, Piece::Call, call),
        Work::new(language, Piece::HostCalls, host),
        Work::new(language, Piece::Struct, structure),
        Work::new(language, Piece::Floats, floats),
        Work::new(language, Piece::Creation, creation),
    ]
}
