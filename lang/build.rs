//! Compiles `src/grammar.lalrpop` into the parser's tables.

fn main() {
    lalrpop::Configuration::new()
        .use_cargo_dir_conventions()
        .emit_rerun_directives(true)
        .process()
        .expect("the grammar compiles");
}
