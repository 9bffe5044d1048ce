//! Maps decoders' error messages to a few stable codes. The messages go to the log and the command
//! line; the web pages show a localised text for the code.

/// A part of such a message, in lower case, and its code. The first match counts, so the most
/// specific come first. All codes are in [`slovo_rules::codes::DAMAGES`].
const MEANINGS: &[(&str, &str)] = &[
    ("crc", "checksum"),
    ("checksum", "checksum"),
    ("moov", "no_index"),
    ("cut off", "cut_off"),
    ("truncated", "cut_off"),
    ("unexpected end", "cut_off"),
    ("end of stream", "cut_off"),
    ("ends in the middle", "cut_off"),
    ("no data chunk", "cut_off"),
    ("missing data chunk", "cut_off"),
    ("unsupported", "unsupported"),
    ("not supported", "unsupported"),
    ("limit reached", "impossible"),
    ("too many", "impossible"),
    ("too much", "impossible"),
    ("too deeply", "impossible"),
    ("too large", "impossible"),
    ("too big", "impossible"),
    ("too small", "impossible"),
    ("too long", "impossible"),
    ("larger than", "impossible"),
    ("greater than", "impossible"),
    ("greater-than", "impossible"),
    ("exceed", "impossible"),
    ("overflow", "impossible"),
    ("out of bounds", "impossible"),
    ("out-of-bounds", "impossible"),
    ("endless", "impossible"),
    ("claims", "impossible"),
    ("bits a sample", "impossible"),
    ("is 0", "impossible"),
    ("cannot be 0", "impossible"),
    ("is zero", "impossible"),
    ("header", "header"),
    ("description", "header"),
    ("stream info", "header"),
    ("format chunk", "header"),
    ("missing", "header"),
    ("nothing of its sound", "sound"),
    ("cannot be converted", "sound"),
    ("sync lost", "sound"),
    ("decode failed", "sound"),
    ("decoder", "sound"),
];

/// The code for messages that match nothing.
const OTHERWISE: &str = "structure";

/// The code for a message of a decoder or of a reader here.
pub(super) fn code_of(message: &str) -> &'static str {
    let message = message.to_ascii_lowercase();
    MEANINGS
        .iter()
        .find(|(part, _)| message.contains(*part))
        .map_or(OTHERWISE, |&(_, code)| code)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::io;

    use slovo_rules::codes::DAMAGES;
    use symphonia::core::errors::Error;

    use super::super::MediaError;
    use super::*;

    #[test]
    fn damage_is_reported_as_a_code_and_not_as_the_decoders_message() {
        let error = MediaError::damaged(Error::DecodeError("ogg: crc mismatch").to_string());
        assert_eq!(error.params()["what"], "checksum");
        assert!(error.to_string().contains("ogg: crc mismatch"));
    }

    #[test]
    fn exactly_the_listed_damage_codes_are_used() {
        let used: BTreeSet<&str> = MEANINGS
            .iter()
            .map(|(_, code)| *code)
            .chain([OTHERWISE])
            .collect();
        let listed: BTreeSet<&str> = DAMAGES.iter().copied().collect();
        assert_eq!(used, listed);
    }

    #[test]
    fn messages_of_decoders_map_to_codes() {
        for (error, code) in [
            (Error::DecodeError("ogg: crc mismatch"), "checksum"),
            (
                Error::DecodeError("flac: computed frame header CRC does not match expected CRC"),
                "checksum",
            ),
            (Error::Unsupported("isomp4: missing moov atom"), "no_index"),
            (
                Error::DecodeError("isomp4 (moov): missing mvhd atom"),
                "no_index",
            ),
            (
                Error::DecodeError("vorbis: truncated length lacing"),
                "cut_off",
            ),
            (
                Error::IoError(io::ErrorKind::UnexpectedEof.into()),
                "cut_off",
            ),
            (Error::Unsupported("wav: missing data chunk"), "cut_off"),
            (
                Error::Unsupported("ogg (vorbis): only vorbis 1 is supported"),
                "unsupported",
            ),
            (
                Error::Unsupported("isomp4 (stsd): more than 1 sample entry"),
                "unsupported",
            ),
            (
                Error::IoError(io::Error::other("too much data without a packet")),
                "impossible",
            ),
            (Error::LimitError("buffer"), "impossible"),
            (
                Error::DecodeError("vorbis: sample rate cannot be 0"),
                "impossible",
            ),
            (
                Error::DecodeError("isomp4 (mdhd): timescale is zero"),
                "impossible",
            ),
            (
                Error::DecodeError("ogg: packet buffer would exceed max size"),
                "impossible",
            ),
            (
                Error::DecodeError("vorbis: blocksize_0 out-of-bounds"),
                "impossible",
            ),
            (Error::DecodeError("mkv: missing Tracks element"), "header"),
            (
                Error::DecodeError("vorbis: invalid header signature"),
                "header",
            ),
            (Error::DecodeError("flac: no stream info block"), "header"),
            (Error::DecodeError("sync lost"), "sound"),
            (Error::DecodeError("opus: decode failed"), "sound"),
            (Error::ResetRequired, "sound"),
            (Error::DecodeError("mpa: invalid block_type"), "structure"),
            (
                Error::DecodeError("ogg: invalid flag bits set"),
                "structure",
            ),
        ] {
            let message = error.to_string();
            assert_eq!(code_of(&message), code, "{message}");
        }
    }

    #[test]
    fn messages_of_our_own_readers_map_to_codes() {
        for (message, code) in [
            (
                "the index (moov) is missing: the recording was cut off",
                "no_index",
            ),
            ("the index (moov) is empty", "no_index"),
            ("its header is cut off", "cut_off"),
            ("the WAV file has no data chunk", "cut_off"),
            ("the file ends in the middle of its sound", "cut_off"),
            (
                "the codec changes to one that is not supported",
                "unsupported",
            ),
            ("it claims 4096 audio tracks", "impossible"),
            ("the WAV header says 3 bits a sample", "impossible"),
            ("the WAV block size is too small", "impossible"),
            ("the file has too many boxes", "impossible"),
            ("boxes are nested too deeply", "impossible"),
            (
                "a part of the file is larger than any real one",
                "impossible",
            ),
            ("its description is endless", "impossible"),
            ("the audio track has no description", "header"),
            ("its header cannot be read", "header"),
            ("its header makes the reader fail", "header"),
            ("the FLAC stream information is missing", "header"),
            ("the WAV file has no format chunk", "header"),
            ("nothing of its sound can be decoded", "sound"),
            ("the sound cannot be converted to 16 kHz", "sound"),
            ("the external decoder gave up", "sound"),
            ("the decoder met a state that it does not know", "sound"),
        ] {
            assert_eq!(code_of(message), code, "{message}");
        }
    }
}
