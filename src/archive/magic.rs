//! Formats, recognised by the first bytes of a file.

use super::bzip2::BZIP2;

/// The format of a compressed file or an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Compressed(Method),
    Tar,
    Zip,
    /// WARC, version 0.17 and later, also in the forms WET and WAT.
    Warc,
    /// ARC, the web archives before WARC.
    Arc,
    #[cfg(feature = "pdf")]
    Pdf,
    /// A format that is not supported, described in words.
    Unsupported(&'static str),
}

/// A compression format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Gzip,
    Zstd,
    Xz,
    Bzip2,
    Lz4,
    /// The format of `lzma`, the predecessor of xz.
    Lzma,
}

/// A format that is not supported, and the program that converts it to a supported one.
macro_rules! unsupported {
    ($format:literal, bsdtar) => {
        Format::Unsupported(concat!($format, " (bsdtar -cf - @FILE converts it to tar)"))
    };
}

/// The first bytes of formats.
const MAGIC: [(&[u8], Format); 23] = [
    (b"\x1f\x8b\x08", Format::Compressed(Method::Gzip)),
    (b"\x28\xb5\x2f\xfd", Format::Compressed(Method::Zstd)),
    (b"\xfd7zXZ\0", Format::Compressed(Method::Xz)),
    (b"\x04\x22\x4d\x18", Format::Compressed(Method::Lz4)),
    (
        b"\x1f\x9d",
        Format::Unsupported("a file of compress (zcat FILE unpacks it)"),
    ),
    (b"PK\x03\x04", Format::Zip),
    (b"PK\x05\x06", Format::Zip),
    (b"PK00PK\x03\x04", Format::Zip),
    (b"WARC/0.", Format::Warc),
    (b"WARC/1.", Format::Warc),
    (b"WARC/2.", Format::Warc),
    (b"filedesc://", Format::Arc),
    (
        b"!<arch>\ndebian-binary",
        unsupported!("a Debian package", bsdtar),
    ),
    (
        b"!<arch>\n",
        Format::Unsupported("an ar archive (ar p FILE prints its members)"),
    ),
    (b"7z\xbc\xaf\x27\x1c", unsupported!("a 7z archive", bsdtar)),
    (b"Rar!\x1a\x07", unsupported!("a RAR archive", bsdtar)),
    (b"LZIP\x01", Format::Unsupported("an lzip file")),
    (b"\x89LZO\0\r\n\x1a\n", Format::Unsupported("an lzop file")),
    (b"MSCF\0\0\0\0", unsupported!("a cabinet", bsdtar)),
    (
        b"!BDN",
        Format::Unsupported("an Outlook mailbox (readpst converts it to mbox)"),
    ),
    (
        b"ZIM\x04",
        Format::Unsupported("a ZIM archive (zimdump dump --dir=FOLDER FILE unpacks it)"),
    ),
    (b"xar!\0\x1c", unsupported!("a xar archive", bsdtar)),
    (b"\xed\xab\xee\xdb", unsupported!("an RPM package", bsdtar)),
];

impl Format {
    /// Returns whether it is a document, which may be read as a kind that is given.
    pub(super) fn is_document(self) -> bool {
        match self {
            #[cfg(feature = "pdf")]
            Format::Pdf => true,
            _ => false,
        }
    }

    /// Returns the format of a file that begins with `head`, up to 1024 bytes of it; `None` if it
    /// is none of these.
    pub(super) fn of(head: &[u8]) -> Option<Format> {
        let known = MAGIC.iter().find(|(magic, _)| head.starts_with(magic));
        match known {
            Some((_, Format::Zip)) if !has_fields(head) => None,
            Some(&(_, format)) => Some(format),
            #[cfg(feature = "pdf")]
            None if is_pdf(head) => Some(Format::Pdf),
            None if BZIP2.is_at(head) => Some(Format::Compressed(Method::Bzip2)),
            None if is_skippable(head) => Some(Format::Compressed(Method::Zstd)),
            None if is_tar(head) => Some(Format::Tar),
            None if is_cpio(head) => Some(unsupported!("a cpio archive", bsdtar)),
            None if is_lzma(head) => Some(Format::Compressed(Method::Lzma)),
            None => None,
        }
    }
}

/// Returns whether `head` is that of a PDF. Behind other bytes, up to 1024 of them, a line of bytes that are no text must
/// follow its mark (ISO 32000-2, section 7.5.2).
#[cfg(feature = "pdf")]
fn is_pdf(head: &[u8]) -> bool {
    const MARK: &[u8] = b"%PDF-";
    head.starts_with(MARK)
        || memchr::memmem::find(&head[..head.len().min(1024)], MARK).is_some_and(|at| {
            let lines = head[at..].split(|byte| matches!(byte, b'\r' | b'\n'));
            let next = lines.skip(1).find(|line| !line.is_empty());
            next.is_some_and(|line| line.starts_with(b"%") && str::from_utf8(line).is_err())
        })
}

/// Returns whether a NUL is among the fields that follow the mark of a zip archive, whose numbers are small:
/// text may begin with the mark.
fn has_fields(head: &[u8]) -> bool {
    memchr::memchr(0, &head[..head.len().min(30)]).is_some()
}

/// Returns whether `head` is a skippable frame (RFC 8878, section 3.1.2), which may come before the
/// others.
fn is_skippable(head: &[u8]) -> bool {
    matches!(head, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

/// Returns whether `head` is a header as LZMA encoders write it: the usual properties, a usual
/// dictionary size, an unknown or plausible length, and 0 as the first byte of the code.
fn is_lzma(head: &[u8]) -> bool {
    let Some(&[0x5d, d0, d1, d2, d3, ref length @ .., 0]) = head.first_chunk::<14>() else {
        return false;
    };
    let dictionary = u32::from_le_bytes([d0, d1, d2, d3]);
    let length = u64::from_le_bytes(*length);
    let is_usual = dictionary.count_ones() == 1
        || dictionary == u32::MAX
        || dictionary == 3 << dictionary.trailing_zeros().min(30);
    is_usual && dictionary >= 4096 && (length == u64::MAX || length < 1 << 38)
}

/// Returns whether `head` begins with a cpio header: hexadecimal digits, octal digits, or 16-bit
/// words in either byte order, with some zeros. The magic digits alone are not enough, since text
/// may begin with them.
fn is_cpio(head: &[u8]) -> bool {
    let is_digits = |length: usize, radix: u32| {
        let mut digits = head.iter().take(length);
        head.len() >= length && digits.all(|&digit| char::from(digit).is_digit(radix))
    };
    match head {
        [b'0', b'7', b'0', b'7', b'0', b'1' | b'2', ..] => is_digits(110, 16),
        [b'0', b'7', b'0', b'7', b'0', b'7', ..] => is_digits(76, 8),
        [0xc7, 0x71, ..] | [0x71, 0xc7, ..] => head.iter().take(26).any(|&byte| byte == 0),
        _ => false,
    }
}

/// Returns whether `head` is a header of tar with the right checksum; old archives have no other
/// mark.
fn is_tar(head: &[u8]) -> bool {
    let Some(head) = head.first_chunk::<512>() else {
        return false;
    };
    // Text has letters where the number is.
    if head[148..156]
        .iter()
        .take_while(|&&byte| byte != 0)
        .any(u8::is_ascii_alphabetic)
    {
        return false;
    }
    let mut header = tar::Header::new_old();
    *header.as_mut_bytes() = *head;
    let stored = header.cksum().ok();
    header.set_cksum();
    stored.is_some() && stored == header.cksum().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_formats() {
        let cases: [(&[u8], Option<Format>); 13] = [
            (b"PK\x03\x04 begins a zip archive, they say", None),
            (b"PK\x03\x04\x14\0\x08\x08", Some(Format::Zip)),
            (b"BZh91AY&SY\x01", Some(Format::Compressed(Method::Bzip2))),
            (b"BZh9 is how bzip2 begins", None),
            (b"\x1f\x8b", None),
            (
                b"\x50\x2a\x4d\x18\0\0\0\0",
                Some(Format::Compressed(Method::Zstd)),
            ),
            (b"WARC/1.0\r\n", Some(Format::Warc)),
            (b"WARC/ files", None),
            (b"filedesc://a.arc 0.0.0.0", Some(Format::Arc)),
            (
                b"\x1f\x9d\x90",
                Some(Format::Unsupported(
                    "a file of compress (zcat FILE unpacks it)",
                )),
            ),
            (b"#! rnews 12\n", None),
            (&[b' '; 600], None),
            (b"", None),
        ];
        for (head, format) in cases {
            assert_eq!(Format::of(head), format, "{head:?}");
        }
    }

    #[cfg(feature = "pdf")]
    #[test]
    fn a_pdf_may_begin_late() {
        let cases: [(&[u8], bool); 6] = [
            (b"%PDF-1.4\n1 0 obj", true),
            (
                b"HTTP/1.1 200 OK\r\n\r\n%PDF-1.4\r\n%\xe2\xe3\xcf\xd3\r\n",
                true,
            ),
            (b"\xef\xbb\xbf%PDF-1.4\r%\xe2\xe3\xcf\xd3", true),
            (b"The header is %PDF-1.4, then\n%\xc3\xa9\n", false),
            (
                "The header\n\n%PDF-1.4\n%\u{e2}\u{e3}\u{cf}\u{d3}\n".as_bytes(),
                false,
            ),
            (b"The header\n\n%PDF-1.4\n1 0 obj\n", false),
        ];
        for (head, expected) in cases {
            assert_eq!(Format::of(head) == Some(Format::Pdf), expected, "{head:?}");
        }
        let late = [&[b' '; 1100][..], b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"].concat();
        assert_eq!(Format::of(&late), None);
    }

    #[test]
    fn zeros_are_no_tar() {
        assert_eq!(Format::of(&[0; 1024]), None);
    }
}
