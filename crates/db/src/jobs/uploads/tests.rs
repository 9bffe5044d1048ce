//! Uploads on both databases.

use super::*;
use crate::testing::{Backend, account, apply, each_database, with_database};

fn new(id: u128, size: Option<u64>, created_at: i64) -> NewUpload {
    NewUpload {
        id: Uuid::from_u128(id),
        user_id: "u1".to_owned(),
        filename: "a.wav".to_owned(),
        content_type: String::new(),
        kind: UploadKind::Voice,
        size,
        created_at,
        expires_at: 1000,
    }
}

#[apply(each_database!)]
fn a_length_is_declared_once_and_not_below_the_stored_size(backend: Backend) {
    with_database(backend, async |database| {
        let mut transaction = database.write().await.unwrap();
        account(&mut transaction, "u1").await;
        insert(&mut transaction, &new(1, None, 5)).await.unwrap();
        insert(&mut transaction, &new(2, Some(9), 6)).await.unwrap();
        let (open, known) = (Uuid::from_u128(1), Uuid::from_u128(2));
        set_stored(&mut transaction, open, 7, 1000).await.unwrap();
        let find = async |connection: &mut Connection, id| {
            find(connection, "u1", id).await.unwrap().unwrap()
        };
        let stored = find(&mut transaction, open).await;
        assert_eq!((stored.length, stored.stored), (Length::Open, 7));
        assert_eq!((stored.kind, stored.created_at), (UploadKind::Voice, 5));
        assert!(!stored.is_complete() && stored.counted() == 7);
        for (id, bytes, done) in [
            (known, 10, false),
            (known, 9, false),
            (open, 6, false),
            (open, 8, true),
            (open, 8, false),
            (open, 9, false),
            (Uuid::from_u128(3), 8, false),
        ] {
            let declared = declare_length(&mut transaction, id, bytes).await.unwrap();
            assert_eq!(declared, done, "{id} {bytes}");
        }
        assert_eq!(
            find(&mut transaction, open).await.length,
            Length::Declared(8)
        );
        let announced = find(&mut transaction, known).await;
        assert_eq!(announced.length, Length::Announced(9));
    });
}

#[apply(each_database!)]
fn open_uploads_are_counted_by_size_and_listed_newest_first(backend: Backend) {
    with_database(backend, async |database| {
        let mut transaction = database.write().await.unwrap();
        account(&mut transaction, "u1").await;
        let sum = async |connection: &mut Connection| {
            let open = open(connection, "u1", 10).await.unwrap();
            (open.count, open.bytes)
        };
        for upload in [new(1, None, 1), new(2, Some(100), 3), new(3, None, 2)] {
            insert(&mut transaction, &upload).await.unwrap();
        }
        assert_eq!(sum(&mut transaction).await, (3, 100));
        let (first, third) = (Uuid::from_u128(1), Uuid::from_u128(3));
        set_stored(&mut transaction, first, 40, 1000).await.unwrap();
        assert_eq!(sum(&mut transaction).await, (3, 140));
        assert!(declare_length(&mut transaction, first, 50).await.unwrap());
        assert_eq!(sum(&mut transaction).await, (3, 150));

        let ids = async |connection: &mut Connection, user: &str, now, limit| {
            let listed = list(connection, user, now, limit).await.unwrap();
            let ids = listed.iter().map(|upload| upload.id.as_u128());
            ids.collect::<Vec<_>>()
        };
        assert_eq!(ids(&mut transaction, "u1", 10, 50).await, [2, 3, 1]);
        assert_eq!(ids(&mut transaction, "u1", 10, 2).await, [2, 3]);
        assert_eq!(ids(&mut transaction, "u2", 10, 50).await, [0; 0]);
        assert_eq!(ids(&mut transaction, "u1", 1000, 50).await, [0; 0]);
        let refused = set_problem(&mut transaction, third, &Fault::new("damaged")).await;
        assert!(refused.unwrap());
        assert_eq!(ids(&mut transaction, "u1", 10, 50).await, [2, 1]);
        assert!(!declare_length(&mut transaction, third, 5).await.unwrap());
    });
}

#[test]
fn media_stored_without_audio_tracks_is_readable() {
    let old = r#"{"container":"wav","codec":"pcm","duration":null,"tracks":1,"channels":1,
        "has_video":false}"#;
    let media: Media = serde_json::from_str(old).unwrap();
    assert!(media.audio_tracks.is_empty() && media.tracks == 1);
}
