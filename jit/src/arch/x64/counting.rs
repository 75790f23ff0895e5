//! Assembly of what code counts in passing, before the runtime is asked: paths, paths of bursts, and runs of executions.
//!
//! In: the context in `rdi`, with its operands. Out: templates for `preserving_stub!`. They return where the memory has all that they need, else
//! go on behind their ends with every register as it was.

/// Counts the path where the table has it: `crate::probes::path_table` describes the search.
#[macro_export]
macro_rules! search_paths {
    () => {
        "push rax
        push rdx
        push rsi
        push r8
        mov rax, [rdi + {path}]
        mov rsi, [rdi + {path_table}]
        movabs rdx, {factor}
        imul rdx, rax
        bswap rdx
        3:
        and rdx, [rsi + 8]
        mov r8, [rsi]
        add r8, rdx
        cmp [r8], rax
        jne 4f
        add qword ptr [r8 + 8], 1
        mov [rdi + {path_slot}], r8
        pop r8
        pop rsi
        pop rdx
        pop rax
        ret
        4:
        cmp qword ptr [r8], 0
        je 6f
        add rdx, 32
        jmp 3b
        6:
        pop r8
        pop rsi
        pop rdx
        pop rax"
    };
}

/// Makes the word of an entry of the batch in rdx, of the cell at rsi: `crate::probes::burst_cell` describes how. 3: the activation began in this
/// burst. 4: it has a tag of an earlier one, or none. 5: it is made.
#[macro_export]
macro_rules! burst_tag {
    () => {
        "mov rcx, [rdi + {tag}]
        mov rdx, rcx
        cmp rcx, [rsi + 32]
        je 3f
        cmp rcx, [rsi + 24]
        jae 5f
        mov rcx, [rsi + 40]
        mov rdx, rcx
        jmp 4f
        3:
        mov rcx, [rsi + 40]
        lea rdx, [rcx + 1]
        4:
        mov [rdi + {tag}], rcx
        add qword ptr [rsi + 40], 2
        5:"
    };
}

/// Saves what the appending to a batch uses; the cell is in rsi then.
#[macro_export]
macro_rules! enter_batch {
    () => {
        "push rax
        push rcx
        push rdx
        push rsi
        mov rsi, [rdi + {burst_cell}]"
    };
}

/// Appends one path with the word in rdx; the address of the entry behind it is in rax then.
#[macro_export]
macro_rules! append_path {
    () => {
        "mov rax, [rsi + 16]
        mov [rax], rdx
        mov rcx, [rdi + {path}]
        mov [rax + 8], rcx
        mov qword ptr [rax + 16], 1
        add rax, 24"
    };
}

/// Returns with every register as it was; goes on from 6, for what the batch has no room for.
#[macro_export]
macro_rules! leave_batch {
    () => {
        "pop rsi
        pop rdx
        pop rcx
        pop rax
        ret
        6:
        pop rsi
        pop rdx
        pop rcx
        pop rax"
    };
}

/// Appends a path to the batch, where that has room.
#[macro_export]
macro_rules! sample_path {
    () => {
        concat!(
            $crate::enter_batch!(),
            "
            cmp qword ptr [rsi + 8], 0
            je 6f
            ",
            $crate::burst_tag!(),
            $crate::append_path!(),
            "
            mov [rsi + 16], rax
            sub qword ptr [rsi + 8], 1
            ",
            $crate::leave_batch!()
        )
    };
}

/// Appends the iterations of a loop with one path to the batch, where that has room for all. 7: no further iteration. 8: done.
#[macro_export]
macro_rules! sample_run {
    () => {
        concat!(
            $crate::enter_batch!(),
            "
            mov rax, [rdi + {iterations}]
            test rax, rax
            jz 8f
            cmp rax, [rsi + 8]
            ja 6f
            sub [rsi + 8], rax
            ",
            $crate::burst_tag!(),
            $crate::append_path!(),
            "
            mov rcx, [rdi + {iterations}]
            sub rcx, 1
            jz 7f
            and rdx, -2
            mov [rax], rdx
            mov rdx, [rdi + {further_path}]
            mov [rax + 8], rdx
            mov [rax + 16], rcx
            add rax, 24
            7:
            mov [rsi + 16], rax
            8:
            ",
            $crate::leave_batch!()
        )
    };
}

/// Folds the run that ends: `crate::probes::run_cell` describes what that does. 2: the slot is to be made. 3: the ended run's slot is in r8.
/// 4: into the window. 5: the run that begins. 6, 66: the search for its slot. 8: it is the longest. 86, 88: it is the shortest, or the first. 9: the
/// window is full. 92: it has several paths, whose places are counted. 94, 96: further windows of this run, and the next window.
#[macro_export]
macro_rules! end_run {
    () => {
        "push rax
        push rcx
        push rdx
        push rsi
        push r8
        push r9
        mov rsi, [rdi + {run_cell}]
        mov r9, [rsi + 8]
        test r9, r9
        jz 5f
        mov rax, [rsi]
        mov r8, [rsi + 56]
        test r8, r8
        jnz 3f
        mov rcx, [rsi + 72]
        mov r8, rax
        shr r8, cl
        shl r8, 4
        lea r8, [rsi + r8 + 128]
        3:
        add [r8], r9
        mov rcx, [rsi + 32]
        mov rdx, r9
        sub rdx, rcx
        cmp rdx, [rsi + 40]
        ja 8f
        4:
        mov rdx, [rsi + 16]
        sub rdx, r9
        jbe 9f
        mov [rsi + 16], rdx
        or [rsi + 24], rax
        5:
        mov rax, [rdi + {run_bits}]
        mov rcx, [rdi + {run_count}]
        mov [rsi], rax
        mov [rsi + 8], rcx
        cmp qword ptr [rsi + 72], 0
        jne 7f
        movabs rdx, {factor}
        imul rdx, rax
        bswap rdx
        6:
        and rdx, [rsi + 96]
        mov r8, [rsi + 88]
        add r8, rdx
        mov rcx, [r8 + 16]
        cmp rcx, rax
        jne 66f
        mov [rsi + 56], r8
        7:
        pop r9
        pop r8
        pop rsi
        pop rdx
        pop rcx
        pop rax
        ret
        66:
        cmp rcx, [rsi + 104]
        je 2f
        add rdx, 32
        jmp 6b
        8:
        cmp rcx, -1
        je 88f
        cmp r9, rcx
        jb 86f
        mov [rsi + 40], rdx
        jmp 4b
        86:
        sub [rsi + 40], rdx
        88:
        mov [rsi + 32], r9
        jmp 4b
        9:
        neg rdx
        mov rcx, [rsi + 64]
        cmp [rsi + 16], rcx
        jne 92f
        add [r8 + 8], rcx
        jmp 94f
        92:
        push r8
        mov r9, [rsi + 24]
        or r9, rax
        and r9, [rsi + 80]
        mov r8, r9
        shr r8, 1
        movabs rcx, 0x5555555555555555
        and r8, rcx
        sub r9, r8
        movabs rcx, 0x3333333333333333
        mov r8, r9
        and r8, rcx
        shr r9, 2
        and r9, rcx
        add r9, r8
        mov r8, r9
        shr r8, 4
        add r9, r8
        movabs rcx, 0x0f0f0f0f0f0f0f0f
        and r9, rcx
        movabs rcx, 0x0101010101010101
        imul r9, rcx
        shr r9, 56
        add [rsi + 48], r9
        mov rcx, [rsi + 64]
        pop r8
        94:
        cmp rdx, rcx
        jb 96f
        mov r9, rax
        mov rax, rdx
        xor edx, edx
        div rcx
        imul rax, rcx
        add [r8 + 8], rax
        mov rax, r9
        96:
        sub rcx, rdx
        mov [rsi + 16], rcx
        xor r9d, r9d
        test rdx, rdx
        cmovnz r9, rax
        mov [rsi + 24], r9
        jmp 5b
        2:
        pop r9
        pop r8
        pop rsi
        pop rdx
        pop rcx
        pop rax"
    };
}
