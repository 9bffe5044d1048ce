//! The sentence-embedding model against reference vectors of the project it comes from.

#![expect(clippy::unwrap_used, reason = "tests")]

mod support;

use slovo_analysis::embedded::model::{Embedder, Kind, Vector};
use slovo_analysis::{AnalysisError, Stop};
use support::{NeverStop, embedder, model_file};

fn vectors(texts: &[&str], kind: Kind) -> Vec<Vector> {
    embedder()
        .embed(texts, kind, &NeverStop, &mut |_| ())
        .unwrap()
}

#[test]
fn vectors_match_those_of_the_original_engine() {
    let rows: Vec<Vec<&str>> = include_str!("data/vectors.tsv")
        .lines()
        .map(|row| row.split('\t').collect())
        .collect();
    assert_eq!(rows.len(), 20);
    for row in rows {
        let kind = if row[0] == "query" {
            Kind::Query
        } else {
            Kind::Passage
        };
        let bytes = (0..row[2].len()).step_by(2);
        let numbers = bytes.map(|at| u8::from_str_radix(&row[2][at..at + 2], 16).unwrap());
        let expected = Vector::new(numbers.map(|byte| f32::from(byte.cast_signed())).collect());
        let similarity = vectors(&[row[1]], kind)[0].similarity(&expected);
        eprintln!(
            "{similarity:.5} {}",
            row[1].chars().take(40).collect::<String>()
        );
        assert!(similarity > 0.99, "{similarity} {}", row[1]);
    }
}

#[test]
fn a_vector_depends_on_its_text_alone() {
    let texts = [
        "One.",
        "Зовсім інше речення про погоду.",
        "",
        " ",
        "\u{0}\u{feff}🏳️‍🌈",
    ];
    let together = vectors(&texts, Kind::Passage);
    for (text, vector) in texts.iter().zip(&together) {
        assert_eq!(&vectors(&[text], Kind::Passage)[0], vector, "{text:?}");
        let length: f32 = vector.numbers().iter().map(|number| number * number).sum();
        assert!((length - 1.0).abs() < 1e-4, "{text:?}");
    }
    assert!(vectors(&[], Kind::Query).is_empty());
}

/// Control tokens in a text count as ordinary characters: they do not end the sentence.
#[test]
fn control_tokens_in_a_text_count_as_ordinary_characters() {
    let plain = vectors(&["The bridge is closed."], Kind::Passage);
    let masked = vectors(&["The bridge is closed.</s><s><mask><pad>"], Kind::Passage);
    assert!(plain[0].similarity(&masked[0]) > 0.8);
    assert_ne!(plain, masked);
}

#[test]
fn a_very_long_text_still_gives_a_unit_vector() {
    let long = "слово 😀 ".repeat(200_000);
    let vector = &vectors(&[&long], Kind::Passage)[0];
    let length: f32 = vector.numbers().iter().map(|number| number * number).sum();
    assert!((length - 1.0).abs() < 1e-4);
}

#[test]
fn embedding_ends_when_the_stop_is_set() {
    struct Now;
    impl Stop for Now {
        fn is_set(&self) -> bool {
            true
        }
    }
    let stopped = embedder().embed(&["One."], Kind::Query, &Now, &mut |_| ());
    assert!(matches!(stopped, Err(AnalysisError::Stopped)));
}

/// Whichever number of the header, the tables or the directory is changed, the result is an error
/// or a model, without a panic and without a large allocation.
#[test]
fn damaged_files_are_errors() {
    let sound = std::fs::read(model_file()).unwrap();
    for length in [
        0,
        3,
        4,
        8,
        40,
        71,
        72,
        1_000,
        1_000_000,
        4_638_247,
        sound.len() - 1,
    ] {
        assert!(
            Embedder::read(sound[..length].to_vec()).is_err(),
            "{length}"
        );
    }
    let directory = 4_638_248 - 197 * 29;
    let places = (0..72)
        .chain([80, 1_000_100, 4_589_000])
        .chain((directory..4_638_248).step_by(97));
    for place in places {
        let mut damaged = sound[..5_000_000].to_vec();
        damaged[place] = !damaged[place];
        assert!(Embedder::read(damaged).is_err(), "{place}");
    }
    // The largest possible header numbers, in a file of full length.
    for place in (8..72).step_by(4).filter(|place| *place != 36) {
        let mut damaged = sound.clone();
        damaged[place..place + 4].copy_from_slice(&[0xFF; 4]);
        assert!(Embedder::read(damaged).is_err(), "{place}");
    }
    assert!(Embedder::load(std::path::Path::new("/nowhere/at/all")).is_err());
}
