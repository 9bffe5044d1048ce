//! Two pages edit one text while the program is killed repeatedly: afterwards exactly the
//! acknowledged edits exist.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use slovo_db::core::lease::Claim;
use slovo_db::jobs;
use slovo_db::jobs::queue::{self, Line};
use slovo_db::{Database, Options, lifecycle};
use slovo_rules::Valid;
use slovo_rules::settings::TranscriptionType;
use slovo_rules::transcript::{Segment, Transcript, Word};
use slovo_test_postgres::Cluster;
use tokio::runtime::Runtime;
use uuid::Uuid;

use crate::pages::{Done, EDITS, Page, WORDS, text};
use crate::program::{Program, TIMEOUT, kills};
use crate::user::User;

/// Kills on the way, with each change.
const KILLS: usize = 6;
/// Segments of the text.
const SEGMENTS: u32 = 60;

#[test]
fn no_acknowledged_edit_is_lost() {
    edits_survive(None, 1);
}

#[test]
fn no_acknowledged_edit_is_lost_on_postgresql() {
    let cluster = Cluster::start().unwrap();
    edits_survive(Some(cluster.url()), 2);
}

/// A job that has its text already, made in the database of the running program.
pub fn finished_job(folder: &Path, database: Option<&str>, user_id: &str) -> (String, Transcript) {
    let options = match database {
        Some(url) => Options::url(url),
        None => Options::file(&folder.join("data/slovo.db")),
    };
    let segment = |index: u32| {
        let start = f64::from(index) * 3.0;
        let words = WORDS.iter().zip(0_u32..).map(|(word, number)| Word {
            start: start + f64::from(number) * 0.25,
            end: start + f64::from(number) * 0.25 + 0.2,
            text: (*word).to_owned(),
            confidence: 0.9,
        });
        Segment {
            index,
            start,
            end: start + 2.5,
            speaker: Some(format!("SPEAKER_{}", index % 3)),
            language: None,
            text: WORDS.join(" "),
            words: words.collect(),
        }
    };
    let transcript = Transcript {
        language: "uk".to_owned(),
        duration: 300.0,
        mode: TranscriptionType::Full,
        model: "base".to_owned(),
        segments: (0..SEGMENTS).map(segment).collect(),
        warnings: Vec::new(),
        removed: Vec::new(),
    };
    let id = Uuid::new_v4();
    let job = jobs::NewJob {
        id,
        user_id: user_id.to_owned(),
        media_id: Uuid::new_v4(),
        original_filename: "talk.wav".to_owned(),
        content_type: "audio/wav".to_owned(),
        file_size: 1,
        has_video: false,
        duration: None,
        plan: Valid::default(),
        audio_track: None,
        priority: 0,
        now: 0,
    };
    let claim = Claim {
        lease_id: id.to_string(),
        owner: "test",
        now: 1,
        until: 1000,
    };
    // A server does not start without the recordings that it knows.
    let media = folder.join("data/media").join(job.media_id.to_string());
    std::fs::write(media, "x").unwrap();
    Runtime::new().unwrap().block_on(async {
        let db = Database::connect(&options).await.unwrap();
        // In one transaction: the program does not see the job before it has ended.
        let mut transaction = db.write().await.unwrap();
        lifecycle::create_job(&mut transaction, &job).await.unwrap();
        let claimed = queue::claim(&mut transaction, db.backend(), Line::Recognition, &claim).await;
        let (lease, _) = claimed.unwrap().unwrap();
        let completed =
            lifecycle::complete_job(&mut transaction, &lease, 1, &transcript, false, 2).await;
        assert!(completed.unwrap());
        transaction.commit().await.unwrap();
        db.close().await;
    });
    (format!("/api/v1/jobs/{id}"), transcript)
}

fn edits_survive(database: Option<&str>, seed: u64) {
    let folder = tempfile::tempdir().unwrap();
    let mut random = StdRng::seed_from_u64(seed);
    let program = Program::start(folder.path(), database, "run-0");
    let user = User::sign_up(&program);
    let (job, transcript) = finished_job(folder.path(), database, &user.id(&program));
    let mut pages = [Page::new(seed + 100), Page::new(seed + 200)];
    let acknowledged_count = AtomicUsize::new(0);
    let mut program = program;
    let kills = kills(KILLS);
    for run in 1..=kills + 1 {
        let target = if run > kills {
            EDITS
        } else {
            EDITS * run / (kills + 1)
        };
        let pause = Duration::from_micros(random.random_range(0..20_000));
        let pid = program.id().to_string();
        std::thread::scope(|scope| {
            let (program, user, job, acknowledged_count) =
                (&program, &user, job.as_str(), &acknowledged_count);
            let editing: Vec<_> = pages
                .iter_mut()
                .map(|page| scope.spawn(move || page.edit(program, user, job, acknowledged_count)))
                .collect();
            while acknowledged_count.load(Ordering::SeqCst) < target
                && !editing.iter().all(ScopedJoinHandle::is_finished)
            {
                std::thread::sleep(Duration::from_millis(1));
            }
            if run <= kills {
                // In the middle of whatever it does just then.
                std::thread::sleep(pause);
                let kill = Command::new("kill").args(["-9", &pid]).status();
                assert!(kill.unwrap().success());
            }
        });
        if run <= kills {
            program.kill();
            program = Program::start(folder.path(), database, &format!("run-{run}"));
        }
    }
    assert_all_edits_are_stored(&program, &user, &job, &transcript, &pages);
    edit_last_word(&program, &user, &job);
    // Most likely before it was indexed.
    program.kill();
    let program = Program::start(folder.path(), database, "run-search");
    assert_last_word_is_found(&program, &user, &job);
    program.terminate();
}

/// A word that no page writes.
const LAST_WORD: &str = "quixotic";

fn edit_last_word(program: &Program, user: &User, job: &str) {
    let path = format!("{job}/transcript?times=all");
    let read = user.try_get(program, &path).unwrap();
    let segment = &read.json()["segments"][0];
    let edit = json!({"edit_id": Uuid::new_v4(), "op": {"kind": "set_text", "text": LAST_WORD,
        "segment": {"id": segment["id"], "revision": segment["revision"]}}});
    let body = json!({"version": 1, "client": Uuid::new_v4(), "edits": [edit]});
    let answer = user.try_post(program, &format!("{job}/edits"), &body);
    let answer = answer.unwrap();
    assert_eq!(answer.status, 200, "{}", answer.json());
}

fn assert_last_word_is_found(program: &Program, user: &User, job: &str) {
    let started = Instant::now();
    loop {
        let found = user.try_get(program, &format!("/api/v1/search?q={LAST_WORD}"));
        let found = found.unwrap().json();
        if found["items"]
            .as_array()
            .is_some_and(|items| !items.is_empty())
        {
            let id = found["items"][0]["job"]["my_job_id"].as_str().unwrap();
            assert!(job.ends_with(id), "{found}");
            assert_eq!(found["items"][0]["hits"][0]["text"], LAST_WORD);
            return;
        }
        assert!(started.elapsed() < TIMEOUT, "{found}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn assert_all_edits_are_stored(
    program: &Program,
    user: &User,
    job: &str,
    transcript: &Transcript,
    pages: &[Page; 2],
) {
    let edits = all_edits(journal(program, user, job), pages);
    let numbers: Vec<u64> = edits.keys().copied().collect();
    let consecutive: Vec<u64> = (1..=numbers.len() as u64).collect();
    assert_eq!(numbers, consecutive, "no number is left out");

    // The text that the acknowledgements tell is the text that is there.
    let recognised = transcript.segments.iter();
    let mut acknowledged: BTreeMap<String, Value> = recognised
        .map(|segment| (segment.index.to_string(), Value::Null))
        .collect();
    let mut touched = BTreeSet::new();
    for (_, changes) in edits.into_values() {
        for change in changes.as_array().unwrap() {
            touched.insert(text(&change["id"]));
            acknowledged.insert(text(&change["id"]), change["segment"].clone());
        }
    }
    // Segments merged away count: how many are left at the end is chance.
    assert!(touched.len() > 30, "{} segments were edited", touched.len());
    let path = format!("{job}/transcript?times=all");
    let read = user.try_get(program, &path).unwrap();
    let read = read.json();
    let segments = read["segments"].as_array().unwrap().iter();
    let segments: BTreeMap<String, &Value> = segments
        .map(|segment| (text(&segment["id"]), segment))
        .collect();
    for (id, expected) in acknowledged {
        match segments.get(&id) {
            None => assert!(expected.is_null(), "{id} is gone: {expected}"),
            Some(now) if expected.is_null() => {
                assert_eq!(now["revision"], 0, "{id} should not be there: {now}");
            }
            Some(now) => assert_eq!(**now, expected),
        }
    }
}

/// All edits that are stored, by their numbers.
fn journal(program: &Program, user: &User, job: &str) -> BTreeMap<u64, Done> {
    let mut journal = BTreeMap::new();
    let mut since = 0;
    loop {
        let list = format!("{job}/edits?version=1&since={since}");
        let list = user.try_get(program, &list).unwrap().json();
        for edit in list["edits"].as_array().unwrap() {
            let id = edit["edit_id"].as_str().unwrap().parse().unwrap();
            journal.insert(edit["seq"].as_u64().unwrap(), (id, edit["changes"].clone()));
        }
        since = list["seq"].as_u64().unwrap();
        if list["more"] == false {
            return journal;
        }
    }
}

/// What was acknowledged, and what was stored and about to be sent again: there is nothing else.
fn all_edits(journal: BTreeMap<u64, Done>, pages: &[Page; 2]) -> BTreeMap<u64, Done> {
    let mut edits = BTreeMap::new();
    for (seq, edit) in pages.iter().flat_map(|page| &page.acknowledged) {
        let before = edits.insert(*seq, edit.clone());
        assert!(before.is_none(), "{seq} was acknowledged to both");
        let stored = journal.get(seq).map(|(id, _)| id);
        assert_eq!(stored, Some(&edit.0), "{seq} is not what was acknowledged");
    }
    assert!(edits.len() >= EDITS);
    let sum = |count: fn(&Page) -> usize| pages.iter().map(count).sum::<usize>();
    println!(
        "{} acknowledged, {} stored, {} refused, {} cut off by a kill",
        edits.len(),
        journal.len(),
        sum(|page| page.refused),
        sum(|page| page.cut_off),
    );
    let open: Vec<String> = pages
        .iter()
        .filter_map(|page| page.open.as_ref())
        .map(|request| request.body.to_string())
        .collect();
    for (seq, (id, changes)) in journal {
        edits.entry(seq).or_insert_with(|| {
            let is_open = open.iter().any(|body| body.contains(&id.to_string()));
            assert!(is_open, "nobody sent {seq}");
            (id, changes)
        });
    }
    edits
}
