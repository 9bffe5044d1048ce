//! The storage in a folder and in an object store in memory.

use std::io::ErrorKind;
use std::path::Path;

use futures_util::TryStreamExt;
use tempfile::TempDir;

use super::*;
use crate::objects::{PART, Url};
use crate::testing::MemoryStore;

const ID: Uuid = Uuid::from_u128(7);

struct Node {
    storage: Storage,
    data: TempDir,
}

/// A machine with this store; copies may take as many bytes.
fn node(store: &MemoryStore, cache_bytes: u64) -> Node {
    let data = tempfile::tempdir().unwrap();
    let storage = store.storage(data.path(), cache_bytes);
    Node { storage, data }
}

fn content(length: usize) -> Vec<u8> {
    (0..length).map(|at| (at * 31 % 251) as u8).collect()
}

/// Appends what follows `stored`, as one request, and records it.
async fn append(storage: &Storage, stored: u64, bytes: &[u8]) -> u64 {
    let mut incoming = storage.open_incoming(ID, stored).await.unwrap();
    incoming.continue_at(stored).await.unwrap();
    for piece in bytes.chunks(3000) {
        incoming.write(piece.to_vec()).await.unwrap();
    }
    incoming.sync().await.unwrap();
    incoming.recorded().await;
    stored + bytes.len() as u64
}

fn unchanged(_: &[u8], _: u64) -> Vec<Edit> {
    Vec::new()
}

fn with_length(head: &[u8], length: u64) -> Vec<Edit> {
    assert!(!head.is_empty());
    let bytes = u32::try_from(length).unwrap().to_le_bytes();
    vec![Edit { at: 4, bytes }]
}

async fn bytes_of(storage: &Storage, range: std::ops::Range<u64>) -> Vec<u8> {
    let length = storage.length(ID).await.unwrap().unwrap();
    let pieces: Vec<_> = storage
        .read(ID, range, length)
        .await
        .unwrap()
        .try_collect()
        .await
        .unwrap();
    pieces.concat()
}

#[tokio::test]
async fn an_upload_is_received_by_many_nodes_in_any_pieces() {
    for length in [1, 100, PART - 1, PART, PART + 1, 2 * PART, 5 * PART + 77] {
        for step in [100, PART - 10, PART, 3 * PART + 5] {
            let (store, content) = (MemoryStore::default(), content(length));
            let mut stored = 0;
            for piece in content.chunks(step) {
                let node = node(&store, 0);
                stored = append(&node.storage, stored, piece).await;
            }
            let node = node(&store, 1 << 20);
            node.storage.complete(ID, stored, unchanged).await.unwrap();
            let key = format!("some/prefix/media/{ID}");
            assert_eq!(store.keys().await, [key], "{length} in steps of {step}");
            let copy = node.storage.open_local(ID).await.unwrap();
            assert_eq!(std::fs::read(copy.path()).unwrap(), content);
            let (from, to) = (length as u64 / 3, length as u64);
            let part = bytes_of(&node.storage, from..to).await;
            assert_eq!(part, content[length / 3..]);
            // As after a kill that left the row unchanged.
            node.storage.complete(ID, stored, unchanged).await.unwrap();
            assert_eq!(node.storage.length(ID).await.unwrap(), Some(stored));
        }
    }
}

#[tokio::test]
async fn the_header_is_corrected_in_a_folder_and_in_objects() {
    for length in [60, PART, 2 * PART + 9] {
        let content = content(length);
        let mut expected = content.clone();
        expected[4..8].copy_from_slice(&u32::try_from(length).unwrap().to_le_bytes());
        let folder = tempfile::tempdir().unwrap();
        let shared = node(&MemoryStore::default(), 0);
        for storage in [Storage::open(folder.path()).unwrap(), shared.storage] {
            let stored = append(&storage, 0, &content).await;
            storage.complete(ID, stored, with_length).await.unwrap();
            assert_eq!(bytes_of(&storage, 0..stored).await, expected);
            storage.complete(ID, stored, with_length).await.unwrap();
            assert!(storage.complete(ID, stored + 1, with_length).await.is_err());
        }
    }
}

#[tokio::test]
async fn bytes_that_are_not_recorded_do_not_count() {
    let store = MemoryStore::default();
    let content = content(3 * PART);
    let Node { storage, .. } = &node(&store, 0);
    let stored = append(storage, 0, &content[..PART + 50]).await;
    // Killed after its bytes were stored; the next request has other bytes for the same place.
    for end in [PART + 60, PART + 1000, 3 * PART - 1] {
        let mut killed = storage.open_incoming(ID, stored).await.unwrap();
        killed.write(vec![0xAA; end - PART - 50]).await.unwrap();
        killed.sync().await.unwrap();
    }
    // Given up, as after a wrong checksum.
    let mut wrong = storage.open_incoming(ID, stored).await.unwrap();
    wrong.write(vec![0xBB; 3 * PART]).await.unwrap();
    wrong.give_up(stored).await.unwrap();
    wrong.sync().await.unwrap();
    // Names of the killed writers' objects come before and after those of this one.
    let stored = append(storage, stored, &content[PART + 50..PART + 200]).await;
    let stored = append(storage, stored, &content[PART + 200..]).await;
    let head = storage
        .open_incoming(ID, stored)
        .await
        .unwrap()
        .head(10)
        .await;
    assert_eq!(head.unwrap(), content[..10]);
    storage.complete(ID, stored, unchanged).await.unwrap();
    assert_eq!(bytes_of(storage, 0..stored).await, content);
    assert_eq!(store.keys().await.len(), 1);
}

#[tokio::test]
async fn an_upload_whose_objects_are_missing_is_kept() {
    let content = content(2 * PART + 10);
    for lost in ["first", "part-00002", "tail-16384-16394"] {
        let store = MemoryStore::default();
        let Node { storage, .. } = &node(&store, 0);
        let stored = append(storage, 0, &content).await;
        let path = format!("some/prefix/incoming/{ID}/{lost}");
        store.delete(&path).await;
        let opened = storage.open_incoming(ID, stored).await;
        assert!(matches!(opened, Err(OpenError::Missing)), "{lost}");
        assert!(storage.complete(ID, stored, unchanged).await.is_err());
        assert!(storage.open_incoming(ID, stored + 1).await.is_err());
    }
}

#[tokio::test]
async fn everything_of_an_upload_is_removed() {
    let store = MemoryStore::default();
    let Node { storage, data } = &node(&store, 1 << 20);
    let stored = append(storage, 0, &content(2 * PART + 10)).await;
    let files = storage.files().await.unwrap();
    assert_eq!(files.len(), 1);
    assert!(files[0].id == ID && files[0].written_at.is_some());
    storage.remove(ID).await.unwrap();
    assert!(store.keys().await.is_empty());
    // A complete one, with a copy.
    append(storage, 0, &content(2 * PART + 10)).await;
    storage.complete(ID, stored, unchanged).await.unwrap();
    drop(storage.open_local(ID).await.unwrap());
    storage.remove(ID).await.unwrap();
    storage.remove(ID).await.unwrap();
    assert!(store.keys().await.is_empty());
    assert_eq!(copies(data.path()), 0);
    let missing = storage.open_local(ID).await.unwrap_err();
    assert_eq!(missing.kind(), ErrorKind::NotFound);
    assert_eq!(storage.length(ID).await.unwrap(), None);
}

fn copies(data: &Path) -> usize {
    std::fs::read_dir(data.join("cache")).unwrap().count()
}

#[tokio::test]
async fn copies_are_bounded_and_those_in_use_are_kept() {
    let store = MemoryStore::default();
    let Node { storage, data } = &node(&store, 2500);
    let ids: Vec<_> = (0..4).map(Uuid::from_u128).collect();
    for id in &ids {
        let mut incoming = storage.open_incoming(*id, 0).await.unwrap();
        incoming.write(content(1000)).await.unwrap();
        incoming.sync().await.unwrap();
        storage.complete(*id, 1000, unchanged).await.unwrap();
    }
    let first = storage.open_local(ids[0]).await.unwrap();
    drop(storage.open_local(ids[1]).await.unwrap());
    assert_eq!(copies(data.path()), 2);
    // The first one is older, but in use.
    let third = storage.open_local(ids[2]).await.unwrap();
    assert_eq!(copies(data.path()), 2);
    assert!(first.path().exists());
    // More than allowed if all are in use.
    let fourth = storage.open_local(ids[3]).await.unwrap();
    assert_eq!(copies(data.path()), 3);
    drop((first, third, fourth));
    std::fs::write(
        data.path().join("cache/partial-left"),
        "by a killed process",
    )
    .unwrap();
    drop(storage.open_local(ids[1]).await.unwrap());
    assert_eq!(copies(data.path()), 2);
    let opened = futures_util::future::join_all((0..8).map(|_| storage.open_local(ids[0]))).await;
    assert!(
        opened
            .iter()
            .all(|copy| copy.as_ref().unwrap().path().exists())
    );
}

#[tokio::test]
async fn a_download_becomes_a_recording() {
    for length in [10, PART, 2 * PART + 1] {
        let folder = tempfile::tempdir().unwrap();
        let shared = node(&MemoryStore::default(), 1 << 20);
        for storage in [Storage::open(folder.path()).unwrap(), shared.storage] {
            let content = content(length);
            let path = storage.direct_download(ID).unwrap();
            std::fs::write(&path, &content).unwrap();
            storage.finish_direct_download(ID).await.unwrap();
            assert_eq!(bytes_of(&storage, 0..length as u64).await, content);
            let page = storage.download_folder(ID).await.unwrap();
            std::fs::write(page.join("talk.webm"), &content[1..]).unwrap();
            let taken = storage.take_download(ID, &page.join("talk.webm")).await;
            taken.unwrap();
            assert_eq!(storage.length(ID).await.unwrap(), Some(length as u64 - 1));
            storage.remove_download_folder(ID).await.unwrap();
            let copy = storage.open_local(ID).await.unwrap();
            assert_eq!(std::fs::read(copy.path()).unwrap(), content[1..]);
        }
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_download_counts_only_after_it_is_synced_to_disk() {
    let data = tempfile::tempdir().unwrap();
    let storage = Storage::open(data.path()).unwrap();
    let file = storage.download_folder(ID).await.unwrap().join("talk.webm");
    // A device without storage behind it: it can be opened and renamed, but not synced.
    std::os::unix::fs::symlink("/dev/null", &file).unwrap();
    assert!(storage.take_download(ID, &file).await.is_err());
    assert!(storage.files().await.unwrap().is_empty());
    assert!(file.exists(), "it stays where it was");
}

#[tokio::test]
async fn small_files_are_found_by_their_key() {
    let folder = tempfile::tempdir().unwrap();
    let shared = node(&MemoryStore::default(), 0);
    for storage in [Storage::open(folder.path()).unwrap(), shared.storage] {
        assert!(storage.blobs("avatars").await.unwrap().is_empty());
        assert_eq!(storage.blob("avatars/a/1").await.unwrap(), None);
        for key in ["avatars/a/1", "avatars/a/2", "avatars/b/1"] {
            storage.put_blob(key, key.into()).await.unwrap();
        }
        storage.put_blob("avatars/a/1", "new".into()).await.unwrap();
        assert_eq!(
            storage.blob("avatars/a/1").await.unwrap(),
            Some("new".into())
        );
        storage.remove_blob("avatars/a/2").await.unwrap();
        storage.remove_blob("avatars/a/2").await.unwrap();
        let mut blobs = storage.blobs("avatars").await.unwrap();
        blobs.sort_by(|one, other| one.key.cmp(&other.key));
        let keys: Vec<_> = blobs.iter().map(|blob| (&*blob.key, blob.bytes)).collect();
        assert_eq!(keys, [("avatars/a/1", 3), ("avatars/b/1", 11)]);
        assert!(blobs.iter().all(|blob| blob.written_at.is_some()));
        storage.remove_blobs("avatars/a").await.unwrap();
        storage.remove_blobs("avatars/a").await.unwrap();
        assert_eq!(storage.blobs("avatars").await.unwrap().len(), 1);
        assert_eq!(storage.mark().await.unwrap(), None);
        storage.set_mark("a database").await.unwrap();
        assert_eq!(storage.mark().await.unwrap().as_deref(), Some("a database"));
    }
}

#[test]
fn addresses_of_buckets_are_checked() {
    for text in ["s3://bucket", "s3://my.bucket-1/a/b"] {
        assert_eq!(text.parse::<Url>().unwrap().to_string(), text);
    }
    assert_eq!(
        "s3://bucket/a/".parse::<Url>().unwrap().to_string(),
        "s3://bucket/a"
    );
    for text in [
        "",
        "bucket",
        "s3://",
        "s3:///a",
        "https://bucket",
        "s3://a b",
        "s3://a/b//c",
        "s3://a/../b",
    ] {
        assert!(text.parse::<Url>().is_err(), "{text}");
    }
}
