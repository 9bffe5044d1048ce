//! Every source of a list finds the same jobs, in the same order.

use slovo_rules::Valid;
use slovo_rules::collation::sort_key;
use slovo_rules::group::{GroupKind, validate};
use slovo_rules::job::JobStatus;
use uuid::Uuid;

use super::super::fill;
use super::super::source::{From, Scope, Search};
use crate::Connection;
use crate::jobs::groups::{self, NewGroup};
use crate::jobs::tests::account;
use crate::jobs::{self, Filter, Job, NewJob, Order, SortKey, names};
use crate::lifecycle;
use crate::testing::{Backend, apply, each_database, execute, with_database};

const TAG: Uuid = Uuid::from_u128(1 << 80);
/// Longest title and file name, in characters.
const LONGEST: (u32, u32) = (200, 255);

/// Different characters of four bytes, so that they cannot be compressed.
fn long(length: u32) -> String {
    let character = |number| char::from_u32(0x1_0400 + number * 7_919 % 0x1_0000);
    (0..length).filter_map(character).collect()
}

/// File name, title, seconds, state and whether it has the tag, of each job.
type Description = (String, Option<String>, Option<f64>, &'static str, bool);

fn descriptions() -> Vec<Description> {
    let (long_title, long_name) = (long(LONGEST.0), long(LONGEST.1));
    let mut all = Vec::new();
    for (name, title, seconds, state, tagged) in [
        ("ЇЖАК.wav", None, Some(3.0), "completed", true),
        ("їжак.wav", None, Some(3.0), "completed", true),
        ("ЇЖАК.wav", None, None, "pending", false),
        ("Ґанок.wav", Some("Великий Їжак"), Some(0.5), "error", true),
        ("їжак 10.wav", Some("Ґанок"), Some(9.0), "failed", false),
        (
            "їжак 2.wav",
            Some("100%_їжак"),
            Some(9.0),
            "cancelled",
            true,
        ),
        ("П’ять їжаків.wav", None, Some(7.25), "completed", false),
        ("іжак.wav", None, Some(7.25), "completed", true),
        ("yizhak.wav", Some("їжак"), None, "completed", true),
    ] {
        all.push((
            name.to_owned(),
            title.map(str::to_owned),
            seconds,
            state,
            tagged,
        ));
    }
    for (name, title) in [("їжак.wav", &long_title), (&*long_name, &long_title)] {
        let title = Some(title.clone());
        all.push((name.to_owned(), title, Some(1.0), "completed", true));
    }
    all.push((long_name, None, Some(1.0), "pending", false));
    all
}

async fn create(connection: &mut Connection) {
    let tag = NewGroup {
        id: TAG,
        user_id: "a",
        kind: GroupKind::Tag,
        form: &validate("робота", 0).unwrap(),
        now: 1,
    };
    groups::insert(&mut *connection, &tag).await.unwrap();
    for (number, (name, title, duration, state, tagged)) in (1..).zip(descriptions()) {
        let id = Uuid::from_u128(number);
        let job = NewJob {
            id,
            user_id: "a".to_owned(),
            media_id: Uuid::from_u128(number + (1 << 64)),
            original_filename: name,
            content_type: "audio/wav".to_owned(),
            file_size: 1,
            has_video: false,
            duration,
            plan: Valid::default(),
            audio_track: None,
            priority: 0,
            // Some are created at the same time.
            now: i64::try_from(number / 2).unwrap() * 10,
        };
        lifecycle::create_job(&mut *connection, &job).await.unwrap();
        jobs::set_title(&mut *connection, "a", id, title.as_deref())
            .await
            .unwrap();
        let state = format!("UPDATE synced_jobs SET status = '{state}' WHERE my_job_id = '{id}'");
        execute(&mut *connection, &state).await;
        if tagged {
            groups::add_job(&mut *connection, "a", id, TAG)
                .await
                .unwrap();
        }
    }
}

/// Whether a list contains the job, computed without SQL.
fn contains(filter: &Filter, job: &Job) -> bool {
    let name = filter.name.to_lowercase();
    let title = job.title.as_deref().unwrap_or_default().to_lowercase();
    (job.original_filename.to_lowercase().contains(&name) || title.contains(&name))
        && (filter.statuses.is_empty() || filter.statuses.contains(&job.status))
        && filter.groups.iter().all(|group| job.tags.contains(group))
        && filter.from.is_none_or(|from| job.created_at >= from)
        && filter.until.is_none_or(|until| job.created_at < until)
}

/// The numbers of the jobs in the list, computed without SQL.
fn expected(filter: &Filter, all: &[Job]) -> Vec<u128> {
    let mut found: Vec<&Job> = all.iter().filter(|job| contains(filter, job)).collect();
    found.sort_by(|one, other| {
        let order = match filter.order.by {
            SortKey::Name => sort_key(one.name()).cmp(&sort_key(other.name())),
            SortKey::Length => {
                let length = |job: &Job| job.duration.unwrap_or(-1.0);
                length(one).total_cmp(&length(other))
            }
            SortKey::Date | SortKey::State => one.created_at.cmp(&other.created_at),
        };
        order.then(one.id.cmp(&other.id))
    });
    if !filter.order.ascending {
        found.reverse();
    }
    found.into_iter().map(|job| job.id.as_u128()).collect()
}

/// The sources that can give this list.
fn sources(filter: &Filter) -> Vec<From> {
    let (named, grouped) = (!filter.name.is_empty(), !filter.groups.is_empty());
    let mut sources = vec![match filter.statuses.is_empty() {
        true => From::All,
        false => From::Kinds,
    }];
    let is_timed = filter.from.is_some() || filter.until.is_some();
    if grouped {
        sources.push(From::Grouped);
    }
    if named {
        let query = names::index_query(&filter.name, names::SearchField::NameOf("a"));
        sources.push(From::Candidates { named: Some(query) });
    }
    if is_timed {
        sources.push(From::Candidates { named: None });
    }
    if named && filter.order.by == SortKey::Name {
        sources.push(From::Named);
    }
    sources
}

/// The numbers of the jobs that a source gives, page by page.
async fn walk(
    connection: &mut Connection,
    backend: Backend,
    filter: &Filter,
    from: &From,
    limit: u32,
) -> Vec<u128> {
    let mut filter = Filter {
        limit,
        ..filter.clone()
    };
    let mut all = Vec::new();
    loop {
        let scope = Scope::of(&mut *connection, backend, "a", &filter).await;
        let Some(scope) = scope.unwrap() else {
            return all;
        };
        let search = Search {
            scope: &scope,
            from: from.clone(),
        };
        let mut page = Vec::new();
        fill(&mut *connection, &search, &mut page).await.unwrap();
        all.extend(page.iter().map(|job| job.id.as_u128()));
        let Some(last) = page.last().filter(|_| page.len() == limit as usize) else {
            return all;
        };
        filter.after = Some(filter.order.position(last));
    }
}

/// Filters of each kind, and combinations.
fn filters() -> Vec<Filter> {
    let mut filters = Vec::new();
    let long = long(LONGEST.1);
    let last: String = long.chars().skip(250).collect();
    let names = ["", "ЇЖАК", "ґ", "%_", "немає такого", &last];
    for name in names.map(str::to_owned) {
        for statuses in [vec![], vec![JobStatus::Completed, JobStatus::Error]] {
            for groups in [vec![], vec![TAG]] {
                for (from, until) in [(None, None), (Some(10), Some(50))] {
                    filters.push(Filter {
                        name: name.clone(),
                        statuses: statuses.clone(),
                        groups: groups.clone(),
                        from,
                        until,
                        ..Filter::default()
                    });
                }
            }
        }
    }
    filters
}

#[apply(each_database!)]
fn every_source_gives_the_same_list(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "a").await;
        account(&db, "b").await;
        let mut transaction = db.write().await.unwrap();
        create(&mut transaction).await;
        let everything = Filter {
            limit: 100,
            ..Filter::default()
        };
        let all = jobs::list(&mut transaction, "a", &everything)
            .await
            .unwrap();
        assert_eq!(all.len(), descriptions().len());
        let orders = [SortKey::Date, SortKey::Name, SortKey::Length]
            .into_iter()
            .flat_map(|by| [false, true].map(|ascending| Order { by, ascending }));
        for order in orders {
            for filter in filters() {
                let filter = Filter { order, ..filter };
                let expected = expected(&filter, &all);
                for from in sources(&filter) {
                    let found = walk(&mut transaction, backend, &filter, &from, 4).await;
                    assert_eq!(found, expected, "{from:?} {filter:?}");
                }
                let filter = Filter {
                    limit: 100,
                    ..filter
                };
                let found = jobs::list(&mut transaction, "a", &filter).await.unwrap();
                let found: Vec<u128> = found.iter().map(|job| job.id.as_u128()).collect();
                assert_eq!(found, expected, "{filter:?}");
                let of_other = jobs::list(&mut transaction, "b", &filter).await.unwrap();
                assert!(of_other.is_empty());
            }
        }
    });
}

/// Number of jobs that [`create_many`] creates: more than are looked up by their name.
const MANY: i64 = names::FREQUENT + 100;

/// Creates jobs named "Нарада 1" to "Нарада 1100"; one of 20 has failed.
async fn create_many(connection: &mut Connection) {
    let insert = format!(
        "INSERT INTO synced_jobs (my_job_id, auth_user_id, media_id, original_filename, \
         filename_folded, content_type, file_size, has_video, duration, input_settings, \
         transcription_type, status, stage, queued_at, run_after, created_at) \
         WITH RECURSIVE job(number) AS \
         (SELECT 1 UNION ALL SELECT number + 1 FROM job WHERE number < {MANY}) \
         SELECT '00000000-0000-7000-8000-' || CAST(100000000000 + number AS TEXT), 'a', \
         '00000000-0000-7000-8000-' || CAST(200000000000 + number AS TEXT), \
         'Нарада ' || CAST(number AS TEXT), 'нарада ' || CAST(number AS TEXT), 'audio/wav', 1, 0, \
         1, '{{}}', 'full', CASE WHEN number % 20 = 0 THEN 'failed' ELSE 'completed' END, \
         'finishing', 1, 1, 1 FROM job"
    );
    execute(&mut *connection, &insert).await;
    jobs::fill_keys(&mut *connection).await.unwrap();
}

#[apply(each_database!)]
fn the_source_with_the_fewest_rows_is_chosen(backend: Backend) {
    with_database(backend, async |db| {
        account(&db, "a").await;
        let mut transaction = db.write().await.unwrap();
        create_many(&mut transaction).await;
        create(&mut transaction).await;
        let by = |by, name: &str| Filter {
            order: Order {
                by,
                ascending: true,
            },
            name: name.to_owned(),
            ..Filter::default()
        };
        let of = |statuses: &[JobStatus], filter: Filter| Filter {
            statuses: statuses.to_vec(),
            ..filter
        };
        let tagged = |filter: Filter| Filter {
            groups: vec![TAG],
            ..filter
        };
        let (failed, completed) = ([JobStatus::Failed], [JobStatus::Completed]);
        for (filter, expected) in [
            (by(SortKey::Name, "Нарада"), "Named"),
            (of(&completed, by(SortKey::Name, "нарада")), "Named"),
            (of(&failed, by(SortKey::Name, "нарада")), "Kinds"),
            (tagged(by(SortKey::Name, "нарада")), "Grouped"),
            (by(SortKey::Length, "нарада"), "All"),
            (by(SortKey::Date, ""), "All"),
            (by(SortKey::Name, "нарада 77"), "Candidates"),
            (tagged(by(SortKey::Name, "їжак")), "Candidates"),
            (of(&failed, by(SortKey::Length, "")), "Kinds"),
            (tagged(of(&failed, by(SortKey::Date, ""))), "Grouped"),
            (
                tagged(of(&[JobStatus::Cancelled], by(SortKey::Date, ""))),
                "Kinds",
            ),
        ] {
            let scope = Scope::of(&mut transaction, backend, "a", &filter).await;
            let scope = scope.unwrap().unwrap();
            let search = Search::of(&mut transaction, &scope).await.unwrap();
            let found = format!("{:?}", search.from);
            assert!(found.starts_with(expected), "{found} {filter:?}");
        }
        let mut filter = by(SortKey::Name, "НАРАДА");
        filter.limit = 400;
        let mut names = Vec::new();
        loop {
            let page = jobs::list(&mut transaction, "a", &filter).await.unwrap();
            names.extend(page.iter().map(|job| job.original_filename.clone()));
            let Some(last) = page.last() else { break };
            filter.after = Some(filter.order.position(last));
        }
        let expected: Vec<String> = (1..=MANY)
            .map(|number| format!("Нарада {number}"))
            .collect();
        assert_eq!(names, expected);
    });
}
