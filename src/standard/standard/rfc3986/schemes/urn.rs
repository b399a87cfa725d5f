//! urn: RFC 8141, section 2.

use super::super::chars::{NID, PATH, PCHAR, QUERY};
use super::super::{Components, Judge, Part, Problem, ProblemKind};

impl<F: FnMut(Problem)> Judge<'_, F> {
    /// ```text
    /// urn-name       = assigned-name [ rq-components ]
    /// assigned-name  = "urn" ":" NID ":" NSS
    /// ```
    pub(super) fn urn_name(&mut self, scheme: Part, rest: Part) -> Components {
        let (components, path) = self.split(scheme, rest);
        if components.host.is_some() {
            self.refuse_authority(rest.before(path.start));
            self.characters(path, &PATH);
        } else {
            let (nid, nss) = path.cut(self.url, b':');
            self.nid(nid);
            match nss {
                Some(nss) => self.nss(nss),
                // If both are missing, one problem is enough.
                None if nid.is_empty() => {}
                None => self.problem(ProblemKind::MissingComponent, Part::at(nid.end)),
            }
        }
        if let Some(query) = components.query {
            self.rq_components(query);
        }
        self.fragment(components.fragment);
        components
    }

    /// ```text
    /// NID            = (alphanum) 0*30(ldh) (alphanum)
    /// ldh            = alphanum / "-"
    /// ```
    fn nid(&mut self, part: Part) {
        if part.is_empty() {
            self.problem(ProblemKind::MissingComponent, part);
            return;
        }
        let hyphen_at_edge =
            part.of(self.url).starts_with(b"-") || part.of(self.url).ends_with(b"-");
        let fits = (2..=32).contains(&part.len()) && !hyphen_at_edge;
        if self.characters(part, &NID) && !fits {
            self.problem(ProblemKind::BadNamespace, part);
        }
    }

    /// ```text
    /// NSS            = pchar *( pchar / "/" )
    /// ```
    fn nss(&mut self, part: Part) {
        self.after_pchar(part);
        self.characters(part, &PATH);
    }

    /// ```text
    /// rq-components  = [ "?+" r-component ] [ "?=" q-component ]
    /// r-component    = pchar *( pchar / "/" / "?" )
    /// q-component    = pchar *( pchar / "/" / "?" )
    /// ```
    /// `part` follows the first `?`. An r-component matches `?=` and the text after it as well.
    fn rq_components(&mut self, part: Part) {
        if let [b'+' | b'=', ..] = part.of(self.url) {
            self.after_pchar(part.skip(1));
        } else {
            let mark = part.starting_at(part.start - 1);
            self.problem(ProblemKind::ReservedCharacter, mark.before(part.start));
        }
        self.characters(part, &QUERY);
    }

    /// Reports that `part` is empty, or that it begins with a character that is not a `pchar` but
    /// may come later in its component: `/` or `?`.
    fn after_pchar(&mut self, part: Part) {
        match part.of(self.url) {
            [] => self.problem(ProblemKind::MissingComponent, part),
            [b'/' | b'?', ..] => {
                self.characters(part.before(part.start + 1), &PCHAR);
            }
            _ => {}
        }
    }
}
