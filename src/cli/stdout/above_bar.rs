//! Results above a progress bar, on the same terminal.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use indicatif::ProgressBar;

/// The bar that is below the results, if there is one.
pub(crate) type SharedBar = Rc<RefCell<Option<ProgressBar>>>;

/// Removes the bar while it writes.
pub(super) struct AboveBar<W> {
    pub(super) stream: W,
    pub(super) bar: SharedBar,
}

impl<W: Write> Write for AboveBar<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let bar = self.bar.borrow();
        let Some(bar) = bar.as_ref().filter(|bar| !bar.is_finished()) else {
            return self.stream.write(bytes);
        };
        if bytes.ends_with(b"\n") {
            bar.suspend(|| self.stream.write_all(bytes))?;
        } else {
            // Drawing the bar again would erase the beginning of a line.
            bar.finish_and_clear();
            self.stream.write_all(bytes)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex, PoisonError};

    use indicatif::{ProgressDrawTarget, ProgressStyle, TermLike};

    use super::*;

    /// A terminal: its lines, of which the last one may have no end.
    #[derive(Clone, Debug, Default)]
    struct Screen(Arc<Mutex<String>>);

    impl Screen {
        fn change(&self, change: impl FnOnce(&mut String)) -> io::Result<()> {
            change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
            Ok(())
        }

        fn text(&self) -> String {
            let text = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            text.trim_end_matches(' ').to_owned()
        }
    }

    impl TermLike for Screen {
        fn width(&self) -> u16 {
            20
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.change(|screen| *screen += &format!("{text}\n"))
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.change(|screen| *screen += text)
        }
        fn clear_line(&self) -> io::Result<()> {
            self.change(|screen| screen.truncate(screen.rfind('\n').map_or(0, |end| end + 1)))
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Write for Screen {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.write_str(&String::from_utf8_lossy(bytes))?;
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn results_and_the_bar_are_never_on_one_line() -> io::Result<()> {
        let screen = Screen::default();
        let target = ProgressDrawTarget::term_like(Box::new(screen.clone()));
        let bar = ProgressBar::with_draw_target(None, target);
        bar.set_style(ProgressStyle::with_template("BAR").map_err(io::Error::other)?);
        let shared = SharedBar::default();
        let mut out = AboveBar {
            stream: screen.clone(),
            bar: shared.clone(),
        };
        out.write_all(b"one\n")?;
        shared.replace(Some(bar.clone()));
        bar.tick();
        assert_eq!(screen.text(), "one\nBAR");
        out.write_all(b"two\nthree\n")?;
        assert_eq!(screen.text(), "one\ntwo\nthree\nBAR");
        out.write_all(b"[{")?;
        bar.tick();
        out.write_all(b"}]\n")?;
        bar.tick();
        assert_eq!(screen.text(), "one\ntwo\nthree\n[{}]\n");
        Ok(())
    }
}
