//! file: RFC 8089, section 2.

use super::super::chars::ANY_ASCII;
use super::super::{Components, Judge, Part, Problem, ProblemKind};

impl<F: FnMut(Problem)> Judge<'_, F> {
    /// ```text
    /// file-URI       = file-scheme ":" file-hier-part
    /// file-scheme    = "file"
    /// file-hier-part = ( "//" auth-path ) / local-path
    /// auth-path      = [ file-auth ] path-absolute
    /// local-path     = path-absolute
    /// ```
    pub(super) fn file_uri(&mut self, scheme: Part, rest: Part) -> Components {
        let (authority, rest) = self.before_authority(rest);
        self.file_auth(&authority);
        let components = self.path_query_fragment(scheme, authority, rest);
        if let Some(path) = components.path {
            self.path_absolute(path);
        }
        self.refuse_query(components.query);
        components
    }

    /// ```text
    /// file-auth      = "localhost" / host
    /// ```
    fn file_auth(&mut self, components: &Components) {
        self.refuse_userinfo(components);
        if let Some(userinfo) = components.userinfo() {
            self.userinfo(userinfo);
        }
        if let Some(host) = components.host {
            self.host(host);
        }
        if let Some(port) = components.port {
            let with_colon = port.starting_at(port.start - 1);
            self.problem(ProblemKind::PortNotAllowed, with_colon);
            self.characters(port, &ANY_ASCII);
        }
    }

    /// ```text
    /// path-absolute  = "/" [ segment-nz *( "/" segment ) ]
    /// ```
    /// The characters have been judged.
    fn path_absolute(&mut self, path: Part) {
        match path.of(self.url) {
            [] => self.problem(ProblemKind::MissingPath, path),
            [b'/', b'/', ..] => {
                let mut bytes = path.of(self.url).iter();
                let slashes = bytes.position(|&byte| byte != b'/').unwrap_or(path.len());
                let extra = path.before(path.start + slashes as u32).skip(1);
                self.problem(ProblemKind::ExtraSlash, extra);
            }
            [b'/', ..] => {}
            [..] => self.problem(ProblemKind::MissingSlash, Part::at(path.start)),
        }
    }
}
