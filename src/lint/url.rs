//! A candidate's URL, split and judged, as the checks see it.

use std::cell::OnceCell;

use super::diagnostic::{Applicability, Fix, UrlEdit, shortened};
use super::edits::in_pieces;
use super::finding::{Finding, Sentence};
use super::printable::printable;
use super::rule::Rule;
use urlint_find::{Candidate, Delimiter, Flag};
use urlint_standard::standard::rfc1738::{Predefined, named_parts};
use urlint_standard::standard::{Components, Parsed, Part, Problem, Standard, whatwg};
use urlint_standard::text::utf8::code_point_len;
use urlint_standard::text::{Span, Spans};
use urlint_standard::url::escape::{Escape, escapes};
use urlint_standard::url::schemes::{Scheme, lookup};
use urlint_standard::url::{Split, password};

/// The greatest number of bytes that a message quotes.
const QUOTED: usize = 80;

/// A candidate's URL, split and judged.
///
/// Parts are parts of the candidate's text: the URL, and the fragment that may follow it.
pub(super) struct Url<'c> {
    pub(super) candidate: &'c Candidate<'c>,
    pub(super) standard: Standard,
    /// The URL without its fragment.
    pub(super) text: &'c [u8],
    /// The parts of the URL. There is an authority after every `//`, whether or not the standard
    /// defines one for that scheme, so that checks see the host of `ws` too.
    pub(super) split: Split,
    /// The components by the standard's grammar.
    pub(super) components: Components,
    /// Where the URL departs from the standard, ordered by start and end.
    pub(super) problems: Vec<Problem>,
    /// The scheme, if it has a grammar in RFC 1738.
    pub(super) predefined: Option<Predefined>,
    own: OnceCell<Vec<(&'static str, Part)>>,
    shown: OnceCell<String>,
    begins_template: OnceCell<bool>,
    /// Each piece of the candidate, with the offset of its first byte in the text.
    starts: OnceCell<Vec<(u64, Span)>>,
    is_verbatim: bool,
    /// The source after it.
    after: &'c [u8],
    hidden: OnceCell<Vec<Part>>,
    /// For each problem, the greatest end of the problems up to it; they are ordered by their
    /// starts.
    reach: Vec<u32>,
}

impl<'c> Url<'c> {
    pub(super) fn new(candidate: &'c Candidate<'c>, standard: Standard) -> Self {
        let text = candidate.url();
        let judged = candidate.judged_by(standard);
        let Parsed {
            components,
            problems,
            ..
        } = standard.parse(judged);
        let mut split = Split::under(standard, text);
        // The host of an article, which has no authority.
        split.host = split.host.or(components.host);
        let scheme = split.scheme.unwrap_or_default().of(text);
        Url {
            candidate,
            standard,
            text,
            predefined: Predefined::of(scheme),
            split,
            components,
            reach: furthest_ends(&problems),
            problems,
            own: OnceCell::new(),
            shown: OnceCell::new(),
            begins_template: OnceCell::new(),
            starts: OnceCell::new(),
            is_verbatim: candidate.pieces.len() == candidate.text.len() as u64,
            after: &[],
            hidden: OnceCell::new(),
        }
    }

    /// The same URL with `after` in the source after it.
    pub(super) fn before(self, after: &'c [u8]) -> Self {
        Url { after, ..self }
    }

    /// The component that has this `name` in the grammar of RFC 1738, if the URL's scheme is
    /// `scheme`.
    pub(super) fn own(&self, scheme: Predefined, name: &str) -> Option<Part> {
        if self.predefined != Some(scheme) {
            return None;
        }
        let mut parts = self.own_parts().iter();
        let (_, part) = parts.find(|(other, _)| *other == name)?;
        Some(*part)
    }

    /// The components that the URL has by RFC 1738, with their names in its grammar, in order.
    pub(super) fn own_parts(&self) -> &[(&'static str, Part)] {
        self.own.get_or_init(|| {
            let parts = named_parts(self.text).into_iter();
            parts
                .filter_map(|(name, part)| Some((name, part?)))
                .collect()
        })
    }

    /// The bytes at `part` of the URL.
    pub(super) fn slice(&self, part: Part) -> &'c [u8] {
        part.of(self.text)
    }

    /// The parts of `whole` before, between and after each `byte` in it.
    pub(super) fn parts_between(
        &self,
        whole: Part,
        byte: u8,
    ) -> impl Iterator<Item = Part> + use<'c> {
        let mut start = whole.start;
        let parts = self.slice(whole).split(move |&one| one == byte);
        parts.map(move |text| {
            let end = start + text.len() as u32;
            let part = Part { start, end };
            start = end + 1;
            part
        })
    }

    /// The bytes of the URL after `part`.
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

    /// The row of the scheme in the table of schemes, in upper or lower case.
    pub(super) fn scheme_facts(&self) -> Option<&'static Scheme> {
        lookup(self.scheme().as_bytes())
    }

    /// Returns whether the URL is judged as a URI or IRI, by RFC 3986 or RFC 3987.
    pub(super) fn is_uri(&self) -> bool {
        matches!(self.standard, Standard::Rfc3986 | Standard::Rfc3987)
    }

    /// Returns whether the scheme is http or https, which have one grammar.
    pub(super) fn is_web(&self) -> bool {
        matches!(self.predefined, Some(Predefined::Http | Predefined::Https))
    }

    pub(super) fn scheme_part(&self) -> Part {
        self.split.scheme.unwrap_or_default()
    }

    /// The bytes of the host; empty if there is no host.
    pub(super) fn host(&self) -> &'c [u8] {
        self.split.host.map_or(&[], |host| self.slice(host))
    }

    /// The labels of the host.
    pub(super) fn labels(&self) -> impl Iterator<Item = Part> + use<'c> {
        self.parts_between(self.split.host.unwrap_or_default(), b'.')
    }

    pub(super) fn escapes(&self) -> impl Iterator<Item = Escape> + use<'c> {
        escapes(self.text, Part::all(self.text))
    }

    /// Returns whether the URL is between `<` and `>`, or where markup expects a URL, so that each
    /// character was intended as part of it.
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

    /// A finding at `part` of the candidate's text, which the `label` names.
    pub(super) fn finding(
        &self,
        rule: Rule,
        part: Part,
        message: impl Into<Sentence>,
        label: impl Into<String>,
    ) -> Finding {
        Finding::new(rule, self.spans(part), message, label).at(part)
    }

    /// The source bytes of `part` of the candidate's text. Unlike [`Spans::slice`], this does not
    /// take longer if the URL is in more pieces, since there may be as many parts as pieces.
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
        let within = |(start, piece): (u64, Span)| {
            let (from, to) = (from.max(start) - start, to.max(start) - start);
            Span::new(
                piece.start + from,
                piece.start + to.clamp(from, piece.len()),
            )
        };
        let covered = starts[first..].iter().copied().enumerate();
        let covered = covered.take_while(|(index, (start, _))| *index == 0 || *start < to);
        let spans = Spans::of(covered.map(|(_, piece)| within(piece)));
        spans.unwrap_or_else(|| Span::new(pieces.end(), pieces.end()).into())
    }

    /// The URL with its fragment as messages show it: in backquotes, printable, without passwords,
    /// and shortened.
    pub(super) fn shown(&self) -> &str {
        self.shown.get_or_init(|| {
            let redacted = self.redacted();
            format!("`{}`", printable(shortened(&redacted).as_bytes()))
        })
    }

    /// Returns whether the scheme is `data`, whose URLs contain data and name nothing (RFC 2397).
    pub(super) fn is_data(&self) -> bool {
        self.scheme().eq_ignore_ascii_case("data")
    }

    /// A fix that replaces `part` of the candidate's text. `None` where the text's bytes are not the
    /// source's, and where the fix would change a possible password other than by deleting it.
    pub(super) fn fix(
        &self,
        message: impl Into<String>,
        applicability: Applicability,
        part: Part,
        text: &str,
    ) -> Option<Fix> {
        self.fix_all(message, applicability, &[(part, text)])
    }

    /// The same for several parts, which are replaced together.
    pub(super) fn fix_all(
        &self,
        message: impl Into<String>,
        applicability: Applicability,
        edits: &[(Part, &str)],
    ) -> Option<Fix> {
        let changes_login = |&(part, text): &(Part, &str)| {
            let hidden = self.hidden();
            let next = hidden.partition_point(|secret| secret.end <= part.start);
            // A part that ends where a password begins is the colon before it.
            let reaches = |secret: &&Part| secret.start <= part.end;
            let secret = hidden.get(next).filter(reaches);
            secret.is_some_and(|secret| !text.is_empty() || part.end < secret.end)
        };
        if !self.is_verbatim() || edits.iter().any(changes_login) {
            return None;
        }
        let in_source = |&(part, text): &(Part, &str)| {
            let pieces: Vec<_> = self.spans(part).iter().collect();
            in_pieces(&pieces, text)
        };
        let in_url = |&(part, text): &(Part, &str)| UrlEdit {
            part,
            replacement: text.to_owned(),
        };
        let most = if self.begins_template() {
            Applicability::DisplayOnly
        } else {
            Applicability::most_in(&self.candidate.pieces)
        };
        Some(Fix {
            message: message.into(),
            applicability: applicability.min(most),
            edits: edits.iter().flat_map(in_source).collect(),
            url_edits: edits.iter().map(in_url).collect(),
        })
    }

    /// Returns whether a template begins in the URL without ending there, as in `#{name`. A
    /// complete one is a placeholder, and is not checked.
    fn begins_template(&self) -> bool {
        const MARKS: [&[u8]; 8] = [b"{{", b"{%", b"${", b"#{", b"$(", b"<%", b"<?", b"<!"];
        let text = &*self.candidate.text;
        *self.begins_template.get_or_init(|| {
            memchr::memchr3(b'{', b'$', b'<', text).is_some()
                && text.windows(2).any(|pair| MARKS.contains(&pair))
        })
    }

    /// Returns whether the URL's bytes are the source's own, not decoded from others.
    pub(super) fn is_verbatim(&self) -> bool {
        self.is_verbatim
    }

    /// The parts of the candidate's text that are not shown, in order: possible passwords.
    pub(super) fn hidden(&self) -> &[Part] {
        self.hidden.get_or_init(|| {
            let hidden = password::hidden_in_url_before(&self.candidate.text, self.after);
            hidden.into_iter().map(Part::from).collect()
        })
    }

    /// The candidate's text without passwords.
    pub(super) fn redacted(&self) -> String {
        let text = &self.candidate.text;
        let hidden: Vec<_> = self.hidden().iter().map(|part| part.range()).collect();
        let shown = password::redacted_part(text, 0..text.len(), &hidden);
        String::from_utf8_lossy(&shown).into_owned()
    }

    /// Returns whether a byte at `part` of the candidate's text is hidden.
    pub(super) fn is_secret(&self, part: Part) -> bool {
        let hidden = self.hidden();
        let next = hidden.partition_point(|secret| secret.end <= part.start);
        let touches = |secret: &Part| secret.touches(part);
        hidden.get(next).is_some_and(touches)
    }

    /// `part` of the candidate's text as messages show it: in backquotes, printable, without
    /// passwords, and not too long.
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

fn furthest_ends(problems: &[Problem]) -> Vec<u32> {
    let ends = problems.iter().map(|problem| problem.part.end);
    ends.scan(0, |furthest, end| {
        *furthest = end.max(*furthest);
        Some(*furthest)
    })
    .collect()
}

/// Returns the host of `url` as browsers parse it.
pub(super) fn host_to_browsers(url: &[u8]) -> Option<String> {
    let href = whatwg::href(url)?;
    let host = Split::of(href.as_bytes()).host?;
    let host = std::str::from_utf8(host.of(href.as_bytes())).ok()?;
    (!host.is_empty()).then(|| host.to_owned())
}
