//! Parts of an MP4 or QuickTime index that the demuxer does not read: edit lists (where the audio
//! begins, how much encoder priming there is) and which tracks are enabled. Also rejects
//! implausibly large tables.
//!
//! The demuxer then gets the file with all other tracks renamed to free space, so it reads none of
//! their tables and samples, and its memory does not grow with them.

use super::MediaError;
use super::info::{self, Track};
use super::sample_entry::{self, SampleEntry};
use super::source::{Media, Meter, View};

/// The most boxes on one level; ten hours of one-second fragments have 72,000.
const MAX_BOXES: usize = 400_000;
/// The deepest nesting of boxes; real files have eight levels.
const MAX_DEPTH: usize = 12;
/// Largest index in bytes: three hours of video have about 8 MB.
const MAX_INDEX: u64 = 128 << 20;
/// Entries in a time table beyond which the demuxer's linear search becomes too slow.
const MAX_TIMING_ENTRIES: u32 = 20_000;

/// Bytes of a track's name that are read.
const MAX_NAME: usize = 1024;

/// Samples in a frame of AAC-LC.
const AAC_PRIMING: u32 = 1024;

/// The index data of one track.
#[derive(Clone, Debug, Default)]
pub(super) struct Trak {
    /// File offset of the box's type, for hiding the track.
    offset: u64,
    id: u32,
    enabled: bool,
    handler: [u8; 4],
    timescale: u32,
    duration: u64,
    /// Segment durations in the movie's time scale and media times in the track's.
    edits: Vec<(u64, i64)>,
    timing_entries: u32,
    entry: SampleEntry,
    language: u16,
    title: Option<String>,
}

/// The index of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Movie {
    pub(super) has_file_type: bool,
    timescale: u32,
    traks: Vec<Trak>,
    /// File offset of each track's defaults for fragments, with the track's id.
    extends: Vec<(u64, u32)>,
    /// For media data that is cut off by the end of the file: offset and corrected value of its
    /// size field. The demuxer refuses such files otherwise.
    cut: Option<(u64, [u8; 4])>,
}

/// Where a track's audio lies on the presentation timeline.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Placement {
    /// Seconds to add to the sample times.
    pub(super) shift: f64,
    /// Where the audio ends, in seconds of the presentation, if the edits say so.
    pub(super) end: Option<f64>,
    /// Whether the edits are more complex than a delay and a start.
    pub(super) is_intricate: bool,
}

struct BoxHeader {
    kind: [u8; 4],
    kind_offset: u64,
    body: u64,
    end: u64,
    /// The end as stated in the box; beyond `end` if the file is cut off.
    claimed_end: u64,
}

impl Movie {
    /// Reads the index. A file without one counts as damaged, because nothing in it can be located.
    pub(super) fn read(media: &Media) -> Result<Self, MediaError> {
        let mut movie = Self::default();
        let mut index = None;
        for_each_box(media, 0, media.length(), &mut |found| {
            match &found.kind {
                b"ftyp" => movie.has_file_type = true,
                b"moov" if index.is_none() => {
                    index = Some((found.body, found.end));
                }
                b"mdat" if found.claimed_end > found.end && found.kind_offset >= 4 => {
                    movie.cut = Some(shortened(found));
                    return Ok(false);
                }
                _ => {}
            }
            Ok(true)
        })?;
        let Some((start, end)) = index else {
            return Err(MediaError::damaged(
                "the index (moov) is missing: the recording was cut off",
            ));
        };
        if end - start > MAX_INDEX {
            return Err(MediaError::damaged(
                "the index (moov) is larger than any real one",
            ));
        }
        movie.read_index(media, start, end)?;
        if movie.traks.is_empty() {
            return Err(MediaError::damaged("the index (moov) is empty"));
        }
        Ok(movie)
    }

    fn read_index(&mut self, media: &Media, start: u64, end: u64) -> Result<(), MediaError> {
        for_each_box(media, start, end, &mut |found| {
            match &found.kind {
                b"mvhd" => self.timescale = time_scale(media, found)?.0,
                b"trak" => {
                    let mut trak = Trak {
                        offset: found.kind_offset,
                        enabled: true,
                        ..Trak::default()
                    };
                    read_trak(media, found.body, found.end, 0, &mut trak)?;
                    self.traks.push(trak);
                }
                b"mvex" => for_each_box(media, found.body, found.end, &mut |inner| {
                    if &inner.kind == b"trex" {
                        self.extends
                            .push((inner.kind_offset, u32_at(media, inner.body + 4)?));
                    }
                    Ok(true)
                })?,
                _ => {}
            }
            Ok(self.traks.len() <= 1024)
        })
    }

    /// The audio tracks in the file's order.
    pub(super) fn audio(&self) -> Vec<&Trak> {
        self.traks
            .iter()
            .filter(|trak| &trak.handler == b"soun")
            .collect()
    }

    pub(super) fn has_video(&self) -> bool {
        self.traks.iter().any(|trak| &trak.handler == b"vide")
    }

    /// Length in seconds of the longest audio or video track, as stated.
    pub(super) fn duration(&self) -> Option<f64> {
        let seconds = self.traks.iter().filter(|trak| trak.timescale > 0);
        seconds
            .map(|trak| trak.duration as f64 / f64::from(trak.timescale))
            .reduce(f64::max)
    }

    /// Where a track begins, and how much of its start is encoder priming.
    pub(super) fn placement(&self, trak: &Trak) -> Placement {
        let mut delay = 0.0;
        let mut real = trak.edits.iter().filter(|(_, media_time)| *media_time >= 0);
        for (duration, _) in trak
            .edits
            .iter()
            .take_while(|(_, media_time)| *media_time < 0)
        {
            delay += *duration as f64 / f64::from(self.timescale.max(1));
        }
        let edit = real.next();
        // Every AAC encoder writes one frame of priming, even if no edit list says so.
        let default_priming = if &trak.entry.codec == b"mp4a" {
            AAC_PRIMING as f64 / f64::from(trak.entry.rate.max(8_000))
        } else {
            0.0
        };
        let skipped = edit.map_or(default_priming, |(_, media_time)| {
            *media_time as f64 / f64::from(trak.timescale.max(1))
        });
        let length = edit.map_or(0, |(duration, _)| *duration);
        let end = delay + length as f64 / f64::from(self.timescale.max(1));
        Placement {
            shift: delay - skipped,
            end: (length > 0).then_some(end),
            is_intricate: real.next().is_some() || trak.timing_entries > MAX_TIMING_ENTRIES,
        }
    }

    /// The file with all tracks hidden but the given one.
    pub(super) fn view(&self, media: &Media, meter: &Meter, selected: &Trak) -> View {
        let hidden = self
            .traks
            .iter()
            .filter(|trak| trak.offset != selected.offset)
            .map(|trak| trak.offset);
        let extends = self
            .extends
            .iter()
            .filter(|(_, id)| *id != selected.id)
            .map(|(offset, _)| *offset);
        View::patched(
            media,
            meter,
            hidden
                .chain(extends)
                .map(|offset| (offset, *b"free"))
                .chain(self.cut)
                .collect(),
        )
    }
}

impl Trak {
    /// The track id that the demuxer uses.
    pub(super) const fn id(&self) -> u32 {
        self.id
    }

    /// The track for display; `index` is its position among the audio tracks.
    pub(super) fn describe(&self, index: usize) -> Track {
        let mut unknown = None;
        let codec = match &self.entry.codec {
            b"mp4a" => "aac",
            b"ac-3" => "ac3",
            b"ec-3" => "eac3",
            b"Opus" => "opus",
            b"fLaC" => "flac",
            b".mp3" => "mp3",
            b"sowt" | b"twos" | b"lpcm" | b"in24" | b"in32" | b"fl32" | b"fl64" | b"raw " => "pcm",
            other => unknown.insert(String::from_utf8_lossy(other).trim().to_ascii_lowercase()),
        }
        .to_owned();
        // Three letters of five bits each, from 0x60 on.
        let letters =
            [10, 5, 0].map(|shift| char::from(0x60 + (self.language >> shift & 0x1F) as u8));
        let tag: String = letters.iter().collect();
        Track {
            index,
            codec,
            channels: usize::from(self.entry.channels),
            rate: self.entry.rate,
            language: info::language(
                Some(&tag)
                    .filter(|tag| tag.chars().all(|c| c.is_ascii_lowercase()))
                    .map(String::as_str),
            ),
            title: self.title.clone(),
            default: self.enabled,
        }
    }
}

/// A size that ends the media data at the end of the file: in the first four bytes of its header,
/// or in the last four of a 64-bit size (whose first four are zero in all files below 4 GB).
fn shortened(found: &BoxHeader) -> (u64, [u8; 4]) {
    let start = found.kind_offset - 4;
    let is_long = found.body - start == 16;
    let size = u32::try_from(found.end - start).unwrap_or(0);
    (if is_long { start + 12 } else { start }, size.to_be_bytes())
}

/// Calls `visit` for each box of a level until it returns `false`. A box that exceeds its parent is
/// truncated; one of an impossible size ends the level.
fn for_each_box(
    media: &Media,
    start: u64,
    end: u64,
    visit: &mut dyn FnMut(&BoxHeader) -> Result<bool, MediaError>,
) -> Result<(), MediaError> {
    let mut at = start;
    for _ in 0..MAX_BOXES {
        let head = media.read_at(at, 16)?;
        if at + 8 > end || head.len() < 8 {
            return Ok(());
        }
        let small = u32::from_be_bytes([head[0], head[1], head[2], head[3]]);
        let (header, size) = match small {
            0 => (8, end - at),
            1 if head.len() == 16 => {
                let mut long = [0; 8];
                long.copy_from_slice(&head[8..]);
                (16, u64::from_be_bytes(long))
            }
            other => (8, u64::from(other)),
        };
        if size < header {
            return Ok(());
        }
        let next = at.saturating_add(size);
        let kind = [head[4], head[5], head[6], head[7]];
        let found = BoxHeader {
            kind,
            kind_offset: at + 4,
            body: at + header,
            end: next.min(end),
            claimed_end: next,
        };
        if !visit(&found)? || next >= end {
            return Ok(());
        }
        at = next;
    }
    Err(MediaError::damaged("the file has too many boxes"))
}

fn read_trak(
    media: &Media,
    start: u64,
    end: u64,
    depth: usize,
    trak: &mut Trak,
) -> Result<(), MediaError> {
    if depth > MAX_DEPTH {
        return Err(MediaError::damaged("boxes are nested too deeply"));
    }
    for_each_box(media, start, end, &mut |found| {
        match &found.kind {
            b"mdia" | b"minf" | b"stbl" | b"edts" => {
                read_trak(media, found.body, found.end, depth + 1, trak)?;
            }
            b"tkhd" => {
                let head = media.read_at(found.body, 24)?;
                let long = head.first() == Some(&1);
                trak.enabled = head.get(3).is_some_and(|flags| flags & 1 == 1);
                trak.id = u32_at(media, found.body + if long { 20 } else { 12 })?;
            }
            b"mdhd" => {
                (trak.timescale, trak.duration) = time_scale(media, found)?;
                trak.language = u16_at(&media.read_at(found.end.saturating_sub(4), 2)?, 0);
            }
            b"hdlr" if trak.handler == [0; 4] => {
                let kind = media.read_at(found.body + 8, 4)?;
                trak.handler = kind.try_into().unwrap_or_default();
            }
            b"udta" => for_each_box(media, found.body, found.end, &mut |inner| {
                if &inner.kind == b"name" && trak.title.is_none() {
                    trak.title = name(media, inner)?;
                }
                Ok(true)
            })?,
            b"elst" => trak.edits = edit_list(media, found)?,
            b"stts" => trak.timing_entries = u32_at(media, found.body + 4)?,
            b"stsd" => {
                let entry = media.read_at(found.body + 8, sample_entry::MAX_BYTES)?;
                trak.entry = sample_entry::read(&entry);
            }
            _ => {}
        }
        Ok(true)
    })
}

/// A name in a track's user data: plain text.
fn name(media: &Media, found: &BoxHeader) -> Result<Option<String>, MediaError> {
    let length = usize::try_from(found.end - found.body).unwrap_or(MAX_NAME);
    let text = media.read_at(found.body, length.min(MAX_NAME))?;
    Ok(info::title(Some(&String::from_utf8_lossy(&text))))
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    bytes
        .get(at..at + 2)
        .map_or(0, |two| u16::from_be_bytes([two[0], two[1]]))
}

/// Time scale and duration of an `mvhd` or `mdhd` box.
fn time_scale(media: &Media, found: &BoxHeader) -> Result<(u32, u64), MediaError> {
    let long = media.read_at(found.body, 1)?.first() == Some(&1);
    if long {
        let scale = u32_at(media, found.body + 20)?;
        let high = u64::from(u32_at(media, found.body + 24)?);
        Ok((
            scale,
            high << 32 | u64::from(u32_at(media, found.body + 28)?),
        ))
    } else {
        Ok((
            u32_at(media, found.body + 12)?,
            u64::from(u32_at(media, found.body + 16)?),
        ))
    }
}

/// The first 64 edits: a longer list counts as complex in any case.
fn edit_list(media: &Media, found: &BoxHeader) -> Result<Vec<(u64, i64)>, MediaError> {
    let head = media.read_at(found.body, 8)?;
    let long = head.first() == Some(&1);
    let entry = if long { 20 } else { 12 };
    let count = u64::from(u32_at(media, found.body + 4)?).min(64);
    let room = found.end.saturating_sub(found.body + 8) / entry;
    let mut edits = Vec::new();
    for i in 0..count.min(room) {
        let at = found.body + 8 + i * entry;
        edits.push(if long {
            let part = |offset| u32_at(media, at + offset).map(u64::from);
            (
                part(0)? << 32 | part(4)?,
                (part(8)? << 32 | part(12)?).cast_signed(),
            )
        } else {
            (
                u64::from(u32_at(media, at)?),
                i64::from(u32_at(media, at + 4)?.cast_signed()),
            )
        });
    }
    Ok(edits)
}

fn u32_at(media: &Media, offset: u64) -> Result<u32, MediaError> {
    let bytes = media.read_at(offset, 4)?;
    let four = bytes
        .try_into()
        .map_err(|_| MediaError::damaged("the index (moov) is cut off"))?;
    Ok(u32::from_be_bytes(four))
}
