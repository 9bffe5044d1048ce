use slovo_rules::group::validate;

use super::*;
use crate::jobs::tests::{account, enqueue};
use crate::jobs::{self, Filter};
use crate::testing::{Backend, apply, each_database, with_database};

async fn make(connection: &mut Connection, user: &str, kind: GroupKind, name: &str) -> Uuid {
    let id = Uuid::new_v4();
    let group = NewGroup {
        id,
        user_id: user,
        kind,
        form: &validate(name, 3).unwrap(),
        now: 1,
    };
    insert(connection, &group).await.unwrap();
    id
}

/// The numbers of user `a`'s jobs in all of these groups.
async fn found(connection: &mut Connection, groups: &[Uuid], name: &str) -> Vec<u128> {
    let mut filter = Filter {
        groups: groups.to_vec(),
        name: name.to_owned(),
        limit: 2,
        ..Filter::default()
    };
    let mut all = Vec::new();
    loop {
        let page = jobs::list(connection, "a", &filter).await.unwrap();
        let Some(last) = page.last() else { return all };
        filter.after = Some(filter.order.position(last));
        all.extend(page.iter().map(|job| job.id.as_u128()));
    }
}

#[apply(each_database!)]
fn jobs_are_listed_by_tag_and_by_folder(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "a").await;
        account(&db, "b").await;
        let mut ids = Vec::new();
        for number in 1..=5 {
            let now = i64::try_from(number).unwrap();
            ids.push(enqueue(&db, "a", number, 0, now).await);
        }
        let foreign_job = enqueue(&db, "b", 9, 0, 9).await;
        let mut transaction = db.write().await.unwrap();
        let connection = &mut *transaction;
        let tag = make(connection, "a", GroupKind::Tag, "робота").await;
        let other_tag = make(connection, "a", GroupKind::Tag, "дім").await;
        let folder = make(connection, "a", GroupKind::Folder, "Робота").await;
        let other_folder = make(connection, "a", GroupKind::Folder, "Дім").await;
        let foreign_tag = make(connection, "b", GroupKind::Tag, "робота").await;
        let mut assigned = Vec::new();
        for (number, group) in [
            (0, tag),
            (2, tag),
            (2, tag),
            (3, tag),
            (2, other_tag),
            (2, folder),
            (3, folder),
            (3, other_folder),
            (4, foreign_tag),
        ] {
            let is_new = !assigned.contains(&(number, group)) && [tag, other_tag].contains(&group);
            assigned.push((number, group));
            let put = add_job(connection, "a", ids[number], group).await;
            assert_eq!(put.unwrap(), is_new);
        }
        assert!(!add_job(connection, "a", foreign_job, tag).await.unwrap());
        add_job(connection, "b", ids[4], foreign_tag).await.unwrap();
        for (groups, numbers) in [
            (vec![tag], vec![4, 3, 1]),
            (vec![other_tag], vec![3]),
            (vec![tag, folder], vec![3]),
            (vec![folder], vec![3]),
            (vec![other_folder], vec![4]),
            (vec![other_tag, other_folder], vec![]),
            (vec![foreign_tag], vec![]),
        ] {
            assert_eq!(found(connection, &groups, "").await, numbers, "{groups:?}");
        }
        assert_eq!(found(connection, &[tag], "A.W").await, [4, 3, 1]);
        assert_eq!(found(connection, &[tag], "b").await, [] as [u128; 0]);
        let job = jobs::find(connection, "a", ids[2]).await.unwrap().unwrap();
        let mut tags = vec![tag, other_tag];
        tags.sort();
        assert_eq!((job.tags, job.folder), (tags, Some(folder)));
        assert!(!remove_tag(connection, "b", ids[2], tag).await.unwrap());
        assert!(
            remove_tag(connection, "a", ids[2], other_tag)
                .await
                .unwrap()
        );
        remove_from_folder(connection, "a", ids[2]).await.unwrap();
        let job = jobs::find(connection, "a", ids[2]).await.unwrap().unwrap();
        assert_eq!((job.tags, job.folder), (vec![tag], None));
        assert!(!delete(connection, "b", tag).await.unwrap());
        assert!(delete(connection, "a", tag).await.unwrap());
        assert_eq!(found(connection, &[tag], "").await, [] as [u128; 0]);
    });
}

#[apply(each_database!)]
fn group_names_are_unique_per_kind_and_account(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "a").await;
        account(&db, "b").await;
        let mut transaction = db.write().await.unwrap();
        let connection = &mut *transaction;
        let tag = make(connection, "a", GroupKind::Tag, "Їжаки").await;
        make(connection, "b", GroupKind::Tag, "Їжаки").await;
        make(connection, "a", GroupKind::Folder, "Їжаки").await;
        let form = validate("їжаки ", 5).unwrap();
        for (user, expected) in [
            ("a", UpdateOutcome::Renamed),
            ("a", UpdateOutcome::SameName),
            ("b", UpdateOutcome::NotFound),
        ] {
            let updated = update(connection, user, tag, &form).await.unwrap();
            assert_eq!(updated, expected, "{user}");
        }
        let all = list(connection, "a", GroupKind::Tag).await.unwrap();
        let expected = Group {
            id: tag,
            kind: GroupKind::Tag,
            name: "їжаки".to_owned(),
            color: 5,
        };
        assert_eq!(all, [expected]);
        assert_eq!(count(connection, "a", GroupKind::Tag).await.unwrap(), 1);
        assert_eq!(find(connection, "b", tag).await.unwrap(), None);
        let again = NewGroup {
            id: Uuid::new_v4(),
            user_id: "a",
            kind: GroupKind::Tag,
            form: &validate("ЇЖАКИ", 0).unwrap(),
            now: 2,
        };
        let refused = insert(connection, &again).await.unwrap_err();
        assert_eq!(refused.constraint(), Some(NAME_KEY));
    });
}
