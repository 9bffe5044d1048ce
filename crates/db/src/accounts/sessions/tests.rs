//! Sessions and their tokens, on both databases.

use super::*;
use crate::Database;
use crate::testing::{Backend, apply, each_database, with_database};

fn token(hash: &str, created_at: i64) -> NewToken<'_> {
    NewToken {
        hash,
        created_at,
        lifetimes: Lifetimes {
            remembered: 100,
            until_closed: 10,
        },
    }
}

fn session(id: &str, remember: bool) -> NewSession<'_> {
    const DEVICE: &Device = &Device {
        user_agent: None,
        address: None,
    };
    NewSession {
        id,
        user_id: "u1",
        device: DEVICE,
        remember,
    }
}

/// A session `s1` of `u1` with the token `t1`, begun at 0.
async fn create_session(database: &Database) {
    let mut transaction = database.write().await.unwrap();
    crate::testing::account(&mut transaction, "u1").await;
    insert(&mut transaction, &session("s1", true), &token("t1", 0))
        .await
        .unwrap();
    transaction.commit().await.unwrap();
}

async fn rotate_once(database: &Database, hash: &str, next: &NewToken<'_>) -> Rotation {
    let mut transaction = database.write().await.unwrap();
    let outcome = rotate(&mut transaction, hash, next, &Device::default())
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    outcome
}

async fn is_valid(database: &Database, now: i64) -> bool {
    let mut connection = database.read().await.unwrap();
    account(&mut connection, "s1", now).await.unwrap().is_some()
}

#[apply(each_database!)]
fn each_use_of_a_token_extends_the_session_and_gives_a_new_token(backend: Backend) {
    with_database(backend, async |database| {
        create_session(&database).await;
        let second = rotate_once(&database, "t1", &token("t2", 60)).await;
        assert!(matches!(second, Rotation::Rotated { session_id, .. } if session_id == "s1"));
        assert!(is_valid(&database, 159).await);
        assert!(!is_valid(&database, 160).await);
        let third = rotate_once(&database, "t2", &token("t3", 120)).await;
        assert!(matches!(third, Rotation::Rotated { .. }));
    });
}

#[apply(each_database!)]
fn reusing_a_token_ends_its_session(backend: Backend) {
    with_database(backend, async |database| {
        create_session(&database).await;
        rotate_once(&database, "t1", &token("t2", 10)).await;
        let again = rotate_once(&database, "t1", &token("t3", 20)).await;
        let expected = Rotation::Reused {
            session_id: "s1".into(),
            user_id: "u1".into(),
        };
        assert_eq!(again, expected);
        assert!(!is_valid(&database, 21).await);
        let newest = rotate_once(&database, "t2", &token("t4", 30)).await;
        assert_eq!(newest, Rotation::Refused);
    });
}

#[apply(each_database!)]
fn one_of_two_concurrent_uses_of_a_token_counts_as_reuse(backend: Backend) {
    with_database(backend, async |database| {
        create_session(&database).await;
        let left = {
            let database = database.clone();
            tokio::spawn(async move { rotate_once(&database, "t1", &token("tl", 10)).await })
        };
        let right = {
            let database = database.clone();
            tokio::spawn(async move { rotate_once(&database, "t1", &token("tr", 10)).await })
        };
        let outcomes = [left.await.unwrap(), right.await.unwrap()];
        let rotated = outcomes
            .iter()
            .filter(|o| matches!(o, Rotation::Rotated { .. }))
            .count();
        let reused = outcomes
            .iter()
            .filter(|o| matches!(o, Rotation::Reused { .. }))
            .count();
        assert_eq!((rotated, reused), (1, 1));
        assert!(!is_valid(&database, 11).await);
    });
}

#[apply(each_database!)]
fn unknown_and_expired_tokens_are_refused(backend: Backend) {
    with_database(backend, async |database| {
        create_session(&database).await;
        let unknown = rotate_once(&database, "' OR 1=1 --", &token("t2", 10)).await;
        assert_eq!(unknown, Rotation::Refused);
        let expired = rotate_once(&database, "t1", &token("t2", 100)).await;
        assert_eq!(expired, Rotation::Refused);
    });
}

#[apply(each_database!)]
fn ended_sessions_stay_ended_and_are_removed_after_they_expire(backend: Backend) {
    with_database(backend, async |database| {
        create_session(&database).await;
        let mut transaction = database.write().await.unwrap();
        assert_eq!(
            session_of_token(&mut transaction, "t1")
                .await
                .unwrap()
                .as_deref(),
            Some("s1")
        );
        assert!(
            end(&mut transaction, "s1", EndReason::SignedOut, 5)
                .await
                .unwrap()
        );
        assert!(
            !end(&mut transaction, "s1", EndReason::SignedOut, 6)
                .await
                .unwrap()
        );
        let all = end_all(&mut transaction, "u1", EndReason::Blocked, 7)
            .await
            .unwrap();
        assert_eq!(all, 0);
        assert_eq!(remove_expired(&mut transaction, 99).await.unwrap(), 0);
        assert_eq!(remove_expired(&mut transaction, 100).await.unwrap(), 1);
        assert_eq!(
            session_of_token(&mut transaction, "t1").await.unwrap(),
            None
        );
    });
}

#[apply(each_database!)]
fn a_session_that_is_not_remembered_stays_short(backend: Backend) {
    with_database(backend, async |database| {
        create_session(&database).await;
        let mut transaction = database.write().await.unwrap();
        insert(&mut transaction, &session("s2", false), &token("a", 0))
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        let next = rotate_once(&database, "a", &token("b", 5)).await;
        assert!(matches!(next, Rotation::Rotated { .. }));
        let late = rotate_once(&database, "b", &token("c", 15)).await;
        assert_eq!(late, Rotation::Refused);
    });
}

#[apply(each_database!)]
fn owners_list_and_end_only_their_own_sessions(backend: Backend) {
    with_database(backend, async |database| {
        create_session(&database).await;
        let mut transaction = database.write().await.unwrap();
        crate::testing::account(&mut transaction, "u2").await;
        let device = Device {
            user_agent: Some("Firefox".into()),
            address: Some("192.0.2.7".into()),
        };
        let second = NewSession {
            device: &device,
            ..session("s2", false)
        };
        insert(&mut transaction, &second, &token("a", 5))
            .await
            .unwrap();
        let all = list(&mut transaction, "u1", 6).await.unwrap();
        let ids: Vec<_> = all.iter().map(|session| session.id.as_str()).collect();
        assert_eq!(ids, ["s2", "s1"]);
        assert_eq!((&all[0].device, all[0].remember), (&device, false));
        assert!(
            known_address(&mut transaction, "u1@example.com", "192.0.2.7")
                .await
                .unwrap()
        );
        assert!(
            !known_address(&mut transaction, "u2@example.com", "192.0.2.7")
                .await
                .unwrap()
        );

        assert!(!end_own(&mut transaction, "u2", "s1", 7).await.unwrap());
        assert!(end_own(&mut transaction, "u1", "s1", 7).await.unwrap());
        assert!(!end_own(&mut transaction, "u1", "s1", 7).await.unwrap());
        let others = end_others(&mut transaction, "u1", "s2", EndReason::PasswordChanged, 7);
        assert_eq!(others.await.unwrap(), 0);
        assert_eq!(list(&mut transaction, "u1", 8).await.unwrap().len(), 1);
        assert_eq!(list(&mut transaction, "u1", 16).await.unwrap().len(), 0);
    });
}
