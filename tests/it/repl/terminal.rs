//! A terminal with a person before it.
//!
//! In: keys. Out: the text on the screen. The command runs on a pseudo-terminal of its own, as its controlling
//! terminal; a terminal emulator reads its output. Invariant: nothing waits for a fixed time; every wait is for visible
//! text, and fails with the whole screen when it does not come within ten minutes.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::Path;
use std::process::Child;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use pty_process::Size;
use pty_process::blocking::{Command, Pty};
use tempfile::TempDir;

/// Tall enough that nothing scrolls away.
const ROWS: NonZeroU16 = NonZeroU16::new(300).expect("not zero");
const COLUMNS: NonZeroU16 = NonZeroU16::new(100).expect("not zero");
/// Long enough for a machine under load; a hang is still found.
const PATIENCE: Duration = Duration::from_secs(600);

pub(crate) const UP: &str = "\x1b[A";
pub(crate) const RIGHT: &str = "\x1b[C";
pub(crate) const LEFT: &str = "\x1b[D";
pub(crate) const TAB: &str = "\t";
pub(crate) const BACKSPACE: &str = "\x7f";
pub(crate) const ALT_ENTER: &str = "\x1b\r";
pub(crate) const CTRL_A: &str = "\x01";
pub(crate) const CTRL_C: &str = "\x03";
pub(crate) const CTRL_D: &str = "\x04";

/// A session before it starts.
pub(crate) struct Setup {
    command: Command,
    home: Arc<TempDir>,
}

/// A session.
pub(crate) struct Terminal {
    child: Child,
    pty: Arc<Pty>,
    output: Receiver<Vec<u8>>,
    emulator: vt100::Parser,
    home: Arc<TempDir>,
}

/// Starts the REPL for a person who wants no colours.
pub(crate) fn start() -> Terminal {
    Setup::new().args(&["--color", "never"]).start()
}

impl Setup {
    pub(crate) fn new() -> Self {
        Self::at_home(Arc::new(TempDir::new().expect("a folder can be made")))
    }

    /// Uses the files of another session.
    pub(crate) fn at_home(home: Arc<TempDir>) -> Self {
        let command = Command::new(env!("CARGO_BIN_EXE_holloway"))
            .env("TERM", "xterm-256color")
            .env("XDG_STATE_HOME", home.path().join("state"))
            .env("XDG_CONFIG_HOME", home.path().join("config"))
            .env_remove("VISUAL")
            .env("EDITOR", "false")
            .env_remove("NO_COLOR")
            .env_remove("TERM_PROGRAM")
            .current_dir(home.path());
        Self { command, home }
    }

    pub(crate) fn args(self, args: &[&str]) -> Self {
        Self { command: self.command.args(args), ..self }
    }

    pub(crate) fn env(self, name: &str, value: &str) -> Self {
        Self { command: self.command.env(name, value), ..self }
    }

    /// Sends standard output to a file.
    pub(crate) fn stdout(self, name: &str) -> Self {
        let file = std::fs::File::create(self.home.path().join(name)).expect("a file can be made");
        Self { command: self.command.stdout(file), ..self }
    }

    /// Adds a file that exists when it starts.
    pub(crate) fn file(self, name: &str, text: &str) -> Self {
        let path = self.home.path().join(name);
        path.parent().map(std::fs::create_dir_all).transpose().expect("a folder can be made");
        std::fs::write(path, text).expect("a file can be written");
        self
    }

    pub(crate) fn start(self) -> Terminal {
        let (pty, pts) = pty_process::blocking::open().expect("there is a pseudo-terminal");
        pty.resize(Size::new(ROWS.get(), COLUMNS.get())).expect("it has a size");
        let child = self.command.spawn(pts).expect("the binary starts");
        let (pty, (sender, output)) = (Arc::new(pty), mpsc::channel());
        let reader = Arc::clone(&pty);
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            // Reading fails when the last process on the terminal is gone.
            while let Ok(read @ 1..) = (&*reader).read(&mut bytes) {
                if sender.send(bytes[..read].to_vec()).is_err() {
                    return;
                }
            }
        });
        Terminal { child, pty, output, emulator: vt100::Parser::new(ROWS, COLUMNS, 0), home: self.home }
    }
}

impl Terminal {
    /// Presses keys.
    pub(crate) fn press(&mut self, keys: &str) {
        (&*self.pty).write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    /// Waits for the prompt, types an input of one or more lines, and waits for the prompt after it. Returns the text
    /// between the input and that prompt.
    pub(crate) fn ask(&mut self, input: &str) -> String {
        self.wait_for_prompt();
        let row = self.row();
        self.press(&input.replace('\n', "\r"));
        self.press("\r");
        self.answer(usize::from(row) + input.lines().count())
    }

    /// Waits for a prompt at or below `row`. Returns the text from `row` up to it.
    pub(crate) fn answer(&mut self, row: usize) -> String {
        self.wait("the prompt after an answer", |screen| {
            usize::from(screen.cursor_position().0) >= row && is_at_prompt(screen)
        });
        let until = usize::from(self.row());
        self.lines()[row..until].join("\n")
    }

    /// The row of the cursor.
    pub(crate) fn row(&self) -> u16 {
        self.emulator.screen().cursor_position().0
    }

    /// Waits until nothing but a prompt is on the cursor's line.
    pub(crate) fn wait_for_prompt(&mut self) {
        self.wait("a prompt", is_at_prompt);
    }

    /// Waits until a text is visible.
    pub(crate) fn see(&mut self, text: &str) {
        self.wait(&format!("{text:?}"), |screen| screen.contents().contains(text));
    }

    /// Waits until a line of its own is visible.
    pub(crate) fn see_row(&mut self, line: &str) {
        self.wait(&format!("the row {line:?}"), |screen| screen.contents().lines().any(|row| row.trim_end() == line));
    }

    /// Waits until the line of the cursor is this.
    pub(crate) fn see_line(&mut self, line: &str) {
        self.wait(&format!("the line {line:?}"), |screen| cursor_line(screen) == line);
    }

    /// Waits until the cursor is in a column.
    pub(crate) fn see_cursor(&mut self, column: u16) {
        self.wait(&format!("the cursor in column {column}"), |screen| screen.cursor_position().1 == column);
    }

    /// The lines of the screen, without blanks at their ends.
    pub(crate) fn lines(&self) -> Vec<String> {
        let screen = self.emulator.screen();
        screen.rows(0, COLUMNS.get()).map(|row| row.trim_end().to_owned()).collect()
    }

    /// The cell at a row and a column.
    pub(crate) fn cell(&self, row: u16, column: u16) -> &vt100::Cell {
        self.emulator.screen().cell(row, column).expect("it is on the screen")
    }

    /// Waits for the end. Returns the exit status.
    pub(crate) fn status(&mut self) -> i32 {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.emulator.process(&bytes),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => self.give_up("the end"),
            }
        }
        self.child.wait().expect("it can be waited for").code().expect("it ended by itself")
    }

    pub(crate) fn home(&self) -> Arc<TempDir> {
        Arc::clone(&self.home)
    }

    pub(crate) fn folder(&self) -> &Path {
        self.home.path()
    }

    fn wait(&mut self, what: &str, is_seen: impl Fn(&vt100::Screen) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !is_seen(self.emulator.screen()) {
            match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.emulator.process(&bytes),
                Err(_) => self.give_up(what),
            }
        }
    }

    fn give_up(&self, what: &str) -> ! {
        let screen = self.emulator.screen().contents();
        panic!(
            "{what} did not come; the screen is\n{screen}\n(cursor: {:?})",
            self.emulator.screen().cursor_position()
        );
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It has ended already, in most cases.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn cursor_line(screen: &vt100::Screen) -> String {
    let row = screen.cursor_position().0;
    screen.contents_between(row, 0, row, COLUMNS.get()).trim_end().to_owned()
}

fn is_at_prompt(screen: &vt100::Screen) -> bool {
    screen.cursor_position().1 == 2 && cursor_line(screen) == ">"
}
