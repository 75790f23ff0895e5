//! The examples that end each command's help. Plain text: clap shows it as it stands.

/// Exit statuses and their causes; part of the long help and of the man page.
pub(super) const EXIT_STATUSES: [(&str, &str); 10] = [
    ("0", "success"),
    ("1", "the program failed, or what was checked is not as it should be"),
    ("64", "the command line is wrong"),
    ("65", "the program does not compile, or the input of lab or diff is wrong"),
    ("66", "a file is missing or cannot be read"),
    ("129", "stopped by SIGHUP"),
    ("130", "interrupted by Ctrl-C"),
    ("134", "a program of WebAssembly failed"),
    ("143", "stopped by SIGTERM"),
    ("N", "what the program passed to exit(N) or returned from main"),
];

/// `holloway -h`
pub(super) const MAIN: &str = "\
Examples:
  holloway                          start the REPL
  holloway sieve.hw 60              run a program with an argument
  holloway -e 'print(6 * 7)'        run a line of code
  holloway --dir . tool.wasm a.txt  run a program of WebAssembly
  holloway check sieve.hw           see whether it compiles
  holloway help bench               read about a command";

/// `holloway --help`
pub(super) const MAIN_LONG: &str = "\
Examples:
  holloway                          start the REPL
  holloway sieve.hw 60              run a program with an argument
  holloway -e 'print(6 * 7)'        run a line of code
  generate | holloway               run what another program wrote
  holloway --dir . tool.wasm a.txt  run a program of WebAssembly, which may use this directory
  holloway check sieve.hw           see whether it compiles
  holloway help bench               read about a command

Exit status:
  0      success
  1      the program failed, or what was checked is not as it should be
  64     the command line is wrong
  65     the program does not compile, or the input of lab or diff is wrong
  66     a file is missing or cannot be read
  129    stopped by SIGHUP
  130    interrupted by Ctrl-C
  134    a program of WebAssembly failed
  143    stopped by SIGTERM
  N      what the program passed to exit(N) or returned from main";

/// `run`
pub(super) const RUN: &str = "\
Examples:
  holloway run sieve.hw 60                   options after the file are the program's
  holloway run --tier interp sieve.hw        the reference interpreter
  holloway run --heap-limit 64M --time-limit 10 untrusted.hw
  holloway run --invoke add adder.wat 1 2    call an export of a module, and print its results
  perf record holloway run --perf-map sieve.hw";

/// `check`
pub(super) const CHECK: &str = "\
Examples:
  holloway check sieve.hw
  holloway check --fix sieve.hw              carry out what the warnings suggest
  holloway check --deny-warnings *.hw        fail where there are warnings
  holloway check --message-format json *.hw  one JSON object a line, for editors";

/// `explain-code`
pub(super) const EXPLAIN_CODE: &str = "\
Examples:
  holloway explain-code W0001    a warning
  holloway explain-code E0301    an error
  holloway explain-code          the list of all codes";

/// `fmt`
pub(super) const FMT: &str = "\
Examples:
  holloway fmt sieve.hw        rewrite the file
  holloway fmt --check *.hw    say what is not formatted
  holloway fmt - < sieve.hw    print it formatted";

/// `diff`
pub(super) const DIFF: &str = "\
Examples:
  holloway profile tool.hw good.txt --scheme bl -o good.json
  holloway profile tool.hw bad.txt --scheme bl -o bad.json
  holloway diff good.json bad.json             the ten greatest changes
  holloway diff good.json bad.json --json | jq '.changes[] | select(.counts[0] == 0)'
  holloway run --save old.hwrun tool.hw && holloway run --save new.hwrun tool2.hw
  holloway diff old.hwrun new.hwrun            decisions, versions, time by function and line
  holloway diff --a old1.hwrun,old2.hwrun --b new1.hwrun,new2.hwrun --fail-above 5%    a gate for CI";

/// `merge`
pub(super) const MERGE: &str = "\
Examples:
  holloway profile tool.hw one.txt --scheme bl -o one.json
  holloway profile tool.hw two.txt --scheme bl -o two.json
  holloway merge one.json two.json -o both.json";

/// `trace`
pub(super) const TRACE: &str = "\
Examples:
  holloway trace record sieve.hw 60 -o run.twpp
  holloway trace info run.twpp                      its functions and its size
  holloway trace extract run.twpp --fn main         the paths of its calls
  holloway trace replay run.twpp | head             block by block
  holloway trace slice run.twpp --at sieve.hw:12 --var count";

/// `trace record`
pub(super) const TRACE_RECORD: &str = "\
Examples:
  holloway trace record sieve.hw 60 -o run.twpp
  holloway trace record --bench lzw -o lzw.twpp     a program of this binary
  holloway trace record server.hw -o run.twpp --limit 16M
  holloway trace record tool.hw -o run.twpp -- --verbose    an option of the program's own";

/// `trace query`
pub(super) const TRACE_QUERY: &str = "\
Examples:
  holloway trace query run.twpp --fact load --at sieve.hw:12
  holloway trace query run.twpp --fact expr --at sieve.hw:12 --var i
  holloway trace query run.twpp --fact def --at sieve.hw:12 --var count --json
  holloway trace query run.twpp --fact load --hottest 20
  holloway trace query run.twpp --fact load --hottest -o facts.json    then: run --facts facts.json FILE";

/// `trace slice`
pub(super) const TRACE_SLICE: &str = "\
Examples:
  holloway trace slice run.twpp --at sieve.hw:12 --var count
  holloway trace slice run.twpp --at sieve.hw:12 --var count --occurrence 1
  holloway trace slice run.twpp --at sieve.hw:12 --var count --approach 1    faster, and larger";

/// `trace currency`
pub(super) const TRACE_CURRENCY: &str = "\
Examples:
  holloway trace currency run.twpp --at sieve.hw:12 --var count";

/// `lab`
pub(super) const LAB: &str = "\
Examples:
  holloway lab pow.json                        every value, path and count as JSON
  holloway lab - < pow.json | jq .num_paths    from standard input
  holloway lab pow.json --dot | dot -Tsvg -O   a picture of each procedure
  holloway lab bzip2.json --scheme k-bl --k 3 --summary
  holloway lab import --llvm bzip2.ll holloway.trace -o bzip2.json";

/// `lab import`
pub(super) const LAB_IMPORT: &str = "\
Examples:
  holloway lab import --llvm prog.ll holloway.trace -o prog.json    prog.json and prog.blocks
  holloway lab import --llvm prog.ll holloway.trace | holloway lab -";

/// `dump`
pub(super) const DUMP: &str = "\
Examples:
  holloway dump --stage ir sieve.hw
  holloway dump --stage cfg --fn main sieve.hw | dot -Tsvg -o main.svg
  holloway dump --stage asm --tier baseline --fn main sieve.hw
  holloway dump --stage ir --after unroll --scheme k-bl --fn main sieve.hw";

/// `profile`
pub(super) const PROFILE: &str = "\
Examples:
  holloway profile sieve.hw 60 --scheme edge
  holloway profile sieve.hw --scheme bl --top 3
  holloway profile sieve.hw --scheme k-bl --k 8 --json > sieve.json
  holloway profile sieve.hw --scheme tfp --k 100
  holloway profile sieve.hw --scheme time                where CPU time goes, by function, line and version
  holloway profile sieve.hw --compare bl,k-bl,tfp --k 4 --loop sieve.hw:12    what each scheme tells of a loop
  holloway profile run.hwrun --scheme time               the same of a run that --save kept
  holloway profile tool.hw --scheme edge -- --verbose    an option of the program's own";

/// `explain`
pub(super) const EXPLAIN: &str = "\
Examples:
  holloway explain                                      the demonstration
  holloway explain sieve.hw 60                          a program of yours
  holloway explain --why bench sieve.hw                 all that was decided about one function
  holloway explain --measure 5 sieve.hw                 what traces gain, by whole runs
  holloway explain --audit sieve.hw                     what each decision is worth, by replays without it
  holloway explain --without bench/trace-1 sieve.hw     what one version is worth
  holloway explain --what-if k=64 sieve.hw              what longer profiles would change
  holloway explain --save run.hwrun sieve.hw            kept, to be looked at again
  holloway explain --why bench run.hwrun                the same run, another look
  holloway explain --sync-compile --json sieve.hw       the same decisions each time, for a script
  holloway explain --events sieve.json sieve.hw         with a file for https://ui.perfetto.dev";

/// `report`
pub(super) const REPORT: &str = "\
Examples:
  holloway run --save run.hwrun sieve.hw 60
  holloway report run.hwrun                      report.html, to open in a browser
  holloway report run.hwrun -o - > sieve.html    to standard output
  holloway report new.hwrun old.hwrun            a run of the version before beside it";

/// `export`
pub(super) const EXPORT: &str = "\
Examples:
  holloway run --save run.hwrun sieve.hw                  record a run
  holloway export run.hwrun --to flamegraph -o run.svg    open it in a browser
  holloway export run.hwrun --to firefox -o run.json      load it at https://profiler.firefox.com
  holloway export run.hwrun --to pprof -o run.pb.gz       then: pprof -http=: run.pb.gz
  holloway export run.hwrun --to folded | grep walk | sort -rnk2 | head
  holloway export run.hwrun --to csv -o tables            then: duckdb -c \"FROM 'tables/lines.csv'\"";

/// `lsp`
pub(super) const LSP: &str = "\
Examples:
  holloway lsp                        what an editor runs
  holloway lsp --run run.hwrun        with hints of this run, as run --save kept it";

/// `bench`
pub(super) const BENCH: &str = "\
Examples:
  holloway bench                        every program
  holloway bench fib sieve --peers      two of them, beside other languages
  holloway bench --size small --json    quick, for a script
  holloway bench --startup              how long it takes to start
  holloway bench --ablation lzw         what each part of the adaptive system gains
  holloway bench --policies lzw         every strategy of recompilation beside the first
  holloway bench --unseen programs      every NAME.hw of a folder beside NAME.c
  holloway bench --unseen programs --sizes 300,sort=5000 --rounds 9
  holloway bench --wasm modules         every NAME.wasm of a folder beside wasmtime and Node.js
  holloway bench --why huffman          its hottest loops beside those that gcc makes of it
  holloway bench --warmup               how long five programs take to become fast, beside node and java
  holloway bench --compile              how fast functions are compiled";

/// `calibrate`
pub(super) const CALIBRATE: &str = "\
Examples:
  holloway calibrate                                   measure and print
  holloway calibrate -o vm/aos/src/calibration.json     for the next build";

/// `reproduce`
pub(super) const REPRODUCE: &str = "\
Examples:
  holloway reproduce                                      every table, which takes long
  holloway reproduce delia --size mid                     sooner, with less weight
  holloway reproduce tfp --only rnafold,sieve --rounds 1
  holloway reproduce twpp --size small                    whole paths, beside Sequitur and zstd
  holloway reproduce delia --plot figures                 with pictures: figures/delia_figure9.svg
  holloway reproduce delia --wasm modules --size mid      on the modules of a folder, see bench-programs/wasm/
  holloway reproduce cost --json > cost.json              for a script";

/// `completions`
pub(super) const COMPLETIONS: &str = "\
Examples:
  holloway completions bash > ~/.local/share/bash-completion/completions/holloway
  holloway completions fish > ~/.config/fish/completions/holloway.fish
  holloway completions zsh > ~/.zfunc/_holloway";

/// `man`
pub(super) const MAN: &str = "\
Examples:
  holloway man > ~/.local/share/man/man1/holloway.1
  holloway man | man -l -";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_long_help_tells_every_exit_status() {
        for (status, meaning) in EXIT_STATUSES {
            let line = format!("  {status:<7}{meaning}");
            assert!(MAIN_LONG.lines().any(|shown| shown == line), "{line:?} is not in the long help");
        }
    }
}
