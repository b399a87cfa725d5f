//! `urlint init`: writes a configuration file for the current folder, and the schema of its keys. Comments
//! tell how much each choice would report there.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use urlint_config::{Options, Resolved, Source as ConfigSource, file_above, file_here, quoted};
use urlint_engine::{
    self as engine, Message, Out, OutputFiles, Reading, Results, Source, Text, Totals, Work,
};
use urlint_lint::{Checked, Checker, Rule, Selection, Selector, Settings, Suppressions, Tree};

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

/// The counts of URLs and diagnostics in the files of the folder.
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
    /// How many there are with each of [`CHOICES`], by severity.
    choices: [[u64; 3]; CHOICES.len()],
}

/// Other settings than the default, in the order of the file.
const CHOICES: [&str; 7] = [
    "standard = 'rfc3986'",
    "standard = 'rfc3987'",
    "standard = 'whatwg'",
    "rejoin = 'never'",
    "schemeless = true",
    "deep = true",
    "skip-code = true",
];

/// Returns the settings that the line `choice` makes.
fn chosen(choice: &str) -> Arc<Resolved> {
    let source = ConfigSource::new("a choice", Path::new("/"));
    let options = Options::from_toml(choice, &source);
    options.unwrap_or_default().resolve()
}

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
        let inputs = paths.inputs(configs, &args, None, OutputFiles::new(), verbosity)?;
        interrupt::ends(&inputs.stop);
        let inputs = Arc::new(inputs);
        let surveying = Arc::new(Surveying {
            choices: CHOICES.map(chosen),
            hosts: inputs.hosts()?,
        });
        let mut session = Session::start(inputs, surveying, Progress::default())?;
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
            let reported = count(total(survey.severities), "diagnostic");
            let files = count(survey.files, "file");
            say(&format!(
                "Wrote {NAME}, which changes nothing yet: {reported} in {files}. TOML editors take its keys from {SCHEMA}."
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
fn is_draft(path: &[u8]) -> bool {
    let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    let kinds: [&[u8]; 4] = [b".md", b".mkd", b".xml", b".txt"];
    name.starts_with(b"draft-") && kinds.iter().any(|kind| name.ends_with(kind))
}

/// Counts the URLs and diagnostics of each source, by default and with each choice.
struct Surveying {
    choices: [Arc<Resolved>; CHOICES.len()],
    /// The hosts of all files.
    hosts: Option<Arc<Tree>>,
}

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
    fn begin(&self, source: &Source, start: &[u8]) -> Result<Reading<Self>, engine::Error> {
        if start.len() <= self.whole_up_to() {
            return Ok(Reading::Lines(()));
        }
        let mut results = Results::default();
        let skipped = Message::Skipped {
            name: source.name().whole().to_vec(),
            reason: format!("longer than {} MiB", Suppressions::MAX_SOURCE >> 20),
            may_be_text: false,
        };
        results.note(skipped, Totals::default());
        Ok(Reading::Done(results))
    }

    fn read(&self, text: Text<'_, Self>, out: &Out<'_, Survey>) -> Result<(), engine::Error> {
        let (bytes, _) = text.lines();
        Ok(out.batch().add(&text.opened.source, bytes, self)?)
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

    /// Counts the URLs and diagnostics of a source.
    fn add(&mut self, source: &Source, text: &[u8], surveying: &Surveying) -> io::Result<()> {
        self.drafts += u64::from(is_draft(source.name().file()));
        let mut all = Settings::default();
        all.tree = surveying.hosts.clone();
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
        let found = total(severities);
        if let Some(folder) = folder_of(source.name().file()).filter(|_| found > 0) {
            *self.folders.entry(folder).or_default() += found;
        }
        for (resolved, total) in surveying.choices.iter().zip(&mut self.choices) {
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
        let [_, warnings, errors] = self.severities;
        let above = above.map(|above| {
            let above = quoted(above.to_string_lossy());
            format!("\n# The file that applied here before. This one takes its place.\n# extend = {above}\n")
        });
        let drafts = (self.drafts > 0).then(|| {
            let drafts = count(self.drafts, "Internet-Draft");
            format!(
                "\n# {drafts}: this asks for https, current hosts, and reserved names in examples.\n\
                 # profile = \"ietf\"\n"
            )
        });
        let [
            rfc3986,
            rfc3987,
            whatwg,
            rejoin,
            schemeless,
            deep,
            skip_code,
        ] = self.choices;
        format!(
            include_str!("init.txt"),
            urls = count(self.urls, "URL"),
            files = count(self.files, "file"),
            all = total(self.severities),
            serious = warnings + errors,
            errors = errors,
            rfc1738 = by_severity(self.severities),
            rfc3986 = by_severity(rfc3986),
            rfc3987 = by_severity(rfc3987),
            whatwg = by_severity(whatwg),
            reporting = self.list(|[_, by_default]| *by_default),
            further = self.list(|[all, by_default]| all - by_default),
            folders = self.list_of_folders(),
            rejoin = total(rejoin),
            schemeless = total(schemeless),
            deep = total(deep),
            skip_code = total(skip_code),
            above = above.unwrap_or_default(),
            drafts = drafts.unwrap_or_default(),
        )
    }

    /// Returns the rules with their numbers, commented out, the highest number first.
    fn list(&self, number: impl Fn(&[u64; 2]) -> u64) -> String {
        let rules = self.rules.iter();
        let mut rules: Vec<_> = rules
            .map(|(rule, found)| (number(found), rule))
            .filter(|(number, _)| *number > 0)
            .collect();
        rules.sort_by_key(|&(number, rule)| (Reverse(number), rule.name()));
        let width = rules.iter().map(|(_, rule)| rule.name().len()).max();
        let width = width.unwrap_or_default() + 3;
        let lines = rules.into_iter().map(|(number, rule)| {
            let (name, summary) = (format!("\"{rule}\","), rule.summary());
            format!("    # {name:width$}  # {number}: {summary}\n")
        });
        lines.collect()
    }

    fn list_of_folders(&self) -> String {
        let mut folders: Vec<_> = self.folders.iter().collect();
        folders.sort_by_key(|&(name, &number)| (Reverse(number), name));
        let lines = folders
            .into_iter()
            .take(FOLDERS)
            .map(|(name, number)| format!("    # {},  # {number}\n", quoted(format!("/{name}/"))));
        lines.collect()
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

/// Returns how many diagnostics there are of all severities.
fn total(severities: [u64; 3]) -> u64 {
    severities.iter().sum()
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
