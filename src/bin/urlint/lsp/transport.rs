//! Messages from standard input and to standard output.

use std::io::{self, Write};
use std::thread;

use crossbeam_channel::{select_biased, unbounded};
use lsp_server::Connection;

use super::input::Input;
use crate::terminal::complain;

/// Runs `serve` on a thread of its own, connected to standard input and `out`. Returns its result once all
/// its messages are written.
///
/// Messages of the editor are queued without a limit, so that the server sees which requests are outdated
/// before it answers them.
///
/// # Errors
///
/// Fails if a message cannot be written.
pub(crate) fn stdio<T: Send>(
    out: &mut dyn Write,
    serve: impl FnOnce(&Connection) -> T + Send,
) -> io::Result<T> {
    let (server, editor) = Connection::memory();
    let Connection { sender, receiver } = editor;
    // A `Message` cannot have an id that is null, as an error about the input has. `errors` keeps this channel
    // open after the end of the input.
    let (errors, errors_to_send) = unbounded();
    let reader_errors = errors.clone();
    // This thread may wait for input for ever; it ends with the process.
    thread::spawn(move || {
        let mut input = Input::new(io::stdin().lock());
        loop {
            let is_sent = match input.read() {
                Ok(Some(Ok(message))) => sender.send(message).is_ok(),
                Ok(Some(Err(error))) => reader_errors.send(error).is_ok(),
                Ok(None) => return,
                // The error may quote a document, and so a password.
                Err(_) => return complain("lsp: standard input is not what the protocol says"),
            };
            if !is_sent {
                return;
            }
        }
    });
    thread::scope(|scope| {
        let serving = scope.spawn(move || serve(&server));
        let mut out = out;
        loop {
            select_biased! {
                recv(errors_to_send) -> error => if let Ok(error) = error {
                    let error = error.to_string();
                    write!(out, "Content-Length: {}\r\n\r\n{error}", error.len())?;
                },
                recv(receiver) -> message => match message {
                    Ok(message) => message.write(&mut out)?,
                    Err(_) => break,
                },
            }
            out.flush()?;
        }
        // The server handles its own panics.
        serving
            .join()
            .map_err(|_| io::Error::other("the server has failed"))
    })
}
