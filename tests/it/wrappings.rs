//! A URL is the same whatever is around it.

use proptest::prelude::*;
use urlint_testing::tries;

use crate::support::wrappings::{comes_back, is_plain, is_the_same_everywhere};

fn url() -> impl Strategy<Value = String> {
    let url = "(https?|ftp)://[a-z0-9]{1,9}([.-][a-z0-9]{1,9}){0,3}(:[0-9]{1,5})?(/[A-Za-z0-9._~:@!$*+=%-]{0,9}){0,4}[?#]?[a-z0-9=.%-]{0,9}[a-z0-9/]";
    url.prop_filter("an end that may be text", |url| is_plain(url))
}

proptest! {
    #![proptest_config(tries(3_000))]

    #[test]
    fn a_url_comes_back_from_its_wrapping(url in url()) {
        comes_back(&url);
    }

    #[test]
    fn a_url_is_the_same_in_each_context(url in url()) {
        is_the_same_everywhere(&url);
    }
}
