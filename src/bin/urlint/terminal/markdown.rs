//! Markdown with styles for a terminal. The text stays as it is written.

const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const PLAIN: &str = "\x1b[0m";

/// Returns `text`, in Markdown, with headings in bold and code dim.
pub(crate) fn styled(text: &str) -> String {
    let mut styled = String::with_capacity(text.len());
    let (mut in_block, mut in_span) = (false, false);
    for line in text.lines() {
        let is_fence = line.starts_with("```");
        in_block ^= is_fence;
        if is_fence || in_block {
            add(&mut styled, DIM, line);
        } else if line.starts_with('#') {
            add(&mut styled, BOLD, line);
        } else {
            // A code span ends with its paragraph, even if nothing closes it.
            in_span &= !line.is_empty();
            for (index, part) in line.split('`').enumerate() {
                if index > 0 {
                    styled.push('`');
                    in_span = !in_span;
                }
                add(&mut styled, if in_span { DIM } else { "" }, part);
            }
        }
        styled.push('\n');
    }
    styled
}

fn add(styled: &mut String, style: &str, part: &str) {
    if style.is_empty() || part.is_empty() {
        styled.push_str(part);
    } else {
        styled.extend([style, part, PLAIN]);
    }
}

#[cfg(test)]
mod tests {
    use urlint::Rule;
    use urlint::manual::PAGES;

    use super::*;

    #[test]
    fn headings_and_code_have_styles() {
        let text = "# A `b`\n\nc `d` e `f\ng` h `i\n\nj\n\n```text\n# k\n```\nl\n";
        let expected = "\x1b[1m# A `b`\x1b[0m\n\nc `\x1b[2md\x1b[0m` e `\x1b[2mf\x1b[0m\n\
            \x1b[2mg\x1b[0m` h `\x1b[2mi\x1b[0m\n\nj\n\n\
            \x1b[2m```text\x1b[0m\n\x1b[2m# k\x1b[0m\n\x1b[2m```\x1b[0m\nl\n";
        assert_eq!(styled(text), expected);
    }

    #[test]
    fn styles_are_all_that_is_added() {
        let pages = PAGES.iter().map(|page| page.text);
        for text in pages.chain(Rule::ALL.iter().map(|rule| rule.documentation())) {
            let is_text = |c: char| c == '\n' || !c.is_control();
            assert!(text.chars().all(is_text), "{text}");
            let mut shown = styled(text);
            for style in [BOLD, DIM, PLAIN] {
                shown = shown.replace(style, "");
            }
            assert_eq!(shown.trim_end(), text.trim_end());
        }
    }
}
