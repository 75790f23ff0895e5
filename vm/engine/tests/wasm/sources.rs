//! Source files of modules: read where the host wants it, and the program may use files.

use holloway::wasm::{SourceFiles, WasmConfig};
use holloway::{Config, Engine, FileAccess};
use std::path::Path;

/// Bytes of a module whose debug information names a file.
fn module(text: &str, file: &Path) -> Vec<u8> {
    let mut buffer = wast::parser::ParseBuffer::new(text).expect("it is well formed");
    buffer.track_instr_spans(true);
    let mut module: wast::Wat<'_> = wast::parser::parse(&buffer).expect("it is well formed");
    let mut options = wast::core::EncodeOptions::new();
    options.dwarf(file, text, wast::core::GenerateDwarf::Lines);
    options.encode_wat(&mut module).expect("it is well formed")
}

#[test]
fn source_files_are_read_only_where_that_is_wanted() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("source.wat");
    let text = "(module\n  (func (export \"f\")\n    unreachable))\n";
    std::fs::write(&file, text).unwrap();
    let bytes = module(text, &file);
    let read = |sources: SourceFiles, files: FileAccess| {
        let wasm = WasmConfig { sources, ..WasmConfig::default() };
        let mut engine = Engine::new(Config { wasm, files, ..Config::default() }).expect("there is memory");
        engine.load("a.wasm", &bytes).unwrap_or_else(|error| panic!("{error}"));
        engine.sources().files().any(|(_, source)| source.text.contains("unreachable"))
    };
    assert_eq!(SourceFiles::default(), SourceFiles::NotRead);
    assert!(read(SourceFiles::Read, FileAccess::Allowed) && read(SourceFiles::Read, FileAccess::Unchanged));
    assert!(!read(SourceFiles::Read, FileAccess::Refused), "the program may not use files");
    assert!(!read(SourceFiles::NotRead, FileAccess::Allowed), "nobody asked for it");
}
