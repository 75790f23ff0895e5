//! Dynamic currency [DS98]: whether a debugger of optimized code shows the value of a variable that the source program would have.
//!
//! In: a program, a recorded run of it, a variable and a line. Out: for each execution of the line whether the variable is
//! current, the line whose value the debugger would show, and the line whose value is right. `docs/currency.md` states the debugger.
//!
//! [`motion`]: what the optimizer made of the variable's assignments, decided along the path of one activation by
//! `holloway_profiler::wpp::currency`; [`events`]: that path as a trace of what either program assigns;
//! [`run`]: all executions of a line in a run.
//!
//! [DS98] D. M. Dhamdhere, K. V. Sankaranarayanan, "Dynamic Currency Determination in Optimized Programs", TOPLAS 20(6), 1998.

pub mod events;
pub mod motion;
pub mod run;
