//! Components that are missing, are there although the scheme has none, or do not have the form that the scheme gives
//! them.

use super::case::Case;
use crate::diagnostic::Applicability::{DisplayOnly, Safe, Unsafe};
use crate::finding::Finding;
use urlint_standard::standard::rfc1738::Predefined;

pub(super) fn missing_slash(case: &Case<'_>) -> Finding {
    let url = case.url;
    let message = match url.split.authority {
        None => "the path does not begin with `/`",
        Some(_) => "`/` is missing after the host",
    };
    let finding = case.finding(message, "`/` is missing here");
    let applicability = match url.is_web() {
        _ if url.is_uri() => DisplayOnly,
        true => Safe,
        false => Unsafe,
    };
    finding.fix(case.fix("insert the slash", applicability, "/"))
}

pub(super) fn missing_path(case: &Case<'_>) -> Finding {
    let url = case.url;
    let missing = match url.predefined {
        Some(Predefined::Nntp) => "a newsgroup",
        Some(Predefined::Wais) => "a database",
        _ => "a path",
    };
    let message = format!("`/` and {missing} are missing after the host");
    case.finding(message, "`/` is missing here")
}

pub(super) fn missing(case: &Case<'_>) -> Finding {
    let url = case.url;
    let has_article = |scheme| url.own(scheme, "article").is_some();
    let is_urn = url.scheme().eq_ignore_ascii_case("urn");
    let is_after_mark = || (url.split.query).is_some_and(|query| query.start < case.part.start);
    let missing = match url.predefined {
        _ if is_urn && is_after_mark() => "the component after `?`",
        _ if is_urn && case.part.start as usize == "urn:".len() => "the namespace",
        _ if is_urn => "the name within the namespace",
        Some(Predefined::Mailto) => "the address",
        Some(Predefined::News) if has_article(Predefined::News) => "the identifier of the article",
        Some(Predefined::News) => "the newsgroup or article",
        Some(Predefined::Nntp) if has_article(Predefined::Nntp) => "the number of the article",
        Some(Predefined::Nntp) => "the newsgroup",
        Some(Predefined::Wais) => "the path of the document",
        _ => "a component",
    };
    case.finding(format!("{missing} is missing"), "missing here")
}

pub(super) fn typecode(case: &Case<'_>) -> Finding {
    if case.text.is_empty() {
        return case.finding("the typecode is empty", "a typecode is missing");
    }
    case.about("the typecode {} is not `a`, `i` or `d`", "unknown typecode")
}

pub(super) fn article(case: &Case<'_>) -> Finding {
    if case.url.scheme() == "news" {
        let message = "the article {} is not named by a message identifier";
        return case.about(message, "not an identifier");
    }
    case.about("the article number {} is not a number", "not a number")
}
