//! Background pulls.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use slovo_model_catalogue::{Choice, Model};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::local_hub::{HubBehaviour, serve};
use super::{assert_installed, assert_nothing, contents, fetcher, model};
use crate::serving::Serving;
use crate::tasks::{FinishedTask, ModelTasks, Outcome, Parts, TaskError, TaskKind};
use crate::{Source, Step};
use slovo_platform::clock::SystemClock;

fn tasks(dir: &Path, url: Url) -> (ModelTasks, &'static Model) {
    let catalogue: &'static [Model] = Box::leak(Box::new([model()]));
    let tasks = ModelTasks::new(Parts {
        fetcher: fetcher(dir, url, Source::Hub),
        catalogue,
        serving: Serving::new(Choice::default()),
        configured: Choice::default(),
        clock: Arc::new(SystemClock),
        shutdown: CancellationToken::new(),
        tasks: TaskTracker::new(),
    });
    (tasks, &catalogue[0])
}

async fn wait_for_end(tasks: &ModelTasks, model: &Model) -> FinishedTask {
    for _ in 0..500 {
        if let (None, Some(ended)) = tasks.seen(model) {
            return ended;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it does not end");
}

#[tokio::test]
async fn a_finished_pull_can_be_verified_and_removed() {
    let dir = tempfile::tempdir().unwrap();
    let (_hub, url) = serve(HubBehaviour::Good).await;
    let (tasks, model) = tasks(dir.path(), url);
    assert_eq!(tasks.seen(model), (None, None));
    tasks.pull(model).unwrap();
    assert!(
        matches!(tasks.pull(model), Err(TaskError::Busy)),
        "one at a time"
    );
    assert!(matches!(
        tasks.verify(model),
        Err(TaskError::Missing | TaskError::Busy)
    ));
    let end = wait_for_end(&tasks, model).await;
    assert_eq!((end.kind, end.outcome), (TaskKind::Pull, Outcome::Right));
    assert_installed(dir.path());
    tasks.verify(model).unwrap();
    let end = wait_for_end(&tasks, model).await;
    assert_eq!((end.kind, end.outcome), (TaskKind::Verify, Outcome::Right));
    tasks.remove(model).unwrap();
    assert_nothing(dir.path());
    assert!(matches!(tasks.remove(model), Err(TaskError::Missing)));
}

#[tokio::test]
async fn a_cancelled_pull_resumes_where_it_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let (hub, url) = serve(HubBehaviour::FallsSilentAfter(60_000)).await;
    let (tasks, model) = tasks(dir.path(), url);
    tasks.pull(model).unwrap();
    let running = loop {
        match tasks.seen(model).0 {
            Some(running) if running.done >= 60_000 => break running,
            _ => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    };
    assert_eq!(running.step, Step::Downloading);
    assert_eq!(running.total, Some(100_000));
    assert!(running.here);
    assert!(matches!(tasks.remove(model), Err(TaskError::Busy)));
    assert!(tasks.cancel(model));
    assert_eq!(
        wait_for_end(&tasks, model).await.outcome,
        Outcome::Cancelled
    );
    assert!(!tasks.cancel(model), "nothing runs any more");
    assert_eq!(tasks.partial_bytes(model), 60_000);
    hub.set(HubBehaviour::Good);
    tasks.pull(model).unwrap();
    assert_eq!(wait_for_end(&tasks, model).await.outcome, Outcome::Right);
    assert_eq!(
        hub.ranges().last().unwrap().as_deref(),
        Some("bytes=60000-")
    );
    assert_installed(dir.path());
}

#[tokio::test]
async fn a_pull_by_another_process_is_visible_and_not_disturbed() {
    let dir = tempfile::tempdir().unwrap();
    let (_hub, url) = serve(HubBehaviour::FallsSilentAfter(50_000)).await;
    let (puller, model) = tasks(dir.path(), url.clone());
    let (other, _) = tasks(dir.path(), url);
    puller.pull(model).unwrap();
    let running = loop {
        match other.seen(model).0 {
            Some(running) if running.done >= 50_000 => break running,
            _ => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    };
    assert!(!running.here);
    assert!(matches!(other.pull(model), Err(TaskError::Busy)));
    assert!(matches!(other.remove(model), Err(TaskError::Busy)));
    assert!(!other.cancel(model));
    assert!(puller.cancel(model));
    wait_for_end(&puller, model).await;
    assert_eq!(other.seen(model).0, None);
}

#[tokio::test]
async fn failures_have_a_code() {
    for (manner, expected) in [
        (HubBehaviour::Status(404), "refused"),
        (HubBehaviour::Html, "not_a_model"),
        (HubBehaviour::WrongByte, "checksum"),
        (HubBehaviour::BreaksAfter(0), "broken_off"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let (_hub, url) = serve(manner).await;
        let (tasks, model) = tasks(dir.path(), url);
        tasks.pull(model).unwrap();
        let Outcome::Failed { code, .. } = wait_for_end(&tasks, model).await.outcome else {
            panic!("{expected}: it did not fail");
        };
        assert_eq!(code, expected);
        assert_nothing(dir.path());
    }
}

#[tokio::test]
async fn verification_detects_a_damaged_model() {
    let dir = tempfile::tempdir().unwrap();
    let (_hub, url) = serve(HubBehaviour::Good).await;
    let (tasks, model) = tasks(dir.path(), url);
    let mut damaged = contents();
    damaged[7] ^= 1;
    fs::write(dir.path().join("ggml-made.bin"), damaged).unwrap();
    tasks.verify(model).unwrap();
    let Outcome::Failed { code, .. } = wait_for_end(&tasks, model).await.outcome else {
        panic!("it did not fail");
    };
    assert_eq!(code, "checksum");
}
