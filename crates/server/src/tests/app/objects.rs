//! Recordings and pictures in an object store. A real one is used in `tests/killed/objects.rs`.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use slovo_storage::testing::{MemoryStore, PREFIX};
use slovo_test_media::prompts;
use slovo_work::analysis::engines::Engines;

use crate::testing::{Backend, TestServer, apply, each_database, with_database};
use crate::tests::api::jobs::support::{make_job, path, upload};

/// A server whose recordings are in a store in memory.
fn with_store<F: AsyncFnOnce(TestServer, MemoryStore)>(backend: Backend, test: F) {
    with_database(backend, async |database| {
        let store = MemoryStore::default();
        let server = TestServer::with_storage(database, &[], Engines::default(), |data| {
            store.storage(data, 1 << 20)
        });
        test(server, store).await;
    });
}

#[apply(each_database!)]
fn a_recording_in_an_object_store_is_probed_played_and_removed(backend: Backend) {
    with_store(backend, async |server, store| {
        let me = server.signup("a@example.com").await;
        let wav = std::fs::read(prompts::WELCOME.path()).unwrap();
        let job = make_job(&server, &me, "a.wav", &wav).await;
        assert_eq!(store.keys().await.len(), 1);
        let media = format!("{}/media", path(&job));
        let whole = server.get_as(&me, &media).await;
        assert_eq!(whole.status, StatusCode::OK);
        assert_eq!(whole.body, wav);
        for (range, expected) in [
            ("bytes=10-19", 10..20),
            ("bytes=-5", wav.len() - 5..wav.len()),
        ] {
            let request = Request::get(&media)
                .header(header::AUTHORIZATION, format!("Bearer {}", me.access_token))
                .header(header::RANGE, range)
                .body(Body::empty());
            let part = server.send(request.unwrap()).await;
            assert_eq!(part.status, StatusCode::PARTIAL_CONTENT);
            assert_eq!(part.body, wav[expected]);
        }
        let request = Request::builder()
            .method(Method::DELETE)
            .uri(path(&job))
            .header(header::AUTHORIZATION, format!("Bearer {}", me.access_token))
            .body(Body::empty());
        assert_eq!(server.state.storage.copies().await.unwrap().len(), 1);
        let deleted = server.send(request.unwrap()).await;
        assert_eq!(deleted.status, StatusCode::NO_CONTENT);
        server.state.file_removals().process_due().await.unwrap();
        assert_eq!(store.keys().await, [""; 0]);
        let gone = server.get_as(&me, &media).await;
        assert_eq!(gone.status, StatusCode::NOT_FOUND);
    });
}

#[apply(each_database!)]
fn objects_that_belong_to_nothing_are_removed_in_time(backend: Backend) {
    with_store(backend, async |server, store| {
        let me = server.signup("a@example.com").await;
        let wav = std::fs::read(prompts::WELCOME.path()).unwrap();
        make_job(&server, &me, "a.wav", &wav).await;
        let kept = store.keys().await;
        let orphans = [
            format!("{PREFIX}/media/{}", uuid::Uuid::from_u128(1)),
            format!("{PREFIX}/incoming/{}/first", uuid::Uuid::from_u128(2)),
            format!("{PREFIX}/incoming/{}/tail-0-9", uuid::Uuid::from_u128(3)),
        ];
        let foreign = ["some/prefix/media/README", "elsewhere/media/1"];
        let all = orphans.iter().map(String::as_str).chain(foreign);
        for key in all {
            store.put(key, "x").await;
        }
        let abandoned = upload(&server, &me, "b.wav", &wav).await;
        server.state.uploads.sweep().await.unwrap();
        assert_eq!(store.keys().await.len(), kept.len() + 6, "they may be new");
        // The store has the real time; everything is old in ten years.
        let years = Duration::from_secs(10 * 365 * 24 * 60 * 60);
        server
            .clock
            .advance_seconds(years.as_secs().try_into().unwrap());
        server.state.uploads.sweep().await.unwrap();
        let mut left = store.keys().await;
        left.retain(|key| !foreign.contains(&&**key));
        assert_eq!(left, kept, "{abandoned}");
    });
}

#[apply(each_database!)]
fn the_copy_of_a_recording_that_another_machine_deleted_is_removed(backend: Backend) {
    with_store(backend, async |server, _store| {
        let me = server.signup("a@example.com").await;
        let wav = std::fs::read(prompts::WELCOME.path()).unwrap();
        make_job(&server, &me, "a.wav", &wav).await;
        let kept = server.state.storage.copies().await.unwrap();
        let deleted = uuid::Uuid::from_u128(9);
        let copies = server.state.config.data().join("cache");
        std::fs::write(copies.join(deleted.to_string()), "x").unwrap();
        std::fs::write(copies.join("README"), "not ours").unwrap();
        server.state.uploads.remove_stale_copies().await.unwrap();
        assert_eq!(server.state.storage.copies().await.unwrap(), kept);
        assert!(copies.join("README").exists());
    });
}
