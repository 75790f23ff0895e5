//! The ways between the host and compiled code.
//!
//! In: a context; addresses on the program stack; functions of the runtime, of the C convention. Out:
//! - [`enter`] saves the host's registers, moves to the program stack and calls a function there.
//! - [`leave`] ends that call from any depth: it restores the host's stack and registers.
//! - [`on_host_stack`] calls a function on the host's stack, below what waits there.
//! - [`resume`] goes on in a frame that is still on the program stack.
//! - `lazy_target!` and `barrier_target!` make the routines that the stubs of [`super::stubs`] lead to.
//! - `runtime_call_stub!` makes the stub through which compiled code calls a function of the runtime: it
//!   notes the frame it came from and what that keeps in registers, for the collector, then jumps.
//! - `preserving_stub!` makes one that keeps every register: loops are polled, and event buffers emptied, without cost to a loop's registers.
//!
//! Contract: frames that `leave` and `resume` skip hold no value with a destructor. The exit frame in
//! the context is true from a stub until the runtime returns to compiled code.
#![expect(unsafe_code, reason = "switches stacks and jumps between frames")]

use super::HostCall;
use crate::abi::Context;
use std::arch::naked_asm;
use std::mem::offset_of;

/// End of a stay in compiled code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
#[allow(dead_code, reason = "`enter` makes the value 0 in assembly")]
pub enum Left {
    /// The code returned.
    Returned = 0,
    /// [`leave`] was called.
    Unwound = 1,
}

/// Calls the function at `entry` on the stack that ends at `stack_top`, a multiple of 16.
///
/// # Safety
/// `call` was made for that function's signature; it and `context` are live; nothing else runs on the stack.
#[unsafe(naked)]
pub unsafe extern "C" fn enter(context: *mut Context, stack_top: usize, call: *mut HostCall, entry: usize) -> Left {
    // The function keeps `rbp`, and no other register: behind the call all is found from there.
    naked_asm!(
        "push rbp",
        "mov rbp, rsp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "push rdi",
        "push rdx",
        "sub rsp, 8",
        "mov [rdi + {host_sp}], rsp",
        "mov rsp, rsi",
        "mov rax, rdx",
        "mov r10, rcx",
        "mov rsi, [rax + {stack}]",
        "mov rcx, [rax + {stack_words}]",
        "2:",
        "test rcx, rcx",
        "jz 3f",
        "push qword ptr [rsi + 8 * rcx - 8]",
        "dec rcx",
        "jmp 2b",
        "3:",
        "mov rdi, [rax + {words}]",
        "mov rsi, [rax + {words} + 8]",
        "mov rdx, [rax + {words} + 16]",
        "mov rcx, [rax + {words} + 24]",
        "mov r8, [rax + {words} + 32]",
        "mov r9, [rax + {words} + 40]",
        "movsd xmm0, [rax + {floats}]",
        "movsd xmm1, [rax + {floats} + 8]",
        "movsd xmm2, [rax + {floats} + 16]",
        "movsd xmm3, [rax + {floats} + 24]",
        "movsd xmm4, [rax + {floats} + 32]",
        "movsd xmm5, [rax + {floats} + 40]",
        "movsd xmm6, [rax + {floats} + 48]",
        "movsd xmm7, [rax + {floats} + 56]",
        "call r10",
        "mov rdx, [rbp - 56]",
        "mov [rdx + {words}], rax",
        "movsd [rdx + {floats}], xmm0",
        "mov rdi, [rbp - 48]",
        "xor esi, esi",
        "jmp {leave}",
        host_sp = const offset_of!(Context, host_sp),
        words = const offset_of!(HostCall, words),
        floats = const offset_of!(HostCall, floats),
        stack = const offset_of!(HostCall, stack),
        stack_words = const offset_of!(HostCall, stack_words),
        leave = sym leave,
    )
}

/// Ends the present stay in compiled code.
///
/// # Safety
/// Between an [`enter`] with this context and its end, on the program stack.
#[unsafe(naked)]
pub unsafe extern "C" fn leave(context: *mut Context, how: Left) -> ! {
    naked_asm!(
        "mov rsp, [rdi + {host_sp}]",
        "mov rax, rsi",
        "add rsp, 24",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
        host_sp = const offset_of!(Context, host_sp),
    )
}

/// Calls a function with `data` and the stack pointer of the program, on the stack that the host entered compiled code from.
///
/// # Safety
/// Between an [`enter`] with this context and its end, on the program stack. The function returns, and takes that data.
#[unsafe(naked)]
pub unsafe extern "C" fn on_host_stack(
    context: *mut Context,
    data: *mut core::ffi::c_void,
    function: unsafe extern "C" fn(*mut core::ffi::c_void, usize),
) {
    naked_asm!(
        "push rbp",
        "mov rbp, rsp",
        "mov rax, rdx",
        "mov rcx, [rdi + {host_sp}]",
        "mov rdi, rsi",
        "mov rsi, rsp",
        "mov rsp, rcx",
        "and rsp, -16",
        "call rax",
        "mov rsp, rbp",
        "pop rbp",
        "ret",
        host_sp = const offset_of!(Context, host_sp),
    )
}

/// Goes on at `pc` with that stack and frame pointer.
///
/// # Safety
/// They are those of a live frame of compiled code at an exception edge of a call it made.
#[unsafe(naked)]
pub unsafe extern "C" fn resume(pc: usize, sp: usize, fp: usize) -> ! {
    naked_asm!("mov rsp, rsi", "mov rbp, rdx", "jmp rdi")
}

/// Declares the routine that lazy stubs lead to: it has `$inner` compile the function and goes on in its code. It comes with the function
/// in `eax` and the context in `r10`; every operand register is kept.
#[macro_export]
macro_rules! lazy_target {
    ($stub:ident => $inner:path) => {
        #[unsafe(naked)]
        pub(super) unsafe extern "C" fn $stub() {
            ::std::arch::naked_asm!(
                "mov [r10 + {exit_fp}], rbp",
                "mov r11, [rsp]",
                "mov [r10 + {exit_pc}], r11",
                "push rbp",
                "mov rbp, rsp",
                "push rdi",
                "push rsi",
                "push rdx",
                "push rcx",
                "push r8",
                "push r9",
                "sub rsp, 64",
                "movsd [rsp], xmm0",
                "movsd [rsp + 8], xmm1",
                "movsd [rsp + 16], xmm2",
                "movsd [rsp + 24], xmm3",
                "movsd [rsp + 32], xmm4",
                "movsd [rsp + 40], xmm5",
                "movsd [rsp + 48], xmm6",
                "movsd [rsp + 56], xmm7",
                "mov rdi, r10",
                "mov esi, eax",
                "call {compile}",
                "movsd xmm0, [rsp]",
                "movsd xmm1, [rsp + 8]",
                "movsd xmm2, [rsp + 16]",
                "movsd xmm3, [rsp + 24]",
                "movsd xmm4, [rsp + 32]",
                "movsd xmm5, [rsp + 40]",
                "movsd xmm6, [rsp + 48]",
                "movsd xmm7, [rsp + 56]",
                "add rsp, 64",
                "pop r9",
                "pop r8",
                "pop rcx",
                "pop rdx",
                "pop rsi",
                "pop rdi",
                "pop rbp",
                "jmp rax",
                exit_fp = const ::std::mem::offset_of!($crate::abi::Context, exit_fp),
                exit_pc = const ::std::mem::offset_of!($crate::abi::Context, exit_pc),
                compile = sym $inner,
            )
        }
    };
}

/// Declares the routine that the return barrier leads to: it goes on where the frame was called that has returned, at the address that
/// `$inner` gives. It comes with the context in `r10`; what functions return, one value, is kept.
#[macro_export]
macro_rules! barrier_target {
    ($stub:ident => $inner:path) => {
        #[unsafe(naked)]
        pub(super) unsafe extern "C" fn $stub() {
            ::std::arch::naked_asm!(
                "mov r11, rsp",
                "and rsp, -16",
                "sub rsp, 32",
                "mov [rsp], rax",
                "movsd [rsp + 8], xmm0",
                "mov [rsp + 16], r11",
                "mov rdi, r10",
                "mov rsi, r11",
                "call {passed}",
                "mov r11, rax",
                "mov rax, [rsp]",
                "movsd xmm0, [rsp + 8]",
                "mov rsp, [rsp + 16]",
                "jmp r11",
                passed = sym $inner,
            )
        }
    };
}

/// Declares the stub `$stub` to the runtime function `$inner`, whose first operand is the context.
#[macro_export]
macro_rules! runtime_call_stub {
    ($stub:ident => $inner:path) => {
        #[unsafe(naked)]
        pub(super) unsafe extern "C" fn $stub() {
            ::std::arch::naked_asm!(
                "mov [rdi + {exit_fp}], rbp",
                "mov rax, [rsp]",
                "mov [rdi + {exit_pc}], rax",
                "lea rax, [rsp + 8]",
                "mov [rdi + {exit_sp}], rax",
                "mov [rdi + {registers}], rbx",
                "mov [rdi + {registers} + 8], r12",
                "mov [rdi + {registers} + 16], r13",
                "mov [rdi + {registers} + 24], r14",
                "mov [rdi + {registers} + 32], r15",
                "jmp {inner}",
                exit_fp = const ::std::mem::offset_of!($crate::abi::Context, exit_fp),
                exit_pc = const ::std::mem::offset_of!($crate::abi::Context, exit_pc),
                exit_sp = const ::std::mem::offset_of!($crate::abi::Context, exit_sp),
                registers = const ::std::mem::offset_of!($crate::abi::Context, exit_registers),
                inner = sym $inner,
            )
        }
    };
}

/// Declares a stub that keeps every register to `$inner`, whose only operand is the context: for what happens in passing.
/// Polls come by the context's stubs, with the code's `rdi` on the stack. On edges they are counted: one leads on when the context's countdown is used up.
/// One at a header goes by the header at which frames wait to be left:
/// - none: it is counted;
/// - this one, or any: it leads on;
/// - another: it is counted if a flag is raised, else it does nothing.
#[macro_export]
macro_rules! preserving_stub {
    ($stub:ident => $inner:path) => {
        $crate::preserving_stub!($stub => $inner; "");
    };
    ($stub:ident at entries => $inner:path) => {
        $crate::arch::preserving_stub!(@code $stub => $inner; "", 16, "pop rdi";);
    };
    ($stub:ident on edges => $inner:path) => {
        $crate::arch::preserving_stub!(@code $stub => $inner; "sub dword ptr [rdi + {countdown}], 1
        jz 2f
        pop rdi
        ret
        2:", 16, "pop rdi"; countdown);
    };
    ($stub:ident at headers => $inner:path) => {
        $crate::arch::preserving_stub!(@code $stub => $inner; "cmp dword ptr [rdi + {leaving}], 0
        je 3f
        cmp dword ptr [rdi + {leaving}], {any}
        je 2f
        push rax
        mov eax, [rdi + {header}]
        cmp [rdi + {leaving}], eax
        pop rax
        je 2f
        cmp dword ptr [rdi + {interrupt}], 0
        je 4f
        3:
        sub dword ptr [rdi + {countdown}], 1
        jz 2f
        4:
        pop rdi
        ret
        2:", 16, "pop rdi"; countdown, leaving, header, interrupt; any = $crate::abi::ANY_HEADER as i32);
    };
    ($stub:ident searching paths => $inner:path) => {
        $crate::arch::preserving_stub!($stub => $inner; $crate::search_paths!(), path, path_table, path_slot;
            factor = $crate::probes::path_table::FACTOR);
    };
    ($stub:ident sampling paths => $inner:path) => {
        $crate::arch::preserving_stub!($stub => $inner; $crate::sample_path!(), burst_cell, tag, path;);
    };
    ($stub:ident sampling runs => $inner:path) => {
        $crate::arch::preserving_stub!(
            $stub => $inner; $crate::sample_run!(), burst_cell, tag, path, further_path, iterations;
        );
    };
    ($stub:ident ending runs => $inner:path) => {
        $crate::arch::preserving_stub!($stub => $inner; $crate::end_run!(), run_cell, run_bits, run_count;
            factor = $crate::probes::path_table::FACTOR);
    };
    ($stub:ident => $inner:path; $first:expr $(, $field:ident)* $(; $($name:ident = $value:expr),*)?) => {
        $crate::arch::preserving_stub!(@code $stub => $inner; $first, 8, ""; $($field),* $(; $($name = $value),*)?);
    };
    (@code $stub:ident => $inner:path; $first:expr, $caller:expr, $last:expr;
        $($field:ident),* $(; $($name:ident = $value:expr),*)?) => {
        #[unsafe(naked)]
        pub(super) unsafe extern "C" fn $stub() {
            ::std::arch::naked_asm!(
                $first,
                "mov [rdi + {exit_fp}], rbp",
                "push rax",
                "mov rax, [rsp + {caller}]",
                "mov [rdi + {exit_pc}], rax",
                "push rcx",
                "push rdx",
                "push rsi",
                "push rdi",
                "push r8",
                "push r9",
                "push r10",
                "push r11",
                "sub rsp, {room}",
                "movups [rsp], xmm0",
                "movups [rsp + 16], xmm1",
                "movups [rsp + 32], xmm2",
                "movups [rsp + 48], xmm3",
                "movups [rsp + 64], xmm4",
                "movups [rsp + 80], xmm5",
                "movups [rsp + 96], xmm6",
                "movups [rsp + 112], xmm7",
                "movups [rsp + 128], xmm8",
                "movups [rsp + 144], xmm9",
                "movups [rsp + 160], xmm10",
                "movups [rsp + 176], xmm11",
                "movups [rsp + 192], xmm12",
                "movups [rsp + 208], xmm13",
                "movups [rsp + 224], xmm14",
                "movups [rsp + 240], xmm15",
                "call {inner}",
                "movups xmm0, [rsp]",
                "movups xmm1, [rsp + 16]",
                "movups xmm2, [rsp + 32]",
                "movups xmm3, [rsp + 48]",
                "movups xmm4, [rsp + 64]",
                "movups xmm5, [rsp + 80]",
                "movups xmm6, [rsp + 96]",
                "movups xmm7, [rsp + 112]",
                "movups xmm8, [rsp + 128]",
                "movups xmm9, [rsp + 144]",
                "movups xmm10, [rsp + 160]",
                "movups xmm11, [rsp + 176]",
                "movups xmm12, [rsp + 192]",
                "movups xmm13, [rsp + 208]",
                "movups xmm14, [rsp + 224]",
                "movups xmm15, [rsp + 240]",
                "add rsp, {room}",
                "pop r11",
                "pop r10",
                "pop r9",
                "pop r8",
                "pop rdi",
                "pop rsi",
                "pop rdx",
                "pop rcx",
                "pop rax",
                $last,
                "ret",
                exit_fp = const ::std::mem::offset_of!($crate::abi::Context, exit_fp),
                exit_pc = const ::std::mem::offset_of!($crate::abi::Context, exit_pc),
                caller = const $caller,
                // For sixteen registers; what is called wants the stack aligned.
                room = const 248 + $caller,
                $($field = const ::std::mem::offset_of!($crate::abi::Context, $field),)*
                $($($name = const $value,)*)?
                inner = sym $inner,
            )
        }
    };
}
