//! Modules read from text: what clang wrote, every form of guard, call and terminator, and texts that are wrong.

use super::instruction::{CallText, GuardPlace, Instruction, instruction};
use super::{Block, Callee, End, Function, parse};

const TINY: &str = include_str!("../../../../../tests/data/tiny.ll");

/// A function of one block of instructions, with a guard.
fn function(body: &str) -> String {
    format!(
        "@__sancov_gen_ = private global [9 x i32] zeroinitializer\ndefine void @f() {{\n{GUARD}{body}\n}}\ndeclare void @g()\n"
    )
}

const GUARD: &str = "  call void @__sanitizer_cov_trace_pc_guard(ptr @__sancov_gen_)\n";

fn first(text: &str) -> Function {
    parse(text).expect("a module").functions.remove(0)
}

#[test]
fn a_module_of_clang() {
    let module = parse(TINY).expect("clang wrote it");
    let names: Vec<&str> = module.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["main", "compare", "odd", "twice", "apply", "minus", "even"]);
    assert_eq!(module.guards.len(), 20);
    // The arrays of guards are in another order than the functions: apply has the tenth guard, twice the eleventh.
    assert_eq!((module.guards[9], module.guards[10], module.guards[19]), (Some((4, 0)), Some((3, 0)), Some((6, 3))));
    let main = &module.functions[0];
    assert_eq!(
        (main.file.as_deref(), main.marks_returns, module.functions[1].marks_returns),
        (Some("tiny.c"), false, true)
    );
    let block = |name: &str| main.blocks.iter().find(|block| block.name == name).expect("it is there");
    assert_eq!(block("entry").calls, [Callee::Outside], "qsort, and neither intrinsics nor the runtime");
    assert_eq!(block("6").calls, [Callee::Traced(2), Callee::Outside]);
    assert_eq!((block("6").lines, &block("6").end), (Some((19, 20)), &End::Stops));
    let ends: Vec<&str> = match &block("12").end {
        End::LeadsTo(to) => to.iter().map(|&to| main.blocks[to].name.as_str()).collect(),
        End::Returns | End::Stops => Vec::new(),
    };
    assert_eq!(ends, ["21", "17", "19"]);
    assert_eq!(module.functions[4].blocks[0].calls, [Callee::Pointer]);
}

#[test]
fn guards_of_all_versions() {
    let is = |index| Instruction::Guard(GuardPlace { array: "__sancov_gen_.1", index });
    for (arguments, expected) in [
        ("i32* getelementptr inbounds ([12 x i32], [12 x i32]* @__sancov_gen_.1, i32 0, i32 0)) #12, !dbg !15", is(0)),
        ("i32* getelementptr inbounds ([12 x i32], [12 x i32]* @__sancov_gen_.1, i64 0, i64 7))", is(7)),
        ("i32* inttoptr (i64 add (i64 ptrtoint ([12 x i32]* @__sancov_gen_.1 to i64), i64 44) to i32*)) #3", is(11)),
        ("ptr inttoptr (i64 add (i64 ptrtoint (ptr @__sancov_gen_.1 to i64), i64 4) to ptr)) #3", is(1)),
        ("ptr @__sancov_gen_.1) #12, !dbg !15", is(0)),
        ("ptr getelementptr inbounds ([3 x i32], ptr @__sancov_gen_.1, i64 0, i64 2))", is(2)),
        ("ptr getelementptr inbounds nuw (i8, ptr @__sancov_gen_.1, i64 8))", is(2)),
        ("ptr getelementptr (i8, ptr @__sancov_gen_.1, i64 7))", Instruction::UnreadGuard),
        ("ptr %5)", Instruction::UnreadGuard),
    ] {
        let line = format!("call void @__sanitizer_cov_trace_pc_guard({arguments}");
        assert_eq!(instruction(&line), expected, "{arguments}");
    }
}

#[test]
fn callees_of_calls() {
    for (text, expected) in [
        ("%3 = call i32 @f(i32 %2), !dbg !7", CallText::Named("f")),
        ("tail call fastcc void @f.1(void ()* @g)", CallText::Named("f.1")),
        (
            "%3 = call i32 (i8*, ...) @printf(i8* getelementptr ([4 x i8], [4 x i8]* @.str, i64 0, i64 0))",
            CallText::Named("printf"),
        ),
        ("call void @\"a name\"(i32 1)", CallText::Named("a name")),
        ("%9 = call %struct.s* %8(i32 1, i32* @g)", CallText::Pointer),
        ("%9 = call i32 %8(void (i32)* @g)", CallText::Pointer),
        ("%9 = call i32 bitcast (i32 (...)* @f to i32 (i32)*)(i32 1)", CallText::Named("f")),
        ("%9 = call i32 @f(i8* bitcast (i32 ()* @g to i8*))", CallText::Named("f")),
        ("call void asm sideeffect \"call @f(\", \"~{memory}\"()", CallText::None),
        ("call void @llvm.memset.p0i8.i64(i8* %1, i8 0, i64 4, i1 false)", CallText::None),
    ] {
        assert_eq!(instruction(text), Instruction::Call(expected), "{text}");
    }
    assert_eq!(instruction("%1 = add i32 1, 2"), Instruction::Other);
    assert_eq!(instruction("call void @llvm.dbg.value(metadata i32 0)"), Instruction::Debug);
}

#[test]
fn blocks_that_only_stop_need_no_guard() {
    let block = |body: &str| parse(&function(&format!("  br label %3\n\n3:\n{body}  unreachable")));
    for body in [
        "",
        "  call void @llvm.dbg.value(metadata i32 0, metadata !1, metadata !DIExpression()), !dbg !2\n",
        "    #dbg_value(i32 0, !1, !DIExpression(), !2)\n",
        "  %4 = phi i32 [ 0, %0 ]\n  call void @llvm.lifetime.end.p0i8(i64 4, i8* %1)\n",
    ] {
        assert_eq!(block(body).expect("a module").functions[0].blocks[1].end, End::Stops, "{body}");
    }
    for body in ["  call void @g()\n", "  store i32 0, ptr %1\n"] {
        let error = block(body).expect_err("LLVM gives it a guard").to_string();
        assert!(error.contains("block `3` of `f` has no guard"), "{body}: {error}");
    }
}

#[test]
fn terminators() {
    let leads = |body: &str| {
        let blocks: Vec<Block> = first(&function(body)).blocks;
        match &blocks[0].end {
            End::LeadsTo(to) => to.iter().map(|&to| blocks[to].name.clone()).collect::<Vec<_>>().join(" "),
            End::Returns => "ret".to_owned(),
            End::Stops => "stop".to_owned(),
        }
    };
    let rest = "\n\na:\n  unreachable\n\n\"b c\":                ; preds = %a\n  unreachable";
    for (text, expected) in [
        ("  br label %a", "a"),
        ("  br i1 %x, label %\"b c\", label %a, !dbg !1", "b c a"),
        ("  br i1 %x, label %a, label %a", "a"),
        ("  switch i32 %1, label %a [\n    i32 1, label %\"b c\"\n    i32 2, label %a\n  ], !dbg !7", "a b c"),
        ("  indirectbr i8* %1, [label %a, label %\"b c\"]", "a b c"),
        ("  %1 = invoke i32 @g()\n          to label %a unwind label %\"b c\"", "a b c"),
        ("  callbr void asm \"jmp label %z\", \"i\"()\n          to label %a [label %\"b c\"]", "a b c"),
        ("  ret i32 0", "ret"),
        ("  unreachable", "stop"),
        ("  resume { i8*, i32 } %1", "stop"),
        ("  cleanupret from %1 unwind to caller", "stop"),
    ] {
        assert_eq!(leads(&format!("{text}{rest}")), expected, "{text}");
    }
    let invoke = first(&function(&format!("  invoke void @f()\n          to label %a unwind label %a{rest}")));
    assert_eq!(invoke.blocks[0].calls, [Callee::Traced(0)]);
}

#[test]
fn lines_of_inlined_code_are_those_of_the_call() {
    let text = function("  %1 = add i32 1, 2, !dbg !1\n  %2 = add i32 1, 2, !dbg !2\n  ret void, !dbg !4")
        + "!1 = !DILocation(line: 90, scope: !9, inlinedAt: !2)\n!2 = distinct !DILocation(line: 5, scope: !9, inlinedAt: !3)\n\
           !3 = !DILocation(line: 7, scope: !8)\n!4 = !DILocation(line: 0, scope: !8)\n";
    assert_eq!(first(&text).blocks[0].lines, Some((7, 7)));
    let endless = text.replace("line: 7, scope: !8", "line: 7, scope: !8, inlinedAt: !2");
    assert_eq!(first(&endless).blocks[0].lines, None);
}

#[test]
fn the_location_of_a_switch_is_on_its_last_line() {
    let body = "  switch i32 %1, label %a [\n    i32 1, label %a\n  ], !dbg !1\na:\n  unreachable";
    let text = function(body) + "!1 = !DILocation(line: 8, scope: !9)\n";
    assert_eq!(first(&text).blocks[0].lines, Some((8, 8)));
}

#[test]
fn faults_name_their_line() {
    let fault = |text: &str| parse(text).expect_err("it is wrong").to_string();
    assert_eq!(fault(&function("  br label %a")), "line 3: block `entry` leads to `a`, which is no block");
    assert_eq!(fault(&function("  br label %entry")), "line 3: block `entry` leads to the entry of `f`");
    assert_eq!(fault(&function("  %1 = add i32 1, 2")), "line 3: block `entry` of `f` has no terminator");
    assert_eq!(
        fault(&function("  br label %a\na:\n  ret void")),
        "line 5: block `a` of `f` has no guard; compile with -fsanitize-coverage=trace-pc-guard,no-prune"
    );
    assert_eq!(
        fault(&function("  br label %a\na:\n  unreachable\na:\n  unreachable")),
        "line 7: `f` has the label `a` twice"
    );
    assert_eq!(fault(&function("  ret void\nthis is nothing")), "line 5: expected a label, an instruction or `}`");
    assert_eq!(fault("define void @f() {\n  ret void\n"), "line 3: the text ends within `f`");
    assert_eq!(fault("define void @f()\n"), "line 1: the definition of `f` does not end with `{`");
    assert_eq!(fault("define void {\n"), "line 1: a definition has no name");
    assert_eq!(fault("@__sancov_gen_ = global i32 0\n"), "line 1: `@__sancov_gen_` is no array of guards");
    let undefined = function("  ret void").replace("@__sancov_gen_ =", "@elsewhere =");
    assert_eq!(fault(&undefined), "line 3: the block's guard is in `@__sancov_gen_`, which is not defined");
    let beyond = function("  ret void").replace("[9 x i32]", "[0 x i32]");
    assert_eq!(fault(&beyond), "line 3: the block's guard is element 0 of `@__sancov_gen_`, which has 0");
    let twice = function(&format!("  br label %a\na:\n{GUARD}  ret void"));
    assert_eq!(fault(&twice), "line 5: element 0 of `@__sancov_gen_` is the guard of two blocks");
    for length in [1_000, 50_000_000, 4_000_000_000_u32] {
        let large = function("  ret void").replace("[9 x i32]", &format!("[{length} x i32]"));
        let expected = "guards, and the text is too short for as many calls";
        assert_eq!(fault(&large), format!("line 1: `@__sancov_gen_` has {length} {expected}"));
    }
    let unread = function("  ret void").replace("(ptr @__sancov_gen_)", "(ptr %1)");
    assert_eq!(fault(&unread), "line 3: the guard of this block cannot be read");
}

#[test]
fn no_text_is_a_panic() {
    for end in (0..TINY.len()).step_by(13) {
        let _ = parse(&TINY[..end]);
        let _ = parse(&TINY[end..]);
        let _ = parse(&(TINY[..end].to_owned() + &TINY[(end + 7).min(TINY.len())..]));
    }
}
