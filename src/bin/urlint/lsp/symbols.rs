//! The outline of a document: its URLs by host.

use std::collections::HashMap;

use gen_lsp_types as lsp;
use lsp::SymbolKind;
use serde_json::{Value, json};
use urlint::Span;
use urlint::url::host;

use super::analysis::{Analysis, Url};
use super::document::Document;
use super::links::shown;
use crate::terminal;

/// The URLs of a host.
struct Host<'a> {
    name: String,
    urls: Vec<&'a Url>,
}

/// Returns the hosts in the order in which they occur first, each with its URLs. URLs without a host
/// are grouped by scheme.
fn hosts(analysis: &Analysis) -> Vec<Host<'_>> {
    let mut hosts: Vec<Host<'_>> = Vec::new();
    let mut by_name: HashMap<String, usize> = HashMap::new();
    for url in analysis.urls.iter().filter(|url| !url.text.is_empty()) {
        let name = match host(&url.text).filter(|host| !host.is_empty()) {
            Some(host) => terminal::line(host).to_ascii_lowercase(),
            None => {
                let scheme = url.text.split(|&byte| byte == b':').next();
                format!("{}:", terminal::line(scheme.unwrap_or_default()))
            }
        };
        let index = *by_name.entry(name.clone()).or_insert_with(|| {
            hosts.push(Host {
                name,
                urls: Vec::new(),
            });
            hosts.len() - 1
        });
        hosts[index].urls.push(url);
    }
    hosts
}

/// Returns hosts with their URLs as children, for editors that show symbols as a tree.
pub(super) fn tree(analysis: &Analysis, document: &Document) -> Vec<lsp::DocumentSymbol> {
    let symbol = |name: String, span: Span, kind, children| {
        let range = document.text.range(span);
        lsp::DocumentSymbol {
            name,
            kind,
            range,
            selection_range: range,
            children,
            detail: None,
            tags: None,
            #[allow(deprecated, reason = "the protocol still has it")]
            deprecated: None,
        }
    };
    let url = |url: &&Url| symbol(shown(&url.text), url.outer, SymbolKind::String, None);
    let host = |host: Host<'_>| {
        let first = host.urls.first().map_or(0, |url| url.outer.start);
        let last = host.urls.iter().map(|url| url.outer.end).max();
        let whole = Span::new(first, last.unwrap_or(first));
        let children = host.urls.iter().map(url).collect();
        symbol(host.name, whole, SymbolKind::Namespace, Some(children))
    };
    hosts(analysis).into_iter().map(host).collect()
}

/// Returns the URLs with the names of their hosts, for other editors.
pub(super) fn list(analysis: &Analysis, document: &Document) -> Vec<Value> {
    let urls = hosts(analysis).into_iter().flat_map(|Host { name, urls }| {
        let urls = urls.into_iter();
        urls.map(move |url| (name.clone(), url))
    });
    let symbol = |(host, url): (String, &Url)| {
        json!({
            "name": shown(&url.text),
            "kind": SymbolKind::String,
            "location": { "uri": document.uri, "range": document.text.range(url.outer) },
            "containerName": host,
        })
    };
    urls.map(symbol).collect()
}
