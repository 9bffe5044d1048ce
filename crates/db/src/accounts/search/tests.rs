use super::*;
use crate::accounts::{profiles, roles};
use crate::testing::{Backend, account, apply, each_database, execute, with_database};

async fn found(connection: &mut Connection, filter: &Filter) -> (String, u64) {
    let people = list(connection, filter, None, 9).await.unwrap();
    let ids: Vec<_> = people.into_iter().map(|person| person.account.id).collect();
    (ids.join(" "), count(connection, filter).await.unwrap())
}

fn search(text: &str) -> Filter {
    Filter {
        search: text.to_owned(),
        ..Filter::default()
    }
}

#[apply(each_database!)]
fn a_search_ignores_case_and_matches_symbols_literally(backend: Backend) {
    with_database(backend, async |database| {
        let mut transaction = database.write().await.unwrap();
        for (id, name) in [("olha", "Ольга Їжакевич"), ("50%", "Ann"), ("ann_lee", "")]
        {
            account(&mut transaction, id).await;
            profiles::set_fullname(&mut transaction, id, name, 1)
                .await
                .unwrap();
        }
        for (text, ids, total) in [
            ("їЖАК", "olha", 1),
            (" OLHA@Example ", "olha", 1),
            ("ann", "ann_lee 50%", 2),
            ("%", "50%", 1),
            ("_", "ann_lee", 1),
            ("!", "", 0),
            ("\0", "", 0),
            ("", "olha ann_lee 50%", 3),
        ] {
            let expected = (ids.to_owned(), total);
            assert_eq!(
                found(&mut transaction, &search(text)).await,
                expected,
                "{text:?}"
            );
        }
        // A changed name is found at once, and the old one no longer.
        profiles::set_fullname(&mut transaction, "olha", "Оля", 2)
            .await
            .unwrap();
        assert_eq!(found(&mut transaction, &search("їжак")).await.1, 0);
        assert_eq!(found(&mut transaction, &search("оля")).await.1, 1);
        execute(
            &mut transaction,
            "UPDATE synced_users SET first_name = 'Анна', last_name = 'Лі' WHERE id = 'ann_lee'",
        )
        .await;
        accounts::searched::update(&mut transaction, "ann_lee")
            .await
            .unwrap();
        assert_eq!(found(&mut transaction, &search("анна л")).await.1, 1);
        let ann = get(&mut transaction, "ann_lee").await.unwrap().unwrap();
        assert_eq!(ann.name.as_deref(), Some("Анна Лі"));
        accounts::searched::update(&mut transaction, "nobody")
            .await
            .unwrap();
    });
}

#[apply(each_database!)]
fn accounts_are_filtered_paged_and_counted(backend: Backend) {
    with_database(backend, async |database| {
        let mut transaction = database.write().await.unwrap();
        for id in ["a", "b", "c", "d"] {
            account(&mut transaction, id).await;
        }
        roles::grant_admin(&mut transaction, "b", 1).await.unwrap();
        accounts::set_status(&mut transaction, "c", Status::Blocked)
            .await
            .unwrap();
        execute(
            &mut transaction,
            "INSERT INTO sessions (id, user_id, created_at, expires_at, last_used_at) \
             VALUES ('s1', 'a', 1, 9, 7), ('s2', 'a', 2, 9, 5)",
        )
        .await;
        let status = |status| Filter {
            status: Some(status),
            ..Filter::default()
        };
        let role = |is_admin| Filter {
            is_admin: Some(is_admin),
            ..Filter::default()
        };
        for (filter, ids) in [
            (status(Status::Active), "d b a"),
            (status(Status::Blocked), "c"),
            (role(true), "b"),
            (role(false), "d c a"),
        ] {
            let (actual, total) = found(&mut transaction, &filter).await;
            assert_eq!(actual, ids);
            assert_eq!(total as usize, ids.split(' ').count());
        }
        execute(
            &mut transaction,
            "INSERT INTO synced_subscriptions (id, subscription_id, name, description, price, \
             currency, is_active, features, queue_speed, created_at, updated_at) \
             VALUES ('p', 7, 'Студія', '', 0, 'UAH', 1, '[]', 'standard', 1, 1)",
        )
        .await;
        execute(
            &mut transaction,
            "UPDATE synced_users SET subscription_id = 7 WHERE auth_user_id IN ('a', 'd')",
        )
        .await;
        let plan = |plan| Filter {
            plan: Some(plan),
            ..Filter::default()
        };
        for (filter, ids) in [
            (plan(Plan::Number(7)), "d a"),
            (plan(Plan::Without), "c b"),
            (plan(Plan::Number(8)), ""),
            (plan(Plan::Number(-1)), ""),
        ] {
            assert_eq!(found(&mut transaction, &filter).await.0, ids);
        }
        let a = get(&mut transaction, "a").await.unwrap().unwrap();
        assert_eq!(a.plan_name.as_deref(), Some("Студія"));
        let page = list(&mut transaction, &Filter::default(), Some((5, "c")), 1).await;
        assert_eq!(page.unwrap()[0].account.id, "b");
        let a = get(&mut transaction, "a").await.unwrap().unwrap();
        assert_eq!(a.last_used_at, Some(7));
        let d = get(&mut transaction, "d").await.unwrap().unwrap();
        assert_eq!((d.last_used_at, d.name), (None, None));
        assert_eq!(get(&mut transaction, "x").await.unwrap(), None);
    });
}

#[apply(each_database!)]
fn accounts_without_search_text_are_folded_once(backend: Backend) {
    with_database(backend, async |database| {
        let mut transaction = database.write().await.unwrap();
        for id in ["Їжак", "b", "c"] {
            account(&mut transaction, id).await;
        }
        execute(
            &mut transaction,
            "UPDATE accounts SET searched = NULL WHERE id <> 'c'",
        )
        .await;
        assert_eq!(found(&mut transaction, &search("їжак")).await.1, 0);
        transaction.commit().await.unwrap();
        assert_eq!(fill_search_texts(&database).await.unwrap(), 2);
        assert_eq!(fill_search_texts(&database).await.unwrap(), 0);
        let mut connection = database.read().await.unwrap();
        assert_eq!(found(&mut connection, &search("їжак")).await.1, 1);
    });
}

/// `cargo test -p slovo-db --lib -- --ignored --nocapture a_hundred_thousand` prints the time of a
/// page.
#[apply(each_database!)]
#[ignore = "a measurement"]
fn a_hundred_thousand_accounts_are_searched(backend: Backend) {
    with_database(backend, async |database| {
        let mut transaction = database.write().await.unwrap();
        for block in 0..100 {
            let rows = |row: &dyn Fn(usize) -> String| {
                let rows: Vec<_> = (block * 1000..block * 1000 + 1000).map(row).collect();
                rows.join(",")
            };
            let hash = "$argon2id$v=19$m=19456,t=2,p=1$aaaaaaaaaaaaaaaaaaaaaa$aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
            let accounts =
                rows(&|n| format!("('{n:036}', 'person{n}@example.com', '{hash}', {n}, {n})"));
            let profiles = rows(&|n| format!("('{n:036}', 'Оксана Їжакевич {n}', {n})"));
            let users = rows(&|n| {
                format!("('{n:036}', '{n:036}', 'person{n}@example.com', 'active', {n})")
            });
            let sessions = rows(&|n| format!("('{n:036}', '{n:036}', {n}, {n}, {n})"));
            for statement in [
                format!(
                    "INSERT INTO accounts (id, email, password_hash, created_at, updated_at) VALUES {accounts}"
                ),
                format!("INSERT INTO profiles (user_id, fullname, updated_at) VALUES {profiles}"),
                format!(
                    "INSERT INTO synced_users (id, auth_user_id, email, status, created_at) VALUES {users}"
                ),
                format!(
                    "INSERT INTO sessions (id, user_id, created_at, expires_at, last_used_at) VALUES {sessions}"
                ),
            ] {
                execute(&mut transaction, &statement).await;
            }
        }
        transaction.commit().await.unwrap();
        let timed = std::time::Instant::now();
        fill_search_texts(&database).await.unwrap();
        println!(
            "{:?}: folding all took {:?}",
            database.backend(),
            timed.elapsed()
        );
        let mut connection = database.read().await.unwrap();
        let blocked = Filter {
            status: Some(Status::Blocked),
            ..Filter::default()
        };
        for (name, filter) in [
            ("all", Filter::default()),
            ("one person", search("PERSON77777@")),
            ("nobody", search("немає таких")),
            ("everybody's name", search("їжак")),
            ("blocked", blocked),
        ] {
            let mut best = [std::time::Duration::MAX; 2];
            for _ in 0..5 {
                let timed = std::time::Instant::now();
                list(&mut connection, &filter, None, 51).await.unwrap();
                best[0] = best[0].min(timed.elapsed());
                let timed = std::time::Instant::now();
                count(&mut connection, &filter).await.unwrap();
                best[1] = best[1].min(timed.elapsed());
            }
            println!("{name}: page {:?}, count {:?}", best[0], best[1]);
        }
        let timed = std::time::Instant::now();
        let after = format!("{:036}", 50_000);
        list(
            &mut connection,
            &Filter::default(),
            Some((50_000, &after)),
            51,
        )
        .await
        .unwrap();
        println!("a page in the middle: {:?}", timed.elapsed());
    });
}
