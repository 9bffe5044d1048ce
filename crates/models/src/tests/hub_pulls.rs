//! Pulls from the hub: resumed at any byte, rejected when wrong, one at a time.

use std::fs;

use reqwest::Url;
use slovo_model_catalogue::{AcquisitionMethod, Model, Origin};

use super::local_hub::{HubBehaviour, serve};
use super::{assert_installed, assert_nothing, contents, fetcher, model, pull};
use crate::{PullError, PullOutcome, Source};

#[tokio::test]
async fn a_model_is_fetched_once_and_found_afterwards() {
    let dir = tempfile::tempdir().unwrap();
    let (hub, url) = serve(HubBehaviour::Good).await;
    let folder = dir.path().join("new/folder");
    let fetcher = fetcher(&folder, url.clone(), Source::Hub);
    let PullOutcome::Fetched(record) = pull(&fetcher).await.unwrap() else {
        panic!("it was not there")
    };
    assert_eq!(record.origin.way, AcquisitionMethod::Downloaded);
    assert!(record.origin.from[0].starts_with(url.as_str()));
    assert_installed(&folder);
    assert!(matches!(
        pull(&fetcher).await.unwrap(),
        PullOutcome::Present(_)
    ));
    assert_eq!(hub.ranges(), [None]);
}

#[tokio::test]
async fn a_pull_resumes_at_the_byte_where_it_stopped() {
    let (hub, url) = serve(HubBehaviour::Good).await;
    for length in [1, 2, 999, 65_536, 99_999, 100_000] {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("ggml-made.bin.part"), &contents()[..length]).unwrap();
        pull(&fetcher(dir.path(), url.clone(), Source::Hub))
            .await
            .unwrap();
        assert_installed(dir.path());
        assert_eq!(
            hub.ranges().last().unwrap().as_deref(),
            Some(format!("bytes={length}-").as_str())
        );
    }
}

#[tokio::test]
async fn a_broken_off_transfer_resumes_by_itself() {
    let dir = tempfile::tempdir().unwrap();
    let (hub, url) = serve(HubBehaviour::BreaksAfter(30_000)).await;
    pull(&fetcher(dir.path(), url, Source::Hub)).await.unwrap();
    assert_installed(dir.path());
    assert!(hub.ranges().len() >= 4, "{:?}", hub.ranges());
}

#[tokio::test]
async fn a_stalled_transfer_is_retried() {
    let dir = tempfile::tempdir().unwrap();
    let (_hub, url) = serve(HubBehaviour::FallsSilentAfter(60_000)).await;
    pull(&fetcher(dir.path(), url, Source::Hub)).await.unwrap();
    assert_installed(dir.path());
}

#[tokio::test]
async fn attempts_without_progress_end_and_keep_the_partial_file() {
    let dir = tempfile::tempdir().unwrap();
    let (hub, url) = serve(HubBehaviour::BreaksAfter(0)).await;
    fs::write(dir.path().join("ggml-made.bin.part"), &contents()[..500]).unwrap();
    let error = pull(&fetcher(dir.path(), url.clone(), Source::Hub))
        .await
        .unwrap_err();
    assert!(matches!(error, PullError::BrokenOff(_)), "{error}");
    assert_nothing(dir.path());
    assert_eq!(
        fs::metadata(dir.path().join("ggml-made.bin.part"))
            .unwrap()
            .len(),
        500
    );
    hub.set(HubBehaviour::Good);
    pull(&fetcher(dir.path(), url, Source::Hub)).await.unwrap();
    assert_installed(dir.path());
}

#[tokio::test]
async fn without_range_support_the_file_is_fetched_from_the_start() {
    let dir = tempfile::tempdir().unwrap();
    let (_hub, url) = serve(HubBehaviour::NoRanges).await;
    fs::write(dir.path().join("ggml-made.bin.part"), &contents()[..5_000]).unwrap();
    pull(&fetcher(dir.path(), url, Source::Hub)).await.unwrap();
    assert_installed(dir.path());
}

#[tokio::test]
async fn a_partial_file_with_other_content_is_discarded() {
    for partial in [vec![9_u8; 5_000], vec![9; 100_000], vec![9; 200_000]] {
        let dir = tempfile::tempdir().unwrap();
        let (hub, url) = serve(HubBehaviour::Good).await;
        fs::write(dir.path().join("ggml-made.bin.part"), partial).unwrap();
        pull(&fetcher(dir.path(), url, Source::Hub)).await.unwrap();
        assert_installed(dir.path());
        assert_eq!(hub.ranges().last(), Some(&None));
    }
}

#[tokio::test]
async fn wrong_responses_are_errors_and_install_nothing() {
    for (manner, expected) in [
        (HubBehaviour::WrongByte, "checksum"),
        (HubBehaviour::Short, "checksum"),
        (HubBehaviour::Html, "a web page"),
        (HubBehaviour::Endless, "a far larger file"),
        (HubBehaviour::Status(404), "404"),
        (HubBehaviour::Status(503), "503"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let (_hub, url) = serve(manner).await;
        let error = pull(&fetcher(dir.path(), url, Source::Hub))
            .await
            .unwrap_err();
        assert!(error.to_string().contains(expected), "{expected}: {error}");
        assert_nothing(dir.path());
    }
}

#[tokio::test]
async fn a_redirect_is_followed_with_its_range() {
    let dir = tempfile::tempdir().unwrap();
    let (hub, url) = serve(HubBehaviour::Redirects).await;
    fs::write(dir.path().join("ggml-made.bin.part"), &contents()[..10]).unwrap();
    pull(&fetcher(dir.path(), url, Source::Hub)).await.unwrap();
    assert_installed(dir.path());
    assert_eq!(hub.ranges(), [Some("bytes=10-".to_owned())]);
}

#[tokio::test]
async fn an_unreachable_home_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let error = pull(&fetcher(dir.path(), Url::parse(&url).unwrap(), Source::Hub))
        .await
        .unwrap_err();
    assert!(matches!(error, PullError::Unreachable(_)), "{error}");
    assert_nothing(dir.path());
}

#[tokio::test]
async fn an_unpublished_model_is_only_taken_from_the_folder() {
    let dir = tempfile::tempdir().unwrap();
    let (hub, url) = serve(HubBehaviour::Good).await;
    let fetcher = fetcher(dir.path(), url, Source::Hub);
    let unpublished = Model {
        hub_repository: None,
        ..model()
    };
    let error = fetcher.pull(&unpublished, &|_| ()).await.unwrap_err();
    assert!(matches!(error, PullError::NotOnHub), "{error}");
    assert_nothing(dir.path());
    fs::write(dir.path().join("ggml-made.bin"), contents()).unwrap();
    let found = fetcher.pull(&unpublished, &|_| ()).await.unwrap();
    assert!(matches!(found, PullOutcome::Present(_)));
    assert_eq!(hub.ranges(), []);
}

#[tokio::test]
async fn offline_makes_no_requests() {
    let dir = tempfile::tempdir().unwrap();
    let (hub, url) = serve(HubBehaviour::Good).await;
    let offline = fetcher(dir.path(), url, Source::None);
    assert!(matches!(
        pull(&offline).await.unwrap_err(),
        PullError::NotHere(_)
    ));
    fs::write(dir.path().join("ggml-made.bin"), contents()).unwrap();
    let PullOutcome::Present(record) = pull(&offline).await.unwrap() else {
        panic!("it was there")
    };
    assert_eq!(record.origin, Origin::found());
    assert_eq!(hub.ranges(), []);
}

#[tokio::test]
async fn a_wrong_file_is_replaced_only_by_the_right_one() {
    let dir = tempfile::tempdir().unwrap();
    let (hub, url) = serve(HubBehaviour::Status(404)).await;
    fs::write(dir.path().join("ggml-made.bin"), "someone's own").unwrap();
    let fetcher = fetcher(dir.path(), url, Source::Hub);
    pull(&fetcher).await.unwrap_err();
    assert_eq!(
        fs::read(dir.path().join("ggml-made.bin")).unwrap(),
        b"someone's own"
    );
    hub.set(HubBehaviour::Good);
    pull(&fetcher).await.unwrap();
    assert_installed(dir.path());
}

#[tokio::test]
async fn two_simultaneous_pulls_fetch_once() {
    let dir = tempfile::tempdir().unwrap();
    let (hub, url) = serve(HubBehaviour::BreaksAfter(40_000)).await;
    let fetcher = fetcher(dir.path(), url, Source::Hub);
    let (first, second) = tokio::join!(pull(&fetcher), pull(&fetcher));
    let fetched = [first.unwrap(), second.unwrap()]
        .into_iter()
        .filter(|pulled| matches!(pulled, PullOutcome::Fetched(_)))
        .count();
    assert_eq!(fetched, 1);
    assert_installed(dir.path());
    assert_eq!(
        hub.ranges().iter().filter(|range| range.is_none()).count(),
        1
    );
}

#[tokio::test]
async fn a_folder_that_cannot_be_created_is_named_in_the_error() {
    let dir = tempfile::tempdir().unwrap();
    let (hub, url) = serve(HubBehaviour::Good).await;
    fs::write(dir.path().join("file"), "").unwrap();
    let error = pull(&fetcher(&dir.path().join("file/models"), url, Source::Hub))
        .await
        .unwrap_err();
    assert!(error.to_string().contains("file/models"), "{error}");
    assert_eq!(hub.ranges(), []);
}

/// On a full disk the first write that does not fit fails.
#[tokio::test]
async fn a_full_disk_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let (_hub, url) = serve(HubBehaviour::Good).await;
    // Every write to /dev/full fails with "no space left on device".
    std::os::unix::fs::symlink("/dev/full", dir.path().join("ggml-made.bin.part")).unwrap();
    let error = pull(&fetcher(dir.path(), url, Source::Hub))
        .await
        .unwrap_err();
    assert!(matches!(error, PullError::Io { .. }), "{error}");
    assert_nothing(dir.path());
}
