//! Messages of the Language Server Protocol, as they go over pipes. The benchmarks use this too.

use std::io::{BufRead, Write};

use serde_json::Value;

pub(crate) fn write_message(stdin: &mut impl Write, message: &Value) {
    let text = message.to_string();
    write!(stdin, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
    stdin.flush().unwrap();
}

/// Returns the next message; `None` if there are no more.
pub(crate) fn read_message(stdout: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if stdout.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().strip_prefix("Content-Length: ") {
            Some(digits) => length = digits.parse().ok()?,
            None => break,
        }
    }
    let mut message = vec![0; length];
    stdout.read_exact(&mut message).ok()?;
    Some(message)
}
