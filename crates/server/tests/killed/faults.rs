//! Everything at once: users upload, correct, cancel and delete on two web processes, three processes
//! work, and one after the other is killed at random moments: a web process, a worker, an engine,
//! PostgreSQL; or a worker stands still for a while. Afterwards everything that was acknowledged is there, and nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use slovo_test_media::prompts;
use uuid::Uuid;

use super::program::{Answer, Program, TIMEOUT};
use super::user::User;
use super::world::World;

/// The variable that says how much happens.
const SCALE: &str = "SLOVO_TEST_FAULTS";

/// How much happens: users, jobs of each, seconds without a database in one piece, and the seed. With
/// each change a few, else what `SLOVO_TEST_FAULTS` says (`20,10,60,7`).
fn scale() -> (usize, usize, Duration, u64) {
    let asked = std::env::var(SCALE).unwrap_or_else(|_| "3,4,0,1".to_owned());
    let figures: Vec<u64> = asked
        .split(',')
        .map(|figure| figure.parse().unwrap())
        .collect();
    let [users, jobs, outage, seed] = figures[..] else {
        panic!("SLOVO_TEST_FAULTS={asked}: users,jobs,seconds of outage,seed");
    };
    let outage = Duration::from_secs(outage);
    (
        users.try_into().unwrap(),
        jobs.try_into().unwrap(),
        outage,
        seed,
    )
}

/// What a user was told of a job.
#[derive(Debug, Default)]
struct Acknowledged {
    deleted: bool,
    cancelled: bool,
    /// The text of the first segment.
    edited: Option<String>,
}

/// Asks until there is an answer with one of these statuses; others that say "later" are tried again.
fn insist(
    world: &World,
    random: &mut StdRng,
    expected: &[u16],
    ask: impl Fn(&Program) -> Option<Answer>,
) -> Answer {
    let started = Instant::now();
    loop {
        let answer = ask(&world.web(random));
        match answer {
            Some(answer) if expected.contains(&answer.status) => return answer,
            Some(answer) if ![408, 423, 429, 503].contains(&answer.status) => {
                panic!(
                    "{}: {}",
                    answer.status,
                    String::from_utf8_lossy(&answer.body)
                )
            }
            _ => {}
        }
        assert!(started.elapsed() < TIMEOUT, "nobody answers");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Uploads and makes a job; whatever is killed meanwhile, no acknowledged byte is sent twice.
fn make_job(world: &World, random: &mut StdRng, user: &User, recording: &[u8]) -> String {
    let size = recording.len().to_string();
    let created = insist(world, random, &[201], |web| user.try_begin(web, &size));
    let upload = created.header("location").to_owned();
    let mut acknowledged = 0;
    while acknowledged < recording.len() {
        let asked = insist(world, random, &[200], |web| user.try_head(web, &upload));
        let stored: usize = asked.header("upload-offset").parse().unwrap();
        assert!(
            stored >= acknowledged,
            "{acknowledged} bytes were acknowledged, {stored} are there"
        );
        acknowledged = stored;
        let end = recording.len().min(stored + recording.len() / 3 + 1);
        let at = stored.to_string();
        let web = world.web(random);
        let part = &recording[stored..end];
        let answer = web.try_send("PATCH", &upload, &user.patch_headers(&at), part);
        if answer.is_some_and(|answer| answer.status == 204) {
            acknowledged = end;
        }
    }
    let settings = json!({"transcription_type": "lite", "language_code": "en"});
    let body = json!({"upload_id": upload.rsplit('/').next(), "settings": settings});
    let key = Uuid::new_v4().to_string();
    let job = insist(world, random, &[200, 201], |web| {
        user.try_post_once(web, "/api/v1/jobs", &body, &key)
    });
    format!("/api/v1/jobs/{}", job.json()["my_job_id"].as_str().unwrap())
}

/// Makes jobs and does something to most of them.
fn use_it(world: &World, user: &User, jobs: usize, seed: u64) -> BTreeMap<String, Acknowledged> {
    let mut random = StdRng::seed_from_u64(seed);
    let recording = std::fs::read(prompts::WELCOME.path()).unwrap();
    let mut mine = BTreeMap::new();
    for _ in 0..jobs {
        let job = make_job(world, &mut random, user, &recording);
        let mut known = Acknowledged::default();
        std::thread::sleep(Duration::from_millis(random.random_range(0..1_500)));
        match random.random_range(0..5) {
            0 => {
                insist(world, &mut random, &[204, 404], |web| {
                    user.try_delete(web, &job)
                });
                known.deleted = true;
            }
            1 => {
                let cancel = format!("{job}/cancel");
                let answer = insist(world, &mut random, &[200, 409], |web| {
                    user.try_post(web, &cancel, &json!({}))
                });
                known.cancelled = answer.status == 200;
            }
            2 | 3 if wait_for_end(world, &mut random, user, &job)["status"] == "completed" => {
                known.edited = Some(edit(world, &mut random, user, &job));
            }
            _ => {}
        }
        mine.insert(job, known);
    }
    mine
}

/// The job, once it has ended. One that was given up because its workers were killed is run again.
fn wait_for_end(world: &World, random: &mut StdRng, user: &User, path: &str) -> Value {
    let started = Instant::now();
    loop {
        let job = insist(world, random, &[200], |web| user.try_get(web, path)).json();
        let status = job["status"].as_str().unwrap_or_default();
        if ["completed", "cancelled"].contains(&status) {
            return job;
        }
        if ["failed", "error"].contains(&status) {
            let code = job["error"]["code"].as_str().unwrap_or_default();
            assert!(
                ["worker_lost", "recognition_failed", "storage_failed", "io"].contains(&code),
                "{job}"
            );
            let retry = format!("{path}/retry");
            insist(world, random, &[200, 201, 409], |web| {
                user.try_post(web, &retry, &json!({}))
            });
        }
        assert!(started.elapsed() < TIMEOUT, "{job}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Replaces the text of the first segment, until that is acknowledged. Returns the new text.
fn edit(world: &World, random: &mut StdRng, user: &User, job: &str) -> String {
    let text = format!("Edited {}", random.random::<u32>());
    let path = format!("{job}/transcript?times=all");
    let read = insist(world, random, &[200], |web| user.try_get(web, &path)).json();
    let segment = &read["segments"][0];
    let edit = json!({"edit_id": Uuid::new_v4(), "op": {"kind": "set_text", "text": text,
        "segment": {"id": segment["id"], "revision": segment["revision"]}}});
    let body = json!({"version": read["version"], "client": Uuid::new_v4(), "edits": [edit]});
    let edits = format!("{job}/edits");
    insist(world, random, &[200], |web| {
        user.try_post(web, &edits, &body)
    });
    text
}

#[test]
fn whatever_is_killed_everything_acknowledged_is_there() {
    let (users, jobs, outage, seed) = scale();
    everything_acknowledged_is_there(&World::with_a_folder(), users, jobs, outage, seed);
}

/// The processes have no folder in common, and the networks to PostgreSQL and to the object store are
/// cut and slow.
#[test]
fn whatever_is_killed_everything_acknowledged_is_in_the_object_store() {
    let (users, jobs, outage, seed) = match std::env::var_os(SCALE) {
        Some(_) => scale(),
        // A job whose worker was killed waits for its lease.
        None => return eprintln!("only in wider runs: cargo xtask faults"),
    };
    if let Some(world) = World::with_an_object_store() {
        everything_acknowledged_is_there(&world, users, jobs, outage, seed);
    }
}

/// Temporal drives the work, and is killed, too.
#[test]
fn whatever_is_killed_everything_acknowledged_is_there_with_temporal() {
    let (users, jobs, outage, seed) = scale();
    if let Some(world) = World::with_temporal() {
        everything_acknowledged_is_there(&world, users, jobs, outage, seed);
    }
}

fn everything_acknowledged_is_there(
    world: &World,
    users: usize,
    jobs: usize,
    outage: Duration,
    seed: u64,
) {
    let people: Vec<_> = (0..users)
        .map(|number| {
            let web = world.web_of(0);
            User::sign_up_as(&web, &format!("user-{number}@example.com"))
        })
        .collect();
    let acknowledged: Vec<_> = std::thread::scope(|scope| {
        let breaking = scope.spawn(|| world.break_things(outage, &mut StdRng::seed_from_u64(seed)));
        let users: Vec<_> = people
            .iter()
            .zip(seed + 1..)
            .map(|(user, seed)| scope.spawn(move || use_it(world, user, jobs, seed)))
            .collect();
        let ended: Vec<_> = users.into_iter().map(ScopedJoinHandle::join).collect();
        world.end_breaking();
        breaking.join().unwrap();
        ended.into_iter().map(|jobs| jobs.unwrap()).collect()
    });
    let mut random = StdRng::seed_from_u64(seed);
    let everybody = people.iter().zip(&acknowledged);
    let remaining = everybody
        .map(|(user, jobs)| assert_all_there(world, &mut random, user, jobs))
        .sum();
    world.assert_no_other_files(remaining);
    world.assert_no_workflows();
    println!("killed: {:?}; {remaining} jobs are left", world.kills());
    world.terminate();
}

/// Everything that this user was told is so, and there is nothing else. Returns the number of jobs.
fn assert_all_there(
    world: &World,
    random: &mut StdRng,
    user: &User,
    jobs: &BTreeMap<String, Acknowledged>,
) -> usize {
    let mut paid = BTreeSet::new();
    for (path, known) in jobs {
        if known.deleted {
            insist(world, random, &[404], |web| user.try_get(web, path));
            continue;
        }
        let job = wait_for_end(world, random, user, path);
        if known.cancelled {
            assert_eq!(job["status"], "cancelled", "{job}");
        }
        if job["status"] == "completed" {
            paid.insert(job["my_job_id"].as_str().unwrap().to_owned());
        }
        if let Some(text) = &known.edited {
            let transcript = format!("{path}/transcript?times=all");
            let read = insist(world, random, &[200], |web| user.try_get(web, &transcript));
            assert_eq!(read.json()["segments"][0]["text"], **text);
        }
    }
    let list = insist(world, random, &[200], |web| {
        user.try_get(web, "/api/v1/jobs?limit=100")
    });
    let listed = list.json()["items"].as_array().unwrap().len();
    let expected = jobs.values().filter(|known| !known.deleted).count();
    assert_eq!(listed, expected, "each job was made once");
    let uploads = insist(world, random, &[200], |web| {
        user.try_get(web, "/api/v1/uploads")
    });
    let uploads = uploads.json();
    let unused = uploads["uploads"].as_array().unwrap();
    // Begun, but the answer was lost.
    assert!(
        unused.iter().all(|upload| upload["stored"] == 0),
        "{uploads}"
    );
    let minutes = insist(world, random, &[200], |web| {
        user.try_get(web, "/api/v1/me/minutes")
    });
    let minutes = minutes.json();
    assert_eq!(minutes["reserved"].as_f64(), Some(0.0), "{minutes}");
    let history = "/api/v1/me/usage-history?limit=100";
    let history = insist(world, random, &[200], |web| user.try_get(web, history)).json();
    let mut charged: BTreeMap<String, usize> = BTreeMap::new();
    for entry in history["items"].as_array().unwrap() {
        if entry["change_amount_minutes"].as_f64().unwrap() < 0.0 {
            let job = entry["my_job_id"].as_str().unwrap_or_default().to_owned();
            *charged.entry(job).or_default() += 1;
        }
    }
    for job in paid {
        assert_eq!(
            charged.get(&job),
            Some(&1),
            "{job} was charged once: {history}"
        );
    }
    expected
}
