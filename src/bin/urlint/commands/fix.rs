//! `urlint check --fix` and `--diff`: fixes made in files.

use std::fs;
use std::io::{self, Read, Write};
use std::ops::Range;

use urlint::{Applicability, Diagnostic, Event, Found, Suppressions, fix};

use super::baseline::Baseline;
use super::check::MAX_MARKED;
use super::diff;
use super::diff::Side;
use super::output::Output;
use super::read::{Notices, Reader};
use super::replace::{Replaced, replace};
use super::secrets::Secrets;
use super::{Error, Exit, complain, count, say};
use crate::terminal;
use crate::walk::{Input, Origin, Totals};

/// The longest source that is mended, in bytes: it is held in memory whole.
const MAX_SOURCE: u64 = 256 << 20;

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Fixing")]
pub(crate) struct Fixing {
    /// Make the safe fixes, after which each URL denotes what it did, and report what remains;
    /// standard input is written to standard output, and what remains to standard error
    #[arg(long)]
    fix: bool,

    /// Make fixes too after which a URL may denote something else
    #[arg(long)]
    unsafe_fixes: bool,

    /// Make the fixes and report nothing of what remains
    #[arg(long)]
    fix_only: bool,

    /// Print as a unified diff what `--fix-only` would change, and change nothing; exit with 1 if
    /// there is anything
    #[arg(long)]
    diff: bool,

    /// Exit with 1 if anything was fixed, even if nothing remains
    #[arg(long)]
    exit_non_zero_on_fix: bool,
}

impl Fixing {
    /// Whether the flag for unsafe fixes was given.
    pub(super) fn takes_unsafe(&self) -> bool {
        self.unsafe_fixes
    }

    pub(super) fn is_asked_for(&self) -> bool {
        self.fix || self.is_alone()
    }

    /// Whether nothing is reported.
    pub(super) fn is_alone(&self) -> bool {
        self.fix_only || self.diff
    }
}

/// What a fix must be at least to be made in a source.
pub(super) fn least_made(input: &Input<'_>) -> Applicability {
    match input.holding.settings.unsafe_fixes() {
        true => Applicability::Unsafe,
        false => Applicability::Safe,
    }
}

/// What there is to fix in a source: what is kept back from reports is not.
struct Sieve<'s> {
    input: &'s Input<'s>,
    marks: Suppressions,
    baseline: Option<Baseline>,
}

impl<'s> Sieve<'s> {
    /// Nothing read yet of the source that begins with `start`.
    fn new(input: &'s Input<'s>, start: &[u8], baseline: Option<&Baseline>) -> Self {
        let baseline = baseline.filter(|baseline| !baseline.is_update());
        Sieve {
            input,
            marks: Suppressions::of(&start[..start.len().min(MAX_MARKED)]),
            baseline: baseline.cloned(),
        }
    }

    /// Whether `diagnostic` about `found` is reported.
    fn passes(&mut self, found: &Found<'_>, diagnostic: &Diagnostic) -> bool {
        let mut known = |baseline: &mut Baseline| {
            let mut shown = diagnostic.clone();
            Secrets::of(found).scrub(&mut shown);
            baseline.knows(self.input.name, &shown)
        };
        !self.marks.suppresses(diagnostic)
            && diagnostic.severity >= self.input.holding.settings.min_severity
            && !self.baseline.as_mut().is_some_and(&mut known)
    }
}

/// Makes fixes, source by source.
pub(super) struct Fixer<'f> {
    pub(super) fixing: &'f Fixing,
    pub(super) reader: &'f Reader,
    pub(super) counts: Counts,
}

/// How the fixing went.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    /// Fixes that were made.
    made: u64,
    /// Sources in which they were made.
    sources: u64,
    /// Unsafe fixes that were not asked for.
    unsafe_left: u64,
    /// Fixes that are only shown.
    display_left: u64,
    /// Fixes in sources that cannot be replaced.
    unreachable: u64,
    /// Fixes that would have done harm.
    refused: u64,
    /// Sources that could not be mended.
    failed: u64,
}

impl Fixer<'_> {
    /// Makes the fixes of a source; returns its bytes as they are then, if they could be read. What
    /// standard input has become goes to `output`, as does a diff.
    pub(super) fn mend(
        &mut self,
        input: &Input<'_>,
        reader: &mut dyn Read,
        baseline: Option<&Baseline>,
        output: Option<&mut Output>,
    ) -> Result<Option<Vec<u8>>, Error> {
        let (name, origin) = (input.name, input.origin);
        let mut source = Vec::new();
        let told = match origin {
            Origin::File(path) => fs::metadata(path)?.len(),
            Origin::Stdin | Origin::Container => 0,
        };
        if told <= MAX_SOURCE {
            reader.take(MAX_SOURCE + 1).read_to_end(&mut source)?;
        }
        if told > MAX_SOURCE || source.len() as u64 > MAX_SOURCE {
            let limit = MAX_SOURCE >> 20;
            self.fail(name, &format!("longer than {limit} MiB"));
            return Ok(None);
        }
        let mended = self.mended(input, &source, baseline)?;
        if mended.given_up {
            self.fail(name, "each fix would be followed by another");
        }
        let before = self.counts;
        self.counts.unsafe_left += mended.unsafe_left as u64;
        self.counts.display_left += mended.display_left as u64;
        self.counts.refused += mended.refused as u64;
        self.counts.made += mended.made as u64;
        self.counts.sources += u64::from(mended.made > 0);
        match (output, origin, &mended.bytes) {
            (Some(output), _, bytes) if self.fixing.diff => {
                if let Some(bytes) = bytes {
                    self.diff(output, input, &source, bytes)?;
                }
            }
            (Some(output), Origin::Stdin, bytes) => {
                let text = bytes.as_ref().unwrap_or(&source);
                output.stream.write_all(text).map_err(Error::Write)?;
            }
            (_, Origin::File(path), Some(bytes)) => {
                let why = match replace(path, &source, bytes) {
                    Ok(Replaced::Yes) => None,
                    Ok(Replaced::No) => Some("another program has changed it meanwhile".to_owned()),
                    Err(error) => Some(error.to_string()),
                };
                if let Some(why) = why {
                    self.counts = before;
                    self.fail(name, &why);
                    return Ok(Some(source));
                }
            }
            (_, Origin::File(_), None) | (None, Origin::Stdin, _) | (_, Origin::Container, _) => {}
        }
        Ok(Some(mended.bytes.unwrap_or(source)))
    }

    /// What has become of a source; what is kept back from reports is not fixed either. Notices are
    /// told if nobody reads it after this, who would.
    fn mended(
        &self,
        input: &Input<'_>,
        source: &[u8],
        baseline: Option<&Baseline>,
    ) -> io::Result<fix::Mended> {
        // What a baseline knows has been scrubbed, by what stands around it.
        let reader = self.reader.reader(input, baseline.is_some());
        let is_alone = self.fixing.is_alone();
        let mut told = is_alone.then(|| Notices::new(self.reader, input));
        let (lint, least) = (input.holding.lint(), least_made(input));
        fix::mend(source, lint, least, |source, urls| {
            let mut sieve = Sieve::new(input, source, baseline);
            // It is read again as long as there are fixes to make.
            let mut notices = told.take();
            let done = reader.read(input.path, source, &mut |event| {
                match (event, &mut notices) {
                    (Event::Found(found), _) => {
                        urls.add_if(&found, |diagnostic| sieve.passes(&found, diagnostic));
                    }
                    (Event::Notice(notice), Some(notices)) => notices.tell(&notice),
                    _ => {}
                }
                Ok(())
            });
            if let Some(notices) = notices {
                notices.end();
            }
            done
        })
    }

    /// Tells how many fixes are not made in a source that cannot be replaced.
    pub(super) fn leave(
        &mut self,
        input: &Input<'_>,
        reader: &mut dyn Read,
        baseline: Option<&Baseline>,
    ) -> Result<(), Error> {
        let mut start = Vec::new();
        (&mut *reader)
            .take(MAX_MARKED as u64)
            .read_to_end(&mut start)?;
        let mut sieve = Sieve::new(input, &start, baseline);
        let least = least_made(input);
        let mut left = 0;
        let mut whole = start.chain(reader);
        let context = baseline.is_some();
        self.reader.read(input, &mut whole, context, &mut |found| {
            found.lint(input.holding.lint(), &mut |diagnostic| {
                let passes = sieve.passes(found, &diagnostic);
                let is_made = |fix: urlint::Fix| fix.applicability >= least;
                left += u64::from(passes && diagnostic.fix.is_some_and(is_made));
            });
            Ok(())
        })?;
        self.counts.unreachable += left;
        if left > 0 {
            let name = String::from_utf8_lossy(input.name);
            complain(&format!(
                "{name}: {left} not fixed: compressed or in an archive"
            ));
        }
        Ok(())
    }

    fn diff(
        &self,
        output: &mut Output,
        input: &Input<'_>,
        old: &[u8],
        new: &[u8],
    ) -> Result<(), Error> {
        let old = Side::new(old, self.passwords(input, old)?);
        let new = Side::new(new, self.passwords(input, new)?);
        diff::write(output, input.name, &old, &new).map_err(Error::Write)
    }

    /// Where passwords stand in a source: those of its URLs, and what looks like one anywhere else.
    fn passwords(&self, input: &Input<'_>, source: &[u8]) -> io::Result<Vec<Range<usize>>> {
        let mut passwords = terminal::passwords_in(source);
        self.reader
            .reader(input, true)
            .read(input.path, source, &mut |event| {
                if let Event::Found(found) = event {
                    let own = Secrets::of(&found).spans.into_iter();
                    passwords.extend(own.map(|span| span.start as usize..span.end as usize));
                }
                Ok::<(), io::Error>(())
            })?;
        Ok(passwords)
    }

    fn fail(&mut self, name: &[u8], why: &str) {
        complain(&format!(
            "{}: not fixed: {why}",
            String::from_utf8_lossy(name)
        ));
        self.counts.failed += 1;
    }

    /// How a run ends that reports nothing.
    pub(super) fn exit(&self, tally: Totals) -> Exit {
        let counts = &self.counts;
        match () {
            () if tally.failed + counts.failed > 0 => Exit::Failed,
            () if counts.made > 0 && self.fixing.diff => Exit::Found,
            // Asked for and not done; a diff tells what would be, and of these nothing would.
            () if counts.unreachable > 0 && !self.fixing.diff => Exit::Failed,
            () if self.fails_on_fix() => Exit::Found,
            () => Exit::Done,
        }
    }

    pub(super) fn has_failed(&self) -> bool {
        self.counts.failed > 0
    }

    /// Whether something was fixed, and that alone is worth a failure.
    pub(super) fn fails_on_fix(&self) -> bool {
        self.fixing.exit_non_zero_on_fix && self.counts.made > 0
    }

    /// `Fixed 3 in 1 file`, if there is anything to tell.
    pub(super) fn summary(&self) -> Option<String> {
        let Counts { made, sources, .. } = self.counts;
        let verb = if self.fixing.diff {
            "Would fix"
        } else {
            "Fixed"
        };
        (made > 0).then(|| format!("{verb} {made} in {}", count(sources, "file")))
    }

    /// Tells what could have been fixed besides.
    pub(super) fn say_what_is_left(&self) {
        let Counts {
            unsafe_left,
            refused,
            ..
        } = self.counts;
        if unsafe_left > 0 {
            let more = if self.counts.made > 0 { " more" } else { "" };
            say(&format!(
                "{unsafe_left}{more} can be fixed with `--unsafe-fixes`."
            ));
        }
        if refused > 0 {
            let fixes = if refused == 1 {
                "fix was"
            } else {
                "fixes were"
            };
            say(&format!(
                "{refused} {fixes} left out, after which a URL would be read otherwise."
            ));
        }
    }

    pub(super) fn summarise_alone(&self, tally: Totals) {
        let files = count(tally.read, "file");
        match self.summary() {
            Some(summary) => say(&format!("{summary}.")),
            None if self.counts.unreachable > 0 => {
                say(&format!("Nothing else to fix in {files}."));
            }
            None if tally.read > 0 => say(&format!("Nothing to fix in {files}.")),
            None => {}
        }
        self.say_what_is_left();
        // Nothing else tells of them where nothing is reported.
        match self.counts.display_left {
            0 => {}
            1 => say("1 suggestion is left to you: `urlint check` shows it."),
            left => say(&format!(
                "{left} suggestions are left to you: `urlint check` shows them."
            )),
        }
    }
}
