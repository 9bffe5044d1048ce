//! EBU STL (Tech 3264), the binary subtitle format of broadcasters: a general subtitle information
//! block (GSI, 1024 bytes), then text and timing information blocks (TTI, 128 bytes each).

mod table;

use std::io::{self, Write};

use super::subtitles::WrittenCue;
use super::{Options, Source};
use table::{Encoder, Table};

/// Bytes of the GSI block.
const GSI: usize = 1024;
/// Bytes of a TTI block.
const TTI: usize = 128;
/// Bytes of text in a TTI block.
const TEXT: usize = 112;
/// Fills the rest of a text field.
const FILL: u8 = 0x8f;
/// Line break.
const NEW_LINE: u8 = 0x8a;
/// Number of rows on the screen.
const ROWS: u8 = 23;
/// The most TTI blocks: their count has five digits.
const MAX_BLOCKS: usize = 99_999;
/// Number of subtitles per group.
const GROUP: usize = 0x1_0000;

/// Nominal frames per second of the time code, and actual frames per second.
#[derive(Clone, Copy)]
struct Rate {
    name: &'static [u8; 8],
    counted: u64,
    displayed: f64,
    /// Whether it is drop-frame time code, which skips numbers to stay in step with real time.
    drops: bool,
}

/// The standard has 25 and 30 frames; other rates use the nearer one.
fn rate(frame_rate: f64) -> Rate {
    let is_rate = |rate: f64| (frame_rate - rate).abs() < 0.01;
    let (name, counted, displayed, drops) = if is_rate(29.97) || is_rate(59.94) {
        (b"STL30.01", 30, 30_000.0 / 1_001.0, true)
    } else if is_rate(30.0) || is_rate(60.0) {
        (b"STL30.01", 30, 30.0, false)
    } else {
        (b"STL25.01", 25, 25.0, false)
    };
    Rate {
        name,
        counted,
        displayed,
        drops,
    }
}

/// Writes the subtitles. The character table is Cyrillic if the text contains any Cyrillic letter,
/// else Latin. Characters that are not in the table are replaced, and the user-defined area of the
/// GSI block lists them.
///
/// # Errors
/// When writing fails, or there are more subtitles than the format can count.
pub fn write(
    source: Source<'_>,
    options: Options,
    cues: &[WrittenCue],
    out: &mut impl Write,
) -> io::Result<()> {
    let limits = options.subtitles.limits(&source.transcript.language);
    let rate = rate(limits.frame_rate);
    let texts: Vec<Vec<String>> = cues
        .iter()
        .map(|entry| {
            let spoken = entry.cue.spoken_lines(&limits);
            let lines = spoken.lines().chain(entry.below.iter().map(String::as_str));
            lines.map(str::to_owned).collect()
        })
        .collect();
    let table = Table::of(texts.iter().flatten().map(String::as_str));
    let mut encoder = Encoder::new(table);
    let mut blocks = Vec::with_capacity(cues.len() * TTI);
    let mut first = [0; 4];
    let mut columns = limits.max_columns;
    for (number, (entry, lines)) in cues.iter().zip(&texts).enumerate() {
        let times = [
            time_code(entry.cue.start, rate),
            time_code(entry.cue.end, rate),
        ];
        if number == 0 {
            first = times[0];
        }
        let mut text = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            if at > 0 {
                text.push(NEW_LINE);
            }
            columns = columns.max(encoder.write(line, &mut text));
        }
        subtitle(number, times, lines.len(), &text, &mut blocks);
    }
    if blocks.len() / TTI > MAX_BLOCKS {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "more subtitles than EBU STL can count",
        ));
    }
    let general = General {
        source,
        rate,
        table,
        columns,
        subtitles: cues.len(),
        blocks: blocks.len() / TTI,
        first,
        replaced: encoder.replaced(),
    };
    out.write_all(&general.bytes())?;
    out.write_all(&blocks)
}

/// Hours, minutes, seconds and frames, one byte each; hours wrap at 24.
fn time_code(seconds: f64, rate: Rate) -> [u8; 4] {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a saturating cast is what is wanted: negative and NaN give 0"
    )]
    let frames = (seconds * rate.displayed).round() as u64;
    let frames = if rate.drops { numbered(frames) } else { frames };
    let (rest, f) = (frames / rate.counted, frames % rate.counted);
    let parts = [rest / 3_600 % 24, rest / 60 % 60, rest % 60, f];
    parts.map(|part| u8::try_from(part).unwrap_or(0))
}

/// The number of a frame in drop-frame time code (SMPTE 12M): each minute except every tenth begins
/// with number 2, because 29.97 frames are shown while 30 are counted.
const fn numbered(frames: u64) -> u64 {
    const IN_TEN_MINUTES: u64 = 17_982;
    const IN_A_MINUTE: u64 = 1_798;
    let minutes = (frames % IN_TEN_MINUTES).saturating_sub(2) / IN_A_MINUTE;
    frames + 18 * (frames / IN_TEN_MINUTES) + 2 * minutes
}

/// The TTI blocks of one subtitle, as many as its text needs.
fn subtitle(number: usize, times: [[u8; 4]; 2], lines: usize, text: &[u8], blocks: &mut Vec<u8>) {
    let pieces: Vec<&[u8]> = if text.is_empty() {
        vec![text]
    } else {
        text.chunks(TEXT).collect()
    };
    let rows = u8::try_from(lines.clamp(1, usize::from(ROWS))).unwrap_or(ROWS);
    for (at, piece) in pieces.iter().enumerate() {
        let group = u8::try_from(number / GROUP).unwrap_or(u8::MAX);
        let [low, high] = u16::try_from(number % GROUP).unwrap_or(0).to_le_bytes();
        let extension = if at + 1 == pieces.len() {
            0xff
        } else {
            // A text of 2 kB needs fewer blocks than that.
            u8::try_from(at).unwrap_or(0xef).min(0xef)
        };
        blocks.extend([group, low, high, extension, 0]);
        blocks.extend(times[0]);
        blocks.extend(times[1]);
        // The row of the first line, centred, not a comment.
        blocks.extend([ROWS - rows, 2, 0]);
        blocks.extend_from_slice(piece);
        blocks.extend(std::iter::repeat_n(FILL, TEXT - piece.len()));
    }
}

/// The contents of the GSI block.
struct General<'a> {
    source: Source<'a>,
    rate: Rate,
    table: Table,
    /// The most characters of a line: long words and replacements can exceed the limit.
    columns: usize,
    subtitles: usize,
    blocks: usize,
    first: [u8; 4],
    replaced: String,
}

impl General<'_> {
    fn bytes(&self) -> [u8; GSI] {
        let mut bytes = [b' '; GSI];
        let mut put = |at: usize, length: usize, text: &str| {
            // Code page 850; only ASCII is read reliably.
            let ascii = text
                .chars()
                .map(|c| if (' '..='~').contains(&c) { c } else { '?' });
            for (place, c) in bytes[at..at + length].iter_mut().zip(ascii) {
                *place = u8::try_from(c).unwrap_or(b'?');
            }
        };
        let date = self
            .source
            .date
            .map(|date| date.strftime("%y%m%d").to_string());
        let date = date.unwrap_or_default();
        put(0, 3, "850");
        put(
            3,
            8,
            std::str::from_utf8(self.rate.name).unwrap_or_default(),
        );
        // Open subtitles, not teletext.
        put(11, 1, "0");
        put(12, 2, self.table.code());
        put(14, 2, language(&self.source.transcript.language));
        put(16, 32, self.source.title);
        put(224, 6, &date);
        put(230, 6, &date);
        put(236, 2, "00");
        put(238, 5, &format!("{:05}", self.blocks));
        put(243, 5, &format!("{:05}", self.subtitles));
        put(
            248,
            3,
            &format!("{:03}", self.subtitles.div_ceil(GROUP).max(1)),
        );
        put(251, 2, &format!("{:02}", self.columns.min(99)));
        put(253, 2, &format!("{ROWS:02}"));
        // The time codes are valid and begin at 0.
        put(255, 1, "1");
        put(256, 8, "00000000");
        let [h, m, s, f] = self.first;
        put(264, 8, &format!("{h:02}{m:02}{s:02}{f:02}"));
        put(272, 2, "11");
        put(448, 576, &self.replaced);
        bytes
    }
}

/// The standard's code of a language; `00` if unknown.
fn language(code: &str) -> &'static str {
    match code {
        "cs" => "06",
        "da" => "07",
        "de" => "08",
        "en" => "09",
        "es" => "0A",
        "fr" => "0F",
        "it" => "15",
        "hu" => "1B",
        "nl" => "1D",
        "no" => "1E",
        "pl" => "20",
        "pt" => "21",
        "ro" => "22",
        "sr" => "24",
        "sk" => "25",
        "fi" => "27",
        "sv" => "28",
        "tr" => "29",
        "uk" => "49",
        "th" => "4A",
        "ru" => "56",
        "mk" => "63",
        "ko" => "65",
        "kk" => "67",
        "ja" => "69",
        "hi" => "6B",
        "he" => "6C",
        "el" => "70",
        "zh" => "75",
        "bg" => "77",
        "be" => "79",
        "ar" => "7E",
        _ => "00",
    }
}
