//! Lists as tables: Apache Parquet, read by the crate that writes it, and Apache Arrow. Other programs
//! read them in `tests/external`.

use std::fs;

use crate::support::command::{Folder, Ran};

/// URLs that have something in each of the fields, and some that have nothing.
const TEXT: &[u8] = b"see <URL:http://a.example/~x#top>, http://b.example/\xff\xe9 and\n\
    <URL:http://www-\n  c.example.org/d> \"mailto:joe@d.example\" http://e.example/{id} http://f.example/%zz^\n";

fn extract(folder: &Folder, args: &[&str]) -> Ran {
    folder.run(&[&["extract"], args].concat(), b"")
}

/// Returns the bytes written to the file of `--output-file`.
fn table(folder: &Folder, format: &str, args: &[&str]) -> Vec<u8> {
    let to_file = ["--output-format", format, "-o", "out/table"];
    let ran = extract(folder, &[&to_file, args].concat());
    assert_eq!((ran.code, &*ran.stdout), (Some(0), &b""[..]), "{ran:?}");
    fs::read(folder.path().join("out/table")).unwrap()
}

#[test]
fn an_arrow_stream_goes_to_pipes_and_files() {
    let folder = Folder::of(&[("a.txt", TEXT)]);
    let file = table(&folder, "arrow", &["a.txt"]);
    assert!(file.starts_with(b"\xff\xff\xff\xff"));
    assert!(file.ends_with(b"\xff\xff\xff\xff\0\0\0\0"));
    let piped = extract(&folder, &["--output-format", "arrow", "a.txt"]);
    assert!(piped.code == Some(0) && piped.stdout == file);
    // Without rows there is the schema.
    let empty = table(&folder, "arrow", &["--scheme", "gopher", "a.txt"]);
    assert!(empty.len() > 1000 && empty.len() < file.len());
    assert_eq!(file[..empty.len() - 8], empty[..empty.len() - 8]);
}

#[test]
fn a_table_does_not_depend_on_threads() {
    let folder = Folder::new();
    for number in 0..40 {
        folder.write(&format!("{number}.txt"), TEXT.repeat(number));
    }
    for format in ["arrow", "parquet"] {
        let shapes: [&[&str]; 5] = [
            &[],
            &["--unique"],
            &["--sort", "url"],
            &["--count"],
            &["--limit", "100"],
        ];
        for shape in shapes {
            let expected = table(&folder, format, &[&["--threads", "1", "."], shape].concat());
            for threads in ["2", "8"] {
                let args = [&["--threads", threads, "."], shape].concat();
                assert!(
                    table(&folder, format, &args) == expected,
                    "{format} {args:?}"
                );
            }
        }
    }
}

#[test]
fn null_requires_text() {
    let folder = Folder::of(&[("a.txt", TEXT)]);
    let args = ["--output-format", "arrow", "a.txt", "--null"];
    let ran = extract(&folder, &args);
    assert_eq!(ran.code, Some(2));
    let expected = "urlint: --null requires `--output-format text`\n";
    assert_eq!(ran.stderr, expected);
}

mod parquet {
    use std::fs::File;

    use serde_json::{Map, Value};
    use urlint_cli::parquet::basic::{LogicalType, Repetition};
    use urlint_cli::parquet::file::metadata::RowGroupMetaData;
    use urlint_cli::parquet::file::reader::{FileReader, SerializedFileReader};
    use urlint_cli::parquet::record::{Field, Row};

    use super::{TEXT, extract, table};
    use crate::support::command::Folder;

    fn open(folder: &Folder, args: &[&str]) -> SerializedFileReader<File> {
        table(folder, "parquet", args);
        let file = File::open(folder.path().join("out/table")).unwrap();
        SerializedFileReader::new(file).unwrap()
    }

    fn rows(file: &SerializedFileReader<File>) -> Vec<Value> {
        let rows = file.get_row_iter(None).unwrap();
        rows.map(|row| object(&row.unwrap())).collect()
    }

    fn object(row: &Row) -> Value {
        let columns = row.get_column_iter();
        let pairs = columns.map(|(name, field)| (name.clone(), value(field)));
        Value::Object(Map::from_iter(pairs))
    }

    /// Returns the value that `json-lines` would have.
    fn value(field: &Field) -> Value {
        match field {
            Field::Null => Value::Null,
            Field::Bool(flag) => Value::from(*flag),
            Field::Long(number) | Field::TimestampMicros(number) => Value::from(*number),
            Field::Str(text) => Value::from(text.clone()),
            Field::ListInternal(list) => list.elements().iter().map(value).collect(),
            Field::Group(range) => range.get_column_iter().map(|(_, end)| value(end)).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn parquet_equals_json() {
        let mail = b"From: Joe <joe@a.example>\nDate: Thu, 1 Dec 1994 12:00:00 -0800\n\nhttp://b.example\n";
        let folder = Folder::of(&[("a.txt", TEXT), ("b.txt", b"none"), ("c.eml", mail)]);
        let shapes: [&[&str]; 8] = [
            &[],
            &["--fields", "all", "--hyphen", "drop"],
            &["--fields", "url"],
            &["--unique", "--sort", "-host", "--redact"],
            &["--group-by", "scheme"],
            &["--count", "--sort", "count", "--limit", "2"],
            &["--limit", "3"],
            &["--scheme", "gopher"],
        ];
        for shape in shapes {
            let args = [shape, &["a.txt", "b.txt", "c.eml"]].concat();
            let json = [&["--output-format", "json-lines"], &args[..]].concat();
            let mut expected = extract(&folder, &json).json();
            let dates = expected.iter_mut().filter_map(|row| row.get_mut("date"));
            for date in dates.filter(|date| !date.is_null()) {
                assert_eq!(date, "1994-12-01T20:00:00+00:00");
                *date = Value::from(786_312_000_000_000_u64);
            }
            assert_eq!(rows(&open(&folder, &args)), expected, "{shape:?}");
        }
    }

    #[test]
    fn a_table_has_metadata() {
        let folder = Folder::of(&[("a.txt", TEXT)]);
        let file = open(&folder, &["--sort", "-url", "a.txt"]);
        let metadata = file.metadata();
        let about = metadata.file_metadata();
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(
            about.created_by(),
            Some(&*format!("urlint version {version}"))
        );
        let pairs = about.key_value_metadata().unwrap();
        let pairs: Vec<_> = pairs
            .iter()
            .map(|pair| (&*pair.key, pair.value.as_deref()))
            .collect();
        let expected = [
            ("urlint.schema", Some("1")),
            ("urlint.version", Some(version)),
        ];
        assert_eq!(pairs, expected);
        let sorted = metadata.row_group(0).sorting_columns().unwrap();
        let column = metadata.row_group(0).column(sorted[0].column_idx as usize);
        assert_eq!(column.column_path().string(), "url");
        assert!(sorted[0].descending);
        let schema = about.schema_descr();
        let column = |path: &str| {
            let mut columns = schema.columns().iter();
            columns
                .find(|column| column.path().string() == path)
                .unwrap()
        };
        assert_eq!(
            column("problems.list.element").logical_type_ref(),
            Some(&LogicalType::String)
        );
        assert_eq!(column("pieces.list.element.end").max_rep_level(), 1);
        let repetition = |path| column(path).self_type().get_basic_info().repetition();
        assert_eq!(repetition("fragment"), Repetition::OPTIONAL);
        assert_eq!(repetition("url"), Repetition::REQUIRED);
    }

    #[test]
    fn the_order_is_told_only_where_it_is_that_of_a_column() {
        let folder = Folder::of(&[("a.txt", TEXT)]);
        type Case<'c> = (&'c [&'c str], Option<(&'c str, bool)>);
        let cases: [Case<'_>; 10] = [
            (&[], None),
            (&["--unique"], None),
            (&["--sort", "host", "--fields", "url,host"], None),
            (&["--sort", "url", "--fields", "pieces,found"], None),
            (
                &["--sort", "scheme", "--fields", "pieces,scheme"],
                Some(("scheme", false)),
            ),
            (&["--sort", "file"], Some(("path", false))),
            (&["--count"], None),
            (&["--count", "--sort", "url"], Some(("key", false))),
            (
                &["--group-by", "host", "--sort", "count"],
                Some(("count", true)),
            ),
            (&["--count", "--sort", "-count"], Some(("count", false))),
        ];
        for (args, expected) in cases {
            let file = open(&folder, &[args, &["a.txt"]].concat());
            let group = file.metadata().row_group(0);
            let sorted = group.sorting_columns().map(|columns| {
                let [sorted] = &columns[..] else {
                    panic!("{columns:?}")
                };
                let path = group.column(sorted.column_idx as usize).column_path();
                (path.string(), sorted.descending)
            });
            let sorted = sorted
                .as_ref()
                .map(|(name, descending)| (&**name, *descending));
            assert_eq!(sorted, expected, "{args:?}");
        }
    }

    #[test]
    fn row_groups_have_131072_rows() {
        let text: String = (0..140_000).map(|n| format!("http://a/{n} ")).collect();
        let folder = Folder::of(&[("a.txt", text)]);
        let file = open(&folder, &["--fields", "url,start", "a.txt"]);
        let groups = file.metadata().row_groups().iter();
        let rows: Vec<_> = groups.map(RowGroupMetaData::num_rows).collect();
        assert_eq!(rows, [131_072, 140_000 - 131_072]);
        let mut rows = file.get_row_iter(None).unwrap();
        let last = super::parquet::object(&rows.nth(139_999).unwrap().unwrap());
        assert_eq!(last["url"], "http://a/139999");
    }
}
