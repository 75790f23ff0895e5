//! The thresholds of tables, forests and lists, each with its reason: a module for each file that has some.
//!
//! In: nothing. Out: constants. Invariant: no other file of this package has a threshold. The bounds of K stand in the rows of
//! the schemes; those of encodings where the encoding is.

/// Tables of path counts.
pub(crate) mod counts {
    /// Most paths of a function whose table is an array: 4096 counters are 32 KiB, a common L1 data cache. Chosen, not
    /// measured.
    pub(crate) const ARRAY_MAX_PATHS: u64 = 4096;
}

/// Acyclic paths.
pub(crate) mod bl {
    /// The largest table that `--table array` makes: 2^20 counters are 8 MiB. Functions with more paths are counted in hash tables.
    pub(crate) const ARRAY_MOST_PATHS: u64 = 1 << 20;
}

/// Paths across calls.
pub(crate) mod program {
    /// Bits of ids. Every sum and product that code computes along a path is below the number of paths, so that none passes the sign.
    pub(crate) const ID_BITS: u32 = 62;
    /// Most paths of a program whose functions count them in arrays, one each: 512 KiB, of which a function touches what it reports.
    pub(crate) const ARRAY_MAX_PATHS: u64 = 1 << 16;
}

/// K-iteration paths.
pub(crate) mod k_iteration {
    /// Most paths of a function whose table is an array, unless said otherwise: section 6 of Roy and Srikant, so that their slowdowns can be
    /// compared.
    pub(crate) const ARRAY_MAX_PATHS: u64 = 6_000;
    /// Most paths of a function that is profiled, unless said otherwise: from there on their profiler aborts.
    pub(crate) const MAX_PATHS: u64 = 60_000;
    /// Most paths of a function in any case: accumulators of paths that started too late have as many values beyond, which fit 63 bits.
    pub(crate) const ID_MAX_PATHS: u64 = (1 << 62) - 1;
    /// Most paths of a function whose additions are moved: constants are sums of as many numbers of paths as there are blocks, and must fit.
    pub(crate) const CHORDS_MAX_PATHS: u64 = 1 << 32;
    /// The greatest constant of moved additions, in numbers of paths: arrays of counters have four times as many more. Chosen, not measured.
    pub(crate) const CHORDS_MOST: u64 = 4;
    /// The greatest k that is chosen by a base profile: a path of so many iterations fills a screen. Chosen, not measured.
    pub(crate) const MOST_K: u32 = 8;
    /// Fewest back edges for each time that a loop is entered: with fewer, most activations have no path of 2 iterations.
    pub(crate) const LEAST_TRIPS: u64 = 1;
    /// The share of all acyclic paths that a hot loop has at least, in the choice by a base profile: one in so many. Chosen, not measured.
    pub(crate) const HOT_ONE_IN: u64 = 100;
    /// Most nodes of an unrolled graph. A k that needs more is refused as too many paths, before the memory is taken.
    pub(crate) const MAX_VERSIONS: u64 = 1 << 22;
}

/// Prefix forests.
pub(crate) mod trie {
    /// Most paths of a function whose forest keeps children in arrays.
    ///
    /// Measured 2026-11-21, AMD EPYC, two shared cores, best of three, k = 8, by
    /// `cargo run --release -p holloway-profiler --example measure_children`, ns an id, list / array:
    ///
    /// | paths | periodic | nine of ten ids alike | uniform | bytes, skewed |
    /// |---|---|---|---|---|
    /// | 2 | 2.2 / 2.6 | 3.8 / 2.8 | 14 / 6 | x 1.4 |
    /// | 4 | 3.0 / 4.6 | 6.9 / 4.3 | 110 / 136 | x 1.8 |
    /// | 8 | 2.3 / 2.7 | 14 / 12 | 170 / 381 | x 2.6 |
    /// | 16 | 2.2 / 2.7 | 15 / 50 | 133 / 496 | x 4.2 |
    ///
    /// Arrays win where the branches of a list scan are unpredictable, and lose when they outgrow the caches.
    pub(crate) const DENSE_MAX_PATHS: u64 = 4;
}

/// Windows of the adaptive system.
pub(crate) mod window {
    /// The least count of a sequence in the results. What is rarer is in no long run, and most sequences of a random stream are. Runs of fewer
    /// rounds are lost with it: the cycles of such results are a lower bound, which suits what asks for long runs.
    pub(crate) const LEAST_COUNT: u64 = 4;
    /// Markers that are kept for each id, and for so many ids more: an activation has two, and few have no path.
    pub(crate) const MARKERS_OF_ID: usize = 4;
    /// Activations under way at most where a part of a window begins, or no more ids are kept: each is a marker.
    pub(crate) const DEEPEST: usize = 1_000;
}

/// Regions, folded by code.
pub(crate) mod persistence {
    /// Most paths of a region whose register has an index beside the bits. Chosen, not measured.
    pub(crate) const MOST_INDEXED_PATHS: u64 = 1024;
    /// Most bits of an index: 4096 slots of 16 bytes are 64 KiB. If indices were random, 128 paths would all have different ones of so many
    /// bits with a probability of 14%; those of branches that follow each other collide less.
    pub(crate) const MOST_INDEX_BITS: u32 = 12;
    /// Times that multipliers are drawn for one width: with such a probability each, all fail in one case of 100.
    pub(crate) const TRIES: u32 = 32;
}

/// Bursty sampling.
pub(crate) mod sample {
    /// Groups of bursts, for the error of estimates: each keeps a forest of its own, and with fewer the error is itself uncertain.
    pub const GROUPS: usize = 8;
}

/// Whole program paths.
pub(crate) mod wpp {
    /// Path ids below this are looked up in an array.
    pub(crate) const DENSE_IDS: u64 = 1 << 14;
    /// Words with several ids that have a piece each: regular loops have few, and others would take memory without end.
    pub(crate) const MOST_WORDS: usize = 1 << 10;
    /// Blocks of the piece of a path many times.
    pub(crate) const LONGEST_RUN: usize = 1 << 12;
    /// Repetitions of paths that are a piece each, whatever their number: loops that come round as often each time have few.
    pub(crate) const MOST_EXACT_RUNS: usize = 16;
    /// Bits of the parts of other words, of which each has a piece where it is several ids: a byte, so that most numbers of pieces are one.
    pub(crate) const PART_BITS: u32 = 8;
    /// Words whose pieces are found without a search: those of a few loops, in half a kilobyte.
    pub(crate) const RECENT_WORDS: usize = 32;
    /// Repetitions whose pieces are found so, a power of two: 1.5 KiB.
    pub(crate) const RECENT_RUNS: usize = 64;
    /// Pieces of a group whose sums are kept, so that a loop that repeats itself is added up a group at a time.
    pub(crate) const GROUP: usize = 16;
    /// Such groups that a function knows, a power of two: 7 KiB.
    pub(crate) const SUMMED_GROUPS: usize = 1 << 6;
    /// Short activations that the recorder knows at once, a power of two: 72 KiB, which fit the second-level cache.
    pub(crate) const CACHED_ACTIVATIONS: usize = 1 << 10;
    /// Pieces and children that such an activation has at most.
    pub(crate) const CACHED_NUMBERS: usize = 14;
    /// Activations of one word and up to two calls that it knows by these, a power of two: 32 KiB.
    pub(crate) const CACHED_BRIEF: usize = 1 << 10;
    /// Words of which each function knows the activation that has this word alone and calls nothing, by the word: up to 16 KiB.
    pub(crate) const SHORT_WORDS: u64 = 1 << 12;
    /// Such activations of longer words that it knows besides, a power of two: 6 KiB.
    pub(crate) const CACHED_LEAVES: usize = 1 << 8;
    /// Longest sequence of pieces or calls of an activation that is kept as it is; longer ones are compressed, where md took 190 MB without.
    /// Compressing takes some microseconds, a nanosecond for each of so many numbers.
    pub(crate) const LONGEST_SHORT: usize = 1 << 10;
    /// Part of its length by which the table of the others grows: doubling it took 4.3 MiB for md.
    pub(crate) const GROWTH: usize = 4;
    /// Most blocks of a function's unique traces for which timestamps are tried. Beyond, making them takes as long
    /// as the rest of the recording; the files of the benchmark programs were at most 3% longer with none at all.
    pub(crate) const MOST_TIMESTAMPED: u64 = 1 << 16;
    /// Longest content of a section that is in memory whole, in bytes, for which all encodings are tried, and zstd with a slow level. Longer content repeats itself so much that a faster
    /// level finds nearly all of it, in a fiftieth of the time.
    pub(crate) const MOST_SLOW: usize = 1 << 16;
    /// Longest content for which zstd's slowest level is tried. With it for all up to 64 KiB, recordings of huffman, packets and rulematch
    /// took a third longer, for files that were a hundredth shorter.
    pub(crate) const MOST_SLOWEST: usize = 1 << 14;
    /// The level of zstd for sequences in memory, which are compressed while the program runs.
    pub(crate) const PIECE_LEVEL: i32 = 1;
    /// Levels of zstd: for a file that the next one replaces soon, for short content, the shortest first, and for long content. With a level
    /// of 9 programs of irregular paths took a quarter longer, for files that were a twentieth shorter.
    pub(crate) const FAST_LEVEL: i32 = 3;
    pub(crate) const SLOWEST_LEVEL: i32 = 19;
    pub(crate) const SLOW_LEVEL: i32 = 15;
    pub(crate) const LONG_LEVEL: i32 = 6;
    /// The table of that level, as a power of 2: 1 MiB, where the level's own takes 2. The files of the benchmark programs are a thousandth longer in the
    /// geometric mean.
    pub(crate) const LONG_TABLE: u32 = 18;
    /// Long content that is so many times as long as its frame is regular: a slower level takes hundredths of a second for its megabytes, and tenths for those of
    /// irregular content. With it the recording of bytecodevm is a sixth shorter, and that of tapevm a quarter.
    pub(crate) const REGULAR_FACTOR: u64 = 16;
    /// Shorter content gains some bytes by it, and its tables take a megabyte more.
    pub(crate) const LEAST_REGULAR: u64 = 1 << 19;
    pub(crate) const REGULAR_LEVEL: i32 = 13;
    /// The tables of that level, as powers of 2: together 1.5 MiB.
    pub(crate) const REGULAR_TABLE: u32 = 17;
    pub(crate) const REGULAR_CHAINS: u32 = 18;
    /// Bytes of the first part of a frame in memory, and most bytes of another.
    pub(crate) const FIRST_PART: usize = 1 << 11;
    pub(crate) const PART: usize = 1 << 16;
    /// Longest stored section that lies in the index itself, in bytes: its own checksum would take a good part of it. The index is read for each extraction.
    pub(crate) const INDEXED: usize = 64;
    /// Greatest window of a frame, as a power of 2: writer and reader keep so many bytes, and the writer's tables grow with it.
    pub(crate) const WINDOW: u32 = 20;
    /// Memory that tables may take which are read from a section: so many bytes, and for each stored byte so many more. Recordings of
    /// the benchmark programs take up to 1,000 for each; a hostile file could have thirty times as many.
    pub(crate) const LEAST_MEMORY: u64 = 16 << 20;
    pub(crate) const MEMORY_FACTOR: u64 = 1 << 12;
    /// Greatest factor of zstd: a block of 128 KiB in 4 bytes.
    pub(crate) const MOST_FACTOR: u64 = 1 << 15;
}

/// The lab.
pub(crate) mod lab {
    /// Most blocks of a procedure with copies that make it reducible. Copies of copies grow exponentially with the entries of a loop.
    pub(crate) const MOST_WITH_COPIES: usize = 100_000;
    /// Most static paths that are listed.
    pub const PATH_LIST_MAX: u64 = 10_000;
    /// Most vertices of all interprocedural paths that are listed: a path may have exponentially many. Some 50 MB of names.
    pub(crate) const PATH_LIST_MAX_VERTICES: usize = 1_000_000;
}
