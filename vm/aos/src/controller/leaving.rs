//! Loops at whose headers the code in use can be left: no entry is compiled at another.

use holloway_ir::Block;
use holloway_jit::Leaving;

use crate::action::Entry;
use crate::function::Function;
use crate::version::VersionRecord;

/// The number of loops of a nest, from the outermost in, at whose headers a version can be left. One that was entered in a nest has no loop around where it
/// was entered, nor around what is left of the loops there.
pub(super) fn left_at(function: &Function, version: &VersionRecord, nest: &[Block]) -> usize {
    match (version.leaving, version.entry) {
        (Leaving::Never, _) => 0,
        // Off its traces a loop is left at each header.
        (Leaving::AtOutermost | Leaving::IfOutdated, _) if nest.iter().any(|l| version.specialized.contains(l)) => {
            usize::MAX
        }
        (Leaving::AtOutermost | Leaving::IfOutdated, Entry::Call) => 1,
        (Leaving::AtOutermost | Leaving::IfOutdated, Entry::Header(entered)) => {
            let entered = function.nest(entered);
            let shared = nest.iter().zip(&entered).take_while(|(a, b)| a == b).count();
            (shared + 1).min(entered.len())
        }
        (Leaving::AtHeaders | Leaving::AtEveryLoop, _) => usize::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Kind;
    use crate::function_info::BodyHash;
    use crate::input::{FunctionInfo, LoopInfo, Micros};
    use crate::version::Generation;
    use holloway_jit::VersionId;

    /// Loops 2 and 3, one behind the other, in loop 1.
    fn two_in_one() -> Function {
        let info = |header, parent: Option<u32>| LoopInfo {
            header: Block::from_u32(header),
            line: header,
            parent: parent.map(Block::from_u32),
            branches: 0,
            choices: 0,
            trips_vary: false,
        };
        let loops = vec![info(1, None), info(2, Some(1)), info(3, Some(1))];
        let (name, file) = ("f".to_owned(), "f.hw".to_owned());
        Function::new(
            FunctionInfo { name, file, line: 1, size: 10, loops, is_optimized: false, hash: BodyHash(1) },
            Generation(0),
        )
    }

    #[test]
    fn code_is_left_where_no_loop_is_around() {
        let function = two_in_one();
        let mut specialized = Vec::new();
        let left_of = |specialized: &[Block], leaving: Leaving, entry: Entry| {
            let (kind, generation) = (Kind::Optimized, Generation(1));
            let record = VersionRecord::new(VersionId(1), kind, entry, generation, Micros(0));
            let version = VersionRecord { leaving, specialized: specialized.to_vec(), ..record };
            let left = |header: u32| {
                let mut nest = function.nest(Block::from_u32(header));
                nest.truncate(left_at(&function, &version, &nest));
                nest.into_iter().map(Block::as_u32).collect::<Vec<u32>>()
            };
            [1, 2, 3].map(left)
        };
        let left = |leaving: Leaving, entry: Entry| left_of(&[], leaving, entry);
        let header = |header: u32| Entry::Header(Block::from_u32(header));
        assert_eq!(left(Leaving::AtHeaders, Entry::Call), [vec![1], vec![1, 2], vec![1, 3]]);
        assert_eq!(left(Leaving::AtOutermost, Entry::Call), [[1], [1], [1]]);
        assert_eq!(left(Leaving::AtOutermost, header(1)), [[1], [1], [1]]);
        assert_eq!(
            left(Leaving::AtOutermost, header(2)),
            [vec![1], vec![1, 2], vec![1, 3]],
            "the rest of loop 1 is in none"
        );
        assert_eq!(left(Leaving::Never, Entry::Call), [const { Vec::<u32>::new() }; 3]);
        specialized.push(Block::from_u32(2));
        assert_eq!(left_of(&specialized, Leaving::AtOutermost, Entry::Call), [vec![1], vec![1, 2], vec![1]]);
    }
}
