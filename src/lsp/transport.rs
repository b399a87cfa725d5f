//! Messages from standard input and to standard output.

use std::io::{self, Write};
use std::thread;

use crossbeam_channel::{Receiver, select_biased, unbounded};
use lsp_server::{Connection, Message};
use serde_json::Value;

use super::Error;
use super::input::read;
use urlint_report::terminal::complain;

/// Runs `serve` on a thread of its own, connected to standard input and `out`. Returns its result once all
/// its messages are written.
///
/// Messages of the editor are queued without a limit, so that the server sees which requests are outdated
/// before it answers them.
///
/// # Errors
///
/// Fails if a message cannot be written, or if a thread cannot be started.
pub(crate) fn stdio<T: Send>(
    out: &mut dyn Write,
    serve: impl FnOnce(&Connection) -> T + Send,
) -> Result<T, Error> {
    let (server, editor) = Connection::memory();
    let Connection { sender, receiver } = editor;
    // A `Message` cannot have an id that is null, as an error about the input has. `errors` keeps this channel
    // open after the end of the input.
    let (errors, errors_to_send) = unbounded();
    let reader_errors = errors.clone();
    // This thread may wait for input for ever; it ends with the process.
    let reading = thread::Builder::new().spawn(move || {
        let mut input = io::stdin().lock();
        loop {
            let is_sent = match read(&mut input) {
                Ok(Some(Ok(message))) => sender.send(message).is_ok(),
                Ok(Some(Err(error))) => reader_errors.send(error).is_ok(),
                Ok(None) => return,
                // The error may quote a document, and so a password.
                Err(_) => return complain("lsp: standard input does not follow the protocol"),
            };
            if !is_sent {
                return;
            }
        }
    });
    reading.map_err(Error::NoThread)?;
    thread::scope(|scope| {
        let serving = thread::Builder::new().spawn_scoped(scope, move || serve(&server));
        let serving = serving.map_err(Error::NoThread)?;
        send(out, &receiver, &errors_to_send).map_err(Error::Write)?;
        // The server handles its own panics.
        let failed = |_| Error::Write(io::Error::other("the server has failed"));
        serving.join().map_err(failed)
    })
}

/// Writes errors and messages until the server has sent all of its own.
fn send(
    mut out: &mut dyn Write,
    messages: &Receiver<Message>,
    errors: &Receiver<Value>,
) -> io::Result<()> {
    loop {
        select_biased! {
            recv(errors) -> error => if let Ok(error) = error {
                let error = error.to_string();
                write!(out, "Content-Length: {}\r\n\r\n{error}", error.len())?;
            },
            recv(messages) -> message => match message {
                Ok(message) => message.write(&mut out)?,
                Err(_) => return Ok(()),
            },
        }
        out.flush()?;
    }
}
