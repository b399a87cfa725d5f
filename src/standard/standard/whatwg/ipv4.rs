//! IPv4 addresses (the standard's IPv4 parser).

use super::{Part, Problem, ProblemKind, ValidationError};

/// Returns whether `name`, an ASCII domain, ends in a number, and is therefore an IPv4 address or
/// invalid: whether its last label, apart from an empty one, is a number.
pub(super) fn ends_in_number(name: &[u8]) -> bool {
    let name = name.strip_suffix(b".").unwrap_or(name);
    let last = match memchr::memrchr(b'.', name) {
        Some(dot) => &name[dot + 1..],
        None => name,
    };
    // Most labels begin with a letter.
    last.first().is_some_and(u8::is_ascii_digit)
        && (last.iter().all(u8::is_ascii_digit) || number(last).is_some())
}

/// Parses `name`, an ASCII domain that ends in a number. Passes each problem, with its place, to
/// `report`; there is no address if one of these is a failure.
pub(super) fn parse(name: &[u8], mut report: impl FnMut(Problem)) -> Option<u32> {
    let all = Part::all(name);
    let mut problem = |error: ValidationError, is_failure, kind, part| {
        report(error.at(kind, part, is_failure));
    };
    let mut end = name.len();
    if name.ends_with(b".") {
        end -= 1;
        let dot = Part::new(end, end + 1);
        let error = ValidationError::Ipv4EmptyPart;
        problem(error, false, ProblemKind::BadHost, dot);
    }
    let dots = memchr::memchr_iter(b'.', &name[..end]).take(4).count();
    if dots > 3 {
        let error = ValidationError::Ipv4TooManyParts;
        problem(error, true, ProblemKind::BadHost, all);
        return None;
    }
    let mut numbers = [0; 4];
    let mut start = 0;
    let labels = name[..end].split(|&byte| byte == b'.');
    let mut parts = [(Part::default(), None); 4];
    for (slot, label) in parts.iter_mut().zip(labels) {
        *slot = (Part::new(start, start + label.len()), number(label));
        start += label.len() + 1;
    }
    let parts = &parts[..=dots];
    // That something is not a number says more about the same place.
    let is_said = parts
        .iter()
        .any(|(part, number)| *part == all && number.is_none());
    if dots < 3 && !is_said {
        let error = ValidationError::Ipv4TooFewParts;
        problem(error, false, ProblemKind::BadHost, all);
    }
    for (&(part, number), value) in parts.iter().zip(&mut numbers) {
        let Some(number) = number else {
            let error = ValidationError::Ipv4NonNumericPart;
            problem(error, true, ProblemKind::BadHost, part);
            return None;
        };
        if !number.is_decimal {
            let error = ValidationError::Ipv4NonDecimalPart;
            problem(error, false, ProblemKind::Ipv4LeadingZero, part);
        }
        *value = number.value;
    }
    let limit = 1 << (8 * (4 - dots));
    let mut address = Some(0);
    for (i, (&(part, _), value)) in parts.iter().zip(numbers).enumerate() {
        let is_failure = value >= if i == dots { limit } else { 256 };
        if value > 255 {
            let error = ValidationError::Ipv4OutOfRangePart;
            problem(error, is_failure, ProblemKind::Ipv4Range, part);
        }
        address = address.filter(|_| !is_failure);
        let shift = if i == dots { 0 } else { 24 - 8 * i };
        address = address.map(|address| address + ((value as u32) << shift));
    }
    address
}

#[derive(Clone, Copy)]
struct Number {
    /// At most the greatest number of 64 bits.
    value: u64,
    is_decimal: bool,
}

/// Returns the number that `part` is, if it is one (the standard's IPv4 number parser).
fn number(part: &[u8]) -> Option<Number> {
    let (digits, radix) = match part {
        [] => return None,
        [b'0', b'x' | b'X', digits @ ..] => (digits, 16),
        [b'0', digits @ ..] if !digits.is_empty() => (digits, 8),
        digits => (digits, 10),
    };
    let mut value = 0_u64;
    for &digit in digits {
        let digit = char::from(digit).to_digit(radix)?;
        value = value
            .saturating_mul(radix.into())
            .saturating_add(digit.into());
    }
    Some(Number {
        value,
        is_decimal: radix == 10,
    })
}
