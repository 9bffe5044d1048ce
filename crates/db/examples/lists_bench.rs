//! Times lists, searches and figures of a database that `many_jobs` has filled, without the server:
//! `lists_bench URL EMAIL SECONDS [PART OF A NAME]`. For each it prints the median of a single
//! client, and median and 99th percentile of sixteen clients, in milliseconds.

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use slovo_db::jobs::{self, AllJobsFilter, Filter, Order, SortKey};
use slovo_db::texts::search::{self, Terms};
use slovo_db::{Database, Options};
use slovo_rules::job::JobStatus;
use slovo_rules::settings::TranscriptionType;
use sqlx::Row;
use uuid::Uuid;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// See `many_jobs`.
const TAG: Uuid = Uuid::from_u128(0x0000_0000_0000_7000_8000_0000_0000_0001);
const CLIENTS: usize = 16;
/// Jobs of a page, and one more to know whether there is another page.
const PAGE: u32 = 21;
const LARGE_PAGE: u32 = 101;
/// Jobs of a page of results.
const RESULTS: u32 = 11;

/// What is read.
#[derive(Clone)]
enum What {
    List(Filter),
    Search(&'static str),
    Everybodys(AllJobsFilter),
    Summary,
}

impl What {
    async fn read(&self, database: &Database, user: &str) -> Outcome<usize> {
        let mut connection = database.read().await?;
        Ok(match self {
            Self::List(filter) => jobs::list(&mut connection, user, filter).await?.len(),
            Self::Summary => {
                jobs::summary(&mut connection, user).await?;
                1
            }
            Self::Everybodys(filter) => jobs::list_all(&mut connection, filter).await?.len(),
            Self::Search(words) => {
                let terms = Terms::new(words);
                let backend = database.backend();
                let page = (0, RESULTS);
                let ids = search::find(&mut connection, backend, user, &terms, page).await?;
                let found = jobs::find_some(&mut connection, user, &ids).await?;
                search::passages(&mut connection, &ids, &terms).await?;
                found.len()
            }
        })
    }
}

#[tokio::main]
async fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, email, seconds, part @ ..] = arguments.as_slice() else {
        return Err("lists_bench URL EMAIL SECONDS [PART OF A NAME]".into());
    };
    let duration = Duration::from_secs_f64(seconds.parse()?);
    let database = Database::connect(&Options::url(url)).await?;
    database.migrate().await?;
    let row = sqlx::query("SELECT id FROM accounts WHERE email = $1")
        .bind(email)
        .fetch_one(&mut *database.read().await?)
        .await?;
    let user: Arc<str> = row.try_get::<String, _>("id")?.into();
    println!(
        "{:<40} {:>8} {:>8} {:>8} {:>5}",
        "", "alone", "p50", "p99", "rows"
    );
    for (name, what) in cases() {
        if part.first().is_some_and(|part| !name.contains(part)) {
            continue;
        }
        let rows = what.read(&database, &user).await?;
        let alone = clients(1, duration / 2, &database, &user, &what).await?;
        let many = clients(CLIENTS, duration, &database, &user, &what).await?;
        println!(
            "{name:<40} {:>8.2} {:>8.1} {:>8.1} {rows:>5}",
            percentile(&alone, 50),
            percentile(&many, 50),
            percentile(&many, 99)
        );
    }
    Ok(())
}

/// What `lists.py` asks of the server.
fn cases() -> Vec<(String, What)> {
    let mut cases = vec![
        ("summary".to_owned(), What::Summary),
        ("list of 100".to_owned(), What::List(named(LARGE_PAGE, ""))),
    ];
    let orders = [
        ("newest", SortKey::Date, false),
        ("name", SortKey::Name, true),
        ("-length", SortKey::Length, false),
        ("state", SortKey::State, true),
    ];
    for (order, by, ascending) in orders {
        for (name, filter) in filters() {
            let filter = Filter {
                order: Order { by, ascending },
                ..filter
            };
            cases.push((format!("{order}: {name}"), What::List(filter)));
        }
    }
    for (name, words) in [
        ("a common word", "година"),
        ("two common words", "година робота"),
        ("the beginning of words", "пи"),
        ("a rare word", "фенікулярія"),
        ("nothing", "немаєтакого"),
    ] {
        cases.push((format!("search: {name}"), What::Search(words)));
    }
    for (name, text) in [
        ("all", ""),
        ("a common name", "нарада"),
        ("a rare name", "777"),
        ("a name without a hit", "немає такого"),
        ("a part of an id", "0000019e1"),
    ] {
        let filter = AllJobsFilter {
            text: text.to_owned(),
            limit: PAGE,
            ..AllJobsFilter::default()
        };
        cases.push((format!("admin: {name}"), What::Everybodys(filter)));
    }
    cases
}

/// A list of the jobs with a text in their name.
fn named(limit: u32, name: &str) -> Filter {
    Filter {
        limit,
        name: name.to_owned(),
        ..Filter::default()
    }
}

/// The filters of the lists, by what they show.
fn filters() -> Vec<(&'static str, Filter)> {
    let plain = || named(PAGE, "");
    let of = |filter: Filter, statuses: &[JobStatus]| Filter {
        statuses: statuses.to_vec(),
        ..filter
    };
    let tagged = |filter: Filter| Filter {
        groups: vec![TAG],
        ..filter
    };
    let failed = [JobStatus::Error, JobStatus::Failed];
    let lite = Filter {
        mode: Some(TranscriptionType::Lite),
        ..plain()
    };
    let polish = Filter {
        language: "pl".to_owned(),
        ..plain()
    };
    vec![
        ("all", plain()),
        ("completed", of(plain(), &[JobStatus::Completed])),
        ("failed", of(plain(), &failed)),
        ("Lite", lite),
        ("a language", polish),
        ("a common name", named(PAGE, "нарада")),
        ("a rare name", named(PAGE, "777")),
        ("a name without a hit", named(PAGE, "немає такого")),
        (
            "a name, cancelled",
            of(named(PAGE, "інтерв"), &[JobStatus::Cancelled]),
        ),
        ("a tag", tagged(plain())),
        ("a tag, failed", tagged(of(plain(), &failed))),
        ("a common name, a tag", tagged(named(PAGE, "нарада"))),
    ]
}

/// The times of clients that read again and again, sorted, in milliseconds.
async fn clients(
    number: usize,
    duration: Duration,
    database: &Database,
    user: &Arc<str>,
    what: &What,
) -> Outcome<Vec<f64>> {
    let end = Instant::now() + duration;
    let client = || {
        let (database, user, what) = (database.clone(), Arc::clone(user), what.clone());
        tokio::spawn(async move {
            let mut times = Vec::new();
            while times.len() < 3 || Instant::now() < end {
                let start = Instant::now();
                what.read(&database, &user).await?;
                times.push(start.elapsed().as_secs_f64() * 1000.0);
            }
            Ok::<_, Box<dyn Error + Send + Sync>>(times)
        })
    };
    let tasks: Vec<_> = (0..number).map(|_| client()).collect();
    let mut all = Vec::new();
    for task in tasks {
        all.extend(task.await??);
    }
    all.sort_by(f64::total_cmp);
    Ok(all)
}

fn percentile(sorted: &[f64], percent: usize) -> f64 {
    let place = sorted.len() * percent / 100;
    sorted
        .get(place.min(sorted.len().saturating_sub(1)))
        .copied()
        .unwrap_or_default()
}
