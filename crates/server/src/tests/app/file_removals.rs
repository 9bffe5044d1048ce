use slovo_db::core::file_removals::{self, Removal};
use slovo_db::jobs::uploads;
use slovo_db::lifecycle::deletion;
use uuid::Uuid;

use crate::testing::{Backend, apply, each_database, with_server};

#[apply(each_database!)]
fn files_left_by_a_dead_process_are_removed_and_owned_files_stay(backend: Backend) {
    with_server(backend, async |server| {
        let (orphaned, owned) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let me = server.signup("a@example.com").await;
        let leaver = server.signup("b@example.com").await;
        let state = &server.state;
        let avatars = state.config.data().join("avatars");
        for who in [&me, &leaver] {
            let stored = state.avatars.store(&who.user_id, "v1", vec![1]).await;
            stored.unwrap();
        }
        for (id, who) in [(orphaned, &leaver), (owned, &me)] {
            let upload = uploads::NewUpload {
                id,
                user_id: who.user_id.clone(),
                filename: "a.wav".to_owned(),
                content_type: String::new(),
                kind: slovo_rules::upload::UploadKind::File,
                size: Some(1),
                created_at: 0,
                expires_at: i64::MAX,
            };
            state.uploads.create(upload).await.unwrap();
            std::fs::write(state.storage.media(id), "x").unwrap();
        }
        // The process dies after the rows are deleted.
        let mut transaction = state.db.write().await.unwrap();
        let deleted = deletion::delete_account(&mut transaction, &leaver.user_id).await;
        deleted.unwrap();
        file_removals::add(&mut transaction, &Removal::Media(owned))
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        assert!(state.storage.media(orphaned).exists());
        state.file_removals().process_due().await.unwrap();
        assert!(!state.storage.media(orphaned).exists() && state.storage.media(owned).exists());
        assert!(!avatars.join(&leaver.user_id).exists() && avatars.join(&me.user_id).exists());
        let remaining = file_removals::list(&mut state.db.read().await.unwrap(), None, 9).await;
        assert_eq!(remaining.unwrap(), []);
    });
}
