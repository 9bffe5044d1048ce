//! Files that lie, break off, lead elsewhere or hold nothing: every kind of the hostile set
//! that a clone can make for itself.

use std::path::Path;

use crate::containers::convert;
use crate::flac;
use crate::wave::{Header, tone};

/// What a good reader does with a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expect {
    /// Refuses it with one of these codes.
    Refused(&'static [&'static str]),
    /// Reads it, and what it reads is so long (seconds, at least and at most).
    Reads(f64, f64),
    /// Either reads so much or refuses it with any code.
    Either(f64, f64),
}

/// A hostile file.
#[derive(Clone, Debug)]
pub struct Hostile {
    /// A file name, with an extension that mostly lies.
    pub name: &'static str,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What to do with it.
    pub expect: Expect,
    /// What `found` must say when it is refused as unsupported.
    pub found: Option<&'static str>,
}

use Expect::{Either, Reads, Refused};

const UNSUPPORTED: Expect = Refused(&["unsupported_format"]);
const DAMAGED: Expect = Refused(&["damaged"]);

fn file(name: &'static str, bytes: impl Into<Vec<u8>>, expect: Expect) -> Hostile {
    Hostile {
        name,
        bytes: bytes.into(),
        expect,
        found: None,
    }
}

fn other(name: &'static str, bytes: impl Into<Vec<u8>>, found: &'static str) -> Hostile {
    Hostile {
        name,
        bytes: bytes.into(),
        expect: UNSUPPORTED,
        found: Some(found),
    }
}

/// All of them. `port` is a port on the loopback interface that playlists point to: whoever
/// listens there must never be called. `folder` is for ffmpeg's intermediate files.
///
/// # Panics
/// ffmpeg is missing or fails.
#[must_use]
pub fn all(port: u16, folder: &Path) -> Vec<Hostile> {
    let mut files = not_media();
    files.extend(leading_elsewhere(port));
    files.extend(lying_wav());
    files.extend(short_and_silent());
    files.extend(boxes());
    files.extend(broken(folder));
    files
}

/// Things that are no media at all.
#[must_use]
pub fn not_media() -> Vec<Hostile> {
    let png = [
        &b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0"[..],
        b"\0\0\0\0IEND",
    ]
    .concat();
    vec![
        file("zero_bytes.mp3", [], Refused(&["empty_file"])),
        file("one_byte.wav", [0x52], UNSUPPORTED),
        other("text_renamed.mp3", "words and words\n".repeat(500), "text"),
        other(
            "html_named.mp4",
            "<!DOCTYPE html><html><body>no</body></html>".repeat(40),
            "html",
        ),
        other("json_named.wav", "{\"a\": [1, 2, 3]}\n".repeat(80), "json"),
        other("svg_xxe_named.mp4", svg(), "svg"),
        other(
            "zip_named.wav",
            zip("../../../../tmp/slovo-escaped", b"outside"),
            "zip",
        ),
        other("gzip_bomb_named.wav", gzip_bomb(50 << 20), "gzip"),
        other("png_named.mp4", png, "png"),
        other(
            "elf_named.wav",
            [b"\x7FELF\x02\x01\x01\0".to_vec(), noise(1, 20_000)].concat(),
            "elf",
        ),
        other("random.mp3", noise(2, 100_000), "unknown"),
        other("random.wav", noise(3, 100_000), "unknown"),
    ]
}

/// Playlists and manifests that a careless decoder would follow.
#[must_use]
pub fn leading_elsewhere(port: u16) -> Vec<Hostile> {
    let address = format!("http://127.0.0.1:{port}");
    vec![
        other(
            "hls_local.m3u8",
            "#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n",
            "playlist",
        ),
        other(
            "hls_named.mp3",
            format!("#EXTM3U\n#EXTINF:9,\n{address}/a.ts\n#EXT-X-ENDLIST\n"),
            "playlist",
        ),
        other(
            "ffconcat_named.wav",
            format!("ffconcat version 1.0\nfile '{address}/a.wav'\n"),
            "playlist",
        ),
        other(
            "pls_named.mp3",
            format!("[playlist]\nFile1={address}/a.mp3\nNumberOfEntries=1\n"),
            "playlist",
        ),
        other(
            "sdp_named.wav",
            format!(
                "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio {port} RTP/AVP 0\n"
            ),
            "sdp",
        ),
        other(
            "dash_named.mp4",
            format!(
                "<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" type=\"static\"><Period>\
                 <BaseURL>{address}/</BaseURL></Period></MPD>"
            ),
            "dash",
        ),
    ]
}

fn svg() -> &'static str {
    "<?xml version=\"1.0\"?><!DOCTYPE svg [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>\
     <svg xmlns=\"http://www.w3.org/2000/svg\"><text>&x;</text></svg>"
}

/// WAV headers that do not tell the truth. The sound in most of them is one second.
#[expect(clippy::too_many_lines, reason = "one table, a row for each lie")]
#[must_use]
pub fn lying_wav() -> Vec<Hostile> {
    let second = tone(16_000, 440.0, 1.0, 0.5);
    let three = tone(16_000, 440.0, 3.0, 0.5);
    let wav = |change: fn(&mut Header)| {
        let mut header = Header::default();
        change(&mut header);
        header.with(&second)
    };
    let streamed = |size| {
        Header {
            data: Some(size),
            riff: Some(size),
            ..Header::default()
        }
        .with(&three)
    };
    let mut odd = Header::default().with(&second);
    odd.push(7);
    let mut junk = b"RIFF\xF8\x71\x02\0WAVE".to_vec();
    junk.extend(b"JUNK\0\0\0\0".repeat(20_000));
    let mut floats = Header {
        tag: 3,
        bits: 32,
        ..Header::default()
    };
    floats.rate = 16_000;
    let wild = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e38, -0.0, 0.25];
    let wild: Vec<u8> = wild
        .iter()
        .cycle()
        .take(16_000)
        .flat_map(|sample| sample.to_le_bytes())
        .collect();
    vec![
        file(
            "wav_header_only.wav",
            Header::default().with(&[]),
            Refused(&["no_samples"]),
        ),
        file(
            "wav_header_cut.wav",
            &Header::default().with(&[])[..30],
            DAMAGED,
        ),
        file("wav_claims_4gb.wav", streamed(u32::MAX), Reads(3.0, 3.0)),
        file("wav_size_zero_streamed.wav", streamed(0), Reads(3.0, 3.0)),
        file(
            "wav_10h_header_lie.wav",
            wav(|header| header.data = Some(36_000 * 32_000)),
            Reads(1.0, 1.0),
        ),
        file(
            "wav_zero_channels.wav",
            wav(|header| header.channels = 0),
            Refused(&["bad_channels"]),
        ),
        file(
            "wav_65535_channels.wav",
            wav(|header| header.channels = 65_535),
            Refused(&["bad_channels"]),
        ),
        file(
            "wav_rate_zero.wav",
            wav(|header| header.rate = 0),
            Refused(&["bad_sample_rate"]),
        ),
        file(
            "wav_rate_4ghz.wav",
            wav(|header| header.rate = u32::MAX),
            Refused(&["bad_sample_rate"]),
        ),
        file(
            "wav_rate_1hz.wav",
            wav(|header| header.rate = 1),
            Refused(&["bad_sample_rate"]),
        ),
        file("wav_bits_0.wav", wav(|header| header.bits = 0), DAMAGED),
        file(
            "wav_unknown_codec.wav",
            wav(|header| header.tag = 0x1234),
            Refused(&["unsupported_codec"]),
        ),
        file("wav_odd_byte.wav", odd, Reads(1.0, 1.001)),
        file("wav_many_junk_chunks.wav", junk, DAMAGED),
        file("wav_not_a_number.wav", floats.with(&wild), Reads(1.0, 1.0)),
    ]
}

/// Good files with little or nothing in them.
#[must_use]
pub fn short_and_silent() -> Vec<Hostile> {
    let short = |name, seconds: f64| {
        let count = seconds - 0.001;
        file(
            name,
            Header::default().with(&tone(16_000, 440.0, seconds, 0.5)),
            Reads(count, seconds + 0.001),
        )
    };
    let noise: Vec<u8> = noise(4, 60_000)
        .iter()
        .flat_map(|byte| (i16::from(*byte) * 40 - 5_100).to_le_bytes())
        .collect();
    let quiet = flac::silence(60);
    let pictures = flac::silence_after(&[(6, 0xFF_FFFF), (6, 0xFF_FFFF), (2, 1000)], 10);
    vec![
        short("short_1ms.wav", 0.001),
        short("short_20ms.wav", 0.02),
        short("short_50ms.wav", 0.05),
        short("short_100ms.wav", 0.1),
        short("short_300ms.wav", 0.3),
        file("silence_60s.flac", quiet, Reads(60.0, 65.0)),
        file(
            "silence_10h_small.flac",
            flac::silence(36_000),
            Reads(36_000.0, 36_005.0),
        ),
        file("flac_of_pictures.flac", pictures, Reads(10.0, 15.0)),
        file(
            "white_noise.wav",
            Header::default().with(&noise),
            Reads(3.7, 3.8),
        ),
        file(
            "tone_440hz_20s.wav",
            Header::default().with(&tone(16_000, 440.0, 20.0, 0.5)),
            Reads(20.0, 20.0),
        ),
    ]
}

/// MP4 and Matroska structures that claim too much.
#[must_use]
pub fn boxes() -> Vec<Hostile> {
    let brand = atom(b"ftyp", b"isom\0\0\x02\0isommp41");
    let size_lie = [brand.clone(), b"\x7F\xFF\xFF\xFFmoov".to_vec(), vec![0; 64]].concat();
    let nested = [
        brand.clone(),
        (0..2000_u32)
            .flat_map(|depth| [&((2000 - depth) * 8).to_be_bytes()[..], b"moov"].concat())
            .collect(),
    ]
    .concat();
    let many = [brand.clone(), b"\0\0\0\x08moov".repeat(300_000)].concat();
    let extended = [
        brand.clone(),
        b"\0\0\0\x01moov\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xF0".to_vec(),
        vec![0; 64],
    ]
    .concat();
    let ebml = b"\x1A\x45\xDF\xA3\x8B\x42\x82\x88matroska".to_vec();
    // A segment whose tracks claim 2^48 bytes, and one of a block that claims them.
    let tracks = [&ebml[..], b"\x18\x53\x80\x67\x01\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x16\x54\xAE\x6B\x01\x00\xFF\xFF\xFF\xFF\xFF\xFF", &[0; 200]].concat();
    let deep = [
        &ebml[..],
        b"\x18\x53\x80\x67\x01\xFF\xFF\xFF\xFF\xFF\xFF\xFF",
        &b"\x16\x54\xAE\x6B\x01\xFF\xFF\xFF\xFF\xFF\xFF\xFF".repeat(5_000),
    ]
    .concat();
    let refused = Refused(&["damaged", "no_audio_track"]);
    vec![
        file("mp4_ftyp_only.mp4", brand, DAMAGED),
        file("mp4_atom_size_lie.mp4", size_lie, refused),
        file("mp4_extended_size_lie.mp4", extended, refused),
        file("mp4_nested_atoms.mp4", nested, refused),
        file("mp4_many_atoms.mp4", many, refused),
        file("mkv_size_lie.mkv", tracks, refused),
        file("mkv_nested.mkv", deep, refused),
        file(
            "ogg_page_only.ogg",
            b"OggS\0\x02\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\x01\x1E".to_vec(),
            refused,
        ),
        file("flac_marker_only.flac", b"fLaC".to_vec(), DAMAGED),
        file(
            "avi_marker_only.avi",
            [
                &b"RIFF\xFF\xFF\xFF\x7FAVI LIST\xFF\xFF\xFF\x7Fhdrl"[..],
                &[0; 500],
            ]
            .concat(),
            refused,
        ),
    ]
}

/// Good files that were cut, bent or relabelled. The speech in them is six seconds.
///
/// # Panics
/// ffmpeg is missing or fails.
#[must_use]
pub fn broken(folder: &Path) -> Vec<Hostile> {
    let make = |name: &str, arguments: &str| {
        let path = convert(folder, name, arguments);
        std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let mp3 = make("base.mp3", "-map 0 -c:a libmp3lame -b:a 128k -ar 44100");
    let ogg = make("base.ogg", "-map 0 -c:a libvorbis -q:a 3 -ar 44100");
    let m4a = make("base.m4a", "-map 0 -c:a aac -ar 44100");
    let fast = make("fast.m4a", "-map 0 -c:a aac -ar 44100 -movflags +faststart");
    let flac = make("base.flac", "-map 0 -ar 16000");
    let avi = make("base.avi", "-map 1 -map 0 -c:v mpeg4 -c:a pcm_s16le");
    let mkv = make("base.mkv", "-map 0 -c:a libopus");
    let mute = make("mute.mp4", "-map 1 -c:v libx264 -preset ultrafast");
    let subtitles = folder.join("words.srt");
    std::fs::write(&subtitles, "1\n00:00:00,000 --> 00:00:02,000\nwords\n")
        .unwrap_or_else(|error| panic!("{}: {error}", subtitles.display()));
    let subtitle_only = make(
        "subtitles.mkv",
        &format!("-i {} -map 4", subtitles.display()),
    );
    let half = |bytes: &[u8]| bytes[..bytes.len() / 2 + 7].to_vec();
    let lying_tag = [&b"ID3\x04\0\0\x7F\x7F\x7F\x7F"[..], &mp3].concat();
    vec![
        file("truncated_half.mp3", half(&mp3), Reads(2.8, 3.3)),
        file(
            "truncated_tail_only.mp3",
            &mp3[mp3.len() / 2 + 100..],
            Reads(2.8, 3.3),
        ),
        file("truncated.ogg", half(&ogg), Reads(1.5, 4.5)),
        file("truncated.flac", half(&flac), Reads(1.5, 4.5)),
        file("truncated.m4a", half(&m4a), DAMAGED),
        file("truncated_fast.m4a", half(&fast), Reads(1.5, 4.5)),
        file("truncated.avi", half(&avi), Either(0.5, 6.0)),
        file("truncated.mkv", half(&mkv), Reads(1.5, 4.5)),
        file("bitflips.mp3", flipped(&mp3, 300), Reads(4.0, 7.0)),
        file("bitflips.ogg", flipped(&ogg, 60), Either(0.5, 8.0)),
        file("bitflips.flac", flipped(&flac, 20), Either(0.5, 8.0)),
        file("bitflips.mkv", flipped(&mkv, 30), Either(0.5, 8.0)),
        file(
            "bitflips.m4a",
            flipped(&fast[..fast.len()], 30),
            Either(0.0, 8.0),
        ),
        file(
            "mp3_xing_says_10h.mp3",
            xing_says_ten_hours(mp3.clone()),
            Reads(6.0, 6.3),
        ),
        file("id3_size_lie.mp3", lying_tag, Reads(6.0, 6.3)),
        file(
            "id3_64_tags.mp3",
            [b"ID3\x04\0\0\0\0\0\0".repeat(64), mp3].concat(),
            Either(6.0, 6.3),
        ),
        file("video_no_audio.mp4", mute, Refused(&["no_audio_track"])),
        file(
            "subtitle_only.mkv",
            subtitle_only,
            Refused(&["no_audio_track"]),
        ),
    ]
}

/// The header frame of an MP3 file with its count of frames overwritten.
fn xing_says_ten_hours(mut mp3: Vec<u8>) -> Vec<u8> {
    let tag = mp3
        .windows(4)
        .position(|four| four == b"Xing" || four == b"Info");
    let at = tag.unwrap_or_else(|| panic!("ffmpeg wrote no header frame"));
    mp3[at + 8..at + 12].copy_from_slice(&1_378_125_u32.to_be_bytes());
    mp3
}

fn atom(kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let size = u32::try_from(body.len() + 8).unwrap_or(u32::MAX);
    [&size.to_be_bytes()[..], kind, body].concat()
}

/// `count` flipped bits behind the first kilobyte.
fn flipped(bytes: &[u8], count: u64) -> Vec<u8> {
    let mut bent = bytes.to_vec();
    let room = (bent.len() as u64 - 1024) * 8;
    let mut random = Random(count);
    for _ in 0..count {
        let bit = 1024 * 8 + random.next() % room;
        bent[(bit / 8) as usize] ^= 1 << (bit % 8);
    }
    bent
}

/// The same `count` random bytes every time.
#[must_use]
pub fn noise(seed: u64, count: usize) -> Vec<u8> {
    let mut random = Random(seed);
    (0..count).map(|_| (random.next() >> 32) as u8).collect()
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

/// A ZIP archive of one stored member.
fn zip(name: &str, content: &[u8]) -> Vec<u8> {
    let size = u32::try_from(content.len()).unwrap_or(0).to_le_bytes();
    let length = u16::try_from(name.len()).unwrap_or(0).to_le_bytes();
    [
        &b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0"[..],
        &size,
        &size,
        &length,
        b"\0\0",
        name.as_bytes(),
        content,
    ]
    .concat()
}

/// A gzip file of `size` zeros: one literal, then copies of 258 bytes in 13 bits each.
fn gzip_bomb(size: usize) -> Vec<u8> {
    let mut bits = Bits {
        bytes: b"\x1F\x8B\x08\0\0\0\0\0\0\x03".to_vec(),
        pending: 0,
        count: 0,
    };
    bits.push(0b011, 3);
    bits.push(0b0000_1100, 8);
    for _ in 0..size / 258 {
        bits.push(0b1010_0011, 8);
        bits.push(0, 5);
    }
    bits.push(0, 7);
    bits.push(0, 7);
    let mut file = bits.bytes;
    file.extend([0; 4]);
    file.extend(u32::try_from(size).unwrap_or(0).to_le_bytes());
    file
}

struct Bits {
    bytes: Vec<u8>,
    pending: u32,
    count: u32,
}

impl Bits {
    fn push(&mut self, value: u32, width: u32) {
        self.pending |= value << self.count;
        self.count += width;
        while self.count >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.count -= 8;
        }
    }
}
