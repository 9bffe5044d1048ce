//! State of the synchronisation with the external database.

use uuid::Uuid;

use super::*;
use crate::testing::{Backend, account, apply, each_database, with_database};

#[apply(each_database!)]
fn the_external_id_of_a_user_comes_from_its_link(backend: Backend) {
    with_database(backend, async |db| {
        let mut transaction = db.write().await.unwrap();
        account(&mut transaction, "u1").await;
        let id = user_external_id(&mut transaction, "u1").await.unwrap();
        assert_eq!(id, None);
        let mut link = Link {
            local_id: "u1".to_owned(),
            remote_id: Some(17),
            ..Link::default()
        };
        put_link(&mut transaction, Kind::Users, &link)
            .await
            .unwrap();
        let id = user_external_id(&mut transaction, "u1").await.unwrap();
        assert_eq!(id.as_deref(), Some("17"));
        let found = of_remotes(&mut transaction, Kind::Users, 1, 20)
            .await
            .unwrap();
        assert_eq!(found, [link.clone()]);
        assert!(
            of_remotes(&mut transaction, Kind::Jobs, 1, 20)
                .await
                .unwrap()
                .is_empty()
        );
        link.is_gone = true;
        put_link(&mut transaction, Kind::Users, &link)
            .await
            .unwrap();
        let id = user_external_id(&mut transaction, "u1").await.unwrap();
        assert_eq!(id, None);
        delete_all_links(&mut transaction).await.unwrap();
        let none = of_local(&mut transaction, Kind::Users, "u1").await.unwrap();
        assert_eq!(none, None);
    });
}

#[apply(each_database!)]
fn links_of_deleted_rows_are_found(backend: Backend) {
    with_database(backend, async |db| {
        let mut transaction = db.write().await.unwrap();
        account(&mut transaction, "u1").await;
        for (kind, id) in [
            (Kind::Users, "u1"),
            (Kind::Users, "gone"),
            (Kind::Jobs, "j1"),
        ] {
            let link = Link {
                local_id: id.to_owned(),
                ..Link::default()
            };
            put_link(&mut transaction, kind, &link).await.unwrap();
        }
        for kind in Kind::ALL {
            let found = removed(&mut transaction, kind, "", 10).await.unwrap();
            let ids: Vec<_> = found.iter().map(|link| link.local_id.as_str()).collect();
            let expected: &[&str] = match kind {
                Kind::Users => &["gone"],
                Kind::Jobs => &["j1"],
                _ => &[],
            };
            assert_eq!(ids, expected, "{kind:?}");
        }
        let waiting = pending(&mut transaction, Kind::Users, 10).await.unwrap();
        assert_eq!(waiting.len(), 2);
    });
}

#[apply(each_database!)]
fn only_one_run_is_active_at_a_time(backend: Backend) {
    with_database(backend, async |db| {
        let mut transaction = db.write().await.unwrap();
        for number in 0..60_u32 {
            let (id, now) = (Uuid::from_u128(u128::from(number)), i64::from(number) * 10);
            assert!(
                begin(&mut transaction, id, Cause::Admin, now, now + 5)
                    .await
                    .unwrap()
            );
            let other = Uuid::from_u128(u128::from(number) + 1000);
            let started = begin(&mut transaction, other, Cause::Load, now + 1, now + 9).await;
            assert!(!started.unwrap());
            assert!(renew(&mut transaction, id, now + 9).await.unwrap());
            if number % 2 == 0 {
                let ended = (Status::Failed, Some("dns"));
                let none: [u8; 0] = [];
                finish(&mut transaction, id, ended, &none, &none, now + 2)
                    .await
                    .unwrap();
                assert!(!renew(&mut transaction, id, now + 9).await.unwrap());
            }
        }
        assert!(unfinished(&mut transaction, 10_000).await.unwrap());
        let last = latest(&mut transaction).await.unwrap().unwrap();
        assert_eq!(last.id, Uuid::from_u128(59));
    });
}

#[apply(each_database!)]
fn an_imported_name_is_given_to_the_account_that_signs_up(backend: Backend) {
    with_database(backend, async |db| {
        let mut transaction = db.write().await.unwrap();
        let imported = slovo_rules::nocodb::RemoteUser {
            email: "u1@example.com".to_owned(),
            fullname: Some("Олена Пчілка".to_owned()),
            ..Default::default()
        };
        let imported = slovo_rules::nocodb::validate_user(&imported).unwrap();
        let id = Uuid::from_u128(1);
        insert_user(&mut transaction, id, &imported, 1)
            .await
            .unwrap();
        let carried = row(&mut transaction, Kind::Users, &id.to_string()).await;
        assert_eq!(carried.unwrap().unwrap().fields["fullname"], "Олена Пчілка");
        account(&mut transaction, "u1").await;
        let found = crate::accounts::get(&mut transaction, "u1").await.unwrap();
        assert_eq!(found.unwrap().fullname.as_deref(), Some("Олена Пчілка"));
        let carried = row(&mut transaction, Kind::Users, &id.to_string()).await;
        assert_eq!(carried.unwrap().unwrap().fields["fullname"], "Олена Пчілка");
    });
}

#[apply(each_database!)]
fn deleting_an_account_clears_what_its_link_mirrored(backend: Backend) {
    with_database(backend, async |db| {
        let mut transaction = db.write().await.unwrap();
        for id in ["u1", "u2"] {
            account(&mut transaction, id).await;
            let link = Link {
                local_id: id.to_owned(),
                remote_id: Some(if id == "u1" { 1 } else { 2 }),
                mirrored: "{\"email\":\"digest\"}".to_owned(),
                ..Link::default()
            };
            put_link(&mut transaction, Kind::Users, &link)
                .await
                .unwrap();
        }
        crate::lifecycle::deletion::delete_account(&mut transaction, "u1")
            .await
            .unwrap();
        for (id, is_kept) in [("u1", false), ("u2", true)] {
            let link = of_local(&mut transaction, Kind::Users, id).await.unwrap();
            assert_eq!(!link.unwrap().mirrored.is_empty(), is_kept, "{id}");
        }
    });
}
