//! Findings for the problems of the judge.
//!
//! The table has a row for each kind of problem: the fault, and its fix. How serious it is depends on its
//! rule and on the place of the URL. It is a hint everywhere if the URL works all the same: if under RFC 1738 both
//! RFC 3986 and the URL Standard allow it, and characters that an IRI may have. Under the URL Standard, a problem that
//! browsers repair is at most a warning.

mod case;
mod character;
mod component;
mod host;
mod scheme;

use super::finding::Finding;
use super::link::is_script;
use super::report::Report;
use super::rule::{Group, Rule};
use super::schemes::slip_of_address;
use super::understood::is_ipv6_literal;
use super::url::Url;
use case::Case;
pub(super) use host::empty_port;
use urlint_find::Delimiter;
use urlint_standard::standard::rfc1738::Predefined;
use urlint_standard::standard::{Part, Problem, ProblemKind};
use urlint_standard::text::window::is_blank;

/// Reports every problem of the URL.
pub(super) fn grammar(url: &Url<'_>, report: &mut Report<'_>) {
    for &problem in &url.problems {
        if report.wants(Rule::from(problem.kind))
            && !is_stand_in(url, problem)
            && !is_left_to_scheme(url, problem)
            && !is_cut(url, problem, report)
        {
            report.add(finding(url, problem));
        }
    }
}

/// Returns whether `problem` is about a word in the place of a host or port: `http://host:port/`,
/// `http://.../`; or about a slip that its rule names itself, or a program.
fn is_stand_in(url: &Url<'_>, problem: Problem) -> bool {
    match problem.kind {
        _ if is_script(url) => true,
        ProblemKind::EmptyPort => url.after(problem.part).starts_with(b"//"),
        ProblemKind::BadPort => url.slice(problem.part).eq_ignore_ascii_case(b"port"),
        ProblemKind::BadHost if url.host() == b"..." => true,
        ProblemKind::BadHost | ProblemKind::EmptyHost => host::without_brackets(url).is_some(),
        ProblemKind::MailtoAddrSpec => slip_of_address(url).is_some(),
        _ => false,
    }
}

/// Returns whether the scheme of `url` has a grammar of its own for the text that `problem` is about, which the
/// generic form has not: the host of `sip:joe@[::1]` (RFC 3261, section 25.1), or the parameters in
/// `msrps://host:443;tcp` (RFC 4975, section 6).
fn is_left_to_scheme(url: &Url<'_>, problem: Problem) -> bool {
    match problem.kind {
        ProblemKind::BadPort
            if url
                .scheme_facts()
                .is_none_or(|scheme| scheme.port.is_none()) =>
        {
            let digits = url.slice(problem.part).split(|&byte| byte == b';').next();
            digits.is_some_and(|port| !port.is_empty() && port.iter().all(u8::is_ascii_digit))
        }
        ProblemKind::ReservedCharacter if url.split.authority.is_none() => {
            let after = url.text.rsplit(|&byte| byte == b'@').next();
            let after = after.unwrap_or_default();
            let end = memchr::memchr(b']', after).map_or(0, |at| at + 1);
            is_ipv6_literal(&after[..end])
        }
        _ => false,
    }
}

/// Returns whether the rest of a mail address is on another line, or in another row of a table.
fn is_cut(url: &Url<'_>, problem: Problem, report: &Report<'_>) -> bool {
    let is_loose = matches!(url.candidate.delimiter, Delimiter::Bare | Delimiter::Quotes);
    let is_open = !url.text.contains(&b'@') || url.text.ends_with(b"@");
    let after = report.around().after;
    let blanks = after.iter().take_while(|byte| is_blank(**byte)).count();
    problem.kind == ProblemKind::MailtoAddrSpec
        && is_loose
        && is_open
        && matches!(after.get(blanks), Some(b'\n' | b'\r' | b'|'))
}

/// Reports every problem of the fragment.
pub(super) fn fragment(url: &Url<'_>, report: &mut Report<'_>) {
    let Some(fragment) = url.candidate.fragment() else {
        return;
    };
    let text = Part::all(&url.candidate.text);
    let place = Part::new(text.len().saturating_sub(fragment.len()), text.len());
    // A text directive is recognized only while its `~` is not encoded.
    let has_directive = memchr::memmem::find(fragment, b":~:").is_some();
    url.standard.judge_fragment(fragment, |mut problem| {
        let is_directive = has_directive && problem.part.of(fragment) == b"~";
        if report.wants(Rule::from(problem.kind)) && !is_directive {
            problem.part = place.within(problem.part);
            report.add(finding(url, problem));
        }
    });
}

macro_rules! rows {
    ($(
        $kind:ident $(=> $all:path)? $(
            : $message:literal, $label:literal  $(, fix $fix:path)?
        )?;
    )+) => {
        /// Returns the finding about a problem, by its kind.
        fn by_kind(case: &Case<'_>) -> Finding {
            match case.problem.kind {
                $(ProblemKind::$kind => {
                    $($all(case))?
                    $(case.about($message, $label) $(.fix($fix(case)))?)?
                })+
                kind => case.about(Rule::from(kind).summary(), "here"),
            }
        }
    };
}

// A row has the message, with `{}` for the bytes at fault, the label, and the fix; or a function for all of these.
rows! {
    ControlCharacter => character::control;
    RawSpace => character::space;
    NonAscii => character::non_ascii;
    UnsafeCharacter => character::unsafe_character;
    BadEscape => character::escape;
    ReservedCharacter => character::reserved;
    MisplacedCharacter => character::misplaced;
    NoScheme => scheme::missing;
    BadScheme: "{} is|are not allowed in a scheme", "not allowed in a scheme", fix scheme::insert_colon;
    MissingSlashes => scheme::missing_slashes;
    ExtraSlash: "{} is|are one| slash|slashes too many", "too many", fix scheme::drop_slashes;
    UserinfoNotAllowed => host::userinfo;
    EmptyHost: "the host is missing", "a host is missing here";
    BadHost => host::bad;
    HostLength: "{} is longer than a name of the DNS may be", "too long";
    IpLiteral: "the address in brackets {} is not a host by RFC 1738", "address in brackets";
    BadIpLiteral => host::bad_ip_literal;
    Ipv4Range: "{} is|are greater than 255", "greater than 255", fix Case::usual_host;
    Ipv4LeadingZero: "{} is|are not decimal, and browsers read it|them as octal or hexadecimal", "not decimal", fix Case::usual_host;
    Ipv6Form: "{} begins|begin with a zero", "leading zero", fix Case::usual_host;
    DriveLetter: "{} is a drive, and not a host", "a drive", fix host::insert_slash;
    EmptyPort => host::port_missing;
    BadPort => host::bad_port;
    PortRange: "the port {} is greater than 65535", "no such port";
    PortNotAllowed: "a URL of the scheme {scheme} has no port", "not allowed";
    MissingSlash => component::missing_slash;
    MissingPath => component::missing_path;
    MissingComponent => component::missing;
    PathNotAllowed: "a URL of the scheme {scheme} has no path", "not allowed";
    QueryNotAllowed: "a URL of the scheme {scheme} has no query", "not allowed";
    FragmentNotAllowed: "a URL of the scheme {scheme} has no fragment", "not allowed";
    AuthorityNotAllowed: "a URL of the scheme {scheme} has no server", "not allowed";
    BadTypecode => component::typecode;
    BadGroup: "the name of a newsgroup begins with a letter, not with {}", "not a letter";
    BadArticle => component::article;
    BadField: "the field {} has|have no `=`", "`=` is missing";
    BadNamespace: "the namespace {} is not of 2 to 32 letters, digits and inner hyphens", "not a namespace";
    MailtoAddrSpec: "the address {} is not a mail address", "not a mail address";
}

/// Returns the finding for `problem` of the URL.
pub(super) fn finding(url: &Url<'_>, problem: Problem) -> Finding {
    let case = Case::new(url, problem);
    let mut finding = by_kind(&case);
    finding.kind = Some(problem.kind);
    let is_structure = finding.rule.group() == Group::Syntax;
    if case.is_rfc1738() && is_structure && url.predefined == Some(Predefined::Https) {
        let note = "https is judged as http (RFC 2818, section 2.4)";
        finding.notes.insert(0, note.to_owned());
    }
    finding
}
