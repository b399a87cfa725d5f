//! The components of a URL, named as the grammar names them.

use super::{Parsed, Part, scheme_part};
use crate::standard;

/// The components after the scheme, named as in sections 3 and 5.
///
/// An absent component is `None`; one that is present but empty is an empty [`Part`]. An invalid
/// URL has those that can still be distinguished.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the grammar's own")]
#[non_exhaustive]
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
    /// What follows the colon of a scheme that has no production of its own.
    Other {
        schemepart: Part,
    },
    /// There is no scheme, or its two slashes are missing: nothing can be distinguished.
    Unknown,
}

/// `login`: user, password, host and port (section 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// `hostport`: host and port (section 3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the grammar's own")]
pub struct Hostport {
    pub host: Part,
    pub port: Option<Part>,
}

impl<'u> Parsed<'u> {
    /// Returns the bytes of the host, in schemes that have one.
    #[must_use]
    pub fn host(&self) -> Option<&'u [u8]> {
        self.components.host().map(|part| self.slice(part))
    }
}

impl Components {
    /// Returns every component except prospero's fields with its name, in the order of the grammar;
    /// an absent one is `None`.
    ///
    /// ```
    /// use urlint::standard::rfc1738::parse;
    ///
    /// let parsed = parse(b"nntp://news.example/comp.risks");
    /// let parts = parsed.components.named_parts();
    /// let names: Vec<_> = parts.iter().map(|(name, _)| *name).collect();
    /// assert_eq!(names, ["host", "port", "group", "article"]);
    /// ```
    #[must_use]
    pub fn named_parts(&self) -> Vec<(&'static str, Option<Part>)> {
        let mut parts = Vec::new();
        if let Some(login) = self.login() {
            parts.push(("user", login.user));
            parts.push(("password", login.password));
        }
        if let Some(hostport) = self.hostport() {
            parts.push(("host", Some(hostport.host)));
            parts.push(("port", hostport.port));
        }
        let own: &[(&'static str, Option<Part>)] = match *self {
            Components::Ftp { path, typecode, .. } => &[("path", path), ("typecode", typecode)],
            Components::File { host, path } => &[("host", Some(host)), ("path", path)],
            Components::Http { path, search, .. } => &[("path", path), ("search", search)],
            Components::Gopher {
                gtype,
                selector,
                search,
                gopher_plus,
                ..
            } => &[
                ("gtype", gtype),
                ("selector", selector),
                ("search", search),
                ("gopher_plus", gopher_plus),
            ],
            Components::Mailto { addr } => &[("addr", Some(addr))],
            Components::Group { group } => &[("group", Some(group))],
            Components::Article { article, host } => {
                &[("article", Some(article)), ("host", Some(host))]
            }
            Components::Nntp { group, article, .. } => &[("group", group), ("article", article)],
            Components::Wais {
                database,
                search,
                wtype,
                wpath,
                ..
            } => &[
                ("database", database),
                ("search", search),
                ("wtype", wtype),
                ("wpath", wpath),
            ],
            Components::Prospero { hsoname, .. } => &[("hsoname", hsoname)],
            Components::Other { schemepart } => &[("schemepart", Some(schemepart))],
            Components::Telnet { .. } | Components::Unknown => &[],
        };
        parts.extend_from_slice(own);
        parts
    }

    /// Returns the host, in schemes that have one.
    #[must_use]
    pub fn host(&self) -> Option<Part> {
        match self {
            Components::File { host, .. } | Components::Article { host, .. } => Some(*host),
            _ => self.hostport().map(|hostport| hostport.host),
        }
    }

    /// Returns host and port, in schemes that have both.
    #[must_use]
    pub fn hostport(&self) -> Option<Hostport> {
        match self {
            Components::Ftp { login, .. } | Components::Telnet { login } => Some(login.hostport),
            Components::Http { hostport, .. }
            | Components::Gopher { hostport, .. }
            | Components::Nntp { hostport, .. }
            | Components::Wais { hostport, .. }
            | Components::Prospero { hostport, .. } => Some(*hostport),
            _ => None,
        }
    }

    /// Returns user, password, host and port, in the schemes that log in: ftp and telnet.
    #[must_use]
    pub fn login(&self) -> Option<Login> {
        match self {
            Components::Ftp { login, .. } | Components::Telnet { login } => Some(*login),
            _ => None,
        }
    }

    /// Returns the components that every standard has; `url` is the URL of these components.
    #[inline]
    pub(crate) fn in_common(&self, url: &[u8]) -> standard::Components {
        if let Components::Http {
            hostport,
            path,
            search,
        } = *self
        {
            // Most URLs: http and https, without looking at the scheme again.
            let scheme = if url.get(4) == Some(&b':') { 4 } else { 5 };
            return standard::Components {
                scheme: Some(Part::new(0, scheme)),
                host: Some(hostport.host),
                port: hostport.port,
                path,
                query: search,
                ..standard::Components::default()
            };
        }
        self.in_common_of_others(url)
    }

    fn in_common_of_others(&self, url: &[u8]) -> standard::Components {
        let (path, query) = match *self {
            Components::Ftp { path, .. } | Components::File { path, .. } => (path, None),
            Components::Wais { search, .. } => (None, search),
            _ => (None, None),
        };
        let login = self.login();
        standard::Components {
            scheme: match *self {
                Components::Other { schemepart } => Some(Part::at(0).before(schemepart.start - 1)),
                _ => scheme_part(url),
            },
            user: login.and_then(|login| login.user),
            password: login.and_then(|login| login.password),
            host: self.host(),
            port: self.hostport().and_then(|hostport| hostport.port),
            path,
            query,
            fragment: None,
        }
    }
}
