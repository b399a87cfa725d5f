//! Runs the checks of the rules that are selected.

use super::report::Report;
use super::rule::{Rule, rule_table};
use super::selection::bit;
use super::url::Url;
use super::{
    context, differential, elsewhere, escapes, host, link, normal, path, port, problem, reference,
    scheme, schemes, slip, unicode, userinfo,
};

/// Checks a URL for one rule.
type Check = fn(&Url<'_>, &mut Report<'_>);

macro_rules! functions {
    ($($group:ident {$(
        $(#[doc = $doc:literal])+
        $variant:ident = $name:literal, $severities:tt,
            $detector:ident $(($($what:tt)+))?
            $(, $section:literal)? $(, uri $uri:literal)? $(, web $web:literal)?
            $(, shares $shared:literal)?
            $(=> $check:path)?;
    )+})+) => {
        /// For each rule, its check if it has one.
        pub(super) static CHECKS: [&[Check]; Rule::ALL.len()] = [$($(&[$($check)?]),+),+];
    };
}

rule_table!(functions);

/// Runs the checks that `report` selects; `is_own` says that the user has added the URL's scheme.
pub(super) fn run_checks(url: &Url<'_>, is_own: bool, report: &mut Report<'_>) {
    if url.is_data() {
        return;
    }
    context::flags(url, report);
    // An empty candidate has already been reported as such.
    if !url.text.is_empty() {
        problem::grammar(url, report);
    }
    if !url.standard.has_fragments() {
        problem::fragment(url, report);
    }
    let mut chosen = report.checks(url.standard);
    if is_own {
        chosen &= !bit(Rule::SchemeLookalike);
    }
    while let Some(checks) = CHECKS.get(chosen.trailing_zeros() as usize) {
        chosen &= chosen - 1;
        checks.iter().for_each(|check| check(url, report));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use urlint_standard::standard::Standard;

    #[test]
    fn rules_have_a_check_where_the_table_says_so() {
        for &rule in Rule::ALL {
            let is_expected = Standard::ALL
                .iter()
                .any(|&standard| rule.has_check(standard));
            assert_eq!(
                CHECKS[rule as usize].len(),
                usize::from(is_expected),
                "{rule}"
            );
        }
    }
}
