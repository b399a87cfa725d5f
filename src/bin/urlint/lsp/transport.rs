//! Messages from standard input and to standard output.

use std::io::{self, Write};
use std::thread;

use lsp_server::{Connection, Message};

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
    // This thread may wait for input for ever; it ends with the process.
    thread::spawn(move || {
        let mut stdin = io::stdin().lock();
        loop {
            match Message::read(&mut stdin) {
                Ok(Some(message)) => {
                    if sender.send(message).is_err() {
                        return;
                    }
                }
                Ok(None) => return,
                // The error may quote a document, and so a password.
                Err(_) => return complain("lsp: standard input is not what the protocol says"),
            }
        }
    });
    thread::scope(|scope| {
        let serving = scope.spawn(move || serve(&server));
        let mut out = out;
        for message in receiver {
            message.write(&mut out)?;
            out.flush()?;
        }
        // The server handles its own panics.
        serving
            .join()
            .map_err(|_| io::Error::other("the server has failed"))
    })
}
