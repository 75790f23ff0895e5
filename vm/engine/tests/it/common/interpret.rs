//! The reference interpreter under an observer.
//!
//! In: a module, its arguments, limits, an observer. Out: the observer, after it saw the whole execution. Invariant:
//! functions are called as an engine calls them, until one fails.

use holloway_interp::{Interpreter, Observer};
use holloway_lang::ir::Module;
use holloway_runtime::builtins;
use holloway_runtime::{Limits, Runtime, RuntimeConfig, Sink};
use std::sync::Arc;

/// Runs a module under an observer. Other tests compare the end of the run; a failing end is observed, too.
pub(crate) fn watch<O: Observer>(module: &Arc<Module>, args: &[&str], limits: Limits, observer: O) -> O {
    let args = args.iter().map(|arg| arg.as_bytes().to_vec()).collect();
    let config = RuntimeConfig { sink: Sink::Captured(Vec::new()), args, ..RuntimeConfig::default() };
    let mut runtime = Runtime::new(Arc::clone(module), config).expect("memory");
    runtime.set_limits(limits);
    let mut interpreter = Interpreter::with_observer(observer);
    for func in &module.top_level {
        if interpreter.call(&mut runtime, *func, &[]).is_err() {
            return interpreter.observer;
        }
    }
    if let Some(main) = module.main {
        let mut words = Vec::new();
        if main.takes_args {
            let array = builtins::io::args(&mut runtime).expect("a few strings fit");
            runtime.pin(array.word());
            words.push(array.word());
        }
        let _ = interpreter.call(&mut runtime, main.func, &words);
    }
    interpreter.observer
}
