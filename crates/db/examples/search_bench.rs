//! Measures search over many transcripts of one user, compared with `LIKE` over the same texts in
//! the same run. Run by `cargo xtask bench search`, which passes the file of sentences, the number
//! of transcripts and a database URL; prints a line per query.

use std::error::Error;
use std::time::{Duration, Instant};

use slovo_db::jobs::{self, NewJob};
use slovo_db::texts::search::{self, Document, Terms};
use slovo_db::{Database, Options, accounts, lifecycle};
use slovo_rules::Valid;
use slovo_rules::edit::{EditedSegment, EditedTranscript, Place};
use slovo_rules::settings::TranscriptionType;
use uuid::Uuid;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Sentences of one transcript: about 1,500 words, ten minutes of speech.
const SENTENCES: usize = 100;
/// One transcript in this many contains the rare word.
const RARE_EVERY: usize = 500;
const RARE: &str = "фенікулярія";
/// An inflected form of the rare word that occurs in no transcript.
const OTHER_FORM: &str = "фенікулярією";
const USER: &str = "reader";
/// Jobs on a page of results.
const PAGE: u32 = 10;
/// Repetitions of each query; the slower `LIKE` is repeated less often.
const TIMES: usize = 60;
const PEER_TIMES: usize = 5;

#[tokio::main]
async fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(sentences), Some(count), Some(url)) =
        (arguments.next(), arguments.next(), arguments.next())
    else {
        return Err("search_bench SENTENCES COUNT URL".into());
    };
    let text = std::fs::read_to_string(sentences)?;
    let sentences: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
    let database = Database::connect(&Options::url(url)).await?;
    database.migrate().await?;
    let started = Instant::now();
    fill(&database, &sentences, count.parse()?).await?;
    println!("indexed in {:.1} s", started.elapsed().as_secs_f64());
    let common = most_common(&sentences);
    let queries = [
        ("rare", RARE.to_owned()),
        ("common", common.clone()),
        ("two words", format!("{common} {RARE}")),
        ("beginning", common.chars().take(2).collect()),
        ("Cyrillic", most_common(&cyrillic(&sentences))),
        (
            "quoted",
            format!("\"{}\"", most_common(&cyrillic(&sentences))),
        ),
        ("forms", OTHER_FORM.to_owned()),
        ("nothing", "щщщщ щщщщщ".to_owned()),
    ];
    for (name, query) in queries {
        measure(&database, name, &query).await?;
    }
    Ok(())
}

/// Stores and indexes the transcripts.
async fn fill(database: &Database, sentences: &[&str], count: usize) -> Outcome<()> {
    let mut transaction = database.write().await?;
    let account = accounts::NewAccount {
        id: USER,
        synced_user_id: USER,
        email: "reader@example.com",
        password_hash: None,
        created_at: 1,
    };
    accounts::insert(&mut transaction, &account).await?;
    transaction.commit().await?;
    // A fixed seed: the same sequence of sentences in every run.
    let mut walk: usize = 1;
    for number in 0..count {
        let id = Uuid::from_u128(number as u128 + 1);
        let mut transaction = database.write().await?;
        lifecycle::create_job(&mut transaction, &new_job(id, number)).await?;
        let mut texts = Vec::with_capacity(SENTENCES + 1);
        for _ in 0..SENTENCES {
            walk = walk
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            texts.push(sentences[(walk >> 33) % sentences.len()]);
        }
        if number % RARE_EVERY == 0 {
            texts.push(RARE);
        }
        let job = jobs::find_any(&mut transaction, id)
            .await?
            .ok_or("no job")?;
        let document = Document::new(&job, Some(&transcript(&texts)));
        let waiting = search::stale(&mut transaction, 1).await?;
        let stale = waiting.first().ok_or("nothing waits")?;
        search::write(&mut transaction, database.backend(), stale, &document).await?;
        transaction.commit().await?;
    }
    Ok(())
}

fn new_job(id: Uuid, number: usize) -> NewJob {
    NewJob {
        id,
        user_id: USER.to_owned(),
        media_id: Uuid::from_u128(id.as_u128() | 1 << 100),
        original_filename: format!("recording {number}.mp3"),
        content_type: "audio/mpeg".to_owned(),
        file_size: 1,
        has_video: false,
        duration: None,
        plan: Valid::default(),
        audio_track: None,
        priority: 0,
        now: i64::try_from(number).unwrap_or(i64::MAX),
    }
}

fn transcript(texts: &[&str]) -> EditedTranscript {
    let segments = texts.iter().enumerate().map(|(index, text)| {
        let base = u32::try_from(index).unwrap_or(u32::MAX);
        EditedSegment {
            id: index.to_string(),
            revision: 0,
            place: Place { base, part: 0 },
            start: f64::from(base) * 6.0,
            end: f64::from(base) * 6.0 + 6.0,
            speaker: None,
            language: None,
            text: (*text).to_owned(),
            words: Vec::new(),
            cues: Vec::new(),
        }
    });
    EditedTranscript {
        version: 1,
        seq: 0,
        language: "uk".to_owned(),
        duration: 600.0,
        mode: TranscriptionType::Full,
        model: String::new(),
        speakers: Vec::new(),
        segments: segments.collect(),
        warnings: Vec::new(),
        removed: Vec::new(),
    }
}

fn cyrillic<'a>(sentences: &[&'a str]) -> Vec<&'a str> {
    let is_cyrillic = |text: &&str| text.chars().any(|c| ('а'..='я').contains(&c));
    sentences.iter().copied().filter(is_cyrillic).collect()
}

/// The most frequent word of at least four letters.
fn most_common(sentences: &[&str]) -> String {
    let mut counts = std::collections::BTreeMap::new();
    for word in sentences
        .iter()
        .flat_map(|text| slovo_rules::search::words(text))
    {
        if word.chars().count() >= 4 {
            *counts.entry(word).or_insert(0) += 1;
        }
    }
    let best = counts.into_iter().max_by_key(|(_, count)| *count);
    best.map_or_else(String::new, |(word, _)| word)
}

/// Prints p50 and p95 of a page of results, and the time of the same query with `LIKE`.
async fn measure(database: &Database, name: &str, query: &str) -> Outcome<()> {
    let terms = Terms::new(query);
    let mut found = 0;
    let mut times = Vec::new();
    for _ in 0..TIMES {
        let started = Instant::now();
        let mut connection = database.read().await?;
        let page = (0, PAGE);
        let ids = search::find(&mut connection, database.backend(), USER, &terms, page).await?;
        jobs::find_some(&mut connection, USER, &ids).await?;
        search::passages(&mut connection, &ids, &terms).await?;
        times.push(started.elapsed());
        found = ids.len();
    }
    let mut peer = Vec::new();
    for _ in 0..PEER_TIMES {
        let started = Instant::now();
        like(database, &terms).await?;
        peer.push(started.elapsed());
    }
    let (p50, p95) = (share(&mut times, 0.5), share(&mut times, 0.95));
    let like = share(&mut peer, 0.5);
    println!(
        "{name:10} p50 {:6.1} ms  p95 {:6.1} ms  LIKE {:7.1} ms  ratio {:.4}  ({found} on the page)",
        ms(p50),
        ms(p95),
        ms(like),
        p50.as_secs_f64() / like.as_secs_f64()
    );
    Ok(())
}

/// For comparison: the same jobs without the index.
async fn like(database: &Database, terms: &Terms) -> Outcome<()> {
    let conditions: Vec<String> = (0..terms.all().len())
        .map(|index| {
            format!(
                "EXISTS (SELECT 1 FROM search_passages p WHERE p.my_job_id = j.my_job_id \
                 AND p.folded LIKE ${})",
                index + 2
            )
        })
        .collect();
    let statement = format!(
        "SELECT j.my_job_id FROM synced_jobs j WHERE j.auth_user_id = $1 AND {} \
         ORDER BY j.created_at DESC",
        conditions.join(" AND ")
    );
    let mut select = sqlx::query(sqlx::AssertSqlSafe(statement)).bind(USER);
    for term in terms.all() {
        select = select.bind(format!("%{}%", term.word()));
    }
    let mut connection = database.read().await?;
    select.fetch_all(&mut *connection).await?;
    Ok(())
}

fn share(times: &mut [Duration], share: f64) -> Duration {
    times.sort_unstable();
    let last = times.len().saturating_sub(1);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a few dozen of them"
    )]
    let at = (last as f64 * share).round() as usize;
    times.get(at).copied().unwrap_or_default()
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
