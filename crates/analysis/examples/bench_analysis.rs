//! Accuracy and speed of the embedded engine on the labelled set beside its tests.
//!
//! `bench_analysis MODEL` prints rows of a table; `cargo xtask bench analysis` runs it.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use slovo_analysis::embedded::Embedded;
use slovo_analysis::{AnalysisError, Analyst, Passage, Stop, Task, Text};
use slovo_rules::analysis::{LABEL_FOUND, Mood, Outcome};

const SENTIMENT: &str = include_str!("../tests/data/bench/sentiment.txt");
const LABELS: &str = include_str!("../tests/data/bench/classification.txt");
const MEETINGS: [(&str, &str); 2] = [
    ("en", include_str!("../tests/data/bench/meeting_en.txt")),
    ("uk", include_str!("../tests/data/bench/meeting_uk.txt")),
];
/// Words of the summaries; about as many as in the reference sentences of a conversation.
const SUMMARY_WORDS: u32 = 90;

struct NeverStop;

impl Stop for NeverStop {
    fn is_set(&self) -> bool {
        false
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = std::env::args()
        .nth(1)
        .ok_or("usage: bench_analysis MODEL")?;
    let started = Instant::now();
    let engine = Embedded::load(Path::new(&model))?;
    println!("model read in {:.2} s", started.elapsed().as_secs_f64());
    // One-time initialisation is not part of the time per sentence.
    run(&engine, &text("en", &["One."]), &Task::Sentiment)?;
    let started = Instant::now();
    let sentences = sentiment(&engine)? + labels(&engine)?;
    let seconds = started.elapsed().as_secs_f64();
    summaries(&engine)?;
    println!(
        "{sentences} sentences, {:.1} ms each, on one thread; most memory {} MB",
        seconds * 1_000.0 / f64::from(sentences),
        memory().unwrap_or_default()
    );
    Ok(())
}

/// Correct and total counts, by language.
type Tally = BTreeMap<String, (u32, u32)>;

fn count(tally: &mut Tally, language: &str, right: bool) {
    for name in [language, "~all"] {
        let entry = tally.entry(name.to_owned()).or_default();
        entry.0 += u32::from(right);
        entry.1 += 1;
    }
}

fn print(title: &str, tally: &Tally) {
    for (language, (right, all)) in tally {
        let share = f64::from(*right) * 100.0 / f64::from(*all);
        println!(
            "{title:<24} {:<4} {right:>3} of {all:>3}  {share:.0}%",
            language.trim_start_matches('~')
        );
    }
}

fn sentiment(engine: &Embedded) -> Result<u32, AnalysisError> {
    let (mut language, mut tally, mut sentences) = ("", Tally::new(), 0);
    for row in SENTIMENT.lines() {
        let Some((sign, sentence)) = row.split_once(' ') else {
            continue;
        };
        let expected = match sign {
            "#" => {
                language = sentence;
                continue;
            }
            "+" => Mood::Positive,
            "-" => Mood::Negative,
            _ => Mood::Neutral,
        };
        if let Outcome::Sentiment(found) =
            run(engine, &text(language, &[sentence]), &Task::Sentiment)?
        {
            count(&mut tally, language, found.mood == expected);
            if found.mood != expected {
                eprintln!("{language} {} {:?}: {sentence}", found.score, found.mood);
            }
        }
        sentences += 1;
    }
    print("sentiment, 3 moods", &tally);
    Ok(sentences)
}

fn labels(engine: &Embedded) -> Result<u32, AnalysisError> {
    let (mut language, mut labels, mut tally, mut sentences) = ("", Vec::new(), Tally::new(), 0);
    let (mut found_right, mut found_wrong) = (Tally::new(), Tally::new());
    for row in LABELS.lines() {
        let Some((label, content)) = row.split_once(": ") else {
            continue;
        };
        if let Some(name) = label.strip_prefix("# ") {
            language = name;
            labels = content.split(" | ").map(str::to_owned).collect();
            continue;
        }
        let task = Task::Classification {
            labels: labels.clone(),
        };
        if let Outcome::Classification(found) = run(engine, &text(language, &[content]), &task)? {
            for scored in &found.labels {
                let tally = if scored.label == label {
                    &mut found_right
                } else {
                    &mut found_wrong
                };
                count(tally, language, scored.score >= LABEL_FOUND);
            }
            count(
                &mut tally,
                language,
                found.labels.first().is_some_and(|best| best.label == label),
            );
        }
        sentences += 1;
    }
    print("labels, best of 8", &tally);
    print("right label found", &found_right);
    print("wrong label found", &found_wrong);
    Ok(sentences)
}

/// How many of the reference sentences are in a summary of the same length.
fn summaries(engine: &Embedded) -> Result<(), AnalysisError> {
    for (language, file) in MEETINGS {
        let rows: Vec<&str> = file.lines().collect();
        let sentences: Vec<&str> = rows
            .iter()
            .map(|row| row.trim_start_matches("* "))
            .collect();
        let task = Task::Summary {
            words: SUMMARY_WORDS,
        };
        if let Outcome::Summary(summary) = run(engine, &text(language, &sentences), &task)? {
            let marked = rows.iter().filter(|row| row.starts_with("* ")).count();
            let found = summary.sentences.iter().filter(|sentence| {
                rows.iter()
                    .any(|row| row.strip_prefix("* ") == Some(&sentence.text))
            });
            println!(
                "summary of {SUMMARY_WORDS} words    {language:<4} {} of its {} sentences are among the {marked} marked of {}; {} words",
                found.count(),
                summary.sentences.len(),
                rows.len(),
                summary.words
            );
        }
    }
    Ok(())
}

fn run(engine: &Embedded, text: &Text, task: &Task) -> Result<Outcome, AnalysisError> {
    engine.run(text, task, &NeverStop, &mut |_| ())
}

fn text(language: &str, sentences: &[&str]) -> Text {
    let passages = (0_u32..).zip(sentences).map(|(number, sentence)| Passage {
        id: number.to_string(),
        start: f64::from(number),
        end: f64::from(number) + 1.0,
        speaker: None,
        text: (*sentence).to_owned(),
    });
    Text {
        language: language.to_owned(),
        duration: 60.0,
        passages: passages.collect(),
    }
}

/// Peak resident memory of the process, in MB.
fn memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let row = status.lines().find_map(|row| row.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = row.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1_024 / 1_000_000)
}
