//! A candidate's URL, taken apart and judged, for the checks to look at.

use std::cell::OnceCell;
use std::ops::Range;

use super::diagnostic::{Applicability, Edit, Fix, UrlEdit, shortened};
use super::finding::{Finding, Sentence};
use super::printable::printable;
use super::rule::Rule;
use crate::find::candidate::{Candidate, Delimiter, Flag};
use crate::standard::rfc1738::{self, Predefined};
use crate::standard::{Components, Part, Problem, Standard, whatwg};
use crate::text::span::{Span, Spans};
use crate::text::utf8::code_point_len;
use crate::url::Split;
use crate::url::escape::{Escape, escapes};
use crate::url::password::{masked, passwords_before, possible_passwords};
use crate::url::schemes::{Scheme, lookup};

/// The most bytes that a message quotes.
const QUOTED: usize = 80;

/// A candidate's URL, taken apart and judged.
///
/// Parts are parts of the candidate's text: the URL, and the fragment that may follow it.
pub(super) struct Url<'c> {
    pub(super) candidate: &'c Candidate<'c>,
    pub(super) standard: Standard,
    /// The URL without its fragment.
    pub(super) text: &'c [u8],
    /// The parts of the URL. There is an authority wherever there is `//`, whether or not the
    /// standard speaks of the authority in that scheme, so that checks see the host of `ws` too.
    pub(super) split: Split,
    /// The components that the standard's grammar tells apart.
    pub(super) components: Components,
    /// Where the URL departs from the standard, ordered by start and end.
    pub(super) problems: Vec<Problem>,
    /// The scheme, if it has a grammar in RFC 1738.
    pub(super) predefined: Option<Predefined>,
    own: OnceCell<rfc1738::Components>,
    /// The problems for which browsers fail, of which there are few.
    failures: OnceCell<Vec<Problem>>,
    shown: OnceCell<String>,
    begins_template: OnceCell<bool>,
    /// Each piece of the candidate, with the offset of its first byte in the text.
    starts: OnceCell<Vec<(u64, Span)>>,
    is_verbatim: bool,
    /// What follows the candidate in its text, if that is known.
    after: Option<&'c [u8]>,
    secrets: Vec<Part>,
    hidden: OnceCell<Vec<Part>>,
    /// For each problem the furthest end of those up to it: they are ordered by their starts.
    reach: Vec<u32>,
}

impl<'c> Url<'c> {
    pub(super) fn new(
        candidate: &'c Candidate<'c>,
        after: Option<&'c [u8]>,
        standard: Standard,
    ) -> Self {
        let text = candidate.url();
        let judged = candidate.judged_by(standard);
        let mut problems = Vec::new();
        let components = standard.judge(judged, |problem| problems.push(problem));
        problems.sort_by_key(|problem| problem.part);
        let mut split = Split::under(standard, text);
        // Of an article, which has no authority.
        split.host = split.host.or(components.host);
        let scheme = split.scheme.unwrap_or_default().of(text);
        Url {
            candidate,
            standard,
            text,
            predefined: Predefined::from_name(scheme),
            split,
            components,
            reach: furthest_ends(&problems),
            problems,
            own: OnceCell::new(),
            failures: OnceCell::new(),
            shown: OnceCell::new(),
            begins_template: OnceCell::new(),
            starts: OnceCell::new(),
            is_verbatim: candidate.pieces.len() == candidate.text.len() as u64,
            after,
            secrets: passwords_in(&candidate.text, after)
                .into_iter()
                .map(Part::from)
                .collect(),
            hidden: OnceCell::new(),
        }
    }

    /// The components of one of the schemes with a grammar in RFC 1738, if the URL is of `scheme`.
    pub(super) fn own(&self, scheme: Predefined) -> Option<&rfc1738::Components> {
        (self.predefined == Some(scheme)).then(|| self.own_of_any())
    }

    /// The components that RFC 1738 tells apart.
    pub(super) fn own_of_any(&self) -> &rfc1738::Components {
        self.own.get_or_init(|| rfc1738::judge(self.text, |_| {}))
    }

    /// The bytes at `part` of the URL.
    pub(super) fn slice(&self, part: Part) -> &'c [u8] {
        part.of(self.text)
    }

    /// What follows `part` in the URL.
    pub(super) fn after(&self, part: Part) -> &'c [u8] {
        self.text.get(part.range().end..).unwrap_or_default()
    }

    /// The scheme: in lower case if it has a grammar, otherwise as written; empty if there is
    /// none.
    pub(super) fn scheme(&self) -> &'c str {
        match self.predefined {
            Some(predefined) => predefined.name(),
            None => std::str::from_utf8(self.slice(self.scheme_part())).unwrap_or_default(),
        }
    }

    /// What is known of the scheme, whatever its case.
    pub(super) fn scheme_facts(&self) -> Option<&'static Scheme> {
        lookup(self.scheme().as_bytes())
    }

    /// Returns whether the URL is judged as a URI or IRI, by RFC 3986 or RFC 3987.
    pub(super) fn is_uri(&self) -> bool {
        matches!(self.standard, Standard::Rfc3986 | Standard::Rfc3987)
    }

    /// Returns whether browsers fail for `problem` of the URL.
    pub(super) fn is_failure(&self, problem: Problem) -> bool {
        let failures = self.failures.get_or_init(|| {
            let mut failures = Vec::new();
            whatwg::violations(&self.candidate.text, |violation| {
                if violation.is_failure {
                    failures.push(violation.problem());
                }
            });
            failures
        });
        failures.contains(&problem)
    }

    /// Returns whether the scheme is http or https, which have one grammar.
    pub(super) fn is_web(&self) -> bool {
        matches!(self.predefined, Some(Predefined::Http | Predefined::Https))
    }

    pub(super) fn scheme_part(&self) -> Part {
        self.split.scheme.unwrap_or_default()
    }

    /// The bytes of the host; none if there is no host.
    pub(super) fn host(&self) -> &'c [u8] {
        self.split.host.map_or(&[], |host| self.slice(host))
    }

    pub(super) fn escapes(&self) -> impl Iterator<Item = Escape> + use<'c> {
        escapes(self.text, Part::all(self.text))
    }

    /// Returns whether the URL is in `<` and `>`, or where markup expects a URL, so that each of its
    /// characters was meant as one of the URL.
    pub(super) fn is_wrapped(&self) -> bool {
        matches!(
            self.candidate.delimiter,
            Delimiter::Wrapper | Delimiter::Angle | Delimiter::Target
        ) && !self.candidate.flags.has(Flag::Unterminated)
    }

    /// Returns whether the URL departs from the standard anywhere in `part`.
    pub(super) fn has_problem_in(&self, part: Part) -> bool {
        let before = self
            .problems
            .partition_point(|problem| problem.part.start < part.end);
        let reach = before.checked_sub(1).and_then(|last| self.reach.get(last));
        reach.is_some_and(|&end| part.start < end)
    }

    /// A finding at `part` of the candidate's text.
    pub(super) fn finding(&self, rule: Rule, part: Part, message: impl Into<Sentence>) -> Finding {
        Finding::new(rule, self.spans(part), message).at(part)
    }

    /// The source bytes of `part` of the candidate's text. Unlike [`Spans::slice`] it does not take
    /// longer the more pieces the URL is in, since there may be as many parts to ask for.
    fn spans(&self, part: Part) -> Spans {
        let pieces = &self.candidate.pieces;
        if pieces.single().is_some() {
            return pieces.slice(part.range());
        }
        let starts = self.starts.get_or_init(|| {
            let mut passed = 0;
            let start = |piece: Span| {
                let start = passed;
                passed += piece.len();
                (start, piece)
            };
            pieces.iter().map(start).collect()
        });
        let (from, to) = (u64::from(part.start), u64::from(part.end));
        let first = starts.partition_point(|(start, piece)| start + piece.len() <= from);
        let Some(&(start, piece)) = starts.get(first) else {
            return Span::new(pieces.end(), pieces.end()).into();
        };
        let within = |start: u64, piece: Span| {
            let (from, to) = (from.max(start) - start, to.max(start) - start);
            Span::new(
                piece.start + from,
                piece.start + to.clamp(from, piece.len()),
            )
        };
        let mut spans = Spans::from(within(start, piece));
        let others = starts.iter().skip(first + 1);
        for &(start, piece) in others.take_while(|(start, _)| *start < to) {
            spans.push(within(start, piece));
        }
        spans
    }

    /// The URL with its fragment as a message may show it: in backquotes, without what cannot be
    /// printed, without passwords, and shortened.
    pub(super) fn shown(&self) -> &str {
        self.shown.get_or_init(|| {
            let redacted = self.redacted();
            format!("`{}`", printable(shortened(&redacted).as_bytes()))
        })
    }

    /// Returns whether the scheme is `data`, whose URLs hold data and name nothing (RFC 2397).
    pub(super) fn is_data(&self) -> bool {
        self.scheme().eq_ignore_ascii_case("data")
    }

    /// A fix that replaces parts of the candidate's text. `None` where the text's bytes are not the
    /// source's, and where the replacement would show a part of a password.
    pub(super) fn fix(
        &self,
        message: impl Into<String>,
        applicability: Applicability,
        edits: &[(Part, &str)],
    ) -> Option<Fix> {
        let shows = |&(part, text): &(Part, &str)| !text.is_empty() && self.is_secret(part);
        if !self.is_verbatim() || edits.iter().any(shows) {
            return None;
        }
        let in_source = |&(part, text): &(Part, &str)| edits_in_pieces(&self.spans(part), text);
        let in_url = |&(part, text): &(Part, &str)| UrlEdit {
            part,
            replacement: text.to_owned(),
        };
        let most = match self.candidate.pieces.single() {
            _ if self.begins_template() => Applicability::DisplayOnly,
            Some(_) => Applicability::Safe,
            None => Applicability::Unsafe,
        };
        Some(Fix {
            message: message.into(),
            applicability: applicability.min(most),
            edits: edits.iter().flat_map(in_source).collect(),
            url_edits: edits.iter().map(in_url).collect(),
        })
    }

    /// Returns whether a template begins in the URL that may not end there, as in `#{name`: a whole
    /// one is a placeholder, and the URL is not judged.
    fn begins_template(&self) -> bool {
        const MARKS: [&[u8]; 7] = [b"{{", b"{%", b"${", b"#{", b"$(", b"<%", b"<?"];
        let text = &*self.candidate.text;
        *self.begins_template.get_or_init(|| {
            memchr::memchr3(b'{', b'$', b'<', text).is_some()
                && text.windows(2).any(|pair| MARKS.contains(&pair))
        })
    }

    /// Returns whether the URL's bytes are the source's, and not decoded from others.
    pub(super) fn is_verbatim(&self) -> bool {
        self.is_verbatim
    }

    /// The passwords in the candidate's text, in order.
    pub(super) fn secrets(&self) -> &[Part] {
        &self.secrets
    }

    /// What may be passwords in the candidate's text, in order: they are not shown, but not reported
    /// either.
    pub(super) fn hidden(&self) -> &[Part] {
        self.hidden.get_or_init(|| {
            let hidden = possible_passwords(&self.candidate.text, self.after);
            hidden.into_iter().map(Part::from).collect()
        })
    }

    /// Returns whether the password at `part` lacks the `@` after it, because the line ends within
    /// the login.
    pub(super) fn is_cut(&self, part: Part) -> bool {
        part.range().end == self.candidate.text.len()
    }

    /// The candidate's text without its passwords.
    pub(super) fn redacted(&self) -> String {
        let hidden: Vec<_> = self.hidden().iter().map(|part| part.range()).collect();
        String::from_utf8_lossy(&masked(&self.candidate.text, &hidden)).into_owned()
    }

    /// `text`, which is another reading of the candidate, without its passwords.
    pub(super) fn redacted_reading(&self, text: &[u8]) -> String {
        let redacted = masked(text, &possible_passwords(text, self.after));
        String::from_utf8_lossy(&redacted).into_owned()
    }

    /// Returns whether a byte of a password is at `part` of the candidate's text.
    pub(super) fn is_secret(&self, part: Part) -> bool {
        let hidden = self.hidden();
        let next = hidden.partition_point(|secret| secret.end <= part.start);
        let touches = |secret: &Part| secret.touches(part);
        hidden.get(next).is_some_and(touches)
    }

    /// `part` of the candidate's text as a message may show it: in backquotes, without what cannot
    /// be printed, without passwords, and not too long.
    pub(super) fn quoted(&self, part: Part) -> String {
        let text = part.of(&self.candidate.text);
        if text == b"`" {
            return "the grave accent".to_owned();
        }
        if self.is_secret(part) {
            return "`***`".to_owned();
        }
        let mut end = text.len().min(QUOTED);
        while text.get(end).is_some_and(|byte| byte & 0xC0 == 0x80) && end > QUOTED - 4 {
            end -= 1;
        }
        let short = &text[..end];
        let mut printed = printable(short);
        if short.len() < text.len() {
            printed.push('…');
        }
        match printed
            .strip_prefix('<')
            .and_then(|name| name.strip_suffix('>'))
        {
            Some(name) if code_point_len(text) == text.len() => name.to_owned(),
            _ => format!("`{printed}`"),
        }
    }
}

/// The passwords in `text`, in order; `after` is what follows it.
fn passwords_in(text: &[u8], after: Option<&[u8]>) -> Vec<Range<usize>> {
    let mut passwords = passwords_before(text, after);
    passwords.retain_mut(|password| {
        password.end = password.end.min(text.len());
        password.start < password.end
    });
    passwords
}

fn furthest_ends(problems: &[Problem]) -> Vec<u32> {
    let ends = problems.iter().map(|problem| problem.part.end);
    ends.scan(0, |furthest, end| {
        *furthest = end.max(*furthest);
        Some(*furthest)
    })
    .collect()
}

/// One edit for each piece: the bytes go where they fit, so that a line break between two pieces
/// stays where it is.
fn edits_in_pieces(spans: &Spans, text: &str) -> Vec<Edit> {
    let mut rest = text;
    let last = spans.iter().count() - 1;
    let edit = |(i, span): (usize, Span)| {
        let room = if i == last {
            rest.len()
        } else {
            rest.len().min(span.len() as usize)
        };
        let (replacement, after) = rest.split_at_checked(room).unwrap_or((rest, ""));
        rest = after;
        let replacement = replacement.to_owned();
        Edit { span, replacement }
    };
    spans.iter().enumerate().map(edit).collect()
}
