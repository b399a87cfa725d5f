//! The predefined schemes, in the order of section 5. Each function is given what follows the two
//! slashes, or the colon where the scheme has none.

use super::chars::{ARTICLE, FIELD, FPATH, GROUP, HPATH, SEARCH, UCHAR};
use super::survey::survey;
use super::{Components, Judge, Login, Part, Problem, ProblemKind};

impl<F: FnMut(Problem)> Judge<'_, F> {
    /// ```text
    /// ftpurl         = "ftp://" login [ "/" fpath [ ";type=" ftptype ]]
    /// ```
    pub(super) fn ftpurl(&mut self, rest: Part) -> Components {
        let survey = survey(self.url, rest.start, b';');
        let (login, rest) = match survey.hostport(&rest) {
            Some((hostport, rest)) => (Login::without_user(hostport), rest),
            None => {
                let (login, rest) = self.ip_schemepart(rest, b"/");
                (self.login(login), rest)
            }
        };
        if rest.is_empty() {
            return Components::Ftp {
                login,
                path: None,
                typecode: None,
            };
        }
        let path = rest.start + 1..rest.end;
        if survey.clean {
            return Components::Ftp {
                login,
                path: Some(path),
                typecode: None,
            };
        }
        let (path, typecode) = match memchr::memmem::rfind(&self.url[path.clone()], b";type=") {
            Some(at) => {
                let semicolon = path.start + at;
                let typecode = semicolon + b";type=".len()..path.end;
                self.ftptype(typecode.clone());
                (path.start..semicolon, Some(typecode))
            }
            None => (path, None),
        };
        self.fpath(path.clone());
        Components::Ftp {
            login,
            path: Some(path),
            typecode,
        }
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
        let known = matches!(
            &self.url[part.clone()],
            b"A" | b"I" | b"D" | b"a" | b"i" | b"d"
        );
        if !known && self.xchars(part.clone()) {
            self.problem(ProblemKind::BadTypecode, part);
        }
    }

    /// ```text
    /// fileurl        = "file://" [ host | "localhost" ] "/" fpath
    /// ```
    pub(super) fn fileurl(&mut self, rest: Part) -> Components {
        let (authority, rest) = self.ip_schemepart(rest, b"/");
        let authority = self.refuse_userinfo(authority);
        let (host, colon) = self.split_port(authority.clone());
        if let Some(colon) = colon {
            self.problem(ProblemKind::PortNotAllowed, colon..authority.end);
            self.xchars(colon..authority.end);
        }
        if !host.is_empty() {
            self.host(host.clone());
        }
        if rest.is_empty() {
            self.problem(ProblemKind::MissingPath, rest);
            return Components::File { host, path: None };
        }
        let path = rest.start + 1..rest.end;
        self.fpath(path.clone());
        Components::File {
            host,
            path: Some(path),
        }
    }

    /// ```text
    /// httpurl        = "http://" hostport [ "/" hpath [ "?" search ]]
    /// ```
    pub(super) fn httpurl(&mut self, rest: Part) -> Components {
        let survey = survey(self.url, rest.start, b'?');
        let (hostport, rest) = match survey.hostport(&rest) {
            Some(parts) => parts,
            None => self.hostport_without_login(rest),
        };
        let (path, search) = match self.url.get(rest.start) {
            None => (None, None),
            Some(_) if survey.clean => (Some(rest.start + 1..rest.end), None),
            Some(b'?') => {
                self.problem(ProblemKind::MissingSlash, rest.start..rest.start);
                (None, Some(rest.start + 1..rest.end))
            }
            Some(_) => {
                let (path, search) = self.hpath(rest.start + 1..rest.end);
                (Some(path), search)
            }
        };
        if let Some(search) = &search {
            self.search(search.clone());
        }
        Components::Http {
            hostport,
            path,
            search,
        }
    }

    /// ```text
    /// hpath          = hsegment *[ "/" hsegment ]
    /// hsegment       = *[ uchar | ";" | ":" | "@" | "&" | "=" ]
    /// ```
    /// Returns the path and what follows its `?`.
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
    /// The slash is a literal (O1). `selector` swallows `%09` too, so that the grammar is
    /// ambiguous: the first one ends the selector, the second the search, and any later ones
    /// belong to the gopher+ string (section 3.4.9 needs that).
    pub(super) fn gopherurl(&mut self, rest: Part) -> Components {
        let (hostport, rest) = self.hostport_without_login(rest);
        let mut components = [None, None, None, None];
        if self.url.get(rest.start) == Some(&b'?') {
            self.problem(ProblemKind::MissingSlash, rest.start..rest.start);
        }
        self.xchars(rest.clone());
        if self.url.get(rest.start) == Some(&b'/') && rest.len() > 1 {
            let start = rest.start + 1;
            let gtype = match self.url[start] {
                b'%' => (start + 3).min(rest.end),
                _ => start + 1,
            };
            components[0] = Some(start..gtype);
            let mut next = Some(gtype..rest.end);
            for slot in &mut components[1..3] {
                let Some(part) = next.take() else { break };
                match memchr::memmem::find(&self.url[part.clone()], b"%09") {
                    Some(tab) => {
                        *slot = Some(part.start..part.start + tab);
                        next = Some(part.start + tab + b"%09".len()..part.end);
                    }
                    None => *slot = Some(part),
                }
            }
            components[3] = next;
        }
        let [gtype, selector, search, gopher_plus] = components;
        Components::Gopher {
            hostport,
            gtype,
            selector,
            search,
            gopher_plus,
        }
    }

    /// ```text
    /// mailtourl      = "mailto:" encoded822addr
    /// encoded822addr = 1*xchar
    /// ```
    pub(super) fn mailtourl(&mut self, addr: Part) -> Components {
        if addr.is_empty() {
            self.problem(ProblemKind::MissingComponent, addr.clone());
        }
        self.xchars(addr.clone());
        Components::Mailto { addr }
    }

    /// ```text
    /// newsurl        = "news:" grouppart
    /// grouppart      = "*" | group | article
    /// article        = 1*[ uchar | ";" | "/" | "?" | ":" | "&" | "=" ] "@" host
    /// ```
    pub(super) fn newsurl(&mut self, grouppart: Part) -> Components {
        if let Some(at) = memchr::memrchr(b'@', &self.url[grouppart.clone()]) {
            let article = grouppart.start..grouppart.start + at;
            if article.is_empty() {
                self.problem(ProblemKind::MissingComponent, article.clone());
            }
            self.characters(article.clone(), &ARTICLE);
            let host = article.end + 1..grouppart.end;
            self.host(host.clone());
            return Components::Article { article, host };
        }
        if self.url[grouppart.clone()].starts_with(b"//") {
            let authority = grouppart.start + 2..grouppart.end;
            let (authority, rest) = self.ip_schemepart(authority, b"/");
            self.problem(
                ProblemKind::AuthorityNotAllowed,
                grouppart.start..authority.end,
            );
            self.xchars(authority.start..rest.end);
        } else if &self.url[grouppart.clone()] != b"*" {
            self.group(grouppart.clone());
        }
        Components::Group { group: grouppart }
    }

    /// ```text
    /// group          = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]
    /// ```
    fn group(&mut self, part: Part) {
        let Some(&first) = self.url[part.clone()].first() else {
            self.problem(ProblemKind::MissingComponent, part);
            return;
        };
        let mut start = part.start;
        if !first.is_ascii_alphabetic() {
            let (misfit, len) = self.character(start, part.end);
            let kind = if misfit.is_never_legal() {
                misfit.problem()
            } else {
                ProblemKind::BadGroup
            };
            self.problem(kind, start..start + len);
            start += len;
        }
        self.characters_without_escapes(start..part.end, &GROUP);
    }

    /// ```text
    /// nntpurl        = "nntp://" hostport "/" group [ "/" digits ]
    /// ```
    pub(super) fn nntpurl(&mut self, rest: Part) -> Components {
        let (hostport, rest) = self.hostport_without_login(rest);
        let Some(rest) = self.path_after_slash(rest) else {
            return Components::Nntp {
                hostport,
                group: None,
                article: None,
            };
        };
        let (group, article) = match self.split(rest.clone(), b'/') {
            Some((group, article)) => (group, Some(article)),
            None => (rest, None),
        };
        self.group(group.clone());
        if let Some(article) = &article {
            if article.is_empty() {
                self.problem(ProblemKind::MissingComponent, article.clone());
            } else {
                self.digits(article.clone(), ProblemKind::BadArticle);
            }
        }
        Components::Nntp {
            hostport,
            group: Some(group),
            article,
        }
    }

    /// ```text
    /// telneturl      = "telnet://" login [ "/" ]
    /// ```
    pub(super) fn telneturl(&mut self, rest: Part) -> Components {
        let (login, rest) = self.ip_schemepart(rest, b"/");
        let login = self.login(login);
        if rest.len() > 1 {
            let path = rest.start + 1..rest.end;
            self.problem(ProblemKind::PathNotAllowed, path.clone());
            self.xchars(path);
        }
        Components::Telnet { login }
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
            self.characters(database.clone(), &UCHAR);
            match self.url.get(rest.start) {
                None => {}
                Some(b'?') => {
                    search = Some(rest.start + 1..rest.end);
                    self.search(rest.start + 1..rest.end);
                }
                Some(_) => {
                    let rest = rest.start + 1..rest.end;
                    let (own_type, own_path) = match self.split(rest.clone(), b'/') {
                        Some((own_type, own_path)) => (own_type, Some(own_path)),
                        None => (rest, None),
                    };
                    self.characters(own_type.clone(), &UCHAR);
                    match &own_path {
                        Some(path) => {
                            self.characters(path.clone(), &UCHAR);
                        }
                        None => {
                            self.problem(ProblemKind::MissingComponent, own_type.end..own_type.end);
                        }
                    }
                    (wtype, wpath) = (Some(own_type), own_path);
                }
            }
            database
        });
        Components::Wais {
            hostport,
            database,
            search,
            wtype,
            wpath,
        }
    }

    /// ```text
    /// prosperourl    = "prospero://" hostport "/" ppath *[ fieldspec ]
    /// ppath          = psegment *[ "/" psegment ]
    /// psegment       = *[ uchar | "?" | ":" | "@" | "&" | "=" ]
    /// ```
    pub(super) fn prosperourl(&mut self, rest: Part) -> Components {
        let (hostport, rest) = self.hostport_without_login(rest);
        let mut fields = Vec::new();
        let hsoname = self.path_after_slash(rest).map(|rest| {
            let (hsoname, mut specs) = self.ip_schemepart(rest, b";");
            self.fpath(hsoname.clone());
            while !specs.is_empty() {
                let (spec, rest) = self.ip_schemepart(specs.start + 1..specs.end, b";");
                fields.extend(self.fieldspec(spec));
                specs = rest;
            }
            hsoname
        });
        Components::Prospero {
            hostport,
            hsoname,
            fields,
        }
    }

    /// ```text
    /// fieldspec      = ";" fieldname "=" fieldvalue
    /// fieldname      = *[ uchar | "?" | ":" | "@" | "&" ]
    /// fieldvalue     = *[ uchar | "?" | ":" | "@" | "&" ]
    /// ```
    fn fieldspec(&mut self, spec: Part) -> Option<(Part, Part)> {
        let Some((name, value)) = self.split(spec.clone(), b'=') else {
            if self.characters(spec.clone(), &FIELD) {
                self.problem(ProblemKind::BadField, spec.start - 1..spec.end);
            }
            return None;
        };
        self.characters(name.clone(), &FIELD);
        self.characters(value.clone(), &FIELD);
        Some((name, value))
    }

    /// What follows the slash that must come after the host.
    fn path_after_slash(&mut self, rest: Part) -> Option<Part> {
        if self.url.get(rest.start) == Some(&b'/') {
            return Some(rest.start + 1..rest.end);
        }
        self.problem(ProblemKind::MissingPath, rest.start..rest.start);
        self.xchars(rest);
        None
    }
}
