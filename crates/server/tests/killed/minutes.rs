//! Jobs are sent, cancelled and run again while the program is killed again and again: the minutes
//! of the month add up afterwards, and the plan was never exceeded.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use slovo_test_media::prompts;
use slovo_test_postgres::Cluster;

use crate::program::{Program, TIMEOUT, kills};
use crate::user::User;

/// Kills on the way, with each change.
const KILLS: usize = 6;
/// Minutes of the month: some ten of the recordings.
const LIMIT: f64 = 1.0;

#[test]
fn minutes_add_up_after_kills() {
    minutes_survive(None, 3);
}

#[test]
fn minutes_add_up_after_kills_on_postgresql() {
    let cluster = Cluster::start().unwrap();
    minutes_survive(Some(cluster.url()), 4);
}

fn minutes_survive(database: Option<&str>, seed: u64) {
    let folder = tempfile::tempdir().unwrap();
    let recording = std::fs::read(prompts::WELCOME.path()).unwrap();
    let mut random = StdRng::seed_from_u64(seed);
    let mut program = Program::start(folder.path(), database, "run-0");
    // The first one is the administrator.
    let user = User::sign_up(&program);
    let demo =
        json!({"monthly_minutes_limit": LIMIT, "max_file_duration_minutes": null, "features": []});
    let answer = user.put(&program, "/api/v1/admin/demo-plan", &demo);
    assert_eq!(answer.status, 200, "{}", answer.json());
    for run in 1..=kills(KILLS) {
        let pid = program.id().to_string();
        let life = Duration::from_millis(random.random_range(300..2500));
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for sender in 0..2 {
                let (program, user, recording, is_over) = (&program, &user, &recording, &is_over);
                let seed = seed + (run * 2 + sender) as u64;
                scope.spawn(move || disturb(program, user, recording, seed, is_over));
            }
            std::thread::sleep(life);
            // SIGKILL, in the middle of whatever it does just then.
            let killed = Command::new("kill").args(["-KILL", &pid]).status();
            is_over.store(true, Ordering::SeqCst);
            assert!(killed.unwrap().success());
        });
        program.kill();
        program = Program::start(folder.path(), database, &format!("run-{run}"));
    }
    // One that nobody cancels; if the month has no room for it, others have taken that.
    user.try_job(&program, &recording);
    let jobs = all_ended(&program, &user);
    assert_adds_up(&program, &user, &jobs);
    program.terminate();
}

/// Sends jobs, cancels some and runs others again, until the program is gone.
fn disturb(program: &Program, user: &User, recording: &[u8], seed: u64, is_over: &AtomicBool) {
    let mut random = StdRng::seed_from_u64(seed);
    while !is_over.load(Ordering::SeqCst) {
        if random.random_bool(0.6) {
            user.try_job(program, recording);
            continue;
        }
        let Some(page) = user.try_get(program, "/api/v1/jobs?limit=100") else {
            continue;
        };
        let page = page.json();
        let Some(jobs) = page["items"].as_array().filter(|jobs| !jobs.is_empty()) else {
            continue;
        };
        let job = &jobs[random.random_range(0..jobs.len())];
        let action = if random.random_bool(0.5) {
            "cancel"
        } else {
            "retry"
        };
        let path = format!(
            "/api/v1/jobs/{}/{action}",
            job["my_job_id"].as_str().unwrap()
        );
        user.try_post(program, &path, &json!({}));
    }
}

/// The jobs, once none waits or runs.
fn all_ended(program: &Program, user: &User) -> Vec<Value> {
    let started = Instant::now();
    loop {
        let jobs = every_job(program, user);
        let has_ended = |job: &Value| {
            let status = job["status"].as_str().unwrap();
            ["completed", "failed", "error", "cancelled"].contains(&status)
        };
        if jobs.iter().all(has_ended) {
            return jobs;
        }
        assert!(started.elapsed() < TIMEOUT, "{jobs:#?}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// The jobs on all pages.
fn every_job(program: &Program, user: &User) -> Vec<Value> {
    let mut jobs = Vec::new();
    let mut path = "/api/v1/jobs?limit=100".to_owned();
    loop {
        let page = user.try_get(program, &path).unwrap().json();
        jobs.extend(page["items"].as_array().unwrap().iter().cloned());
        let Some(cursor) = page["next_cursor"].as_str() else {
            return jobs;
        };
        path = format!("/api/v1/jobs?limit=100&cursor={cursor}");
    }
}

fn hundredths(minutes: &Value) -> i64 {
    slovo_rules::minutes::to_hundredths(minutes.as_f64().unwrap())
}

fn assert_adds_up(program: &Program, user: &User, jobs: &[Value]) {
    let minutes = user.try_get(program, "/api/v1/me/minutes").unwrap().json();
    assert_eq!(hundredths(&minutes["reserved"]), 0, "{minutes}");
    let used = hundredths(&minutes["used"]);
    let mut changes: BTreeMap<String, i64> = BTreeMap::new();
    let mut path = "/api/v1/me/usage-history?limit=7".to_owned();
    loop {
        let page = user.try_get(program, &path).unwrap().json();
        for entry in page["items"].as_array().unwrap() {
            let job = entry["my_job_id"].as_str().unwrap_or_default().to_owned();
            *changes.entry(job).or_default() += hundredths(&entry["change_amount_minutes"]);
        }
        let Some(before) = page["next_before"].as_i64() else {
            break;
        };
        path = format!("/api/v1/me/usage-history?limit=7&before={before}");
    }
    assert_eq!(used, -changes.values().sum::<i64>(), "{changes:#?}");
    assert!(used <= slovo_rules::minutes::to_hundredths(LIMIT), "{used}");
    let mut completed = 0;
    for job in jobs {
        let charged = -changes
            .remove(job["my_job_id"].as_str().unwrap())
            .unwrap_or(0);
        if job["status"] == "completed" {
            completed += 1;
            assert!(charged > 0, "{job}");
        } else if job["has_output"] == false {
            // An earlier version that has a text was paid for.
            assert_eq!(charged, 0, "{job}");
        }
    }
    assert!(
        changes.values().all(|charged| *charged == 0),
        "{changes:#?}"
    );
    assert!(completed > 0, "something has come through: {jobs:#?}");
    println!(
        "{} jobs, {completed} completed, {used} hundredths of a minute",
        jobs.len()
    );
}
