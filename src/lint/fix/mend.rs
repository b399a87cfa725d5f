//! Makes fixes repeatedly, until no more can be made without harm.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Deref;

use super::replacement::{Replacement, composed};
use super::structure::is_kept;
use super::url::{Left, Proposal, UrlState, Urls, verifying};
use super::{Applied, apply};
use crate::diagnostic::{Applicability, Diagnostic};
use crate::settings::Settings;
use crate::{Checked, Checker, Fate};
use urlint_documents::document::Kind;
use urlint_documents::read::{Event, Reader};
use urlint_standard::text::utf8::utf_16;

/// The greatest number of times a source is checked. Only a URL with tens of thousands of problems
/// would need more than a few hundred.
const MOST_PASSES: usize = 1000;
/// The greatest number of bytes that are checked is this many times the length of the source, plus
/// [`MOST_WORK`], so that a short source may take all passes.
const MOST_LENGTHS: usize = 64;
const MOST_WORK: usize = 64 << 20;

/// The result of [`mend()`] for a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mended {
    /// The new bytes of the source, if any fix was made.
    pub bytes: Option<Vec<u8>>,
    /// The replaced bytes, in the order of the source; no two replacements touch.
    pub replacements: Vec<Replacement>,
    /// How many fixes were made.
    pub made: usize,
    /// How many fixes were left out, because a URL would have been read differently after them or
    /// have had a new error, because the document would have had another structure, or because the
    /// source may be a program.
    pub refused: usize,
    /// How many diagnostics had no fix to be made before all fixes.
    pub left_before: Left,
    /// How many have none in the new text.
    pub left: Left,
    /// Nothing was done, since each fix was followed by another for longer than is reasonable.
    pub given_up: bool,
}

/// Makes the fixes of the diagnostics that `checker` [reports](Fate::Reported) about `source` and whose
/// applicability is at least `least`, repeatedly until there are no more. A hint of a rule that is not
/// [named](crate::Selection::name) is not fixed.
///
/// `source` has the name `path`, and `reader` reads it. Notices about it and its URLs are passed to `visit`; the
/// URLs again each time that the source is read, after each round of fixes.
///
/// Fixes that are [`Applicability::DisplayOnly`] are never made. After the others, each URL is read
/// as before, except for the edits in it, and has no new error. The document keeps its structure:
/// the same events of a Markdown parser, tags and attributes of HTML and XML, strings of JSON,
/// marks and columns of reStructuredText and the like. A fix that would break this is left out. A
/// source that begins with `#!` or contains a NUL is not changed. Mending again changes nothing.
/// Each pass takes time linear in the length of the source, and there are few passes.
///
/// # Errors
///
/// Fails when `visit` fails, or when there is no memory for a document.
///
/// ```
/// use urlint::lint::{Applicability, Checker};
/// use urlint::{Reader, Settings, fix};
///
/// let source = b"see <URL:http://a.example:/joe>\n\n<URL:http://b.example:/> <!-- urlint: ignore[empty-port] -->";
/// let settings = Settings::default();
/// let checker = Checker::new(&settings);
/// let (reader, least) = (Reader::default(), Applicability::Safe);
/// let mended = fix::mend(&checker, &reader, b"note.txt", source, least, &mut |_| {
///     Ok::<(), std::io::Error>(())
/// })?;
/// assert!(mended.bytes.unwrap().starts_with(b"see <URL:http://a.example/joe>"));
/// assert_eq!(mended.made, 1, "the comment suppresses the other");
/// assert_eq!(mended.replacements[0].old.slice(source), b":");
/// assert!(mended.replacements[0].new.is_empty());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn mend<S: Deref<Target = Settings>, E: From<io::Error>>(
    checker: &Checker<S>,
    reader: &Reader,
    path: &[u8],
    source: &[u8],
    least: Applicability,
    visit: &mut dyn FnMut(Checked<'_>) -> Result<(), E>,
) -> Result<Mended, E> {
    let selection = &checker.settings().selection;
    let is_fixed = &|one: &Diagnostic, _| selection.fixes(one.rule, one.severity);
    mend_by(source, look(checker, reader, path, least, is_fixed, visit))
}

/// Returns whether [`mend`] would make the fix of `diagnostic`, which `checker` reports about `source`, if it
/// made no other, even if the diagnostic is a hint.
///
/// ```
/// use urlint::lint::Checker;
/// use urlint::{Reader, Settings, fix};
///
/// let source = b"see <URL:http://a.example:/joe>";
/// let settings = Settings::default();
/// let diagnostics = urlint::check(source, &settings);
/// let checker = Checker::new(&settings);
/// assert!(fix::would_make(&checker, &Reader::default(), b"a.txt", source, &diagnostics[0]));
/// ```
pub fn would_make<S: Deref<Target = Settings>>(
    checker: &Checker<S>,
    reader: &Reader,
    path: &[u8],
    source: &[u8],
    diagnostic: &Diagnostic,
) -> bool {
    let Some(fix) = &diagnostic.fix else {
        return false;
    };
    let is_it = &|other: &Diagnostic, is_first| {
        is_first
            && other.rule == diagnostic.rule
            && other.spans == diagnostic.spans
            && other.outer == diagnostic.outer
    };
    let visit = &mut |_: Checked<'_>| Ok::<(), io::Error>(());
    let read = look(checker, reader, path, fix.applicability, is_it, visit);
    let mended = mend_by(source, read);
    let expected = apply(source, [fix]).bytes;
    mended.is_ok_and(|mended| mended.bytes.is_some_and(|bytes| bytes == expected))
}

/// Returns a function that reads a source, which may have been fixed in part. `is_fixed` takes a
/// diagnostic, and whether the source is read for the first time; it returns whether the diagnostic is fixed.
fn look<'l, S: Deref<Target = Settings>, E: From<io::Error>>(
    checker: &'l Checker<S>,
    reader: &'l Reader,
    path: &'l [u8],
    least: Applicability,
    is_fixed: &'l dyn Fn(&Diagnostic, bool) -> bool,
    visit: &'l mut dyn FnMut(Checked<'_>) -> Result<(), E>,
) -> impl FnMut(&[u8]) -> Result<Urls, E> + 'l {
    let (verifying, least) = (
        verifying(checker.settings()),
        least.max(Applicability::Unsafe),
    );
    let mut is_first = true;
    move |source| {
        let is_first = std::mem::take(&mut is_first);
        let mut urls = Urls::default();
        checker.begin(source);
        reader.read(path, source, &mut |event| match event {
            Event::Found(found) => {
                urls.add(&found, checker, &verifying, least, &|one| {
                    is_fixed(one, is_first)
                });
                visit(Checked::Url(&found))
            }
            Event::Notice(notice) if is_first => visit(Checked::Notice(notice)),
            _ => Ok(()),
        })?;
        let of_comments = checker.end(source).into_iter();
        let reported = of_comments.filter(|(_, fate)| *fate == Fate::Reported);
        urls.left.by_hand += reported.count();
        Ok(urls)
    }
}

/// Makes the fixes of `source` that `read` finds.
fn mend_by<E>(source: &[u8], read: impl FnMut(&[u8]) -> Result<Urls, E>) -> Result<Mended, E> {
    let mut mender = Mender {
        read,
        passes_left: MOST_PASSES,
        work_left: source.len().saturating_mul(MOST_LENGTHS) + MOST_WORK,
        left: Left::default(),
        kind: Kind::default(),
    };
    let mut mended = Mended::default();
    let mut urls = mender.look(source)?;
    mended.left_before = mender.left;
    while may_be_changed(source) {
        let bytes = mended.bytes.as_deref().unwrap_or(source);
        match mender.pass(bytes, &urls)? {
            Pass::Made { applied, urls: now } => {
                mended.made += applied.taken.len();
                mended.replacements = composed(&mended.replacements, &applied.replacements);
                mended.bytes = Some(applied.bytes);
                urls = now;
            }
            Pass::Nothing => break,
            Pass::TooMuch => {
                return Ok(Mended {
                    given_up: true,
                    ..Mended::default()
                });
            }
        }
    }
    // A later pass may have undone the edits of an earlier one.
    if let Some(bytes) = &mended.bytes {
        let differs = |made: &Replacement| made.old.slice(source) != made.new.slice(bytes);
        mended.replacements.retain(differs);
    }
    mended.refused = urls.iter().map(|url| url.proposals.len()).sum();
    mended.left = mender.left;
    Ok(mended)
}

/// Returns whether `source` may be edited: it is not a script with an interpreter line, and
/// contains no NUL unless it is UTF-16.
fn may_be_changed(source: &[u8]) -> bool {
    !source.starts_with(b"#!") && (memchr::memchr(0, source).is_none() || utf_16(source).is_some())
}

/// Which proposals about a URL are tried.
#[derive(Clone, Copy)]
enum Turn {
    All,
    /// Only this one; none if past the last.
    Only(usize),
}

enum Pass {
    Made {
        applied: Applied,
        urls: Vec<UrlState>,
    },
    Nothing,
    TooMuch,
}

struct Mender<R> {
    read: R,
    passes_left: usize,
    work_left: usize,
    left: Left,
    kind: Kind,
}

impl<E, R: FnMut(&[u8]) -> Result<Urls, E>> Mender<R> {
    /// Reads `source`, which may have been fixed in part, and returns its URLs with their
    /// proposals.
    fn look(&mut self, source: &[u8]) -> Result<Vec<UrlState>, E> {
        let urls = (self.read)(source)?;
        self.left = urls.left;
        self.kind = urls.kind;
        Ok(urls.urls)
    }

    /// Returns whether the limits allow to check `bytes` more bytes, and counts them.
    fn may_go_on(&mut self, bytes: usize) -> bool {
        let may = self.passes_left > 0 && self.work_left >= bytes;
        self.passes_left = self.passes_left.saturating_sub(1);
        self.work_left = self.work_left.saturating_sub(bytes);
        may
    }

    /// Makes as many of the fixes as do no harm.
    fn pass(&mut self, source: &[u8], urls: &[UrlState]) -> Result<Pass, E> {
        let mut turns = vec![Turn::All; urls.len()];
        let left = self.left;
        let mut attempts = 0_u32;
        loop {
            let tried: Vec<(usize, &Proposal)> = proposals(urls, &turns).collect();
            let applied = apply(source, tried.iter().map(|(_, proposal)| &proposal.fix));
            if applied.taken.is_empty() {
                self.left = left;
                return Ok(Pass::Nothing);
            }
            if !self.may_go_on(applied.bytes.len()) {
                return Ok(Pass::TooMuch);
            }
            let now = self.look(&applied.bytes)?;
            let mut taken: BTreeMap<usize, Vec<&Proposal>> = BTreeMap::new();
            for &index in &applied.taken {
                let (url, proposal) = tried[index];
                taken.entry(url).or_default().push(proposal);
            }
            let most = 1 << attempts.saturating_sub(PATIENCE).min(30);
            attempts += 1;
            let mut blamed = blamed(urls, &now, &taken, most);
            if blamed.is_empty()
                && !is_kept(self.kind, source, &applied.bytes, &applied.replacements)
            {
                blamed = self.blamed_alone(source, &taken);
            }
            if blamed.is_empty() {
                return Ok(Pass::Made { applied, urls: now });
            }
            for url in blamed {
                turns[url] = match turns[url] {
                    Turn::All if urls[url].proposals.len() > 1 => Turn::Only(0),
                    Turn::All => Turn::Only(1),
                    Turn::Only(tried) => Turn::Only(tried + 1),
                };
            }
        }
    }

    /// Returns the URLs whose fixes, of those that are `taken`, change the structure of `source`.
    fn blamed_alone(
        &mut self,
        source: &[u8],
        taken: &BTreeMap<usize, Vec<&Proposal>>,
    ) -> BTreeSet<usize> {
        let mut blamed: BTreeSet<_> = taken.keys().copied().collect();
        if taken.len() > MOST_ALONE {
            return blamed;
        }
        let kind = self.kind;
        blamed.retain(|url| {
            let fixes = taken
                .get(url)
                .into_iter()
                .flatten()
                .map(|proposal| &proposal.fix);
            let alone = apply(source, fixes);
            !self.may_go_on(alone.bytes.len())
                || !is_kept(kind, source, &alone.bytes, &alone.replacements)
        });
        if blamed.is_empty() {
            taken.keys().copied().collect()
        } else {
            blamed
        }
    }
}

/// The greatest number of URLs that are fixed one by one to see which of them changes the
/// structure; if there are more, all are blamed.
const MOST_ALONE: usize = 64;

/// The proposals that are tried, each with the index of its URL.
fn proposals<'u>(
    urls: &'u [UrlState],
    turns: &'u [Turn],
) -> impl Iterator<Item = (usize, &'u Proposal)> {
    let all = urls.iter().zip(turns).enumerate();
    all.flat_map(|(index, (url, turn))| {
        let chosen = match *turn {
            Turn::All => url.proposals.as_slice(),
            Turn::Only(one) => url.proposals.get(one..=one).unwrap_or_default(),
        };
        chosen.iter().map(move |proposal| (index, proposal))
    })
}

/// After this many attempts to find the fixes that change how many URLs there are, twice as many are
/// blamed each time, so that the attempts end.
const PATIENCE: u32 = 32;

/// Returns the URLs whose fixes have done harm: to the URL itself, or to a URL nearby that was not fixed. If
/// the number of URLs has changed, returns up to `most` fixed URLs, from the first difference on.
fn blamed(
    before: &[UrlState],
    now: &[UrlState],
    taken: &BTreeMap<usize, Vec<&Proposal>>,
    most: usize,
) -> BTreeSet<usize> {
    let mut blamed = BTreeSet::new();
    for index in 0..before.len().max(now.len()) {
        let fine = match (before.get(index), now.get(index)) {
            (Some(before), Some(now)) => before.became(now, taken.get(&index)),
            _ => false,
        };
        if fine {
            continue;
        }
        let nearest = taken.range(..=index).next_back();
        let nearest = nearest.or_else(|| taken.range(index..).next());
        let Some((&nearest, _)) = nearest else {
            continue;
        };
        // If the number of URLs has changed, the following ones cannot be compared.
        if before.len() != now.len() {
            let following = taken.range(nearest..).take(most);
            blamed.extend(following.map(|(&index, _)| index));
            break;
        }
        blamed.insert(nearest);
    }
    blamed
}
