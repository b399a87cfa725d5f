//! What holds for any bytes in modules that only the command has. The first byte of an input
//! chooses the module.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test may fail; clippy knows this only of what stands in `#[test]`"
)]

mod comments;
mod excerpts;
mod reports;
mod rows;
#[cfg(feature = "lsp")]
mod server;

fn command(input: &[u8]) {
    let Some((which, input)) = input.split_first() else {
        return;
    };
    match which % 8 {
        0 | 1 => reports::reports(input),
        2 => excerpts::excerpts(input),
        3 => {
            comments::comments(input);
        }
        4 => rows::rows(input),
        #[cfg(feature = "lsp")]
        _ => server::server(input),
        #[cfg(not(feature = "lsp"))]
        _ => {}
    }
}

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|input: &[u8]| command(input));

#[cfg(test)]
#[path = "../replay.rs"]
mod replay;

#[test]
fn it_holds_on_its_inputs() {
    replay::replay("command", command);
}
