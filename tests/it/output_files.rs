//! Files of `--output-file`: regular files are replaced whole, all else is written through.

use std::fs;

use crate::support::command::{Folder, Ran};

const TEXT: &str = "<URL:http://a.example/{>\n";
const LINE: &str =
    "a.txt:1:23: error[unsafe-character] `{` must be encoded in `http://a.example/{`\n";

/// Returns a folder with a text that has one diagnostic.
fn folder() -> Folder {
    Folder::of(&[("a.txt", TEXT)])
}

fn check(folder: &Folder, file: &str) -> Ran {
    let args = ["check", "--output-format", "concise", "-o", file, "a.txt"];
    folder.run(&args, b"")
}

#[test]
fn a_regular_file_is_replaced() {
    let folder = folder();
    let ran = check(&folder, "new/report");
    assert_eq!((ran.code, ran.text().as_str()), (Some(1), ""));
    assert_eq!(folder.read("new/report"), LINE);
    folder.write("report", "old\n".repeat(1000));
    assert_eq!(check(&folder, "report").code, Some(1));
    assert_eq!(folder.read("report"), LINE);
    let names = fs::read_dir(folder.path()).unwrap();
    assert_eq!(names.count(), 3);
}

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::io::Read;
    use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
    use std::path::Path;
    use std::process::Command;

    use super::*;
    use crate::support::command::urlint;

    /// Makes a special file; returns whether that is allowed.
    fn make_node(path: &Path, args: &[&str]) -> bool {
        let made = Command::new("mknod").arg(path).args(args).output();
        made.is_ok_and(|made| made.status.success())
    }

    #[test]
    fn the_mode_of_a_file_stays() {
        let folder = folder();
        let path = folder.write("report", "old");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        assert_eq!(check(&folder, "report").code, Some(1));
        assert_eq!(folder.read("report"), LINE);
        assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
    }

    #[test]
    fn symbolic_links_stay_and_what_they_lead_to_is_written() {
        let folder = folder();
        folder.write("d/report", "old");
        for (link, to) in [
            ("one", "d/report"),
            ("two", "one"),
            ("d/three", "../two"),
            ("dangling", "d/new"),
        ] {
            symlink(to, folder.path().join(link)).unwrap();
            assert_eq!(check(&folder, link).code, Some(1), "{link}");
            let at = folder.path().join(link);
            assert_eq!(fs::read_link(&at).unwrap(), Path::new(to));
            assert_eq!(fs::read_to_string(&at).unwrap(), LINE, "{link}");
            fs::write(at, "old").unwrap();
        }
        assert!(folder.path().join("d/new").is_file());
        symlink("around", folder.path().join("around")).unwrap();
        assert_eq!(check(&folder, "around").code, Some(2));
    }

    #[test]
    fn a_pipe_is_written_and_stays() {
        let folder = folder();
        let path = folder.path().join("pipe");
        assert!(make_node(&path, &["p"]));
        symlink("pipe", folder.path().join("link")).unwrap();
        for name in ["pipe", "link"] {
            let path = path.clone();
            let reader = std::thread::spawn(move || {
                let mut text = String::new();
                File::open(path).unwrap().read_to_string(&mut text).unwrap();
                text
            });
            let ran = check(&folder, name);
            assert_eq!((ran.code, ran.text().as_str()), (Some(1), ""));
            assert_eq!(reader.join().unwrap(), LINE);
        }
        assert!(fs::metadata(&path).unwrap().file_type().is_fifo());
    }

    /// Only the superuser may make devices, and only outside of most containers.
    #[test]
    fn a_device_is_written_and_stays() {
        let folder = folder();
        let [null, full] = ["null", "full"].map(|name| folder.path().join(name));
        if !make_node(&null, &["c", "1", "3"]) || !make_node(&full, &["c", "1", "7"]) {
            return;
        }
        if File::options().write(true).open(&null).is_err() {
            return;
        }
        symlink("null", folder.path().join("link")).unwrap();
        for name in ["null", "link"] {
            assert_eq!(check(&folder, name).code, Some(1), "{name}");
        }
        let ran = check(&folder, "full");
        assert_eq!(ran.code, Some(2));
        assert!(ran.stderr.starts_with("urlint: full: "), "{}", ran.stderr);
        for path in [null, full] {
            assert!(fs::metadata(path).unwrap().file_type().is_char_device());
        }
        let names = fs::read_dir(folder.path()).unwrap();
        assert_eq!(names.count(), 4);
    }

    #[test]
    fn a_baseline_is_written_through_a_link() {
        let folder = folder();
        folder.write("d/baseline", "");
        symlink("d/baseline", folder.path().join("link")).unwrap();
        let args = ["check", "--baseline", "link", "--update-baseline", "a.txt"];
        assert_eq!(folder.run(&args, b"").code, Some(0));
        let link = fs::symlink_metadata(folder.path().join("link")).unwrap();
        assert!(link.is_symlink());
        assert!(folder.read("d/baseline").contains("unsafe-character"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn standard_output_by_its_name_is_written_where_it_stands() {
        use std::io::Write;

        let folder = folder();
        let path = folder.path().join("out");
        let mut out = File::create(&path).unwrap();
        out.write_all(b"before\n").unwrap();
        let mut command = urlint(&["check", "--output-format", "concise"]);
        let command = command.args(["-o", "/dev/stdout", "a.txt"]);
        let command = command.current_dir(folder.path());
        let ran = command.stdout(out.try_clone().unwrap()).output().unwrap();
        assert_eq!(ran.status.code(), Some(1));
        out.write_all(b"after\n").unwrap();
        assert_eq!(folder.read("out"), format!("before\n{LINE}after\n"));
    }
}
