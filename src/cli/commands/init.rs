//! `urlint init`: writes a configuration file for the current folder, with proposals that what is reported there suggests.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use urlint_config::{Options, file_above, file_here, quoted};
use urlint_engine::{self as engine, Inputs, Out, OutputFiles, Reading, Source, Text, Work};
use urlint_lint::{Checker, Rule, Settings, Severity};

use super::check::work::is_outdated;
use crate::config::ConfigArgs;
use crate::error::{Error, Exit};
use crate::flags::paths::PathArgs;
use crate::flags::read::ReadArgs;
use crate::interrupt;
use crate::output::summary;
use crate::progress::Progress;
use crate::session::Session;
use urlint_report::terminal::{self, Verbosity, complain, count, say};

/// The file that is written.
const NAME: &str = "urlint.toml";

/// The most lines that it proposes, and the most rules in one of them.
const MOST: usize = 5;

/// The command has no flags: the file that it writes has them all.
#[derive(Debug, clap::Args)]
pub(crate) struct Init {}

/// The diagnostics of each file.
#[derive(Default)]
struct Survey(BTreeMap<String, Vec<Found>>);

/// The rule of a diagnostic, its severity, and whether it is an error that is none by RFC 3986.
type Found = (Rule, Severity, bool);

impl Init {
    pub(crate) fn run(&self, verbosity: Verbosity) -> Result<Exit, Error> {
        let exists = |name: &str| {
            let problem = format!("{name} exists already; nothing was written");
            Err(Error::Usage(problem))
        };
        let current = Path::new(".");
        if let Some(name) = file_here(current) {
            return exists(name);
        }
        // Other configuration files no longer apply once there is a file here.
        let configs = ConfigArgs::of(&[], true).configs(Options::default())?;
        let (paths, args) = (PathArgs::current_folder(), ReadArgs::default());
        let mut inputs = paths.inputs(configs, &args, None, OutputFiles::new(), verbosity)?;
        inputs.archives = false;
        interrupt::ends(&inputs.stop);
        let inputs = Arc::new(inputs);
        let surveying = Arc::new(Surveying(inputs.clone()));
        let mut session = Session::start(inputs, surveying, Progress::default())?;
        let mut survey = Survey::default();
        while let Some(more) = session.next()? {
            for (file, found) in more.0 {
                survey.0.entry(file).or_default().extend(found);
            }
        }
        if let Some(exit) = session.end() {
            return Ok(exit);
        }
        let totals = session.totals;
        let above = file_above(current);
        let text = survey.text(above.as_deref());
        match File::create_new(NAME).and_then(|mut file| file.write_all(text.as_bytes())) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return exists(NAME),
            written => written.map_err(|error| Error::File(NAME.into(), error))?,
        }
        if !verbosity.is_quiet() {
            let files = count(totals.read, "file");
            let reported = count(survey.number(|_| true), "diagnostic");
            say(&format!(
                "Wrote {NAME}, which changes nothing yet: {reported} in {files}."
            ));
            if let Some(above) = above {
                say(&format!(
                    "{} no longer applies here, unless {NAME} extends it.",
                    above.display()
                ));
            }
            summary::report_skipped(totals, verbosity);
        }
        if totals.failed > 0 {
            complain(&format!("{NAME} counts only the files that could be read"));
            return Ok(Exit::Failed);
        }
        Ok(Exit::Done)
    }
}

/// Returns whether `path` is named as an Internet-Draft is: `draft-joe-urls.md`.
fn is_draft(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let kinds = [".md", ".mkd", ".xml", ".txt"];
    name.starts_with("draft-") && kinds.iter().any(|kind| name.ends_with(kind))
}

/// Counts the diagnostics of each source.
struct Surveying(Arc<Inputs>);

impl engine::Batch for Survey {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Work for Surveying {
    type Batch = Survey;
    type State = Checker<Arc<Settings>>;

    fn begin(&self, source: &Source, start: &[u8]) -> Result<Reading<Self>, engine::Error> {
        let checker = self.0.checker(source);
        checker.begin(start);
        Ok(Reading::Urls(source.reader(), checker))
    }

    fn read(&self, text: Text<'_, Self>, out: &Out<'_, Survey>) -> Result<(), engine::Error> {
        let opened = text.opened;
        // A name that is not UTF-8 is in no folder that a pattern can name.
        let file = std::str::from_utf8(opened.source.name().file()).unwrap_or_default();
        out.batch().0.entry(file.to_owned()).or_default();
        text.each_url(self, out, &mut |url| {
            let reported = opened.state.reported(url);
            let found =
                reported.map(|one| (one.rule, one.severity, is_outdated(&one, &url.candidate)));
            let mut batch = out.batch();
            batch.0.entry(file.to_owned()).or_default().extend(found);
            Ok(())
        })
    }
}

impl Survey {
    /// Returns how many diagnostics are such ones.
    fn number(&self, is_such: impl Fn(&Found) -> bool) -> u64 {
        let all = self.0.values().flatten();
        all.filter(|found| is_such(found)).count() as u64
    }

    /// Returns the configuration file. `above` is one that no longer applies.
    fn text(&self, above: Option<&Path>) -> String {
        let extend = above.map(|above| {
            let above = quoted(above.to_string_lossy());
            format!("extend = {above}  # it applied here before")
        });
        let drafts = self.0.keys().filter(|file| is_draft(file)).count();
        let profile = (drafts > 0).then(|| {
            let drafts = count(drafts as u64, "Internet-Draft");
            format!("profile = \"ietf\"  # {drafts}: https, current hosts, and reserved names in examples")
        });
        let errors = self.number(|(_, severity, _)| *severity == Severity::Error);
        let outdated = self.number(|(.., is_outdated)| *is_outdated);
        let standard = (outdated > 1 && outdated * 2 > errors).then(|| {
            format!("standard = \"rfc3986\"  # {outdated} of {errors} errors are no errors by it")
        });
        let lines = [extend, profile, standard].into_iter().flatten();
        let lines = lines.chain(self.ignores()).take(MOST);
        let lines: String = lines.map(|line| format!("# {line}\n")).collect();
        format!(
            "# The settings of urlint for this folder; `urlint help configuration` explains the keys.\n\
             # Nothing is set yet: the lines below are proposals.\n{lines}"
        )
    }

    /// Returns a line for each file or folder with several errors and warnings, the most first. A folder is never one
    /// that all files are in.
    fn ignores(&self) -> impl Iterator<Item = String> {
        let files = self.0.keys().map(String::as_str);
        let folder = files.reduce(common_folder).unwrap_or_default();
        let within = common_folder(folder, folder).len();
        let mut places: BTreeMap<&str, (&str, BTreeMap<Rule, usize>)> = BTreeMap::new();
        for (file, found) in &self.0 {
            let serious = found
                .iter()
                .filter(|(_, severity, _)| *severity > Severity::Hint);
            let mut rules = serious.map(|(rule, ..)| *rule).peekable();
            if rules.peek().is_none() || !may_be_pattern(file) {
                continue;
            }
            let first = file[within..].split('/').next().unwrap_or_default();
            let (place, all) = places.entry(first).or_insert((file, BTreeMap::new()));
            if place != file {
                *place = common_folder(place, file);
            }
            rules.for_each(|rule| *all.entry(rule).or_default() += 1);
        }
        let number = |rules: &BTreeMap<Rule, usize>| rules.values().sum::<usize>();
        let mut places: Vec<_> = places.into_values().collect();
        places.retain(|(_, rules)| number(rules) > 1);
        places.sort_by_key(|(place, rules)| (Reverse(number(rules)), *place));
        places.into_iter().map(move |(place, rules)| {
            let (place, reports) = (quoted(format!("/{place}")), number(&rules));
            let mut rules: Vec<_> = rules.into_iter().collect();
            rules.sort_by_key(|(rule, number)| (Reverse(*number), rule.name()));
            let rules = rules.iter().take(MOST).map(|(rule, _)| quoted(rule.name()));
            let rules = rules.collect::<Vec<_>>().join(", ");
            format!("per-file-ignores.{place} = [{rules}]  # {reports} errors and warnings")
        })
    }
}

/// Returns the folder that both are in, with a slash at its end; both are the path of a file, or a folder.
fn common_folder<'p>(one: &'p str, other: &str) -> &'p str {
    let mut pairs = one.bytes().zip(other.bytes());
    let same = pairs.position(|(one, other)| one != other);
    let same = same.unwrap_or(one.len().min(other.len()));
    let slash = memchr::memrchr(b'/', &one.as_bytes()[..same]);
    &one[..slash.map_or(0, |slash| slash + 1)]
}

/// Returns whether a path stands for itself as a pattern, and can be shown.
fn may_be_pattern(path: &str) -> bool {
    let is_plain = |c: char| !terminal::is_harmful(c) && !"*?[]{}!\\\"".contains(c);
    !path.is_empty() && path.chars().all(is_plain)
}
