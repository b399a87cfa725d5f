//! The header of a 7z archive: what is packed where, and the names of the members.
//!
//! All counts are held against the bytes that are there, so that little is allocated for a short file.

/// The greatest number of members of an archive that is read.
const MAX_MEMBERS: usize = 1 << 22;

/// The greatest number of folders.
const MAX_FOLDERS: usize = 1 << 20;

/// The greatest number of coders of a folder.
const MAX_CODERS: usize = 32;

/// Properties that stand before what they describe.
mod property {
    pub(super) const END: u64 = 0x00;
    pub(super) const HEADER: u64 = 0x01;
    pub(super) const ARCHIVE_PROPERTIES: u64 = 0x02;
    pub(super) const MAIN_STREAMS: u64 = 0x04;
    pub(super) const FILES: u64 = 0x05;
    pub(super) const PACK: u64 = 0x06;
    pub(super) const UNPACK: u64 = 0x07;
    pub(super) const SUBSTREAMS: u64 = 0x08;
    pub(super) const SIZE: u64 = 0x09;
    pub(super) const CHECKSUM: u64 = 0x0a;
    pub(super) const FOLDER: u64 = 0x0b;
    pub(super) const CODERS_SIZE: u64 = 0x0c;
    pub(super) const COUNT: u64 = 0x0d;
    pub(super) const EMPTY_STREAM: u64 = 0x0e;
    pub(super) const EMPTY_FILE: u64 = 0x0f;
    pub(super) const NAMES: u64 = 0x11;
    pub(super) const ATTRIBUTES: u64 = 0x15;
    pub(super) const ENCODED_HEADER: u64 = 0x17;
}

/// A header, which may be packed itself.
#[derive(Debug)]
pub(super) enum Header {
    Plain(Vec<Folder>, Vec<Member>),
    Packed(Folder),
}

/// A stream of bytes that are packed together, of one member or several.
#[derive(Clone, Debug, Default)]
pub(super) struct Folder {
    /// What unpacks it, in the order in which the bytes go through; empty if that is not one row.
    pub(super) coders: Vec<Coder>,
    /// Where the packed bytes are, counted from the end of the signature header.
    pub(super) start: u64,
    pub(super) packed: u64,
    /// The streams in it.
    pub(super) streams: Vec<Stream>,
    /// How many packed streams it takes.
    inputs: usize,
    /// The index of the coder that gives what is unpacked.
    last: usize,
    checksum: Option<u32>,
}

/// A step of unpacking.
#[derive(Clone, Debug, Default)]
pub(super) struct Coder {
    pub(super) method: Vec<u8>,
    pub(super) properties: Vec<u8>,
    /// How many bytes it gives.
    pub(super) size: u64,
    /// Its place among the coders, by which others refer to it.
    index: usize,
}

/// The bytes of a member.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stream {
    pub(super) size: u64,
    /// Their CRC-32.
    pub(super) checksum: Option<u32>,
}

/// A member.
#[derive(Clone, Debug, Default)]
pub(super) struct Member {
    pub(super) name: Vec<u8>,
    /// Whether it has bytes.
    pub(super) has_stream: bool,
    pub(super) is_folder: bool,
    pub(super) is_symlink: bool,
}

impl Header {
    /// The header that `bytes` are, or `None` if they are none.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        let mut fields = Fields(bytes);
        match fields.number()? {
            property::ENCODED_HEADER => {
                let folder = fields.streams()?.into_iter().next()?;
                Some(Header::Packed(folder))
            }
            property::HEADER => fields.header(),
            _ => None,
        }
    }
}

/// The rest of a header.
struct Fields<'h>(&'h [u8]);

impl<'h> Fields<'h> {
    fn take(&mut self, count: usize) -> Option<&'h [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    /// A number of up to nine bytes; as many follow on the first one as it has leading ones.
    fn number(&mut self) -> Option<u64> {
        let first = self.byte()?;
        let more = first.leading_ones();
        let mut bytes = [0; 8];
        bytes[..more as usize].copy_from_slice(self.take(more as usize)?);
        let high = u64::from(first) & (0x7f_u64 >> more);
        Some(u64::from_le_bytes(bytes) | high.checked_shl(8 * more).unwrap_or(0))
    }

    /// The number of things of which each takes a byte or at least a bit of what follows.
    fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= 8 * self.0.len()).then_some(count)
    }

    fn word(&mut self) -> Option<u32> {
        let bytes = self.take(4)?;
        Some(u32::from_le_bytes(*bytes.first_chunk()?))
    }

    /// So many bits, the highest of a byte first.
    fn bits(&mut self, count: usize) -> Option<Vec<bool>> {
        let bytes = self.take(count.div_ceil(8))?;
        let bit = |at: usize| bytes[at / 8] & (0x80 >> (at % 8)) != 0;
        Some((0..count).map(bit).collect())
    }

    /// So many bits, or a byte that says that all are set.
    fn bits_or_all(&mut self, count: usize) -> Option<Vec<bool>> {
        match self.byte()? {
            0 => self.bits(count),
            _ => Some(vec![true; count]),
        }
    }

    fn checksums(&mut self, count: usize) -> Option<Vec<Option<u32>>> {
        let defined = self.bits_or_all(count)?;
        let mut checksums = Vec::new();
        for is_defined in defined {
            checksums.push(if is_defined { Some(self.word()?) } else { None });
        }
        Some(checksums)
    }

    fn header(&mut self) -> Option<Header> {
        let (mut folders, mut members) = (Vec::new(), Vec::new());
        loop {
            match self.number()? {
                property::END => return Some(Header::Plain(folders, members)),
                property::ARCHIVE_PROPERTIES => {
                    while self.number()? != property::END {
                        let size = usize::try_from(self.number()?).ok()?;
                        self.take(size)?;
                    }
                }
                property::MAIN_STREAMS => folders = self.streams()?,
                property::FILES => members = self.files()?,
                _ => return None,
            }
        }
    }

    fn streams(&mut self) -> Option<Vec<Folder>> {
        let (mut start, mut sizes, mut folders) = (0, Vec::new(), Vec::new());
        let mut has_streams = false;
        loop {
            match self.number()? {
                property::END => break,
                property::PACK => (start, sizes) = self.packed()?,
                property::UNPACK => folders = self.folders()?,
                property::SUBSTREAMS => {
                    self.substreams(&mut folders)?;
                    has_streams = true;
                }
                _ => return None,
            }
        }
        let mut sizes = sizes.into_iter();
        for folder in &mut folders {
            folder.start = start;
            for _ in 0..folder.inputs {
                folder.packed = sizes.next()?;
                start = start.checked_add(folder.packed)?;
            }
            if !has_streams {
                folder.streams = vec![folder.whole()];
            }
        }
        Some(folders)
    }

    fn packed(&mut self) -> Option<(u64, Vec<u64>)> {
        let start = self.number()?;
        let count = self.count()?;
        let mut sizes = Vec::new();
        loop {
            match self.number()? {
                property::END => return Some((start, sizes)),
                property::SIZE => {
                    for _ in 0..count {
                        sizes.push(self.number()?);
                    }
                }
                property::CHECKSUM => {
                    self.checksums(count)?;
                }
                _ => return None,
            }
        }
    }

    fn folders(&mut self) -> Option<Vec<Folder>> {
        let mut folders = Vec::new();
        loop {
            match self.number()? {
                property::END => return Some(folders),
                property::FOLDER => {
                    let count = self.count().filter(|&count| count <= MAX_FOLDERS)?;
                    self.is_here()?;
                    for _ in 0..count {
                        folders.push(self.folder()?);
                    }
                }
                property::CODERS_SIZE => {
                    for folder in &mut folders {
                        // They stand in the order of the indices.
                        let mut coders: Vec<_> = folder.coders.iter_mut().collect();
                        coders.sort_by_key(|coder| coder.index);
                        for coder in coders {
                            coder.size = self.number()?;
                        }
                    }
                }
                property::CHECKSUM => {
                    let checksums = self.checksums(folders.len())?;
                    for (folder, checksum) in folders.iter_mut().zip(checksums) {
                        folder.checksum = checksum;
                    }
                }
                _ => return None,
            }
        }
    }

    /// Reads that what follows is not somewhere else, which no program writes.
    fn is_here(&mut self) -> Option<()> {
        (self.byte()? == 0).then_some(())
    }

    fn folder(&mut self) -> Option<Folder> {
        let count = self
            .count()
            .filter(|count| (1..=MAX_CODERS).contains(count))?;
        let mut coders = Vec::new();
        let (mut inputs, mut outputs) = (0, 0);
        for index in 0..count {
            let flags = self.byte()?;
            let method = self.take(usize::from(flags & 0x0f))?.to_vec();
            let (mut takes, mut gives) = (1, 1);
            if flags & 0x10 != 0 {
                takes = self.count().filter(|&count| count <= MAX_CODERS)?;
                gives = self.count().filter(|&count| count == 1)?;
            }
            let mut properties = Vec::new();
            if flags & 0x20 != 0 {
                let size = self.count()?;
                properties = self.take(size)?.to_vec();
            }
            inputs += takes;
            outputs += gives;
            coders.push(Coder {
                method,
                properties,
                size: 0,
                index,
            });
        }
        let mut pairs = Vec::new();
        for _ in 1..outputs {
            pairs.push((self.number()?, self.number()?));
        }
        let packed = inputs.checked_sub(pairs.len())?;
        if packed > 1 {
            for _ in 0..packed {
                self.number()?;
            }
        }
        let is_row = inputs == outputs;
        let last = (0..count).find(|&index| pairs.iter().all(|pair| pair.1 != index as u64))?;
        let mut folder = Folder {
            coders,
            inputs: packed,
            last,
            ..Folder::default()
        };
        if is_row {
            folder.coders = row(folder.coders, &pairs)?;
        } else {
            // Their sizes have to be read nevertheless.
            for coder in &mut folder.coders {
                coder.method = b"several inputs".to_vec();
            }
        }
        Some(folder)
    }

    fn substreams(&mut self, folders: &mut [Folder]) -> Option<()> {
        let mut counts = vec![1; folders.len()];
        let mut property = self.number()?;
        if property == property::COUNT {
            for count in &mut counts {
                *count = self.count()?;
            }
            property = self.number()?;
        }
        // The last size is what the others leave.
        let has_sizes = property == property::SIZE;
        let mut left = MAX_MEMBERS.min(self.0.len() + folders.len());
        for (folder, count) in folders.iter_mut().zip(counts) {
            left = left.checked_sub(count)?;
            let mut rest = folder.whole().size;
            for _ in 1..count {
                let size = if has_sizes { self.number()? } else { 0 };
                rest = rest.checked_sub(size)?;
                folder.streams.push(Stream {
                    size,
                    checksum: None,
                });
            }
            if count > 0 {
                folder.streams.push(Stream {
                    size: rest,
                    checksum: folder.checksum.filter(|_| count == 1),
                });
            }
        }
        if has_sizes {
            property = self.number()?;
        }
        if property == property::CHECKSUM {
            let streams = folders.iter_mut().flat_map(|folder| &mut folder.streams);
            let mut unknown: Vec<_> = streams.filter(|stream| stream.checksum.is_none()).collect();
            let checksums = self.checksums(unknown.len())?;
            for (stream, checksum) in unknown.iter_mut().zip(checksums) {
                stream.checksum = checksum;
            }
            property = self.number()?;
        }
        (property == property::END).then_some(())
    }

    fn files(&mut self) -> Option<Vec<Member>> {
        let count = self.count().filter(|&count| count <= MAX_MEMBERS)?;
        let mut members = vec![Member::default(); count];
        let (mut without, mut empty_files) = (vec![false; count], Vec::new());
        loop {
            let property = self.number()?;
            if property == property::END {
                break;
            }
            let size = usize::try_from(self.number()?).ok()?;
            let mut fields = Fields(self.take(size)?);
            match property {
                property::EMPTY_STREAM => without = fields.bits(count)?,
                property::EMPTY_FILE => {
                    let count = without.iter().filter(|&&is_without| is_without).count();
                    empty_files = fields.bits(count)?;
                }
                property::NAMES => {
                    fields.is_here()?;
                    for member in &mut members {
                        member.name = fields.name()?;
                    }
                }
                property::ATTRIBUTES => {
                    let defined = fields.bits_or_all(count)?;
                    fields.is_here()?;
                    for (member, is_defined) in members.iter_mut().zip(defined) {
                        // The upper half is the mode of Unix.
                        let is_link = |word: u32| word & 0x8000 != 0 && word >> 28 == 0o12;
                        member.is_symlink = is_defined && is_link(fields.word()?);
                    }
                }
                _ => {}
            }
        }
        let mut empty_files = empty_files.into_iter();
        for (member, without) in members.iter_mut().zip(without) {
            member.has_stream = !without;
            member.is_folder = without && !empty_files.next().unwrap_or(false);
        }
        Some(members)
    }

    /// A name in UTF-16 up to a NUL, in UTF-8.
    fn name(&mut self) -> Option<Vec<u8>> {
        let units = self
            .0
            .chunks_exact(2)
            .map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
        let name: Vec<_> = units.take_while(|&unit| unit != 0).collect();
        self.take(2 * name.len() + 2)?;
        Some(String::from_utf16_lossy(&name).into_bytes())
    }
}

impl Folder {
    /// All that is unpacked, as one stream.
    fn whole(&self) -> Stream {
        let last = self.coders.iter().find(|coder| coder.index == self.last);
        Stream {
            size: last.map_or(0, |coder| coder.size),
            checksum: self.checksum,
        }
    }
}

/// The coders in the order in which bytes go through them. Of each pair, the first one takes what the
/// second one gives. `None` if they are in a circle.
fn row(mut coders: Vec<Coder>, pairs: &[(u64, u64)]) -> Option<Vec<Coder>> {
    let taking = |index: usize| pairs.iter().find(|pair| pair.1 == index as u64);
    let mut next = (0..coders.len()).find(|&index| pairs.iter().all(|pair| pair.0 != index as u64));
    let mut order = vec![usize::MAX; coders.len()];
    for place in 0..coders.len() {
        let index = next?;
        *order.get_mut(index).filter(|order| **order == usize::MAX)? = place;
        next = taking(index).and_then(|pair| usize::try_from(pair.0).ok());
    }
    coders.sort_by_key(|coder| order[coder.index]);
    Some(coders)
}
