//! http, https, ws, wss, ftp, telnet and gopher: the generic syntax with a host.

use super::super::{Components, Judge, Part, Problem, ProblemKind};

impl<F: FnMut(Problem)> Judge<'_, F> {
    /// RFC 9110, sections 4.2.1 and 4.2.2:
    /// ```text
    /// http-URI       = "http" "://" authority-nz path-abempty [ "?" query ]
    /// https-URI      = "https" "://" authority-nz path-abempty [ "?" query ]
    /// ```
    /// RFC 1738, sections 3.1 and 3.2, in the generic syntax:
    /// ```text
    /// ftp-URI        = "ftp:" "//" authority-nz path-abempty [ "?" query ]
    /// ```
    pub(in super::super) fn http_uri(&mut self, scheme: Part, rest: Part) -> Components {
        let components = self.generic(scheme, rest);
        self.authority_nz(scheme, components.host);
        components
    }

    /// ```text
    /// authority-nz   = [ userinfo "@" ] host-nz [ ":" port ]
    /// host-nz        = IP-literal / IPv4address / 1*( unreserved / pct-encoded / sub-delims )
    /// ```
    /// The authority itself has been judged; it must be present, and its host must not be empty.
    pub(super) fn authority_nz(&mut self, scheme: Part, host: Option<Part>) {
        match host {
            None => self.problem(ProblemKind::MissingSlashes, Part::at(scheme.end + 1)),
            Some(host) if host.is_empty() => self.problem(ProblemKind::EmptyHost, host),
            Some(_) => {}
        }
    }

    /// RFC 6455, section 3; a fragment must not be used:
    /// ```text
    /// ws-URI         = "ws:" "//" host-nz [ ":" port ] path-abempty [ "?" query ]
    /// wss-URI        = "wss:" "//" host-nz [ ":" port ] path-abempty [ "?" query ]
    /// ```
    pub(super) fn ws_uri(&mut self, scheme: Part, rest: Part) -> Components {
        let components = self.http_uri(scheme, rest);
        self.refuse_userinfo(&components);
        self.refuse_fragment(components.fragment);
        components
    }

    /// RFC 4248, section 2:
    /// ```text
    /// telnet-URI     = "telnet:" "//" authority-nz [ "/" ]
    /// ```
    pub(super) fn telnet_uri(&mut self, scheme: Part, rest: Part) -> Components {
        let components = self.http_uri(scheme, rest);
        self.refuse_query(components.query);
        if let (Some(_), Some(path)) = (components.host, components.path)
            && path.len() > 1
        {
            self.problem(ProblemKind::PathNotAllowed, path.skip(1));
        }
        components
    }

    /// RFC 4266, section 2.1:
    /// ```text
    /// gopher-URI     = "gopher:" "//" host-nz [ ":" port ] path-abempty [ "?" query ]
    /// ```
    pub(super) fn gopher_uri(&mut self, scheme: Part, rest: Part) -> Components {
        let components = self.http_uri(scheme, rest);
        self.refuse_userinfo(&components);
        components
    }
}
