//! The ten schemes with productions of their own, in the order of section 5. Each function gets
//! the text after the two slashes, or after the colon in schemes that have none.

use memchr::memmem;

use super::chars::{ARTICLE, FIELD, FPATH, GROUP, HPATH, SEARCH, UCHAR, VISIBLE};
use super::{Components, Judge, NamedPart, Part, Problem, ProblemKind};

impl<F: FnMut(Problem), N: FnMut(&[NamedPart])> Judge<'_, F, N> {
    /// ```text
    /// ftpurl         = "ftp://" login [ "/" fpath [ ";type=" ftptype ]]
    /// ```
    pub(super) fn ftpurl(&mut self, rest: Part) -> Components {
        let (login, rest) = self.ip_schemepart(rest, b"/");
        let login = self.login(login);
        let mut path = (!rest.is_empty()).then(|| rest.skip(1));
        let mut typecode = None;
        if let Some(whole) = path {
            let mut fpath = whole;
            if let Some(at) = memmem::rfind(whole.of(self.url), b";type=") {
                let (before, mark) = whole.split_at(whole.start + at as u32);
                let ftptype = mark.skip(b";type=".len() as u32);
                self.ftptype(ftptype);
                (fpath, typecode) = (before, Some(ftptype));
            }
            self.fpath(fpath);
            path = Some(fpath);
        }
        (self.name)(&[
            ("user", login.user),
            ("password", login.password),
            ("host", login.host),
            ("port", login.port),
            ("path", path),
            ("typecode", typecode),
        ]);
        Components { path, ..login }
    }

    /// ```text
    /// fpath          = fsegment *[ "/" fsegment ]
    /// fsegment       = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
    /// ```
    fn fpath(&mut self, part: Part) {
        self.characters(part, &FPATH);
    }

    /// ```text
    /// ftptype        = "A" | "I" | "D" | "a" | "i" | "d"
    /// ```
    fn ftptype(&mut self, part: Part) {
        let known = matches!(part.of(self.url), b"A" | b"I" | b"D" | b"a" | b"i" | b"d");
        if !known && self.xchars(part) {
            self.problem(ProblemKind::BadTypecode, part);
        }
    }

    /// ```text
    /// fileurl        = "file://" [ host | "localhost" ] "/" fpath
    /// ```
    pub(super) fn fileurl(&mut self, rest: Part) -> Components {
        let (authority, rest) = self.ip_schemepart(rest, b"/");
        let authority = self.refuse_userinfo(authority);
        let (host, port) = self.split_port(authority);
        if port.is_some() {
            let port = authority.starting_at(host.end);
            self.problem(ProblemKind::PortNotAllowed, port);
            self.xchars(port);
        }
        if !host.is_empty() {
            self.host(host);
        }
        let path = (!rest.is_empty()).then(|| rest.skip(1));
        match path {
            Some(path) => self.fpath(path),
            None => self.problem(ProblemKind::MissingPath, rest),
        }
        (self.name)(&[("host", Some(host)), ("path", path)]);
        Components {
            path,
            ..Components::at_host(host, None)
        }
    }

    /// ```text
    /// httpurl        = "http://" hostport [ "/" hpath [ "?" search ]]
    /// ```
    /// Also used for https (O4).
    pub(super) fn httpurl(&mut self, rest: Part) -> Components {
        let (hostport, rest) = self.hostport_without_login(rest);
        let (path, search) = match self.url.get(rest.range().start) {
            None => (None, None),
            Some(b'?') => {
                self.problem(ProblemKind::MissingSlash, Part::at(rest.start));
                (None, Some(rest.skip(1)))
            }
            Some(_) => {
                let (path, search) = self.hpath(rest.skip(1));
                (Some(path), search)
            }
        };
        if let Some(search) = search {
            self.search(search);
        }
        (self.name)(&[
            ("host", hostport.host),
            ("port", hostport.port),
            ("path", path),
            ("search", search),
        ]);
        Components {
            path,
            query: search,
            ..hostport
        }
    }

    /// ```text
    /// hpath          = hsegment *[ "/" hsegment ]
    /// hsegment       = *[ uchar | ";" | ":" | "@" | "&" | "=" ]
    /// ```
    /// Returns the path and the text after its `?`.
    fn hpath(&mut self, part: Part) -> (Part, Option<Part>) {
        self.characters_up_to(b'?', part, &HPATH)
    }

    /// ```text
    /// search         = *[ uchar | ";" | ":" | "@" | "&" | "=" ]
    /// ```
    fn search(&mut self, part: Part) {
        self.characters(part, &SEARCH);
    }

    /// ```text
    /// gopherurl      = "gopher://" hostport [ "/" [ gtype [ selector
    ///                  [ "%09" search [ "%09" gopher+_string ] ] ] ] ]
    /// gtype          = xchar
    /// selector       = *xchar
    /// gopher+_string = *xchar
    /// ```
    /// The slash is a literal (O1). `selector` matches `%09` as well, so that the grammar is
    /// ambiguous: the first `%09` ends the selector, the second the search, and any later ones
    /// belong to the gopher+ string (section 3.4.9 requires that).
    pub(super) fn gopherurl(&mut self, rest: Part) -> Components {
        let (hostport, rest) = self.hostport_without_login(rest);
        let mut parts = [None, None, None, None];
        if rest.of(self.url).starts_with(b"?") {
            self.problem(ProblemKind::MissingSlash, Part::at(rest.start));
        }
        self.xchars(rest);
        if let [b'/', first, ..] = rest.of(self.url) {
            let rest = rest.skip(1);
            let len = if *first == b'%' { 3 } else { 1 };
            let (gtype, rest) = rest.split_at((rest.start + len).min(rest.end));
            parts[0] = Some(gtype);
            let mut next = Some(rest);
            for slot in &mut parts[1..3] {
                let Some(part) = next.take() else { break };
                match memmem::find(part.of(self.url), b"%09") {
                    Some(tab) => {
                        let (before, tab) = part.split_at(part.start + tab as u32);
                        *slot = Some(before);
                        next = Some(tab.skip(b"%09".len() as u32));
                    }
                    None => *slot = Some(part),
                }
            }
            parts[3] = next;
        }
        let [gtype, selector, search, gopher_plus] = parts;
        (self.name)(&[
            ("host", hostport.host),
            ("port", hostport.port),
            ("gtype", gtype),
            ("selector", selector),
            ("search", search),
            ("gopher_plus", gopher_plus),
        ]);
        hostport
    }

    /// ```text
    /// mailtourl      = "mailto:" encoded822addr
    /// encoded822addr = 1*xchar
    /// ```
    pub(super) fn mailtourl(&mut self, addr: Part) -> Components {
        if addr.is_empty() {
            self.problem(ProblemKind::MissingComponent, addr);
        }
        self.xchars(addr);
        (self.name)(&[("addr", Some(addr))]);
        Components::default()
    }

    /// ```text
    /// newsurl        = "news:" grouppart
    /// grouppart      = "*" | group | article
    /// article        = 1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ] "@" host
    /// ```
    pub(super) fn newsurl(&mut self, grouppart: Part) -> Components {
        if let Some(at) = grouppart.rfind(self.url, b'@') {
            let article = grouppart.before(at);
            if article.is_empty() {
                self.problem(ProblemKind::MissingComponent, article);
            }
            self.characters(article, &ARTICLE);
            let host = grouppart.starting_at(at + 1);
            self.host(host);
            (self.name)(&[("article", Some(article)), ("host", Some(host))]);
            return Components::at_host(host, None);
        }
        if grouppart.of(self.url).starts_with(b"//") {
            let (authority, _) = self.ip_schemepart(grouppart.skip(2), b"/");
            self.problem(
                ProblemKind::AuthorityNotAllowed,
                grouppart.before(authority.end),
            );
            self.xchars(grouppart.skip(2));
        } else if grouppart.of(self.url) != b"*" {
            self.group(grouppart);
        }
        (self.name)(&[("group", Some(grouppart))]);
        Components::default()
    }

    /// ```text
    /// group          = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]
    /// ```
    fn group(&mut self, part: Part) {
        let Some(first) = part.of(self.url).first() else {
            self.problem(ProblemKind::MissingComponent, part);
            return;
        };
        let mut rest = part;
        if !first.is_ascii_alphabetic() {
            let (disallowed, found) = VISIBLE.first_of(self.url, part);
            let kind = if disallowed.is_never_legal() {
                disallowed.problem()
            } else {
                ProblemKind::BadGroup
            };
            self.problem(kind, found);
            rest.start = found.end;
        }
        self.disallowed_characters(rest, &GROUP, false);
    }

    /// ```text
    /// nntpurl        = "nntp://" hostport "/" group [ "/" digits ]
    /// ```
    pub(super) fn nntpurl(&mut self, rest: Part) -> Components {
        let (hostport, rest) = self.hostport_without_login(rest);
        let path = self.path_after_slash(rest);
        let (group, article) = match path.map(|path| path.cut(self.url, b'/')) {
            Some((group, article)) => (Some(group), article),
            None => (None, None),
        };
        if let Some(group) = group {
            self.group(group);
        }
        if let Some(article) = article {
            if article.is_empty() {
                self.problem(ProblemKind::MissingComponent, article);
            } else {
                self.digits(article, ProblemKind::BadArticle);
            }
        }
        (self.name)(&[
            ("host", hostport.host),
            ("port", hostport.port),
            ("group", group),
            ("article", article),
        ]);
        hostport
    }

    /// ```text
    /// telneturl      = "telnet://" login [ "/" ]
    /// ```
    pub(super) fn telneturl(&mut self, rest: Part) -> Components {
        let (login, rest) = self.ip_schemepart(rest, b"/");
        let login = self.login(login);
        if rest.len() > 1 {
            let path = rest.skip(1);
            self.problem(ProblemKind::PathNotAllowed, path);
            self.xchars(path);
        }
        (self.name)(&[
            ("user", login.user),
            ("password", login.password),
            ("host", login.host),
            ("port", login.port),
        ]);
        login
    }

    /// ```text
    /// waisurl        = waisdatabase | waisindex | waisdoc
    /// waisdatabase   = "wais://" hostport "/" database
    /// waisindex      = "wais://" hostport "/" database "?" search
    /// waisdoc        = "wais://" hostport "/" database "/" wtype "/" wpath
    /// database       = *uchar
    /// wtype          = *uchar
    /// wpath          = *uchar
    /// ```
    pub(super) fn waisurl(&mut self, rest: Part) -> Components {
        let (hostport, rest) = self.hostport_without_login(rest);
        let (mut search, mut wtype, mut wpath) = (None, None, None);
        let database = self.path_after_slash(rest).map(|rest| {
            let (database, rest) = self.ip_schemepart(rest, b"/?");
            self.characters(database, &UCHAR);
            match rest.of(self.url).first() {
                None => {}
                Some(b'?') => {
                    search = Some(rest.skip(1));
                    self.search(rest.skip(1));
                }
                Some(_) => {
                    let (own_type, own_path) = rest.skip(1).cut(self.url, b'/');
                    self.characters(own_type, &UCHAR);
                    match own_path {
                        Some(path) => {
                            self.characters(path, &UCHAR);
                        }
                        None => {
                            self.problem(ProblemKind::MissingComponent, Part::at(own_type.end));
                        }
                    }
                    (wtype, wpath) = (Some(own_type), own_path);
                }
            }
            database
        });
        (self.name)(&[
            ("host", hostport.host),
            ("port", hostport.port),
            ("database", database),
            ("search", search),
            ("wtype", wtype),
            ("wpath", wpath),
        ]);
        Components {
            query: search,
            ..hostport
        }
    }

    /// ```text
    /// prosperourl    = "prospero://" hostport "/" ppath *[ fieldspec ]
    /// ppath          = psegment *[ "/" psegment ]
    /// psegment       = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
    /// ```
    pub(super) fn prosperourl(&mut self, rest: Part) -> Components {
        let (hostport, rest) = self.hostport_without_login(rest);
        let path = self.path_after_slash(rest);
        let path = path.map(|path| self.ip_schemepart(path, b";"));
        (self.name)(&[
            ("host", hostport.host),
            ("port", hostport.port),
            ("hsoname", path.map(|(hsoname, _)| hsoname)),
        ]);
        if let Some((hsoname, mut specs)) = path {
            self.fpath(hsoname);
            while !specs.is_empty() {
                let (spec, rest) = self.ip_schemepart(specs.skip(1), b";");
                self.fieldspec(spec);
                specs = rest;
            }
        }
        hostport
    }

    /// ```text
    /// fieldspec      = ";" fieldname "=" fieldvalue
    /// fieldname      = *[ uchar | "?" | ":" | "@" | "&" ]
    /// fieldvalue     = *[ uchar | "?" | ":" | "@" | "&" ]
    /// ```
    fn fieldspec(&mut self, spec: Part) {
        let (name, Some(value)) = spec.cut(self.url, b'=') else {
            if self.characters(spec, &FIELD) {
                self.problem(ProblemKind::BadField, spec.starting_at(spec.start - 1));
            }
            return;
        };
        self.characters(name, &FIELD);
        self.characters(value, &FIELD);
        (self.name)(&[("fieldname", Some(name)), ("fieldvalue", Some(value))]);
    }

    /// Returns the text after the slash that must follow the host.
    fn path_after_slash(&mut self, rest: Part) -> Option<Part> {
        if rest.of(self.url).starts_with(b"/") {
            return Some(rest.skip(1));
        }
        self.problem(ProblemKind::MissingPath, Part::at(rest.start));
        self.xchars(rest);
        None
    }
}
