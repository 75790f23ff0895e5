//! Messages over standard input and output.
//!
//! In: bytes of an editor. Out: messages for the server, and its answers as bytes. Invariants: a frame that holds no
//! message is answered with an error, and the next one is read; none makes the server take more memory than
//! [`MOST_BYTES`]; the threads end with their streams.

use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex};
use std::thread;

use lsp_server::{Connection, Message};
use serde_json::json;

use super::server::{Options, serve};

/// The size of the largest frame that is read: that of a program, as JSON has it.
const MOST_BYTES: usize = 256 << 20;
/// The length of the longest line in front of a frame.
const LONGEST_HEADER: u64 = 4096;

/// Serves an editor on standard input and output. Returns the exit status.
pub fn serve_stdio(options: Options) -> u8 {
    let (server, client) = Connection::memory();
    let Connection { sender, receiver } = client;
    let out = Arc::new(Mutex::new(io::stdout()));
    let answers = Arc::clone(&out);
    let writer = thread::spawn(move || {
        for message in receiver {
            let mut out = answers.lock().expect("no writer panics");
            if message.write(&mut *out).is_err() {
                return;
            }
        }
    });
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Ok(Some(frame)) = frame(&mut input) {
            let told = match frame.as_deref().map(serde_json::from_slice::<Message>) {
                Some(Ok(message)) => sender.send(message).is_ok(),
                Some(Err(error)) if error.is_data() => refuse(&out, -32600, "this is no message"),
                Some(Err(_)) => refuse(&out, -32700, "this is no JSON"),
                None => refuse(&out, -32700, "the message is too large, or has no length"),
            };
            if !told {
                return;
            }
        }
    });
    let status = serve(&server, options);
    drop(server);
    // The answer to `shutdown` is still to be written.
    let _ = writer.join();
    status
}

/// Answers what was no message. Returns false if nobody reads answers.
fn refuse(out: &Mutex<io::Stdout>, code: i32, reason: &str) -> bool {
    let answer = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": code, "message": reason } }).to_string();
    let mut out = out.lock().expect("no writer panics");
    write!(out, "Content-Length: {}\r\n\r\n{answer}", answer.len()).and_then(|()| out.flush()).is_ok()
}

/// The bytes of the next frame, none of one that is not to be read; nothing at the end of the input.
fn frame(input: &mut impl BufRead) -> io::Result<Option<Option<Vec<u8>>>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(LONGEST_HEADER).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.trim().eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let Some(length) = length else { return Ok(Some(None)) };
    if length > MOST_BYTES {
        io::copy(&mut input.by_ref().take(length as u64), &mut io::sink())?;
        return Ok(Some(None));
    }
    // Memory grows with what arrives, whatever length was announced.
    let mut bytes = Vec::new();
    match input.by_ref().take(length as u64).read_to_end(&mut bytes)? == length {
        true => Ok(Some(Some(bytes))),
        false => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(text: &str) -> Vec<Option<String>> {
        let mut input = io::Cursor::new(text);
        let next = || frame(&mut input).expect("memory can be read");
        let frames = std::iter::from_fn(next);
        frames.map(|frame| frame.map(|bytes| String::from_utf8(bytes).expect("it is text"))).collect()
    }

    #[test]
    fn frames_are_read_one_after_another() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(frames("Content-Length: 2\r\n\r\n{}content-length:3\n\n[1]"), [some("{}"), some("[1]")]);
        assert_eq!(frames("Content-Type: x\r\n\r\nContent-Length: 1\r\n\r\n1"), [None, some("1")]);
        assert_eq!(frames("Content-Length: -1\r\n\r\n"), [None]);
        assert_eq!(frames("Content-Length: 99999999999999\r\n\r\nabc"), [None]);
        assert_eq!(frames("Content-Length: 9\r\n\r\nabc"), [] as [Option<String>; 0]);
        assert_eq!(frames(""), [] as [Option<String>; 0]);
    }
}
