//! Tests with needs outside of this repository: texts of others, and the readers of other programs.
//!
//! The texts lie in `../shared` beside the checkout; the readers are Python packages, which
//! `.ci/run` installs below `target/python`, and programs of the system. A test that lacks one of them is not run but ignored,
//! and the last lines of the output say `SKIPPED: test (the missing ones)`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may fail, and a runner prints"
)]

mod archives;
mod corpora;
mod handover;
mod hostile;
mod html;
mod mail;
mod markdown;
mod markup;
mod needs;
mod office;
mod pages;
mod provenance;
mod readme;
mod record;
mod recorded;
mod sarif;
mod schema;
mod suites;
#[path = "../it/support/mod.rs"]
mod support;
mod tables;
mod vectors;
mod whatwg;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};
use needs::Need;

/// A test, and all that it needs.
struct Test {
    name: &'static str,
    needs: &'static [Need],
    run: fn(),
}

/// Lists functions as tests: `module::function: its needs`.
macro_rules! tests {
    ($($module:ident::$name:ident: $needs:expr,)*) => {
        &[$(Test {
            name: concat!(stringify!($module), "::", stringify!($name)),
            needs: &$needs,
            run: $module::$name,
        }),*]
    };
}

const TESTS: &[Test] = {
    use Need::{Crate, Feature, Npm, Package, Program, Python, Sdist, Shared};

    const TABLES: Need = Feature("tables", cfg!(feature = "tables"));

    tests! {
        archives::a_maildir_is_the_same_however_it_is_packed: [Shared("corpora/mail/maildir"), Package("warcio")],
        archives::any_number_of_threads_lists_the_same: [Shared("corpora")],
        archives::mailboxes_are_the_same_however_they_are_packed: [Shared("corpora/mail"), Package("warcio")],
        archives::real_web_archives: [Shared("corpora/warc")],
        archives::records_are_those_of_warcio: [Shared("corpora/warc"), Package("warcio")],
        archives::windows_and_compression_change_nothing: [Shared("corpora")],
        corpora::bare_urls_of_rfcs_are_joined_where_they_were_broken: [Shared("corpora/rfc")],
        corpora::every_file_is_told_for_what_it_is: [Shared("corpora")],
        corpora::real_urls_know_where_they_came_from: [Shared("corpora")],
        corpora::rfc_1738_has_thirty_wrappers_and_all_are_valid: [Shared("corpora/rfc")],
        corpora::the_laws_hold: [Shared("corpora")],
        handover::curl: [Program("curl")],
        handover::git: [Program("git")],
        handover::lychee: [Program("lychee")],
        handover::spreadsheet: [Program("soffice")],
        handover::tables: [TABLES, Program("duckdb"), Package("pandas"), Package("pyarrow")],
        handover::wget: [Program("wget")],
        hostile::outputs_are_read_strictly: [Package("sarif_pydantic"), Package("pyarrow"), Package("pty")],
        html::targets_are_those_that_another_parser_finds: [Shared("corpora"), Python],
        mail::texts_are_what_python_makes_of_them: [Shared("corpora"), Python],
        markdown::the_links_of_made_up_documents: [Package("markdown_it")],
        markdown::the_links_of_real_documents: [Shared("corpora/docs"), Package("markdown_it")],
        markup::asciidoc: [Python, Program("asciidoctor")],
        markup::org: [Python, Program("pandoc")],
        markup::restructured_text: [Package("docutils")],
        markup::strings: [Package("html5lib")],
        markup::tables: [Python],
        markup::wikis: [Python, Program("pandoc")],
        office::urls_are_those_that_libraries_read: [
            Package("docx"), Package("pptx"), Package("openpyxl"), Package("odf"), Package("ebooklib")
        ],
        pages::only_the_script_of_urlint_runs: [Python, Program("chromedriver")],
        provenance::links_are_those_of_html5lib: [Shared("corpora"), Package("html5lib")],
        provenance::messages_are_those_of_email: [Shared("corpora/mail"), Shared("corpora/news"), Python],
        provenance::records_are_those_of_warcio: [Shared("corpora/warc"), Package("warcio")],
        provenance::relative_links_are_those_of_urljoin: [
            Shared("corpora/warc"), Package("html5lib"), Package("warcio")
        ],
        readme::picture: [],
        recorded::corpora_match_the_record: [Shared("corpora")],
        sarif::is_accepted_by_others: [Package("sarif_pydantic")],
        schema::it_takes_what_is_taken: [Package("jsonschema")],
        suites::bleach_linkifies: [Sdist("bleach"), Python],
        suites::commonmark_links: [Npm("commonmark-spec/spec.txt")],
        suites::django_urlizes: [Sdist("Django"), Python],
        suites::fluent_uri_parses: [Crate("fluent-uri")],
        suites::fluent_uri_resolves: [Crate("fluent-uri")],
        suites::idna_names: [Crate("idna")],
        suites::iri_string_resolves: [Crate("iri-string")],
        suites::linkify_finds: [Crate("linkify")],
        suites::uritools_joins: [Sdist("uritools"), Python],
        suites::url_parses: [Crate("url")],
        suites::url_resolves: [Crate("url")],
        suites::urlextract_finds: [Sdist("urlextract"), Python],
        suites::urls_come_back_from_their_wrappings: [Crate("linkify"), Crate("url")],
        suites::warcio_records_have_their_urls: [Sdist("warcio"), Python],
        tables::columns_have_their_types: [TABLES, Package("pyarrow")],
        tables::engines_read_the_rows_of_json: [
            TABLES, Shared("corpora"), Package("duckdb"), Package("polars"), Package("pandas"), Package("pyarrow")
        ],
        record::rows: [Shared("vectors/reports6.jsonl")],
        vectors::extract: [Shared("vectors/extract.jsonl")],
        vectors::validate: [Shared("vectors/validate.jsonl")],
        whatwg::ada_resolves_references_alike: [Package("ada_url")],
        whatwg::ada_makes_the_same_of_urls: [Package("ada_url")],
        whatwg::vectors: [Shared("vectors/whatwg.jsonl")],
    }
};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let (mut trials, mut skipped) = (Vec::new(), Vec::new());
    for test in TESTS {
        let missing = test.needs.iter().find_map(Need::missing);
        let trial = Trial::test(test.name, || {
            (test.run)();
            Ok(())
        });
        trials.push(trial.with_ignored_flag(missing.is_some()));
        let filter = arguments.filter.as_deref().unwrap_or_default();
        if let Some(missing) = missing.filter(|_| test.name.contains(filter)) {
            skipped.push(format!("SKIPPED: {} ({missing})", test.name));
        }
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    if !arguments.list {
        for line in skipped {
            println!("{line}");
        }
    }
    conclusion.exit_code()
}
