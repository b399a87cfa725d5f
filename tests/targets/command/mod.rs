//! Properties of any bytes in the packages of the command. The first byte of an input chooses one.

mod comments;
mod excerpts;
mod reports;
mod rows;
mod server;

pub(super) fn command(input: &[u8]) {
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
        _ => server::server(input),
    }
}
