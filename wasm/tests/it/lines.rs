//! Lines of source files, which come with debug information.
//!
//! In: text, whose translation names its lines; bytes without such names. Out: the line of each function and instruction.

use holloway_ir::{FuncRef, Span};
use holloway_wasm::{Lowered, lower};

const TEXT: &str = "(module
  (func (export \"sum\") (param i32 i32) (result i32)
    local.get 0
    local.get 1
    i32.add
    i32.const 7
    i32.div_s)
  (func $other
    unreachable))
";

fn line(lowered: &Lowered, span: Span) -> String {
    let source = &lowered.sources[span.file.as_u32() as usize];
    let number = source.text[..span.start as usize].matches('\n').count() + 1;
    format!("{}:{number}: {}", source.name, &source.text[span.start as usize..span.end as usize])
}

fn of_function(lowered: &Lowered, index: u32) -> Vec<String> {
    let function = lowered.module.function(FuncRef::from_u32(index));
    let mut lines = Vec::new();
    for block in function.blocks.values() {
        lines.extend(block.spans.iter().chain([&block.term_span]).map(|span| line(lowered, *span)));
    }
    lines.dedup();
    lines
}

#[test]
fn text_has_its_own_lines() {
    let lowered = lower("dir/sum.wat", TEXT.as_bytes(), &mut |_| None).expect("it is valid");
    let found = of_function(&lowered, 0);
    assert_eq!(found, ["dir/sum.wat:5: i32.add", "dir/sum.wat:7: i32.div_s)"]);
    assert_eq!(of_function(&lowered, 1), ["dir/sum.wat:9: unreachable))"]);
}

#[test]
fn a_text_has_any_name() {
    for (name, shown) in [("a\0b.wat", "a\\0b.wat"), ("", ""), ("/", "/"), ("..", ".."), ("dir/", "dir/")] {
        let lowered = lower(name, TEXT.as_bytes(), &mut |_| None).expect("it is valid");
        assert_eq!(lowered.sources[0].name, shown);
    }
    for (name, shown) in [("a\0b.wat", "a\\0b.wat"), ("a.wat", "a.wat"), ("/dir/a.wat", "a.wat")] {
        let lowered = lower(name, TEXT.as_bytes(), &mut |path| panic!("{path} is the text")).expect("it is valid");
        assert_eq!(of_function(&lowered, 1), [format!("{shown}:9: unreachable))")]);
    }
}

#[test]
fn functions_are_lines_where_there_are_no_others() {
    let buffer = wast::parser::ParseBuffer::new(TEXT).unwrap();
    let bytes = wast::parser::parse::<wast::Wat<'_>>(&buffer).unwrap().encode().unwrap();
    let lowered = lower("sum.wasm", &bytes, &mut |_| None).expect("it is valid");
    assert_eq!(of_function(&lowered, 0), ["sum.wasm:1: func sum ;; at 0x26"]);
    assert_eq!(of_function(&lowered, 1), ["sum.wasm:2: func other ;; at 0x31"]);
    assert_eq!(lowered.sources.len(), 1);
}

#[test]
fn a_source_that_cannot_be_read_has_empty_lines() {
    let bytes = {
        let mut buffer = wast::parser::ParseBuffer::new(TEXT).unwrap();
        buffer.track_instr_spans(true);
        let mut module: wast::Wat<'_> = wast::parser::parse(&buffer).unwrap();
        let mut options = wast::core::EncodeOptions::new();
        options.dwarf("/src/sum.wat".as_ref(), TEXT, wast::core::GenerateDwarf::Lines);
        options.encode_wat(&mut module).unwrap()
    };
    let mut asked = Vec::new();
    let lowered = lower("sum.wasm", &bytes, &mut |path| {
        asked.push(path.to_owned());
        None
    });
    let lowered = lowered.expect("it is valid");
    assert_eq!(asked, ["/src/sum.wat"]);
    assert_eq!(of_function(&lowered, 0), ["sum.wat:5: ", "sum.wat:7: "]);
    let read = lower("sum.wasm", &bytes, &mut |_| Some(TEXT.to_owned())).expect("it is valid");
    assert_eq!(of_function(&read, 0), ["sum.wat:5: i32.add", "sum.wat:7: i32.div_s)"]);
    let other = lower("sum.wasm", &bytes, &mut |_| Some("one line".to_owned())).expect("it is valid");
    assert_eq!(of_function(&other, 0), ["sum.wat:5: ", "sum.wat:7: "], "it is another file");
}
