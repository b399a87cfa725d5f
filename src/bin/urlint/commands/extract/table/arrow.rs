//! Apache Arrow's IPC streaming format:
//! <https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc>.
//!
//! A message is four bytes FF, the length of its header in 32 bits, the header as a flatbuffer, and a
//! body; all of these end at multiples of eight bytes. The first message has the schema, each of the
//! others a record batch, whose body is buffers laid out like [Columns] in memory.

use std::io;

use flatbuffers::{FlatBufferBuilder, Push, TableFinishedWIPOffset, VOffsetT, WIPOffset};
use urlint::list::DataType;

use super::columns::{Cells, Columns, Offsets, Values};
use super::{Column, Encoder, METADATA};

/// How many rows, and about how many bytes, are in a record batch, for which its reader waits.
const LIMITS: (usize, usize) = (16 * 1024, 8 << 20);

/// What every message begins with.
const CONTINUATION: [u8; 4] = [0xFF; 4];

/// Encodes record batches.
pub(super) struct Arrow;

impl Arrow {
    /// Encodes the schema.
    pub(super) fn new(columns: &[Column], out: &mut Vec<u8>) -> Self {
        push_message(out, MessageKind::Schema, &[], |builder| {
            schema(builder, columns)
        });
        Arrow
    }
}

impl Encoder for Arrow {
    fn limits(&self) -> (usize, usize) {
        LIMITS
    }

    fn rows(&mut self, columns: &mut Columns, out: &mut Vec<u8>) -> io::Result<()> {
        let mut batch = RecordBatch::default();
        for cells in &columns.columns {
            batch.column(cells, columns.rows);
        }
        push_message(out, MessageKind::RecordBatch, &batch.body, |builder| {
            batch.header(builder, columns.rows)
        });
        columns.clear();
        Ok(())
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> io::Result<()> {
        out.extend_from_slice(&CONTINUATION);
        out.extend_from_slice(&[0; 4]);
        Ok(())
    }
}

type Builder = FlatBufferBuilder<'static>;
type Offset = WIPOffset<TableFinishedWIPOffset>;

/// `MessageHeader` of Message.fbs.
#[derive(Clone, Copy)]
enum MessageKind {
    Schema = 1,
    RecordBatch = 3,
}

/// `MetadataVersion` of Schema.fbs: the one since Arrow 1.0.
const V5: i16 = 4;

/// Adds a message with the header that `header` builds.
fn push_message(
    out: &mut Vec<u8>,
    kind: MessageKind,
    body: &[u8],
    header: impl FnOnce(&mut Builder) -> Offset,
) {
    let mut builder = Builder::new();
    let header = header(&mut builder);
    let message = table(&mut builder, |message| {
        message.set(3, body.len() as i64);
        message.set(2, header);
        message.set(0, V5);
        message.set(1, kind as u8);
    });
    builder.finish_minimal(message);
    let header = builder.finished_data();
    let length = header.len().next_multiple_of(8);
    out.extend_from_slice(&CONTINUATION);
    out.extend_from_slice(&(length as u32).to_le_bytes());
    out.extend_from_slice(header);
    out.resize(out.len() + length - header.len(), 0);
    out.extend_from_slice(body);
}

/// Builds a table of Schema.fbs or Message.fbs.
fn table(builder: &mut Builder, fields: impl FnOnce(&mut TableFields<'_>)) -> Offset {
    let start = builder.start_table();
    fields(&mut TableFields(builder));
    builder.end_table(start)
}

/// The fields of a table that is being built.
struct TableFields<'b>(&'b mut Builder);

impl TableFields<'_> {
    /// Sets the field that has this number in its table.
    fn set(&mut self, number: VOffsetT, value: impl Push) {
        // Two numbers of 16 bits stand before those of the fields.
        self.0.push_slot_always(4 + 2 * number, value);
    }
}

fn schema(builder: &mut Builder, columns: &[Column]) -> Offset {
    let fields: Vec<_> = columns
        .iter()
        .map(|column| field_of(builder, column))
        .collect();
    let fields = builder.create_vector(&fields);
    let metadata = METADATA.map(|(key, value)| {
        let (key, value) = (builder.create_string(key), builder.create_string(value));
        table(builder, |pair| {
            pair.set(0, key);
            pair.set(1, value);
        })
    });
    let metadata = builder.create_vector(&metadata);
    // The order of bytes is 0 by default, the lowest first.
    table(builder, |schema| {
        schema.set(1, fields);
        schema.set(2, metadata);
    })
}

/// `Type` of Schema.fbs.
#[derive(Clone, Copy)]
enum TypeKind {
    Int = 2,
    Utf8 = 5,
    Bool = 6,
    Timestamp = 10,
    List = 12,
    Struct = 13,
}

/// `TimeUnit` of Schema.fbs.
const MICROSECOND: i16 = 2;

fn field_of(builder: &mut Builder, column: &Column) -> Offset {
    let Column {
        name,
        data_type,
        is_optional,
    } = *column;
    match data_type {
        DataType::Number => field(builder, name, TypeKind::Int, is_optional, &[]),
        DataType::Time => field(builder, name, TypeKind::Timestamp, is_optional, &[]),
        DataType::Flag => field(builder, name, TypeKind::Bool, is_optional, &[]),
        DataType::Texts => {
            let item = field(builder, "item", TypeKind::Utf8, false, &[]);
            field(builder, name, TypeKind::List, false, &[item])
        }
        DataType::Ranges => {
            let ends = ["start", "end"].map(|name| field(builder, name, TypeKind::Int, false, &[]));
            let item = field(builder, "item", TypeKind::Struct, false, &ends);
            field(builder, name, TypeKind::List, false, &[item])
        }
        _ => field(builder, name, TypeKind::Utf8, is_optional, &[]),
    }
}

fn field(
    builder: &mut Builder,
    name: &str,
    kind: TypeKind,
    is_nullable: bool,
    children: &[Offset],
) -> Offset {
    let name = builder.create_string(name);
    let children = builder.create_vector(children);
    let utc = builder.create_shared_string("UTC");
    let data_type = table(builder, |data_type| match kind {
        TypeKind::Int => {
            let (bits, is_signed) = (64_i32, true);
            data_type.set(0, bits);
            data_type.set(1, is_signed);
        }
        TypeKind::Timestamp => {
            data_type.set(1, utc);
            data_type.set(0, MICROSECOND);
        }
        TypeKind::Utf8 | TypeKind::Bool | TypeKind::List | TypeKind::Struct => {}
    });
    table(builder, |field| {
        field.set(0, name);
        field.set(3, data_type);
        field.set(5, children);
        field.set(1, is_nullable);
        field.set(2, kind as u8);
    })
}

/// A record batch that is being encoded.
#[derive(Default)]
struct RecordBatch {
    /// How many values each array has, and how many of them are absent.
    arrays: Vec<[i64; 2]>,
    /// Where each buffer is in the body, and its length.
    buffers: Vec<[i64; 2]>,
    body: Vec<u8>,
}

impl RecordBatch {
    fn header(&self, builder: &mut Builder, rows: usize) -> Offset {
        let buffers = pairs(builder, &self.buffers);
        let arrays = pairs(builder, &self.arrays);
        table(builder, |batch| {
            batch.set(0, rows as i64);
            batch.set(1, arrays);
            batch.set(2, buffers);
        })
    }

    fn column(&mut self, cells: &Cells, rows: usize) {
        if let Some(lists) = &cells.lists {
            self.array(rows, None);
            self.offsets(lists);
        }
        let present = cells.present.as_deref();
        match &cells.values {
            Values::Texts(texts) => {
                self.array(texts.offsets.0.len() - 1, present);
                self.offsets(&texts.offsets);
                self.buffer(|body| body.extend_from_slice(&texts.bytes));
            }
            Values::Numbers(numbers) | Values::Times(numbers) => self.numbers(numbers, present),
            Values::Flags(flags) => {
                self.array(flags.len(), present);
                self.buffer(|body| push_bits(body, flags));
            }
            Values::Ranges(starts, ends) => {
                self.array(starts.len(), None);
                self.numbers(starts, None);
                self.numbers(ends, None);
            }
        }
    }

    /// Begins an array of `length` values, with the buffer that says which are present. It is empty if
    /// all are.
    fn array(&mut self, length: usize, present: Option<&[bool]>) {
        let absent = |present: &&[bool]| present.iter().filter(|&&present| !present).count();
        let absent = present.as_ref().map_or(0, absent);
        self.arrays.push([length as i64, absent as i64]);
        let present = present.filter(|_| absent > 0);
        self.buffer(|body| push_bits(body, present.unwrap_or_default()));
    }

    fn numbers(&mut self, numbers: &[i64], present: Option<&[bool]>) {
        self.array(numbers.len(), present);
        self.buffer(|body| body.extend(numbers.iter().flat_map(|number| number.to_le_bytes())));
    }

    fn offsets(&mut self, offsets: &Offsets) {
        let Offsets(offsets) = offsets;
        self.buffer(|body| body.extend(offsets.iter().flat_map(|offset| offset.to_le_bytes())));
    }

    fn buffer(&mut self, fill: impl FnOnce(&mut Vec<u8>)) {
        let start = self.body.len();
        fill(&mut self.body);
        let length = self.body.len() - start;
        self.buffers.push([start as i64, length as i64]);
        self.body.resize(self.body.len().next_multiple_of(8), 0);
    }
}

/// Bits, the lowest of each byte first.
fn push_bits(out: &mut Vec<u8>, bits: &[bool]) {
    out.extend(bits.chunks(8).map(|bits| {
        let bits = bits.iter().enumerate();
        bits.fold(0, |byte, (index, &bit)| byte | u8::from(bit) << index)
    }));
}

/// Builds a vector of structs, each of which is two numbers.
fn pairs(
    builder: &mut Builder,
    pairs: &[[i64; 2]],
) -> WIPOffset<flatbuffers::Vector<'static, i64>> {
    builder.start_vector::<i64>(2 * pairs.len());
    for number in pairs.as_flattened().iter().rev() {
        builder.push(*number);
    }
    builder.end_vector::<i64>(pairs.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_fill_bytes() {
        let mut out = Vec::new();
        let bits = [true, false, true, true, false, false, false, false, true];
        push_bits(&mut out, &bits);
        assert_eq!(out, [0b1101, 1]);
    }

    #[test]
    fn messages_are_aligned_and_complete() {
        let column = |name, data_type, is_optional| Column {
            is_optional,
            ..Column::new(name, data_type)
        };
        let columns = [
            column("a", DataType::Text, true),
            column("b", DataType::Ranges, false),
            column("c", DataType::Flag, true),
        ];
        let mut out = Vec::new();
        let mut arrow = Arrow::new(&columns, &mut out);
        let mut rows = Columns::new(&columns);
        // An `x` with a range, and nothing.
        for packed in [&[2, b'x', 1, 2, 0, 2][..], &[0, 0, 0]] {
            assert_eq!(rows.take(packed), b"");
        }
        assert!(arrow.rows(&mut rows, &mut out).is_ok());
        assert!(arrow.finish(&mut out).is_ok());
        let number = |at: usize| {
            let bytes = out[at..at + 4].try_into().unwrap_or_default();
            u32::from_le_bytes(bytes) as usize
        };
        let mut lengths = Vec::new();
        let mut at = 0;
        while number(at + 4) > 0 {
            assert_eq!(out[at..at + 4], CONTINUATION);
            assert_eq!(number(at + 4) % 8, 0);
            let body = at + 8 + number(at + 4);
            // The body is what is left before the next message.
            let next = (body..out.len()).find(|&at| out[at..].starts_with(&CONTINUATION));
            at = next.unwrap_or(out.len());
            assert_eq!(at % 8, 0);
            lengths.push(at - body);
        }
        assert_eq!(out.len(), at + 8);
        // In eights: which are present, 3 offsets and `x`; the offsets of lists, and two numbers; which
        // are present and which are true.
        assert_eq!(lengths, [0, 8 * (1 + 2 + 1 + 2 + 2 + 1 + 1)]);
    }
}
