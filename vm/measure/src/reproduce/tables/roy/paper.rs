//! Tables 3 and 4 of `[RS09]`, and what section 6 says of ludcmp, as data.
//!
//! Invariant: rows are as printed; a figure that is not printed, or a cross, is absent.

/// Section 6: most paths of a procedure with an array.
pub const ARRAY_LIMIT: u64 = 6_000;

/// Section 6: most paths of a procedure that is profiled.
pub const PATH_LIMIT: u64 = 60_000;

/// One row of table 3: the program, and the times for two and for three iterations relative to acyclic paths.
pub type Slowdown = (&'static str, f64, Option<f64>);

/// Table 3.
pub const TABLE_3: [Slowdown; 9] = [
    ("compress", 1.14, Some(3.92)),
    ("crc", 1.12, Some(1.20)),
    ("edn", 1.56, Some(1.87)),
    ("fdct", 1.06, Some(1.10)),
    ("fibcall", 1.09, Some(1.19)),
    ("fir", 1.57, Some(1.75)),
    ("ifdctint", 1.00, Some(1.10)),
    ("ludcmp", 1.21, Some(4.47)),
    ("ndes", 6.12, None),
];

/// Numbers of acyclic paths, and of paths of 2 to 5 iterations.
pub type PathNumbers = [Option<u64>; 5];

const fn numbers(printed: [u64; 5], count: usize) -> PathNumbers {
    let mut numbers = [None; 5];
    let mut at = 0;
    while at < count {
        numbers[at] = Some(printed[at]);
        at += 1;
    }
    numbers
}

/// Table 4: program, procedure and numbers.
pub const TABLE_4: [(&str, &str, PathNumbers); 7] = [
    ("compress", "compress", numbers([713, 5887, 44063, 0, 0], 3)),
    ("compress", "cl_hash", numbers([10, 16, 24, 34, 46], 5)),
    ("compress", "writebytes", numbers([27, 84, 255, 768, 2307], 5)),
    ("compress", "output", numbers([416, 1328, 4064, 12272, 36896], 5)),
    ("ndes", "des", numbers([568, 5318, 35800, 0, 0], 3)),
    ("ndes", "ks", numbers([276, 466, 710, 1008, 1360], 5)),
    ("ndes", "cyfun", numbers([429, 14294, 0, 0, 0], 2)),
];

/// Section 6: paths of 2 and 3 iterations of the procedure ludcmp of the program of this name.
pub const LUDCMP: PathNumbers = [None, Some(4144), Some(9110), None, None];

#[cfg(test)]
mod tests {
    use super::*;

    /// Section 6: cyfun alone needs a hash table at two iterations, compress and des at three.
    #[test]
    fn tables_follow_from_the_limits() {
        let need_hash = |k: usize| {
            let rows = TABLE_4.iter().filter(|(.., numbers)| numbers[k - 1].is_some_and(|paths| paths > ARRAY_LIMIT));
            rows.map(|(_, procedure, _)| *procedure).collect::<Vec<_>>()
        };
        assert_eq!(need_hash(1), [""; 0]);
        assert_eq!(need_hash(2), ["cyfun"]);
        assert_eq!(need_hash(3), ["compress", "des"]);
        assert!(TABLE_4.iter().all(|(.., numbers)| numbers.iter().flatten().all(|paths| *paths <= PATH_LIMIT)));
    }
}
