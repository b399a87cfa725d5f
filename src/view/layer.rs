//! Layers: how text must be encoded to be put into a source.

/// An encoding that was decoded to get a view. Text that is put into the source must be encoded the
/// same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub enum Layer {
    /// Quoted-printable.
    QuotedPrintable,
    /// Character references of HTML and XML.
    References,
    /// An encoding in which visible ASCII characters are written as they are.
    Ascii,
    /// Markup in which all visible ASCII characters except these are written as they are.
    AsciiBut(&'static [u8]),
    /// An encoding in which no part of the text can be replaced alone, such as base64.
    Opaque,
}

impl Layer {
    /// Encodes `text` for the source; returns `None` if it cannot be written there.
    #[doc(hidden)]
    pub fn encode(self, text: &str) -> Option<String> {
        let as_is = |is_allowed: bool| is_allowed.then(|| text.to_owned());
        match self {
            Layer::QuotedPrintable => {
                let byte = |byte: u8| match byte {
                    b'!'..=b'<' | b'>'..=b'~' => char::from(byte).to_string(),
                    other => format!("={other:02X}"),
                };
                Some(text.bytes().map(byte).collect())
            }
            Layer::References => {
                let references = text.replace('&', "&amp;").replace('<', "&lt;");
                let references = references.replace('>', "&gt;").replace('"', "&quot;");
                Some(references.replace('\'', "&#39;"))
            }
            Layer::Ascii => as_is(text.bytes().all(|byte| byte.is_ascii_graphic())),
            Layer::AsciiBut(special) => {
                let is_plain = |byte: u8| byte.is_ascii_graphic() && !special.contains(&byte);
                as_is(text.bytes().all(is_plain))
            }
            Layer::Opaque => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodes() {
        let cases: [(Layer, &str, Option<&str>); 11] = [
            (Layer::QuotedPrintable, "a%7E", Some("a%7E")),
            (Layer::QuotedPrintable, "a=é b", Some("a=3D=C3=A9=20b")),
            (Layer::QuotedPrintable, "", Some("")),
            (
                Layer::References,
                "a&b<c>\"",
                Some("a&amp;b&lt;c&gt;&quot;"),
            ),
            (Layer::References, "&amp;", Some("&amp;amp;")),
            (Layer::Ascii, "%7E=&", Some("%7E=&")),
            (Layer::Ascii, "a b", None),
            (Layer::Ascii, "é", None),
            (Layer::AsciiBut(b"*&"), "%7E_", Some("%7E_")),
            (Layer::AsciiBut(b"*&"), "a*b", None),
            (Layer::Opaque, "", None),
        ];
        for (layer, text, encoded) in cases {
            assert_eq!(layer.encode(text).as_deref(), encoded, "{layer:?} {text:?}");
        }
    }
}
