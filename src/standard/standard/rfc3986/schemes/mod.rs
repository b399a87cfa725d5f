//! The schemes with productions of their own. Each function gets the scheme, and the text after its
//! colon.

mod file;
mod mailto;
mod news;
mod urn;
mod web;

use super::{Components, Judge, Part, Problem, ProblemKind};
use crate::text::named::named;

named! {
    /// The schemes whose RFCs require more than the generic syntax.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[expect(missing_docs, reason = "the names are the schemes")]
    #[non_exhaustive]
    pub enum Predefined {
        Http = "http",
        Https = "https",
        Ws = "ws",
        Wss = "wss",
        Ftp = "ftp",
        Telnet = "telnet",
        Gopher = "gopher",
        File = "file",
        Nntp = "nntp",
        News = "news",
        Mailto = "mailto",
        Urn = "urn",
    }
}

impl Predefined {
    /// Looks up `name`, ignoring case.
    ///
    /// ```
    /// use urlint::standard::rfc3986::Predefined;
    ///
    /// assert_eq!(Predefined::of(b"URN"), Some(Predefined::Urn));
    /// assert_eq!(Predefined::of(b"wais"), None);
    /// ```
    #[must_use]
    pub fn of(name: &[u8]) -> Option<Self> {
        let mut all = Predefined::ALL.iter().copied();
        all.find(|scheme| scheme.name().as_bytes().eq_ignore_ascii_case(name))
    }
}

impl<F: FnMut(Problem)> Judge<'_, F> {
    pub(super) fn predefined(
        &mut self,
        predefined: Predefined,
        scheme: Part,
        rest: Part,
    ) -> Components {
        match predefined {
            Predefined::Http | Predefined::Https | Predefined::Ftp => self.http_uri(scheme, rest),
            Predefined::Ws | Predefined::Wss => self.ws_uri(scheme, rest),
            Predefined::Telnet => self.telnet_uri(scheme, rest),
            Predefined::Gopher => self.gopher_uri(scheme, rest),
            Predefined::File => self.file_uri(scheme, rest),
            Predefined::Nntp => self.nntp_url(scheme, rest),
            Predefined::News => self.news_url(scheme, rest),
            Predefined::Mailto => self.mailto_uri(scheme, rest),
            Predefined::Urn => self.urn_name(scheme, rest),
        }
    }

    /// Reports `//` and an authority in a scheme that has none, and any characters in them that are
    /// allowed nowhere.
    fn refuse_authority(&mut self, part: Part) {
        self.problem(ProblemKind::AuthorityNotAllowed, part);
        self.characters(part, &super::ANY);
    }

    fn refuse_userinfo(&mut self, components: &Components) {
        if let Some(Part { start, end }) = components.userinfo() {
            let end = end + 1;
            self.problem(ProblemKind::UserinfoNotAllowed, Part { start, end });
        }
    }

    fn refuse_query(&mut self, query: Option<Part>) {
        if let Some(Part { start, end }) = query {
            let start = start - 1;
            self.problem(ProblemKind::QueryNotAllowed, Part { start, end });
        }
    }

    fn refuse_fragment(&mut self, fragment: Option<Part>) {
        if let Some(Part { start, end }) = fragment {
            let start = start - 1;
            self.problem(ProblemKind::FragmentNotAllowed, Part { start, end });
        }
    }
}
