//! The functions of the C API.
//!
//! In: pointers of C. Out: true, or false and a text in the engine. Each function is declared in `include/holloway.h`, which
//! says what its arguments must be.
#![expect(unsafe_code, reason = "takes pointers of C, and exports names")]

use crate::callable::Callable;
use crate::host::{Callback, Function, HostFunction, Target};
use crate::pointers::{items, reason, text};
use crate::value::{CValue, Kept};
use holloway::{HeapConfig, InterruptHandle, Limits, Sink, TierChoice, Value};
use std::ffi::{CString, c_char, c_int, c_void};
use std::mem::take;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::time::Duration;

/// `hw_config`
#[repr(C)]
pub struct Config {
    tier: u32,
    heap_bytes: u64,
    fuel: u64,
    milliseconds: u64,
    captures_output: bool,
}

/// `hw_engine`
pub struct Engine {
    engine: holloway::Engine,
    /// The values that C was given last.
    kept: Kept,
    error: CString,
}

/// `hw_interrupt`
pub struct Interrupt(InterruptHandle);

impl Config {
    fn resolved(&self) -> Option<holloway::Config> {
        let some = |value: u64| Some(value).filter(|value| *value != 0);
        let tier = match self.tier {
            0 => TierChoice::Auto,
            1 => TierChoice::Interp,
            2 => TierChoice::Baseline,
            3 => TierChoice::Optimized,
            _ => return None,
        };
        let mut heap = HeapConfig::default();
        if let Some(limit) = some(self.heap_bytes) {
            heap.limit = usize::try_from(limit).ok()?;
        }
        let limits = Limits { fuel: some(self.fuel), time: some(self.milliseconds).map(Duration::from_millis) };
        let output = if self.captures_output { Sink::Captured(Vec::new()) } else { Sink::default() };
        Some(holloway::Config { tier, heap, limits, output, ..holloway::Config::default() })
    }
}

/// `hw_new`
///
/// # Safety
/// As `holloway.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_new(config: *const Config) -> *mut Engine {
    let made = catch_unwind(|| {
        // SAFETY: the caller vouches for the configuration.
        let config = match unsafe { config.as_ref() } {
            Some(config) => config.resolved()?,
            None => holloway::Config::default(),
        };
        let engine = holloway::Engine::new(config).ok()?;
        Some(Box::into_raw(Box::new(Engine { engine, kept: Kept::default(), error: CString::default() })))
    });
    made.ok().flatten().unwrap_or(null_mut())
}

/// `hw_free`
///
/// # Safety
/// As `holloway.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_free(engine: *mut Engine) {
    if !engine.is_null() {
        // SAFETY: the caller gives back what `hw_new` made. A panic of what the host left in it goes nowhere.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(unsafe { Box::from_raw(engine) })));
    }
}

/// `hw_error`
///
/// # Safety
/// As `holloway.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_error(engine: *const Engine) -> *const c_char {
    // SAFETY: the caller vouches for the engine.
    unsafe { engine.as_ref() }.map_or(c"there is no engine".as_ptr(), |engine| engine.error.as_ptr())
}

/// `hw_declare`
///
/// # Safety
/// As `holloway.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_declare(
    engine: *mut Engine,
    declaration: *const c_char,
    function: Option<Function>,
    data: *mut c_void,
) -> bool {
    let target = function.map(Target::Plain);
    // SAFETY: the caller vouches for engine and text.
    unsafe { declare(engine, declaration, target, data) }
}

/// `hw_declare_callback`
///
/// # Safety
/// As `holloway.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_declare_callback(
    engine: *mut Engine,
    declaration: *const c_char,
    function: Option<Callback>,
    data: *mut c_void,
) -> bool {
    let target = function.map(Target::CallsBack);
    // SAFETY: the caller vouches for engine and text.
    unsafe { declare(engine, declaration, target, data) }
}

/// Declares a function of C.
///
/// # Safety
/// Engine and text are as `holloway.h` says.
unsafe fn declare(
    engine: *mut Engine,
    declaration: *const c_char,
    function: Option<Target>,
    data: *mut c_void,
) -> bool {
    let declare = |engine: &mut Engine| {
        let function = HostFunction { function: function.ok_or("there is no function")?, data };
        // SAFETY: the caller vouches for the text.
        let declaration = unsafe { text(declaration) }?;
        let call = move |context: &mut holloway::Context<'_>, args: &[Value]| function.call(context, args);
        engine.engine.function_as(declaration, call).map_err(|error| engine.engine.report(&error))
    };
    // SAFETY: the caller vouches for the engine.
    unsafe { attempt(engine, declare) }
}

/// `hw_lookup`
///
/// # Safety
/// As `holloway.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_lookup(engine: *mut Engine, function: *const c_char) -> *mut Callable {
    let mut found = null_mut();
    let look_up = |engine: &mut Engine| {
        // SAFETY: the caller vouches for the name.
        let function = unsafe { text(function) }?;
        let function = engine.engine.dynamic(function).map_err(|error| engine.engine.report(&error))?;
        found = Box::into_raw(Box::new(Callable(function)));
        Ok(())
    };
    // SAFETY: the caller vouches for the engine.
    unsafe { attempt(engine, look_up) };
    found
}

/// `hw_load`
///
/// # Safety
/// As `holloway.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_load(engine: *mut Engine, name: *const c_char, source: *const c_char, len: usize) -> bool {
    let load = |engine: &mut Engine| {
        // SAFETY: the caller vouches for the texts.
        let (name, source) = unsafe { (text(name)?, items(source.cast::<u8>(), len)?) };
        engine.engine.load(name, source).map_err(|error| engine.engine.report(&error))
    };
    // SAFETY: the caller vouches for the engine.
    unsafe { attempt(engine, load) }
}

/// `hw_reload`
///
/// # Safety
/// As `holloway.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_reload(
    engine: *mut Engine,
    name: *const c_char,
    source: *const c_char,
    len: usize,
) -> bool {
    let reload = |engine: &mut Engine| {
        // SAFETY: the caller vouches for the texts.
        let (name, source) = unsafe { (text(name)?, items(source.cast::<u8>(), len)?) };
        engine.engine.reload(name, source).map_err(|error| engine.engine.report(&error))
    };
    // SAFETY: the caller vouches for the engine.
    unsafe { attempt(engine, reload) }
}

/// `hw_run`
///
/// # Safety
/// As `holloway.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_run(engine: *mut Engine, status: *mut c_int) -> bool {
    let run = |engine: &mut Engine| {
        let ended = engine.engine.run().map_err(|error| engine.engine.report(&error))?;
        // SAFETY: the caller vouches for the place, if there is one.
        if let Some(status) = unsafe { status.as_mut() } {
            *status = ended;
        }
        Ok(())
    };
    // SAFETY: the caller vouches for the engine.
    unsafe { attempt(engine, run) }
}

/// `hw_call`
///
/// # Safety
/// As `holloway.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_call(
    engine: *mut Engine,
    function: *const c_char,
    args: *const CValue,
    count: usize,
    result: *mut CValue,
) -> bool {
    let call = |engine: &mut Engine| {
        // SAFETY: the caller vouches for name and arguments.
        let (function, args) = unsafe { (text(function)?, items(args, count)?) };
        // SAFETY: as above.
        let args = args.iter().map(|arg| unsafe { arg.copy() }).collect::<Result<Vec<Value>, String>>()?;
        let value = engine.engine.call(function, &args).map_err(|error| engine.engine.report(&error))?;
        // SAFETY: the caller vouches for the place, if there is one.
        if let Some(result) = unsafe { result.as_mut() } {
            *result = engine.kept.show(value.unwrap_or(Value::None), || result_type(&engine.engine, function))?;
        }
        Ok(())
    };
    // SAFETY: the caller vouches for the engine.
    unsafe { attempt(engine, call) }
}

/// `hw_take_output`
///
/// # Safety
/// As `holloway.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_take_output(engine: *mut Engine, output: *mut CValue) -> bool {
    let take = |engine: &mut Engine| {
        // SAFETY: the caller vouches for the place.
        let output = unsafe { output.as_mut() }.ok_or("there is no place for the output")?;
        let bytes = engine.engine.take_output();
        *output = engine.kept.show(Value::from(&*bytes), || None)?;
        Ok(())
    };
    // SAFETY: the caller vouches for the engine.
    unsafe { attempt(engine, take) }
}

/// `hw_interrupt_new`
///
/// # Safety
/// As `holloway.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_interrupt_new(engine: *const Engine) -> *mut Interrupt {
    // SAFETY: the caller vouches for the engine.
    let engine = unsafe { engine.as_ref() };
    engine.map_or(null_mut(), |engine| Box::into_raw(Box::new(Interrupt(engine.engine.interrupt_handle()))))
}

/// `hw_interrupt_raise`
///
/// # Safety
/// As `holloway.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_interrupt_raise(handle: *const Interrupt) {
    // SAFETY: the caller vouches for the handle.
    if let Some(handle) = unsafe { handle.as_ref() } {
        handle.0.interrupt();
    }
}

/// `hw_interrupt_free`
///
/// # Safety
/// As `holloway.h` says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_interrupt_free(handle: *mut Interrupt) {
    if !handle.is_null() {
        // SAFETY: the caller gives back what `hw_interrupt_new` made.
        drop(unsafe { Box::from_raw(handle) });
    }
}

/// The type of a function's result, as programs write it.
fn result_type(engine: &holloway::Engine, function: &str) -> Option<String> {
    let module = engine.module();
    let func = engine.function_named(function)?;
    module.sigs[module.funcs[func].sig].result.map(|ty| module.type_name(ty))
}

/// Does something with an engine. An error, or a panic, becomes its text.
///
/// # Safety
/// The engine is null, or one that nobody else uses.
unsafe fn attempt(engine: *mut Engine, f: impl FnOnce(&mut Engine) -> Result<(), String>) -> bool {
    // SAFETY: the caller vouches for it.
    let Some(engine) = (unsafe { engine.as_mut() }) else { return false };
    // What the last call gave may be an argument of this one.
    let _before = (take(&mut engine.kept), take(&mut engine.error));
    let result = catch_unwind(AssertUnwindSafe(|| f(engine)));
    let result = result.unwrap_or_else(|_| Err("the engine panicked".to_owned()));
    if let Err(error) = &result {
        engine.error = reason(error);
    }
    result.is_ok()
}
