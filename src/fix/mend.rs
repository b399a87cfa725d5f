//! Fixes made again and again, until there are no more that do no harm.

use std::collections::{BTreeMap, BTreeSet};

use super::apply;
use super::url::{Proposal, Url};
use crate::lint::diagnostic::{Applicability, Diagnostic};
use crate::lint::rule::{Rule, Severity};
use crate::lint::settings::{Selection, Selector, Settings};
use crate::read::Found;

/// How many times a source is checked before it is given up: some hundred times would be needed only
/// by a URL with tens of thousands of faults …
const MOST_PASSES: usize = 1000;
/// … and how many times its length, beside so many bytes that a short one may take all the passes.
const MOST_LENGTHS: usize = 64;
const MOST_WORK: usize = 64 << 20;

/// Takes a candidate of a source and what there is to say about it.
pub type Take<'t> = dyn FnMut(&Found<'_>, Vec<Diagnostic>) + 't;

/// Reads a state of a source and hands on its candidates.
pub type Check<'c, E> = dyn FnMut(&[u8], &mut Take<'_>) -> Result<(), E> + 'c;

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
    /// How many are left that are [`Applicability::Display`], which are never made.
    pub display_left: usize,
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
/// use urlint::{Applicability, Event, Reader, Settings, fix};
///
/// let settings = Settings::default();
/// let mended = fix::mend(b"see <URL:http://a.example/~joe>", Applicability::Safe, &mut |source, take| {
///     Reader::default().read(b"note.txt", source, &mut |event| {
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
pub fn mend<E>(source: &[u8], least: Applicability, check: &mut Check<'_, E>) -> Result<Mended, E> {
    let mut mender = Mender {
        least: least.max(Applicability::Unsafe),
        errors: errors(),
        check,
        passes_left: MOST_PASSES,
        work_left: source.len().saturating_mul(MOST_LENGTHS) + MOST_WORK,
        left: Left::default(),
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
    mended.unsafe_left = mender.left.unsafe_ones;
    mended.display_left = mender.left.display;
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

/// How many fixes of a state of the source are not for making.
#[derive(Clone, Copy, Default)]
struct Left {
    /// Those that are unsafe, where these were not asked for.
    unsafe_ones: usize,
    /// Those that are only shown.
    display: usize,
}

struct Mender<'c, E> {
    least: Applicability,
    errors: Settings,
    check: &'c mut Check<'c, E>,
    passes_left: usize,
    work_left: usize,
    left: Left,
}

impl<E> Mender<'_, E> {
    /// The URLs of a state of the source, and what may be done about them.
    fn look(&mut self, source: &[u8]) -> Result<Vec<Url>, E> {
        let mut urls = Vec::new();
        let (least, errors) = (self.least, &self.errors);
        let mut left = Left::default();
        (self.check)(source, &mut |found, diagnostics| {
            for fix in diagnostics.iter().flat_map(|diagnostic| &diagnostic.fix) {
                match fix.applicability {
                    Applicability::Display => left.display += 1,
                    rank if rank < least => left.unsafe_ones += 1,
                    _ => {}
                }
            }
            urls.push(Url::new(found, diagnostics, least, errors));
        })?;
        self.left = left;
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
        let left = self.left;
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
