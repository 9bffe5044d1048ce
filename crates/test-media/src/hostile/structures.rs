//! Containers that state excessive sizes, and valid files that were damaged.

use std::path::Path;

use super::bytes::flipped;
use super::{DAMAGED, Either, HostileFile, Reads, Refused, file};
use crate::containers::convert;

/// MP4 and Matroska structures that state excessive sizes.
#[must_use]
pub fn boxes() -> Vec<HostileFile> {
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
    // A segment whose tracks element states 2^48 bytes, and one in which a block does.
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

/// Valid files that were truncated, damaged or renamed. The speech in them is six seconds long.
///
/// # Panics
/// ffmpeg is missing or fails.
#[must_use]
pub fn broken(folder: &Path) -> Vec<HostileFile> {
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
            xing_claiming_ten_hours(mp3.clone()),
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
fn xing_claiming_ten_hours(mut mp3: Vec<u8>) -> Vec<u8> {
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
