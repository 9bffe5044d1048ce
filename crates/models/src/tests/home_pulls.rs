//! Pulls from the hub: resumed at any byte, rejected when wrong, one at a time.

use std::fs;

use reqwest::Url;
use slovo_model_catalogue::{Model, Origin, Way};

use super::local_home::{Manner, serve};
use super::{assert_installed, assert_nothing, contents, fetcher, model, pulled};
use crate::{PullError, Pulled, Source};

#[tokio::test]
async fn fetches_once_and_finds_it_the_next_time() {
    let dir = tempfile::tempdir().unwrap();
    let (served, url) = serve(Manner::Good).await;
    let folder = dir.path().join("new/folder");
    let fetcher = fetcher(&folder, url.clone(), Source::Hub);
    let Pulled::Fetched(record) = pulled(&fetcher).await.unwrap() else {
        panic!("it was not there")
    };
    assert_eq!(record.origin.way, Way::Downloaded);
    assert!(record.origin.from[0].starts_with(url.as_str()));
    assert_installed(&folder);
    assert!(matches!(
        pulled(&fetcher).await.unwrap(),
        Pulled::Present(_)
    ));
    assert_eq!(served.ranges(), [None]);
}

#[tokio::test]
async fn goes_on_at_every_byte_where_it_was_stopped() {
    let (served, url) = serve(Manner::Good).await;
    for have in [1, 2, 999, 65_536, 99_999, 100_000] {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("ggml-made.bin.part"), &contents()[..have]).unwrap();
        pulled(&fetcher(dir.path(), url.clone(), Source::Hub))
            .await
            .unwrap();
        assert_installed(dir.path());
        assert_eq!(
            served.ranges().last().unwrap().as_deref(),
            Some(format!("bytes={have}-").as_str())
        );
    }
}

#[tokio::test]
async fn a_transfer_that_breaks_off_goes_on_by_itself() {
    let dir = tempfile::tempdir().unwrap();
    let (served, url) = serve(Manner::BreaksAfter(30_000)).await;
    pulled(&fetcher(dir.path(), url, Source::Hub))
        .await
        .unwrap();
    assert_installed(dir.path());
    assert!(served.ranges().len() >= 4, "{:?}", served.ranges());
}

#[tokio::test]
async fn a_home_that_falls_silent_is_left_and_asked_again() {
    let dir = tempfile::tempdir().unwrap();
    let (_served, url) = serve(Manner::FallsSilentAfter(60_000)).await;
    pulled(&fetcher(dir.path(), url, Source::Hub))
        .await
        .unwrap();
    assert_installed(dir.path());
}

#[tokio::test]
async fn no_byte_gained_ends_the_tries_and_keeps_what_there_is() {
    let dir = tempfile::tempdir().unwrap();
    let (served, url) = serve(Manner::BreaksAfter(0)).await;
    fs::write(dir.path().join("ggml-made.bin.part"), &contents()[..500]).unwrap();
    let error = pulled(&fetcher(dir.path(), url.clone(), Source::Hub))
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
    served.set(Manner::Good);
    pulled(&fetcher(dir.path(), url, Source::Hub))
        .await
        .unwrap();
    assert_installed(dir.path());
}

#[tokio::test]
async fn a_home_without_ranges_gives_the_whole_file_again() {
    let dir = tempfile::tempdir().unwrap();
    let (_served, url) = serve(Manner::NoRanges).await;
    fs::write(dir.path().join("ggml-made.bin.part"), &contents()[..5_000]).unwrap();
    pulled(&fetcher(dir.path(), url, Source::Hub))
        .await
        .unwrap();
    assert_installed(dir.path());
}

#[tokio::test]
async fn a_beginning_of_another_file_is_thrown_away_once() {
    for have in [vec![9_u8; 5_000], vec![9; 100_000], vec![9; 200_000]] {
        let dir = tempfile::tempdir().unwrap();
        let (served, url) = serve(Manner::Good).await;
        fs::write(dir.path().join("ggml-made.bin.part"), have).unwrap();
        pulled(&fetcher(dir.path(), url, Source::Hub))
            .await
            .unwrap();
        assert_installed(dir.path());
        assert_eq!(served.ranges().last(), Some(&None));
    }
}

#[tokio::test]
async fn wrong_bodies_are_errors_and_leave_nothing() {
    for (manner, says) in [
        (Manner::WrongByte, "checksum"),
        (Manner::Short, "checksum"),
        (Manner::Html, "a web page"),
        (Manner::Endless, "a far larger file"),
        (Manner::Status(404), "404"),
        (Manner::Status(503), "503"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let (_served, url) = serve(manner).await;
        let error = pulled(&fetcher(dir.path(), url, Source::Hub))
            .await
            .unwrap_err();
        assert!(error.to_string().contains(says), "{says}: {error}");
        assert_nothing(dir.path());
    }
}

#[tokio::test]
async fn follows_a_redirect_with_its_range() {
    let dir = tempfile::tempdir().unwrap();
    let (served, url) = serve(Manner::Redirects).await;
    fs::write(dir.path().join("ggml-made.bin.part"), &contents()[..10]).unwrap();
    pulled(&fetcher(dir.path(), url, Source::Hub))
        .await
        .unwrap();
    assert_installed(dir.path());
    assert_eq!(served.ranges(), [Some("bytes=10-".to_owned())]);
}

#[tokio::test]
async fn a_home_that_is_not_there_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let error = pulled(&fetcher(dir.path(), Url::parse(&url).unwrap(), Source::Hub))
        .await
        .unwrap_err();
    assert!(matches!(error, PullError::Unreachable(_)), "{error}");
    assert_nothing(dir.path());
}

#[tokio::test]
async fn a_model_that_nobody_publishes_is_named_so_and_taken_from_the_folder() {
    let dir = tempfile::tempdir().unwrap();
    let (served, url) = serve(Manner::Good).await;
    let fetcher = fetcher(dir.path(), url, Source::Hub);
    let homeless = Model {
        home: None,
        ..model()
    };
    let error = fetcher.pull(&homeless, &|_| ()).await.unwrap_err();
    assert!(matches!(error, PullError::NoHome), "{error}");
    assert_nothing(dir.path());
    fs::write(dir.path().join("ggml-made.bin"), contents()).unwrap();
    let found = fetcher.pull(&homeless, &|_| ()).await.unwrap();
    assert!(matches!(found, Pulled::Present(_)));
    assert_eq!(served.ranges(), []);
}

#[tokio::test]
async fn offline_asks_nobody() {
    let dir = tempfile::tempdir().unwrap();
    let (served, url) = serve(Manner::Good).await;
    let offline = fetcher(dir.path(), url, Source::None);
    assert!(matches!(
        pulled(&offline).await.unwrap_err(),
        PullError::NotHere(_)
    ));
    fs::write(dir.path().join("ggml-made.bin"), contents()).unwrap();
    let Pulled::Present(record) = pulled(&offline).await.unwrap() else {
        panic!("it was there")
    };
    assert_eq!(record.origin, Origin::found());
    assert_eq!(served.ranges(), []);
}

#[tokio::test]
async fn a_wrong_file_in_the_folder_is_replaced_only_by_the_right_one() {
    let dir = tempfile::tempdir().unwrap();
    let (served, url) = serve(Manner::Status(404)).await;
    fs::write(dir.path().join("ggml-made.bin"), "someone's own").unwrap();
    let fetcher = fetcher(dir.path(), url, Source::Hub);
    pulled(&fetcher).await.unwrap_err();
    assert_eq!(
        fs::read(dir.path().join("ggml-made.bin")).unwrap(),
        b"someone's own"
    );
    served.set(Manner::Good);
    pulled(&fetcher).await.unwrap();
    assert_installed(dir.path());
}

#[tokio::test]
async fn two_pulls_at_once_fetch_once() {
    let dir = tempfile::tempdir().unwrap();
    let (served, url) = serve(Manner::BreaksAfter(40_000)).await;
    let fetcher = fetcher(dir.path(), url, Source::Hub);
    let (first, second) = tokio::join!(pulled(&fetcher), pulled(&fetcher));
    let fetched = [first.unwrap(), second.unwrap()]
        .into_iter()
        .filter(|pulled| matches!(pulled, Pulled::Fetched(_)))
        .count();
    assert_eq!(fetched, 1);
    assert_installed(dir.path());
    assert_eq!(
        served
            .ranges()
            .iter()
            .filter(|range| range.is_none())
            .count(),
        1
    );
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_is_an_error_that_names_it() {
    let dir = tempfile::tempdir().unwrap();
    let (served, url) = serve(Manner::Good).await;
    fs::write(dir.path().join("file"), "").unwrap();
    let error = pulled(&fetcher(&dir.path().join("file/models"), url, Source::Hub))
        .await
        .unwrap_err();
    assert!(error.to_string().contains("file/models"), "{error}");
    assert_eq!(served.ranges(), []);
}

/// On a full disk the first write that does not fit fails.
#[tokio::test]
async fn a_full_disk_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let (_served, url) = serve(Manner::Good).await;
    // Every write to /dev/full fails with "no space left on device".
    std::os::unix::fs::symlink("/dev/full", dir.path().join("ggml-made.bin.part")).unwrap();
    let error = pulled(&fetcher(dir.path(), url, Source::Hub))
        .await
        .unwrap_err();
    assert!(matches!(error, PullError::Io { .. }), "{error}");
    assert_nothing(dir.path());
}
