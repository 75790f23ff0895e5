//! Types of the host in programs, and arrays that both share.

use super::{TIERS, captured, collecting};
use holloway::{
    Array, CallError, Config, Context, DeclareError, Engine, Function, HeapConfig, LoadError, Opaque, Value,
};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};

struct Image {
    pixels: Vec<i64>,
    /// Images that are there.
    alive: Arc<AtomicUsize>,
}

impl Image {
    fn new(size: i64, alive: &Arc<AtomicUsize>) -> Image {
        alive.fetch_add(1, SeqCst);
        Image { pixels: vec![0; size as usize], alive: Arc::clone(alive) }
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        self.alive.fetch_sub(1, SeqCst);
    }
}

fn declare(engine: &mut Engine) -> Arc<AtomicUsize> {
    let alive = Arc::new(AtomicUsize::new(0));
    engine.opaque::<Image>("Image").unwrap();
    let count = Arc::clone(&alive);
    engine.function("image", move |size: i64| Opaque::new(Image::new(size, &count))).unwrap();
    engine.function("set", |image: &mut Image, at: i64, to: i64| image.pixels[at as usize] = to).unwrap();
    engine.function("at", |image: &Image, at: i64| image.pixels[at as usize]).unwrap();
    engine.function("same_size", |a: &Image, b: &Image| a.pixels.len() == b.pixels.len()).unwrap();
    engine.function("copy", |from: &Image, to: &mut Image| to.pixels.clone_from(&from.pixels)).unwrap();
    engine.function("pass", |image: Opaque<Image>| image).unwrap();
    engine
        .function("visit", |cx: &mut Context, image: &mut Image, f: Function<(i64,), i64>| {
            let pixel = f.call(cx, (image.pixels[0],))?;
            image.pixels[0] = pixel;
            Ok::<_, CallError>(pixel)
        })
        .unwrap();
    alive
}

#[test]
fn values_of_the_host_pass_through_programs() {
    for tier in TIERS {
        let mut engine = Engine::new(collecting(tier)).unwrap();
        declare(&mut engine);
        let source = r#"
            let a = image(4)
            a.set(1, 7)
            let b = image(4)
            print(a.at(1), b.at(1), a == b, a == a, pass(a) == a, pass(a) == b, same_size(a, a))
            copy(a, b)
            print(b.at(1))
            try { copy(a, a) } catch e { print(e) }
            try { print(a.at(4)) } catch e { print("caught") }
            a.set(0, 2)
            let images = list(a, b)
            print(images[1].at(1), images[0] == a)
            fn twice(n: int) -> int { return n * 2 }
            fn meddle(n: int) -> int { return at(a, 0) }
            print(a.visit(twice), a.at(0))
            try { a.visit(meddle) } catch e { print(e) }
            fn keep() -> Image { return a }
            fn read(image: Image, at: int) -> int { return image.at(at) }
            fn all() -> [Image] { return [a, b] }
        "#;
        engine.load("images.hw", source).unwrap_or_else(|error| panic!("{error}"));
        engine.run().unwrap();
        let expected =
            "7 0 false true true false true\n7\nthe value is in use\ncaught\n7 true\n4 4\nthe value is in use\n";
        assert_eq!(String::from_utf8(engine.take_output()).unwrap(), expected, "{tier:?}");

        let keep: Function<(), Opaque<Image>> = engine.typed("keep").unwrap();
        let read: Function<(Opaque<Image>, i64), i64> = engine.typed("read").unwrap();
        let all: Function<(), Vec<Opaque<Image>>> = engine.typed("all").unwrap();
        let kept = keep.call(&mut engine, ()).unwrap();
        assert_eq!(kept.with(|image| image.pixels[1]).unwrap(), 7);
        kept.with_mut(|image| image.pixels[1] = 8).unwrap();
        assert_eq!(read.call(&mut engine, (kept.clone(), 1)).unwrap(), 8);
        assert_eq!(all.call(&mut engine, ()).unwrap()[0], kept);
        let value = engine.call("keep", &[]).unwrap().unwrap();
        assert_eq!(engine.call("read", &[value.clone(), Value::Int(1)]).unwrap(), Some(Value::Int(8)));
        assert_eq!(value.to::<Opaque<Image>>().unwrap(), kept);
        assert!(value.to::<Opaque<String>>().is_err());
        assert_eq!(engine.get::<Opaque<Image>>("a").unwrap(), kept);
        assert!(engine.typed::<(), Opaque<String>>("keep").is_err(), "it has no name");
    }
}

#[test]
fn programs_cannot_make_values_of_the_host() {
    let mut engine = Engine::new(Config::default()).unwrap();
    declare(&mut engine);
    let Err(LoadError::Diagnostics(found)) = engine.load("test.hw", "let a = Image()") else { panic!("it is refused") };
    assert!(found[0].message().contains("a type of the host"), "{}", found[0].message());
    assert!(matches!(engine.function("f", |_: &String| ()), Err(DeclareError::Nameless(_))));
    // A struct of the program that has the same name is another type.
    let source =
        "struct Image { size: int }\nfn own() -> Image { return Image(size: 1) }\nfn f() -> int { return own().at(0) }";
    assert!(engine.load("test.hw", source).is_err());
    engine.load("own.hw", "struct Image { size: int }\nfn own() -> Image { return Image(size: 1) }").unwrap();
    assert!(engine.typed::<(), Opaque<Image>>("own").is_err());
    let other = Opaque::new(String::new());
    assert!(engine.call("at", &[Value::of(other), Value::Int(0)]).is_err());
}

#[test]
fn values_that_no_program_has_are_dropped() {
    for tier in TIERS {
        let heap = HeapConfig { limit: 1 << 20, ..HeapConfig::default() };
        let mut engine = Engine::new(Config { heap, ..captured(tier) }).unwrap();
        let alive = declare(&mut engine);
        engine
            .load(
                "test.hw",
                "let first = image(1)\nfn many(n: int) -> int { var last = first\n for i in 0..n { last = image(1) }\n return last.at(0) }
                fn fill() -> int { var all = [[0]; 0]\n for i in 0..100000 { all = [[i]] }\n return all[0][0] }",
            )
            .unwrap();
        engine.call("many", &[Value::Int(200_000)]).unwrap();
        assert!(alive.load(SeqCst) < 200_000, "{tier:?}: {}", alive.load(SeqCst));
        engine.call("fill", &[]).unwrap();
        drop(engine);
        assert_eq!(alive.load(SeqCst), 0, "{tier:?}");
    }
}

/// A value that notes where it is dropped.
struct Probe(Arc<Mutex<Vec<usize>>>);

impl Drop for Probe {
    fn drop(&mut self) {
        self.0.lock().unwrap().push(address_of_frame());
    }
}

/// An address of the stack that is used now.
#[inline(never)]
fn address_of_frame() -> usize {
    let local = 0_u8;
    (&raw const local).addr()
}

/// Values are dropped on the host's stack, which is as large as the host wants; the program's may be nearly full.
#[test]
fn values_are_dropped_on_the_stack_of_the_host() {
    for tier in TIERS {
        let mut engine = Engine::new(collecting(tier)).unwrap();
        let dropped = Arc::new(Mutex::new(Vec::new()));
        engine.opaque::<Probe>("Probe").unwrap();
        let noted = Arc::clone(&dropped);
        engine.function("probe", move || Opaque::new(Probe(Arc::clone(&noted)))).unwrap();
        let source = "fn lose(n: int) -> int {
                let kept = probe()
                var all = [[0]]
                for i in 0..100 { all = [[i], [i], [i]] }
                return if n == 0 { len(all) } else { lose(n - 1) + len(all) }
            }
            fn last() { var p: Probe? = probe()\n p = none\n for i in 0..100 { let a = [i] } }";
        engine.load("test.hw", source).unwrap_or_else(|error| panic!("{}", engine.report(&error)));
        engine.call("lose", &[Value::Int(50)]).unwrap();
        engine.call("last", &[]).unwrap();
        engine.call("last", &[]).unwrap();
        let here = address_of_frame();
        let found = dropped.lock().unwrap().clone();
        assert!(found.len() >= 50, "{tier:?}: {}", found.len());
        assert!(found.iter().all(|address| address.abs_diff(here) < 1 << 20), "{tier:?}: {here:x} {found:x?}");
        drop(engine);
        assert_eq!(dropped.lock().unwrap().len(), 53, "{tier:?}");
    }
}

#[test]
fn arrays_are_shared() {
    for tier in TIERS {
        let mut engine = Engine::new(collecting(tier)).unwrap();
        engine
            .function("fill", |cx: &mut Context, of: Array<i64>, with: i64| of.with_mut(cx, |to| to.fill(with)))
            .unwrap();
        engine
            .load(
                "test.hw",
                "fn sum(of: [float]) -> float { var s = 0.0\n for x in of { s += x }\n return s }
                fn double(of: [float]) { for i in 0..len(of) { of[i] = of[i] * 2.0 } }
                fn same(a: [float], b: [float]) -> bool { return a == b }
                let own = [1, 2, 3]
                fn numbers() -> [int] { return own }
                fn total() -> int { var s = 0\n for x in own { s += x }\n return s }
                fn filled() -> int { let a = [0; 10]\n fill(a, 5)\n return a[9] + len(a) }
                fn text(of: [byte]) -> int { return of[1] }",
            )
            .unwrap();
        let data: Array<f64> = engine.array(&[1.0, 2.0]).unwrap();
        data.with_mut(&mut engine, |s: &mut [f64]| s[0] = 3.0).unwrap();
        let sum: Function<(Array<f64>,), f64> = engine.typed("sum").unwrap();
        let double: Function<(Array<f64>,), ()> = engine.typed("double").unwrap();
        let same: Function<(Array<f64>, Array<f64>), bool> = engine.typed("same").unwrap();
        assert_eq!(sum.call(&mut engine, (data.clone(),)).unwrap(), 5.0);
        double.call(&mut engine, (data.clone(),)).unwrap();
        assert_eq!(data.with(&mut engine, <[f64]>::to_vec).unwrap(), [6.0, 4.0], "{tier:?}");
        assert!(same.call(&mut engine, (data.clone(), data.clone())).unwrap());
        let numbers: Function<(), Array<i64>> = engine.typed("numbers").unwrap();
        let own = numbers.call(&mut engine, ()).unwrap();
        assert_eq!(engine.call("total", &[]).unwrap(), Some(Value::Int(6)));
        own.with_mut(&mut engine, |s| s[2] = 1 << 40).unwrap();
        assert_eq!(engine.call("total", &[]).unwrap(), Some(Value::Int(3 + (1 << 40))), "{tier:?}");
        assert_eq!(engine.call("filled", &[]).unwrap(), Some(Value::Int(15)));
        let bytes: Array<u8> = engine.array(b"ab").unwrap();
        assert_eq!((bytes.len(), bytes.is_empty()), (2, false));
        let text: Function<(Array<u8>,), i64> = engine.typed("text").unwrap();
        assert_eq!(text.call(&mut engine, (bytes,)).unwrap(), 98);
        assert!(engine.typed::<(Array<i64>,), f64>("sum").is_err());
        let mut other = Engine::new(Config::default()).unwrap();
        assert!(matches!(data.with_mut(&mut other, |_| ()), Err(CallError::OtherEngine)));
    }
}

/// An array stays as long as the host has a handle, and its elements are where they were.
#[test]
fn shared_arrays_are_kept() {
    for tier in TIERS {
        let heap = HeapConfig { limit: 2 << 20, ..HeapConfig::default() };
        let mut engine = Engine::new(Config { heap, ..captured(tier) }).unwrap();
        engine.load("test.hw", "fn fill() { var all = [0; 1]\n for i in 0..2000 { all = [i; 1000] } }").unwrap();
        let data = engine.array(&[7_i64; 1000]).unwrap();
        for _ in 0..200 {
            engine.array(&[1_i64; 1000]).unwrap();
        }
        engine.call("fill", &[]).unwrap();
        assert!(data.with(&mut engine, |of| of.iter().all(|n| *n == 7)).unwrap(), "{tier:?}");
        let large = engine.array(&[0_i64; 1 << 20]);
        assert!(large.is_err_and(|error| error.to_string() == "out of memory"));
    }
}
