//! `urlint init`: writes a configuration file for the current folder, with comments on what each choice
//! would report there, and the schema of its keys.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::iter;
use std::path::Path;
use std::sync::Arc;

use urlint_config::{Options, Resolved, Source as ConfigSource, file_above, file_here, quoted};
use urlint_engine::{
    self as engine, Message, Out, OutputFiles, Reading, Results, Source, Totals, Work,
};
use urlint_lint::{Checked, Checker, Selection, Selector, Suppressions};
use urlint_lint::{Rule, Settings};

use super::schema;
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

/// The schema of its keys, which its first line names for editors.
const SCHEMA: &str = ".urlint.schema.json";

/// The most folders with diagnostics that the file names.
const FOLDERS: usize = 5;

/// The command has no flags: the file that it writes has them all.
#[derive(Debug, clap::Args)]
pub(crate) struct Init {}

/// What was found in the files of the folder.
#[derive(Default)]
struct Survey {
    files: u64,
    urls: u64,
    /// How many files are Internet-Drafts, by their names.
    drafts: u64,
    /// How many diagnostics each rule has, and how many of them by default.
    rules: BTreeMap<Rule, [u64; 2]>,
    /// How many diagnostics there are by default, by severity, the lowest first.
    severities: [u64; 3],
    /// How many of these each folder at the top level has.
    folders: BTreeMap<String, u64>,
    /// How many there are under each of [`STANDARDS`], and then with each of [`VARIANTS`], by severity.
    choices: [[u64; 3]; STANDARDS.len() + VARIANTS.len()],
}

/// The standards other than the default.
const STANDARDS: [&str; 3] = ["rfc3986", "rfc3987", "whatwg"];

/// Other ways of reading than the default: the line that sets each, and what it means.
const VARIANTS: [(&str, &str); 4] = [
    (
        "rejoin = \"never\"",
        "Join a URL that is broken over lines only inside angle brackets",
    ),
    ("schemeless = true", "Also find URLs that have no scheme"),
    (
        "deep = true",
        "Also read comments, scripts and styles of HTML and XML",
    ),
    (
        "skip-code = true",
        "Skip code spans and code blocks in Markdown",
    ),
];

/// Returns the settings of each of [`STANDARDS`] and [`VARIANTS`].
fn choices() -> impl Iterator<Item = Arc<Resolved>> {
    let standards = STANDARDS.map(|name| format!("standard = \"{name}\""));
    let variants = VARIANTS.map(|(line, _)| line.to_owned());
    let source = ConfigSource::new("a choice", Path::new("/"));
    let options = move |line: String| Options::from_toml(&line, &source).unwrap_or_default();
    let lines = standards.into_iter().chain(variants);
    lines.map(move |line| options(line).resolve())
}

impl Init {
    pub(crate) fn run(&self, verbosity: Verbosity) -> Result<Exit, Error> {
        let exists = |name: &str| {
            Err(Error::Usage(format!(
                "{name} exists already; nothing was written"
            )))
        };
        let current = Path::new(".");
        if let Some(name) = file_here(current) {
            return exists(name);
        }
        // Other configuration files no longer apply once there is a file here.
        let configs = ConfigArgs::of(&[], true).configs(Options::default())?;
        let (paths, args) = (PathArgs::current_folder(), ReadArgs::default());
        let inputs = paths.inputs(configs, &args, None, OutputFiles::new(), verbosity)?;
        interrupt::ends(&inputs.stop);
        let inputs = Arc::new(inputs);
        let surveying = Arc::new(Surveying(choices().collect()));
        let mut session = Session::start(inputs, surveying, Progress::none())?;
        let mut survey = Survey::default();
        while let Some(more) = session.next()? {
            survey.unite(more);
        }
        if let Some(exit) = session.end() {
            return Ok(exit);
        }
        let totals = session.totals;
        survey.files = totals.read;
        let above = file_above(current);
        let text = survey.text(above.as_deref());
        if !create(NAME, &text)? {
            return exists(NAME);
        }
        // An existing schema stays as it is: the user may have put it there.
        create(SCHEMA, schema::SCHEMA)?;
        if !verbosity.is_quiet() {
            let reported = count(survey.severities.iter().sum(), "diagnostic");
            let files = count(survey.files, "file");
            say(&format!(
                "Wrote {NAME}, which changes nothing yet: {reported} in {files}. Editors for TOML read its keys in {SCHEMA}."
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
            complain(&format!("{NAME} counts only what could be read"));
            return Ok(Exit::Failed);
        }
        Ok(Exit::Done)
    }
}

/// Returns whether `path` is named as an Internet-Draft is: `draft-joe-urls.md`.
fn is_draft(path: &[u8]) -> bool {
    let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    let kinds: [&[u8]; 4] = [b".md", b".mkd", b".xml", b".txt"];
    name.starts_with(b"draft-") && kinds.iter().any(|kind| name.ends_with(kind))
}

/// Counts the URLs and diagnostics of each source, by default and with each choice.
struct Surveying(Vec<Arc<Resolved>>);

impl engine::Batch for Survey {
    fn is_empty(&self) -> bool {
        self.urls == 0 && self.drafts == 0
    }
}

impl Work for Surveying {
    type Batch = Survey;
    type State = ();

    fn whole_up_to(&self) -> usize {
        Suppressions::MAX_SOURCE
    }

    /// A source beyond the limit for suppression comments is not counted.
    fn begin(&self, source: &Source, _: &[u8]) -> Result<Reading<Self>, engine::Error> {
        let mut results = Results::default();
        let reason = format!("longer than {} MiB", Suppressions::MAX_SOURCE >> 20);
        let name = source.name().whole().to_vec();
        let skipped = Message::Skipped {
            name,
            reason,
            may_be_text: false,
        };
        results.note(skipped, Totals::default());
        Ok(Reading::Done(results))
    }

    fn whole(
        &self,
        source: Source,
        text: &[u8],
        out: &Out<'_, Survey>,
    ) -> Result<(), engine::Error> {
        Ok(out.batch().add(&source, text, &self.0)?)
    }
}

impl Survey {
    /// Adds the counts of `other`.
    fn unite(&mut self, other: Survey) {
        self.urls += other.urls;
        self.drafts += other.drafts;
        for (rule, counts) in other.rules {
            add(self.rules.entry(rule).or_default(), counts);
        }
        for (folder, number) in other.folders {
            *self.folders.entry(folder).or_default() += number;
        }
        add(&mut self.severities, other.severities);
        for (own, counts) in self.choices.iter_mut().zip(other.choices) {
            add(own, counts);
        }
    }

    /// Counts what is found in a source.
    fn add(&mut self, source: &Source, text: &[u8], choices: &[Arc<Resolved>]) -> io::Result<()> {
        self.drafts += u64::from(is_draft(source.name().file()));
        let mut all = Settings::default();
        all.selection.add(Selector::All);
        let by_default = Selection::default();
        let mut severities = [0; 3];
        let checker = Checker::new(&all);
        checker.check(&source.reader(), source.path(), text, &mut |checked| {
            match checked {
                Checked::Url(_) => self.urls += 1,
                Checked::Diagnostic(diagnostic, Some(_)) => {
                    let [all, reported] = self.rules.entry(diagnostic.rule).or_default();
                    *all += 1;
                    if by_default.reports(diagnostic.rule, diagnostic.severity) {
                        *reported += 1;
                        severities[diagnostic.severity as usize] += 1;
                    }
                }
                _ => {}
            }
            Ok::<(), io::Error>(())
        })?;
        add(&mut self.severities, severities);
        let found: u64 = severities.iter().sum();
        if let Some(folder) = folder_of(source.name().file()).filter(|_| found > 0) {
            *self.folders.entry(folder).or_default() += found;
        }
        for (resolved, total) in choices.iter().zip(&mut self.choices) {
            let reader = resolved.reader().with_kind(source.kind);
            let (reader, checker) = (reader.with_mistakes(true), Checker::new(resolved.lint()));
            checker.check(&reader, source.path(), text, &mut |checked| {
                if let Checked::Diagnostic(diagnostic, Some(_)) = checked {
                    total[diagnostic.severity as usize] += 1;
                }
                Ok::<(), io::Error>(())
            })?;
        }
        Ok(())
    }

    /// Returns the configuration file. `above` is one that no longer applies.
    fn text(&self, above: Option<&Path>) -> String {
        let [hints, warnings, errors] = self.severities;
        let all = hints + warnings + errors;
        let mut text = format!(
            "#:schema ./{SCHEMA}\n\
             # What urlint checks in this folder. `urlint help configuration` explains all keys.\n\
             #\n\
             # The numbers say how many diagnostics each choice had here when this file was written, with\n\
             # {} in {}. Nothing is set yet: what is after a `#` is a suggestion.\n",
            count(self.urls, "URL"),
            count(self.files, "file"),
        );
        if let Some(above) = above {
            let above = quoted(above.to_string_lossy());
            text.push_str(&format!(
                "\n# The file that applied here before. This one takes its place.\n# extend = {above}\n"
            ));
        }
        if self.drafts > 0 {
            let drafts = count(self.drafts, "Internet-Draft");
            text.push_str(&format!(
                "\n# {drafts}: this asks for https, current hosts, and reserved names in examples.\n\
                 # profile = \"ietf\"\n"
            ));
        }
        self.add_standards(&mut text);
        text.push_str(&format!(
            "\n# The lowest severity that is reported. \"hint\": {all}, \"warning\": {}, \"error\": {errors}. Hints do not\n\
             # change the exit code.\n\
             # min-severity = \"warning\"\n",
            warnings + errors,
        ));
        text.push_str("\n# Rules that report here by default, and how much; `urlint rule NAME` explains one. Those in this\n# list report nothing.\n");
        text.push_str("ignore = [\n");
        self.list(&mut text, |[_, by_default]| *by_default);
        text.push_str("]\n");
        text.push_str("\n# What would be reported in addition: by further rules, and hints of the rules above. Those in this\n# list report everything.\n");
        text.push_str("extend-select = [\n");
        self.list(&mut text, |[all, by_default]| all - by_default);
        text.push_str("]\n");
        self.add_folders(&mut text);
        text.push_str(&format!(
            "\n# URLs about which nothing is reported.\n\
             # ignore-urls = [\"http://localhost\"]\n\
             \n# Fix also where that may change what a URL refers to: `urlint check --diff --unsafe-fixes` shows it.\n\
             # unsafe-fixes = true\n\
             \n# Known diagnostics, which are not reported again: all {all} of today, after\n\
             # `urlint check --update-baseline`.\n\
             # baseline = \"urlint-baseline.json\"\n\
             \n# How files are read. With the defaults: {all}.\n"
        ));
        let counts = &self.choices[STANDARDS.len()..];
        for ((line, meaning), counts) in VARIANTS.into_iter().zip(counts) {
            let found: u64 = counts.iter().sum();
            text.push_str(&format!("\n# {meaning}: {found}.\n# {line}\n"));
        }
        text
    }

    /// Adds what each standard would report, and proposes the successor of the default.
    fn add_standards(&self, text: &mut String) {
        text.push_str(
            "\n# The standard by which URLs are judged, and what each would report here:\n",
        );
        let others = STANDARDS.into_iter().zip(self.choices);
        for (name, counts) in iter::once(("rfc1738", self.severities)).chain(others) {
            text.push_str(&format!("# - \"{name}\": {}\n", by_severity(counts)));
        }
        text.push_str("# standard = \"rfc3986\"\n");
    }

    /// Adds the rules with their numbers, commented out, the highest number first.
    fn list(&self, text: &mut String, number: impl Fn(&[u64; 2]) -> u64) {
        let rules = self.rules.iter();
        let mut rules: Vec<_> = rules
            .map(|(rule, found)| (number(found), rule))
            .filter(|(number, _)| *number > 0)
            .collect();
        rules.sort_by_key(|&(number, rule)| (Reverse(number), rule.name()));
        let width = rules.iter().map(|(_, rule)| rule.name().len()).max();
        let width = width.unwrap_or_default() + 3;
        for (number, rule) in rules {
            let name = format!("\"{rule}\",");
            let summary = rule.summary();
            text.push_str(&format!("    # {name:width$}  # {number}: {summary}\n"));
        }
    }

    fn add_folders(&self, text: &mut String) {
        let mut folders: Vec<_> = self.folders.iter().collect();
        folders.sort_by_key(|&(name, &number)| (Reverse(number), name));
        text.push_str("\n# Files and folders to skip, in the syntax of .gitignore.\nexclude = [\n");
        for (name, number) in folders.into_iter().take(FOLDERS) {
            let pattern = quoted(format!("/{name}/"));
            text.push_str(&format!("    # {pattern},  # {number}\n"));
        }
        text.push_str("]\n");
    }
}

/// Creates a file, and returns true; returns false and changes nothing if it exists.
fn create(name: &str, text: &str) -> Result<bool, Error> {
    match File::create_new(name).and_then(|mut file| file.write_all(text.as_bytes())) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(Error::File(name.into(), error)),
    }
}

/// Returns `3 errors, 0 warnings, 1 hint`.
fn by_severity([hints, warnings, errors]: [u64; 3]) -> String {
    let counts = [(errors, "error"), (warnings, "warning"), (hints, "hint")];
    let counts = counts.map(|(number, noun)| count(number, noun));
    counts.join(", ")
}

/// Adds `counts` to `all`.
fn add<const N: usize>(all: &mut [u64; N], counts: [u64; N]) {
    all.iter_mut()
        .zip(counts)
        .for_each(|(all, count)| *all += count);
}

/// Returns the first folder of a path, if there is one and it can be written as a pattern.
fn folder_of(file: &[u8]) -> Option<String> {
    let path = std::str::from_utf8(file).ok()?;
    let (folder, _) = path.split_once('/')?;
    let is_plain = |c: char| !terminal::is_harmful(c) && !"*?[]{}!\\\"".contains(c);
    (!folder.is_empty() && folder.chars().all(is_plain)).then(|| folder.to_owned())
}
