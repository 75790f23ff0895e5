//! Tests of the runtime as a whole: collections with all kinds of roots, installing, messages, output.
#![expect(unsafe_code, reason = "makes handles of words, and lets collections look at the test's own stack")]

use super::*;
use crate::heap::Obj;
use holloway_abi::Shape;
use holloway_ir::{Elem, Global, RecordRef, parse};

fn runtime(module: Module, limit: usize) -> Runtime {
    let heap = HeapConfig { limit, stress: None };
    let config = RuntimeConfig { heap, sink: Sink::Captured(Vec::new()), ..RuntimeConfig::default() };
    Runtime::new(Arc::new(module), config).expect("address space")
}

/// Allocates a string and gives nothing but its word, written so that no copy of it stays behind on the stack.
#[inline(never)]
fn string(rt: &mut Runtime, text: &str) -> u64 {
    rt.new_str(text.as_bytes(), &[]).expect("room").word()
}

#[test]
fn every_kind_of_root_keeps_its_object() {
    let module = parse::module("type t0 = str\nglobal g0 \"g\": t0").expect("well formed");
    for kind in 0..5 {
        let mut rt = runtime(module.clone(), 1 << 20);
        let word = string(&mut rt, "old");
        match kind {
            0 => rt.globals_mut().set(Global::from_u32(0), word),
            1 => rt.registers.push(word),
            2 => rt.pin(word),
            3 => rt.context_mut().set_caught(word),
            _ => {}
        }
        rt.collect(&[]);
        assert_eq!(rt.heap().stats().live, if kind < 4 { 32 } else { 0 }, "root {kind}");
    }
    let mut rt = runtime(module, 1 << 20);
    let kept = rt.new_str(b"kept", &[]).expect("room");
    for _ in 0..100_000 {
        rt.new_str(b"garbage", &[kept]).expect("room");
    }
    assert_eq!(kept.bytes(), b"kept");
}

#[test]
fn the_programs_stack_and_registers_keep_objects() {
    let mut rt = runtime(Module::default(), 64 << 20);
    let frame = [0, 0, string(&mut rt, "a frame") + 5, 0];
    let above = string(&mut rt, "above the base");
    let stack = [frame.as_slice(), &[above]].concat();
    let sp = (&raw const stack[0]).addr();
    // SAFETY: the four words from `sp` on are readable, and nothing writes them.
    let before = unsafe { rt.enter_stack(sp + 32) };
    rt.context_mut().exit_to(sp);
    rt.collect(&[]);
    assert_eq!(rt.heap().stats().live, 32, "a pointer into the string keeps it, and the other is gone");
    // SAFETY: the string was kept.
    let kept = unsafe { Obj::from_word(frame[2] - 5) }.expect("an address");
    assert_eq!(kept.bytes(), b"a frame");
    // SAFETY: a plain field of the context, which nobody else uses now.
    unsafe { (*rt.context().as_ptr()).exit_registers[4] = kept.word() };
    rt.context_mut().set_caught(0);
    // SAFETY: as above, for no words at all.
    unsafe { (*rt.context().as_ptr()).exit_sp = sp + 32 };
    rt.collect(&[]);
    assert_eq!(rt.heap().stats().live, 32, "a register keeps it");
    rt.leave_stack(before);
    rt.collect(&[]);
    assert_eq!(rt.heap().stats().live, 0, "outside of the program neither is looked at");
}

#[test]
fn installing_adds_and_keeps_what_was_there() {
    let first = "type t0 = str\ntype t1 = int\nrecord r0 \"A\" { \"x\": t1 }\nstring s0 = \"one\"\nglobal g0 \"g\": t0";
    let mut rt = runtime(parse::module(first).expect("well formed"), 1 << 20);
    let one = rt.constant(StrRef::from_u32(0));
    rt.globals_mut().set(Global::from_u32(0), one.word());
    let address = rt.globals().address();
    let second = "type t0 = str\ntype t1 = int\nrecord r0 \"A\" { \"x\": t1 }\nrecord r1 \"B\" { \"x\": t1, \"s\": t0 }
        string s0 = \"one\"\nstring s1 = \"\"\nglobal g0 \"g\": t0\nglobal g1 \"h\": t1";
    rt.install(Arc::new(parse::module(second).expect("well formed")));
    assert_eq!(rt.constant(StrRef::from_u32(0)), one);
    assert_eq!((one.bytes(), rt.constant(StrRef::from_u32(1)).bytes()), (&b"one"[..], &b""[..]));
    assert_eq!((rt.globals().address(), rt.globals().words()), (address, &[one.word(), 0][..]));
    let record = rt.alloc_record(RecordRef::from_u32(1), &[]).expect("room");
    // SAFETY: the record has two fields.
    assert_eq!(unsafe { [record.field(0), record.field(1)] }, [0, 0]);
    rt.collect(&[]);
    assert_eq!(one.bytes(), b"one", "constants are not collected");
}

#[test]
fn a_failures_message_needs_no_memory_when_there_is_none() {
    let mut rt = runtime(Module::default(), 1 << 20);
    rt.set_caught(&FailureKind::User(b"mine".to_vec()));
    let caught = |rt: &Runtime| {
        // SAFETY: the caught message is a string and a root.
        unsafe { Obj::from_word(rt.context().caught()) }.expect("a message").bytes().to_vec()
    };
    assert_eq!(caught(&rt), b"mine");
    rt.set_caught(&FailureKind::OutOfMemory);
    assert_eq!(caught(&rt), b"out of memory");
    while let Ok(object) = rt.alloc_array(Elem::Byte, 32_000, &[]) {
        rt.pin(object.word());
    }
    rt.set_caught(&FailureKind::DivisionByZero);
    assert_eq!(caught(&rt), b"out of memory", "no block is left for the message");
    rt.unpin_all();
    rt.set_caught(&FailureKind::DivisionByZero);
    assert_eq!(caught(&rt), b"division by zero");
}

#[test]
fn output_reaches_a_callback_in_order() {
    let (send, receive) = std::sync::mpsc::channel();
    let sink = Sink::Callback(Box::new(move |bytes| send.send(bytes.to_vec()).expect("the test listens")));
    let mut output = Output::new(sink, 0);
    for at in 0..30_000 {
        output.write_with(|out| out.extend_from_slice(format!("{at}\n").as_bytes()));
    }
    drop(output);
    let pieces: Vec<Vec<u8>> = receive.iter().collect();
    assert!(pieces.len() > 1);
    let expected: String = (0..30_000).map(|at| format!("{at}\n")).collect();
    assert_eq!(pieces.concat(), expected.as_bytes());
}

#[test]
fn objects_know_their_shapes() {
    let mut rt = runtime(Module::default(), 1 << 20);
    for elem in Elem::ALL.into_iter().filter(|elem| *elem != Elem::Char) {
        let array = rt.alloc_array(elem, 2, &[]).expect("room");
        assert_eq!((array.shape(), array.len()), (Shape::Array(elem), 2));
    }
    assert_eq!(rt.new_str(b"", &[]).expect("room").shape(), Shape::Str);
}
