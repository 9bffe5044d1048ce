//! TTML: the text profile of IMSC 1.1 (W3C), which streaming services and browser players support.

use std::io::{self, Write};

use super::subtitles::WrittenCue;
use super::text::printed;
use super::time::stamp;
use super::{Options, Source};

/// Writes the subtitles. Times are media times in thousandths of a second; the frame rate is stated
/// for editors that count in frames.
pub fn write(
    source: Source<'_>,
    options: Options,
    cues: &[WrittenCue],
    out: &mut impl Write,
) -> io::Result<()> {
    let language = &source.transcript.language;
    let limits = options.subtitles.limits(language);
    let (rate, multiplier) = frames(limits.frame_rate);
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        out,
        "<tt xmlns=\"http://www.w3.org/ns/ttml\" \
         xmlns:ttm=\"http://www.w3.org/ns/ttml#metadata\" \
         xmlns:ttp=\"http://www.w3.org/ns/ttml#parameter\" \
         xmlns:tts=\"http://www.w3.org/ns/ttml#styling\" \
         ttp:contentProfiles=\"http://www.w3.org/ns/ttml/profile/imsc1.1/text\" \
         ttp:timeBase=\"media\" ttp:frameRate=\"{rate}\" ttp:frameRateMultiplier=\"{multiplier}\" \
         xml:lang=\"{}\">",
        escaped(language)
    )?;
    writeln!(out, "  <head>")?;
    writeln!(out, "    <metadata>")?;
    writeln!(
        out,
        "      <ttm:title>{}</ttm:title>",
        escaped(source.title)
    )?;
    let agents = agents(cues);
    for (number, name) in (1..).zip(&agents) {
        writeln!(
            out,
            "      <ttm:agent xml:id=\"speaker{number}\" type=\"person\">\
             <ttm:name type=\"full\">{}</ttm:name></ttm:agent>",
            escaped(name)
        )?;
    }
    writeln!(out, "    </metadata>")?;
    out.write_all(STYLE.as_bytes())?;
    writeln!(out, "  <body style=\"plain\" region=\"bottom\">")?;
    writeln!(out, "    <div>")?;
    for (number, subtitle) in (1..).zip(cues) {
        let agent = agents
            .iter()
            .position(|name| Some(*name) == subtitle.cue.speaker.as_deref());
        let agent = agent.map_or_else(String::new, |at| {
            format!(" ttm:agent=\"speaker{}\"", at + 1)
        });
        let other_language = if subtitle.language == *language {
            String::new()
        } else {
            format!(" xml:lang=\"{}\"", escaped(&subtitle.language))
        };
        let lines = subtitle.cue.spoken_lines(&limits);
        let lines = lines
            .lines()
            .chain(subtitle.below.iter().map(String::as_str));
        let lines: Vec<String> = lines.map(escaped).collect();
        writeln!(
            out,
            "      <p xml:id=\"cue{number}\" begin=\"{}\" end=\"{}\"\
             {agent}{other_language}>{}</p>",
            stamp(subtitle.cue.start, '.'),
            stamp(subtitle.cue.end, '.'),
            lines.join("<br/>")
        )?;
    }
    writeln!(out, "    </div>\n  </body>\n</tt>")
}

/// White text in the lower part of the picture, the usual style.
const STYLE: &str = "    <styling>
      <style xml:id=\"plain\" tts:color=\"#ffffff\" tts:backgroundColor=\"#000000b3\" \
tts:fontFamily=\"proportionalSansSerif\" tts:fontSize=\"80%\" tts:lineHeight=\"normal\" \
tts:textAlign=\"center\"/>
    </styling>
    <layout>
      <region xml:id=\"bottom\" tts:origin=\"10% 60%\" tts:extent=\"80% 32%\" \
tts:displayAlign=\"after\" tts:overflow=\"visible\"/>
    </layout>
  </head>
";

/// The nominal frame rate and its multiplier: `30` and `1000 1001` for 29.97.
fn frames(rate: f64) -> (u32, &'static str) {
    let nominal = rate.ceil();
    let broadcast = (nominal * 1000.0 / 1001.0 - rate).abs() < 0.005;
    let multiplier = if broadcast { "1000 1001" } else { "1 1" };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "12 to 120, and a saturating cast is what is wanted"
    )]
    let nominal = if broadcast { nominal } else { rate.round() } as u32;
    (nominal.max(1), multiplier)
}

/// The speakers, by first appearance.
fn agents(cues: &[WrittenCue]) -> Vec<&str> {
    let mut agents: Vec<&str> = Vec::new();
    for name in cues
        .iter()
        .filter_map(|subtitle| subtitle.cue.speaker.as_deref())
    {
        if !agents.contains(&name) {
            agents.push(name);
        }
    }
    agents
}

/// Escapes text for XML; characters that XML does not allow are removed or become a space.
fn escaped(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for character in printed(text).chars() {
        match character {
            '&' => written.push_str("&amp;"),
            '<' => written.push_str("&lt;"),
            '>' => written.push_str("&gt;"),
            '"' => written.push_str("&quot;"),
            control if control.is_control() => written.push(' '),
            other => written.push(other),
        }
    }
    written
}
