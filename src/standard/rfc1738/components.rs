//! What a URL is made of, named as the grammar names it.

use super::{Parsed, Part};

/// The parts of a URL's scheme part, named as section 3 and section 5 name them.
///
/// A part that is absent is `None`; one that is present and empty is an empty range. Where the
/// URL is not valid the parts are what could still be told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the grammar's own")]
pub enum Components {
    Ftp {
        login: Login,
        path: Option<Part>,
        typecode: Option<Part>,
    },
    File {
        host: Part,
        path: Option<Part>,
    },
    Http {
        hostport: Hostport,
        path: Option<Part>,
        search: Option<Part>,
    },
    Gopher {
        hostport: Hostport,
        gtype: Option<Part>,
        selector: Option<Part>,
        search: Option<Part>,
        gopher_plus: Option<Part>,
    },
    Mailto {
        addr: Part,
    },
    Group {
        group: Part,
    },
    Article {
        article: Part,
        host: Part,
    },
    Nntp {
        hostport: Hostport,
        group: Option<Part>,
        article: Option<Part>,
    },
    Telnet {
        login: Login,
    },
    Wais {
        hostport: Hostport,
        database: Option<Part>,
        search: Option<Part>,
        wtype: Option<Part>,
        wpath: Option<Part>,
    },
    Prospero {
        hostport: Hostport,
        hsoname: Option<Part>,
        fields: Vec<(Part, Part)>,
    },
    /// What follows the colon of a scheme without a production of its own.
    Other {
        schemepart: Part,
    },
    /// There is no scheme, or its two slashes are missing: nothing could be told apart.
    Unknown,
}

/// `login`: who, and where (section 3.1).
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the grammar's own")]
pub struct Login {
    pub user: Option<Part>,
    pub password: Option<Part>,
    pub hostport: Hostport,
}

impl Login {
    pub(super) fn without_user(hostport: Hostport) -> Self {
        Login {
            user: None,
            password: None,
            hostport,
        }
    }
}

/// `hostport`: where (section 3.1).
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the grammar's own")]
pub struct Hostport {
    pub host: Part,
    pub port: Option<Part>,
}

impl<'u> Parsed<'u> {
    /// The host, of those schemes that have one.
    pub fn host(&self) -> Option<&'u [u8]> {
        self.host_part().map(|part| self.slice(part))
    }

    /// Where the host stands.
    pub fn host_part(&self) -> Option<&Part> {
        match &self.components {
            Components::File { host, .. } | Components::Article { host, .. } => Some(host),
            _ => self.hostport().map(|hostport| &hostport.host),
        }
    }

    /// Host and port, of those schemes that have them.
    pub fn hostport(&self) -> Option<&Hostport> {
        match &self.components {
            Components::Ftp { login, .. } | Components::Telnet { login } => Some(&login.hostport),
            Components::Http { hostport, .. }
            | Components::Gopher { hostport, .. }
            | Components::Nntp { hostport, .. }
            | Components::Wais { hostport, .. }
            | Components::Prospero { hostport, .. } => Some(hostport),
            _ => None,
        }
    }

    /// User, password, host and port, of the schemes that log in: ftp and telnet.
    pub fn login(&self) -> Option<&Login> {
        match &self.components {
            Components::Ftp { login, .. } | Components::Telnet { login } => Some(login),
            _ => None,
        }
    }

    /// Every component but prospero's fields with its name, in the order of the grammar; an absent
    /// one is `None`.
    ///
    /// ```
    /// use urlint::rfc1738::parse;
    ///
    /// let parsed = parse(b"nntp://news.example/comp.risks");
    /// let names: Vec<_> = parsed.named_parts().into_iter().map(|(name, _)| name).collect();
    /// assert_eq!(names, ["host", "port", "group", "article"]);
    /// ```
    pub fn named_parts(&self) -> Vec<(&'static str, Option<Part>)> {
        let mut parts = Vec::new();
        if let Some(login) = self.login() {
            parts.push(("user", login.user.clone()));
            parts.push(("password", login.password.clone()));
        }
        if let Some(hostport) = self.hostport() {
            parts.push(("host", Some(hostport.host.clone())));
            parts.push(("port", hostport.port.clone()));
        }
        let own: &[(&'static str, Option<&Part>)] = match &self.components {
            Components::Ftp { path, typecode, .. } => {
                &[("path", path.as_ref()), ("typecode", typecode.as_ref())]
            }
            Components::File { host, path } => &[("host", Some(host)), ("path", path.as_ref())],
            Components::Http { path, search, .. } => {
                &[("path", path.as_ref()), ("search", search.as_ref())]
            }
            Components::Gopher {
                gtype,
                selector,
                search,
                gopher_plus,
                ..
            } => &[
                ("gtype", gtype.as_ref()),
                ("selector", selector.as_ref()),
                ("search", search.as_ref()),
                ("gopher_plus", gopher_plus.as_ref()),
            ],
            Components::Mailto { addr } => &[("addr", Some(addr))],
            Components::Group { group } => &[("group", Some(group))],
            Components::Article { article, host } => {
                &[("article", Some(article)), ("host", Some(host))]
            }
            Components::Nntp { group, article, .. } => {
                &[("group", group.as_ref()), ("article", article.as_ref())]
            }
            Components::Wais {
                database,
                search,
                wtype,
                wpath,
                ..
            } => &[
                ("database", database.as_ref()),
                ("search", search.as_ref()),
                ("wtype", wtype.as_ref()),
                ("wpath", wpath.as_ref()),
            ],
            Components::Prospero { hsoname, .. } => &[("hsoname", hsoname.as_ref())],
            Components::Other { schemepart } => &[("schemepart", Some(schemepart))],
            Components::Telnet { .. } | Components::Unknown => &[],
        };
        parts.extend(own.iter().map(|(name, part)| (*name, part.cloned())));
        parts
    }
}
