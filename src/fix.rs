//! Making fixes: edits of source bytes that leave all others as they are, and make no URL worse.
//!
//! [`apply`] does what it is told; [`mend`] sees to it that nothing is done that should not be.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use crate::candidate::Delimiter;
use crate::diagnostic::{Applicability, Diagnostic, Edit, Fix};
use crate::lint::lint;
use crate::rule::{Group, Rule, Severity};
use crate::settings::{Selection, Selector, Settings};
use crate::span::{Span, Spans};
use crate::stream::Found;

/// A source after some fixes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Applied {
    /// The bytes of the source now.
    pub bytes: Vec<u8>,
    /// Which of the fixes were made, by their places in the list, in the order of the source.
    pub taken: Vec<usize>,
}

/// Makes `fixes` in `source`. A fix is made as a whole or not at all. Of two that overlap or insert
/// at the same place only the one that begins first is made, or of those the first in the list; the
/// other has to wait until the source has been checked anew. A fix that changes nothing, or reaches
/// beyond the source, is not made.
///
/// ```
/// use urlint::{Settings, fix};
///
/// let source = b"<URL:http://a.example/~joe> and <URL:http://b.example/{x}>";
/// let diagnostics = urlint::check(source, &Settings::default());
/// let fixes = diagnostics.iter().filter_map(|diagnostic| diagnostic.fix.as_ref());
/// let fixed = fix::apply(source, fixes);
/// assert_eq!(fixed.bytes, b"<URL:http://a.example/%7Ejoe> and <URL:http://b.example/%7Bx%7D>");
/// assert_eq!(fixed.taken, [0, 1, 2]);
/// ```
pub fn apply<'f>(source: &[u8], fixes: impl IntoIterator<Item = &'f Fix>) -> Applied {
    let mut fixes: Vec<_> = fixes.into_iter().enumerate().collect();
    fixes.retain(|(_, fix)| is_possible(source, fix));
    fixes.sort_by_key(|(_, fix)| fix.edits.first().map(|edit| edit.span.start));
    let mut edits: BTreeMap<u64, &Edit> = BTreeMap::new();
    let mut taken = Vec::new();
    for (index, fix) in fixes {
        if fix.edits.iter().all(|edit| is_free(&edits, edit.span)) {
            edits.extend(fix.edits.iter().map(|edit| (edit.span.start, edit)));
            taken.push(index);
        }
    }
    let mut bytes = Vec::with_capacity(source.len());
    let mut at = 0;
    for edit in edits.values() {
        bytes.extend_from_slice(Span::new(at, edit.span.start).slice(source));
        bytes.extend_from_slice(edit.replacement.as_bytes());
        at = edit.span.end;
    }
    bytes.extend_from_slice(Span::new(at, source.len() as u64).slice(source));
    Applied { bytes, taken }
}

/// Whether the edits are in order, lie in the source and change something.
fn is_possible(source: &[u8], fix: &Fix) -> bool {
    let mut pairs = fix.edits.iter().zip(fix.edits.iter().skip(1));
    let ordered = pairs.all(|(a, b)| a.span.end <= b.span.start && a.span.start < b.span.start);
    let inside = |edit: &Edit| edit.span.end <= source.len() as u64;
    let changes = |edit: &Edit| edit.span.slice(source) != edit.replacement.as_bytes();
    ordered && fix.edits.iter().all(inside) && fix.edits.iter().any(changes)
}

/// Whether none of `edits`, which are disjoint, overlaps `span`, begins where it begins, or touches
/// it where one of the two is an insertion.
fn is_free(edits: &BTreeMap<u64, &Edit>, span: Span) -> bool {
    let apart = |left: Span, right: Span| {
        left.start != right.start
            && (left.end < right.start
                || (left.end == right.start && !left.is_empty() && !right.is_empty()))
    };
    let before = edits.range(..=span.start).next_back();
    let after = edits.range(span.start..).next();
    before.is_none_or(|(_, edit)| apart(edit.span, span))
        && after.is_none_or(|(_, edit)| apart(span, edit.span))
}

/// How many times a source is checked before it is given up: some hundred times would be needed only
/// by a URL with tens of thousands of faults …
const MOST_PASSES: usize = 1000;
/// … and how many times its length, beside so many bytes that a short one may take all the passes.
const MOST_LENGTHS: usize = 64;
const MOST_WORK: usize = 64 << 20;

/// Takes a candidate of a source and what there is to say about it.
pub type Take<'t> = dyn FnMut(&Found<'_>, Vec<Diagnostic>) + 't;

/// What became of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mended {
    /// The new bytes of the source, if any fix was made.
    pub bytes: Option<Vec<u8>>,
    /// How many fixes were made.
    pub made: usize,
    /// How many were left out, since a URL would have been read otherwise after them, or had a new
    /// error.
    pub refused: usize,
    /// How many are left that are [`Applicability::Unsafe`], where these were not asked for.
    pub unsafe_left: usize,
    /// The source was given up, since the fixes came to no end within reason: nothing was done.
    pub given_up: bool,
}

/// Makes the fixes of `source` that are at least `least`, again and again until there are no more.
///
/// `check` reads the source that it is given and hands on each candidate in order, with those of its
/// diagnostics whose fixes may be made. It is called with each new state of the source.
///
/// Fixes that are [`Applicability::Display`] are never made. After the others each URL is read as
/// it was before, but for the edits in it, and has no error that it had not; a fix after which this
/// were not so is left out. Doing it again changes nothing. Takes time linear in the length of the
/// source for each pass, of which there are few.
///
/// Fails when `check` fails.
///
/// ```
/// use urlint::{Applicability, Event, Reading, Settings, fix};
///
/// let settings = Settings::default();
/// let mended = fix::mend(b"see <URL:http://a.example/~joe>", Applicability::Safe, &mut |source, take| {
///     Reading::default().read(b"note.txt", source, &mut |event| {
///         if let Event::Found(found) = event {
///             let mut diagnostics = Vec::new();
///             found.lint(&settings, &mut |diagnostic| diagnostics.push(diagnostic));
///             take(&found, diagnostics);
///         }
///         Ok::<(), std::io::Error>(())
///     })
/// })?;
/// assert_eq!(mended.bytes.unwrap(), b"see <URL:http://a.example/%7Ejoe>");
/// assert_eq!(mended.made, 1);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn mend<E>(
    source: &[u8],
    least: Applicability,
    check: &mut dyn FnMut(&[u8], &mut Take<'_>) -> Result<(), E>,
) -> Result<Mended, E> {
    let mut mender = Mender {
        least: least.max(Applicability::Unsafe),
        errors: errors(),
        check,
        passes_left: MOST_PASSES,
        work_left: source.len().saturating_mul(MOST_LENGTHS) + MOST_WORK,
        unsafe_left: 0,
    };
    let mut mended = Mended::default();
    let mut urls = mender.look(source)?;
    loop {
        let bytes = mended.bytes.as_deref().unwrap_or(source);
        match mender.pass(bytes, &urls)? {
            Pass::Made {
                bytes,
                urls: now,
                made,
            } => {
                mended.bytes = Some(bytes);
                mended.made += made;
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
    mended.refused = urls.iter().map(|url| url.proposals.len()).sum();
    // Of the last state looked at; those left out before it have changed nothing.
    mended.unsafe_left = mender.unsafe_left;
    Ok(mended)
}

/// The rules that report errors.
fn errors() -> Settings {
    let mut selection = Selection::none();
    for &rule in Rule::ALL {
        if rule.severity() == Severity::Error {
            selection.add(Selector::Rule(rule));
        }
    }
    Settings {
        selection,
        ..Settings::default()
    }
}

/// A fix that may be made.
#[derive(Clone, Debug)]
struct Proposal {
    fix: Fix,
    /// What it does to the text of the URL, if anything.
    in_text: Option<Fix>,
}

/// What has to be known of a URL to tell whether it has become worse.
#[derive(Debug)]
struct Url {
    /// A hash of its text.
    hash: u64,
    delimiter: Delimiter,
    /// Its text, if there are proposals.
    text: Vec<u8>,
    /// How many errors it has of each rule.
    errors: Vec<(Rule, u32)>,
    proposals: Vec<Proposal>,
}

/// Which proposals about a URL are tried.
#[derive(Clone, Copy)]
enum Turn {
    All,
    /// Only this one; past the last, none.
    Only(usize),
}

enum Pass {
    Made {
        bytes: Vec<u8>,
        urls: Vec<Url>,
        made: usize,
    },
    Nothing,
    TooMuch,
}

struct Mender<'c, E> {
    least: Applicability,
    errors: Settings,
    check: &'c mut dyn FnMut(&[u8], &mut Take<'_>) -> Result<(), E>,
    passes_left: usize,
    work_left: usize,
    unsafe_left: usize,
}

impl<E> Mender<'_, E> {
    /// The URLs of a state of the source, and what may be done about them.
    fn look(&mut self, source: &[u8]) -> Result<Vec<Url>, E> {
        let mut urls = Vec::new();
        let (least, errors) = (self.least, &self.errors);
        let mut unsafe_left = 0;
        (self.check)(source, &mut |found, diagnostics| {
            let ranks = diagnostics.iter().flat_map(|diagnostic| &diagnostic.fix);
            let ranks = ranks.map(|fix| fix.applicability);
            unsafe_left += ranks
                .filter(|&rank| rank == Applicability::Unsafe && rank < least)
                .count();
            urls.push(Url::new(found, diagnostics, least, errors));
        })?;
        self.unsafe_left = unsafe_left;
        Ok(urls)
    }

    /// Whether there is time to check so many bytes once more; counts it.
    fn may_go_on(&mut self, bytes: usize) -> bool {
        let may = self.passes_left > 0 && self.work_left >= bytes;
        self.passes_left = self.passes_left.saturating_sub(1);
        self.work_left = self.work_left.saturating_sub(bytes);
        may
    }

    /// Makes as many of the fixes as do no harm.
    fn pass(&mut self, source: &[u8], urls: &[Url]) -> Result<Pass, E> {
        let mut turns = vec![Turn::All; urls.len()];
        let unsafe_left = self.unsafe_left;
        loop {
            let tried: Vec<(usize, &Proposal)> = proposals(urls, &turns).collect();
            let applied = apply(source, tried.iter().map(|(_, proposal)| &proposal.fix));
            if applied.taken.is_empty() {
                self.unsafe_left = unsafe_left;
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
            let blamed = blamed(urls, &now, &taken);
            if blamed.is_empty() {
                return Ok(Pass::Made {
                    bytes: applied.bytes,
                    urls: now,
                    made: applied.taken.len(),
                });
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
}

/// The proposals whose turn it is, with the index of the URL that each is about.
fn proposals<'u>(
    urls: &'u [Url],
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

/// The URLs whose fixes have done harm: to themselves, or to one of which they stand nearest.
fn blamed(before: &[Url], now: &[Url], taken: &BTreeMap<usize, Vec<&Proposal>>) -> BTreeSet<usize> {
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
        blamed.extend(nearest.map(|(&index, _)| index));
        // Where there are more or fewer, those behind cannot be compared.
        if before.len() != now.len() {
            break;
        }
    }
    blamed
}

impl Url {
    fn new(
        found: &Found<'_>,
        diagnostics: Vec<Diagnostic>,
        least: Applicability,
        settings: &Settings,
    ) -> Self {
        let mut errors: BTreeMap<Rule, u32> = BTreeMap::new();
        found.lint(settings, &mut |diagnostic| {
            if diagnostic.severity == Severity::Error {
                *errors.entry(diagnostic.rule).or_default() += 1;
            }
        });
        let proposals = proposed(found, diagnostics, least);
        let text = match proposals.is_empty() {
            true => Vec::new(),
            false => found.candidate.text.to_vec(),
        };
        Url {
            hash: hash(&found.candidate.text),
            delimiter: found.candidate.delimiter,
            text,
            errors: errors.into_iter().collect(),
            proposals,
        }
    }

    /// Whether `now` is this URL after `taken` and nothing else, with no error that this has not.
    fn became(&self, now: &Url, taken: Option<&Vec<&Proposal>>) -> bool {
        let edits: Vec<_> = taken
            .into_iter()
            .flatten()
            .filter_map(|proposal| proposal.in_text.as_ref())
            .collect();
        let expected = match edits.is_empty() {
            true => self.hash,
            false => {
                let applied = apply(&self.text, edits.iter().copied());
                if applied.taken.len() < edits.len() {
                    return false;
                }
                hash(&applied.bytes)
            }
        };
        let had = |rule| {
            let found = self.errors.binary_search_by_key(&rule, |&(rule, _)| rule);
            found.map_or(0, |at| self.errors[at].1)
        };
        // What is bare may have been wrapped.
        let marked_off = now.delimiter == self.delimiter
            || (self.delimiter, now.delimiter) == (Delimiter::Bare, Delimiter::Wrapper);
        marked_off
            && now.hash == expected
            && now.errors.iter().all(|&(rule, count)| count <= had(rule))
    }
}

fn hash(text: &[u8]) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(text)
}

/// The fixes that may be made, each with what it does to the text of the URL.
fn proposed(
    found: &Found<'_>,
    diagnostics: Vec<Diagnostic>,
    least: Applicability,
) -> Vec<Proposal> {
    let mut diagnostics = diagnostics;
    diagnostics.retain(|diagnostic| {
        let fix = diagnostic.fix.as_ref();
        fix.is_some_and(|fix| fix.applicability >= least)
    });
    if diagnostics.is_empty() {
        return Vec::new();
    }
    let own = own_fixes(found, &diagnostics);
    let pieces = match found.origin {
        None => &found.candidate.pieces,
        Some(origin) => &origin.candidate.pieces,
    };
    let proposal = |(diagnostic, own): (Diagnostic, Option<Fix>)| {
        let fix = diagnostic.fix?;
        // How a URL stands in its text is mended without touching the URL.
        let in_text = match diagnostic.rule.group() {
            Group::Context => None,
            _ => Some(in_text(own?, pieces)?),
        };
        Some(Proposal { fix, in_text })
    };
    diagnostics
        .into_iter()
        .zip(own)
        .filter_map(proposal)
        .collect()
}

/// The fixes of `diagnostics` as edits of what the candidate was found in: the source or a view.
fn own_fixes(found: &Found<'_>, diagnostics: &[Diagnostic]) -> Vec<Option<Fix>> {
    let Some(origin) = found.origin else {
        return diagnostics
            .iter()
            .map(|diagnostic| diagnostic.fix.clone())
            .collect();
    };
    let mut selection = Selection::none();
    for diagnostic in diagnostics {
        selection.add(Selector::Rule(diagnostic.rule));
    }
    let settings = Settings {
        selection,
        ..Settings::default()
    };
    let mut own: BTreeMap<(u64, Rule), Fix> = BTreeMap::new();
    lint(origin.candidate, &settings, &mut |diagnostic| {
        let place = origin.view.spans(&diagnostic.spans).start();
        if let Some(fix) = diagnostic.fix {
            own.entry((place, diagnostic.rule)).or_insert(fix);
        }
    });
    let of = |diagnostic: &Diagnostic| own.remove(&(diagnostic.spans.start(), diagnostic.rule));
    diagnostics.iter().map(of).collect()
}

/// `fix` as edits of the text that stands at `pieces`.
fn in_text(mut fix: Fix, pieces: &Spans) -> Option<Fix> {
    for edit in &mut fix.edits {
        let mut passed = 0;
        let mut place = None;
        for piece in pieces.iter() {
            if place.is_none() && piece.start <= edit.span.start && edit.span.end <= piece.end {
                place = Some(passed + edit.span.start - piece.start);
            }
            passed += piece.len();
        }
        let start = place?;
        edit.span = Span::new(start, start + edit.span.len());
    }
    Some(fix)
}

#[cfg(test)]
mod tests;
