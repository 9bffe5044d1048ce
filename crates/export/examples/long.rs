//! Writes a file of ten hours of speech, 100,000 words, to measure time and memory (`/usr/bin/time
//! -v`): `cargo run --release -p slovo-export --example long -- pdf long.pdf`.

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;

use slovo_export::{Format, Options, Source, unedited, write};
use slovo_rules::settings::TranscriptionType;
use slovo_rules::transcript::{Segment, Transcript};

/// Ten words.
const SENTENCE: &str = "Кожне речення цієї довгої розмови має рівно десять різних слів.";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let format: Format = arguments.next().unwrap_or_default().parse()?;
    let path = arguments.next().ok_or("name a file")?;
    let segments = (0..10_000).map(|index: u32| {
        let start = f64::from(index) * 3.6;
        Segment {
            index,
            start,
            end: start + 3.0,
            speaker: Some(format!("SPEAKER_{}", index / 9 % 3)),
            language: None,
            text: SENTENCE.to_owned(),
            words: Vec::new(),
        }
    });
    let transcript = unedited(Transcript {
        language: "uk".to_owned(),
        duration: 36_000.0,
        mode: TranscriptionType::Full,
        model: String::new(),
        segments: segments.collect(),
        warnings: Vec::new(),
        removed: Vec::new(),
    });
    let source = Source {
        title: "Десять годин",
        date: None,
        transcript: &transcript,
    };
    let options = Options::EVERYTHING;
    let mut file = BufWriter::new(File::create(path)?);
    write(format, source, options, &mut file)?;
    Ok(())
}
