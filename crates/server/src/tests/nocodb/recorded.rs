//! The whole synchronisation against the real NocoDB (`cargo xtask test nocodb`), and in every
//! other test run against its recorded responses.

mod exchange;

use exchange::Exchange;
use serde_json::json;
use slovo_db::nocodb::{self as stored, Kind};
use slovo_nocodb::testing::{client_limits, open, read_whole, texts};
use slovo_nocodb::{prepare, test};
use uuid::Uuid;

use super::world::{configure, finished_job, long_text, plan, sync_well};
use crate::testing::{Backend, TestServer, apply, each_database, with_database};

/// Variable with the URL of the real server.
const URL: &str = "SLOVO_TEST_NOCODB_URL";
/// Variable with an API token for it.
const TOKEN: &str = "SLOVO_TEST_NOCODB_TOKEN";

#[apply(each_database!)]
#[ignore = "needs a real NocoDB: cargo xtask test nocodb"]
fn syncs_with_a_real_nocodb_and_records_its_responses(backend: Backend) {
    let (url, token) = real();
    with_database(backend, async |database| {
        // One API version per database: both are recorded, and each replays its own recording.
        let version = match database.backend() {
            Backend::Sqlite => "v3",
            Backend::Postgres => "v2",
        };
        let exchange = Exchange::record(&url, &token, version).await;
        play(database, &exchange, version).await;
        exchange.save(version);
    });
}

// On one database: the other tests of the synchronisation run on both.
#[test]
fn syncs_with_recorded_responses_of_api_v3() {
    with_database(Backend::Sqlite, async |database| {
        let exchange = Exchange::replay("v3").await;
        play(database, &exchange, "v3").await;
        exchange.assert_played();
    });
}

// On one database: the other tests of the synchronisation run on both.
#[test]
fn syncs_with_recorded_responses_of_api_v2() {
    with_database(Backend::Sqlite, async |database| {
        let exchange = Exchange::replay("v2").await;
        play(database, &exchange, "v2").await;
        exchange.assert_played();
    });
}

/// Against the real one alone, and not recorded: which way each field goes is tested with the
/// tests' own one, and here, that the real one tells what is needed for it.
#[apply(each_database!)]
#[ignore = "needs a real NocoDB: cargo xtask test nocodb"]
fn fields_only_slovo_may_change_are_reverted_in_a_real_nocodb(backend: Backend) {
    let (url, token) = real();
    with_database(backend, async |database| {
        let name = match database.backend() {
            Backend::Sqlite => "ways",
            Backend::Postgres => "ways too",
        };
        let exchange = Exchange::record(&url, &token, name).await;
        field_directions(database, &exchange).await;
    });
}

/// URL and token of the real server.
fn real() -> (String, String) {
    let url = std::env::var(URL).unwrap_or_else(|_| panic!("{URL} says where it is"));
    (url, std::env::var(TOKEN).unwrap())
}

const OPTIONS: [&str; 4] = [
    "--nocodb-token",
    "recorded",
    "--nocodb-requests-per-second",
    "5000",
];

async fn field_directions(database: slovo_db::Database, exchange: &Exchange) {
    let server = TestServer::new(database, &OPTIONS);
    let base = exchange.base().await;
    exchange.tick(&server).await;
    configure(&server, &exchange.url, &base).await;
    let config = config(&server).await;
    let prepared = prepare(&server.state.nocodb(), &config).await.unwrap();
    assert!(prepared.success, "{prepared:?}");
    let mut transaction = server.state.db.write().await.unwrap();
    slovo_db::testing::account(&mut transaction, "olha").await;
    let now = server.state.clock.now_ms();
    slovo_db::plans::ledger::adjust(&mut transaction, "olha", 500, "Дарунок", now)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    let job = finished_job(&server, "olha", &["Так.".to_owned()]).await;
    let waiting = json!({"email": "new@example.com", "fullname": "Нова Людина"});
    exchange.insert("synced_users", waiting).await;
    exchange.tick(&server).await;
    sync_well(&server).await;
    assert_settled(&server, exchange).await;

    let job = job.to_string();
    let changes = [
        (
            Kind::Users,
            "olha",
            "synced_users",
            json!({"fullname": "Ольга Коваль"}),
        ),
        (
            Kind::Usage,
            "olha",
            "synced_user_usage",
            json!({"minutes_used_current_month": 77}),
        ),
        (
            Kind::Jobs,
            job.as_str(),
            "synced_jobs",
            json!({"status": "queued", "language": "de", "original_filename": "Розмова.wav"}),
        ),
        (
            Kind::Outputs,
            job.as_str(),
            "synced_output",
            json!({"full_text": "Ні."}),
        ),
    ];
    for (kind, id, table, fields) in changes {
        let row = linked(&server, kind, id).await;
        exchange.change(table, row, fields).await;
    }
    exchange.tick(&server).await;
    let stats = sync_well(&server).await;
    assert_eq!(stats["put_back"], 3, "{stats}");
    assert_eq!(stats["changed_here"], 2, "{stats}");
    let row = linked(&server, Kind::Jobs, &job).await;
    let remote = exchange.read("synced_jobs", row).await;
    assert_eq!(remote["status"], "completed");
    assert_eq!(remote["language"], "uk");
    assert_eq!(remote["original_filename"], "Розмова.wav");
    let row = linked(&server, Kind::Outputs, &job).await;
    let remote = exchange.read("synced_output", row).await;
    assert_eq!(remote["full_text"], "Так.");
    let row = linked(&server, Kind::Users, "olha").await;
    let remote = exchange.read("synced_users", row).await;
    assert_eq!(remote["fullname"], "Ольга Коваль");
    let mut connection = server.state.db.read().await.unwrap();
    let account = slovo_db::accounts::get(&mut connection, "olha").await;
    let name = account.unwrap().unwrap().fullname;
    assert_eq!(name.as_deref(), Some("Ольга Коваль"));
    let waiting = stored::find_user(&mut connection, "new@example.com").await;
    let waiting = waiting.unwrap().unwrap();
    drop(connection);
    let row = linked(&server, Kind::Users, &waiting).await;
    let remote = exchange.read("synced_users", row).await;
    assert_eq!(remote["fullname"], "Нова Людина");
    assert_settled(&server, exchange).await;
}

async fn play(database: slovo_db::Database, exchange: &Exchange, version: &str) {
    let server = TestServer::new(database, &OPTIONS);
    let base = exchange.base().await;
    exchange.tick(&server).await;

    // Another base, an empty one.
    configure(&server, &exchange.url, "pnobody00000000").await;
    assert_eq!(
        connection_state(&server).await,
        (Some("not_found".to_owned()), None)
    );
    configure(&server, &exchange.url, &base).await;
    let version = Some(version.to_owned());
    assert_eq!(
        connection_state(&server).await,
        (Some("schema".to_owned()), version.clone())
    );
    let prepared = prepare(&server.state.nocodb(), &config(&server).await)
        .await
        .unwrap();
    assert!(prepared.success, "{prepared:?}");
    assert_eq!(connection_state(&server).await, (None, version));

    let created = local_changes_are_sent(&server, exchange).await;
    remote_changes_arrive(&server, exchange, created.plan).await;
    removals(&server, exchange, created).await;
}

/// What the test has created.
struct Created {
    plan: Uuid,
    short: Uuid,
    long: Uuid,
}

/// Ours goes there, a text of 350,000 characters whole.
async fn local_changes_are_sent(server: &TestServer, exchange: &Exchange) -> Created {
    let mut transaction = server.state.db.write().await.unwrap();
    for name in ["anna", "olha"] {
        slovo_db::testing::account(&mut transaction, name).await;
    }
    transaction.commit().await.unwrap();
    let plan_id = plan(server, "Стартовий").await;
    let short = finished_job(server, "olha", &["Добрий день.".to_owned()]).await;
    let long = finished_job(server, "olha", &long_text(350_000)).await;
    exchange.know(
        &texts(&server.state.nocodb(), &long.to_string())
            .await
            .unwrap()
            .unwrap(),
    );
    let stats = sync_well(server).await;
    assert_eq!(
        (&stats["jobs"], &stats["outputs"], &stats["users"]),
        (&json!(2), &json!(2), &json!(2))
    );
    assert_complete(server, long).await;
    assert_settled(server, exchange).await;
    Created {
        plan: plan_id,
        short,
        long,
    }
}

/// Their changes arrive here; for rows changed on both sides the newer change wins.
async fn remote_changes_arrive(server: &TestServer, exchange: &Exchange, plan_id: Uuid) {
    let row = linked(server, Kind::Plans, &plan_id.to_string()).await;
    exchange
        .change(
            "synced_subscriptions",
            row,
            json!({"name": "Змінений там", "price": 12.25}),
        )
        .await;
    exchange
        .insert(
            "synced_subscriptions",
            json!({"name": "Новий там", "currency": "UAH",
        "price": 5, "is_active": true, "subscription_id": 40, "features": "[\"api\"]"}),
        )
        .await;
    exchange
        .insert(
            "synced_users",
            json!({"email": "new@example.com", "first_name": "Нова",
        "status": "active", "subscription_id": 40}),
        )
        .await;
    exchange
        .insert("synced_users", json!({"email": "nobody"}))
        .await;
    exchange.tick(server).await;
    let run = super::world::sync(server).await;
    assert_eq!(run.status.as_str(), "partial", "{run:?}");
    assert_eq!(run.problems[0]["code"], "invalid");
    assert_eq!(
        (&run.stats["created_here"], &run.stats["changed_here"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(name_of(server, plan_id).await, "Змінений там");

    // Both sides change: the newer change wins.
    exchange
        .change("synced_subscriptions", row, json!({"name": "Їхній"}))
        .await;
    server.clock.advance_seconds(3600);
    rename(server, plan_id, "Наш").await;
    exchange.tick(server).await;
    let run = super::world::sync(server).await;
    assert_eq!(run.stats["conflicts"], 1, "{run:?}");
    assert_eq!(name_of(server, plan_id).await, "Наш");
    let remote = exchange.read("synced_subscriptions", row).await;
    assert_eq!(remote["name"], "Наш");
}

/// Deletions here are carried there, but not the other way round.
async fn removals(server: &TestServer, exchange: &Exchange, created: Created) {
    let Created {
        plan: plan_id,
        short,
        long,
    } = created;
    let row = linked(server, Kind::Plans, &plan_id.to_string()).await;
    let mut transaction = server.state.db.write().await.unwrap();
    assert!(
        slovo_db::jobs::delete(&mut transaction, "olha", long)
            .await
            .unwrap()
    );
    transaction.commit().await.unwrap();
    exchange.remove("synced_subscriptions", row).await;
    let short_row = linked(server, Kind::Jobs, &short.to_string()).await;
    exchange.remove("synced_jobs", short_row).await;
    exchange.tick(server).await;
    let run = super::world::sync(server).await;
    assert_eq!(run.stats["removed_there"], 2, "{run:?}");
    let mut connection = server.state.db.read().await.unwrap();
    assert!(
        slovo_db::jobs::find_any(&mut connection, short)
            .await
            .unwrap()
            .is_some()
    );
    let plan = slovo_db::plans::get(&mut connection, plan_id)
        .await
        .unwrap()
        .unwrap();
    assert!(!plan.form.is_active);
    drop(connection);
    assert_eq!(exchange.count("synced_output_parts").await, 0);
}

async fn config(server: &TestServer) -> stored::Config {
    let mut connection = server.state.db.read().await.unwrap();
    stored::config(&mut connection).await.unwrap().unwrap()
}

async fn connection_state(server: &TestServer) -> (Option<String>, Option<String>) {
    let tested = test(&server.state.nocodb(), &config(server).await)
        .await
        .unwrap();
    (tested.hint, tested.api_version)
}

async fn linked(server: &TestServer, kind: Kind, local_id: &str) -> i64 {
    let mut connection = server.state.db.read().await.unwrap();
    let link = stored::of_local(&mut connection, kind, local_id)
        .await
        .unwrap();
    link.unwrap().remote_id.unwrap()
}

/// The text there is the one here.
async fn assert_complete(server: &TestServer, job: Uuid) {
    let manner = client_limits(&server.state.nocodb());
    let remote = open(&server.state.nocodb(), &config(server).await, manner)
        .await
        .unwrap();
    let row = linked(server, Kind::Outputs, &job.to_string()).await;
    let remote_texts = read_whole(&remote, row, &job.to_string()).await.unwrap();
    let local_texts = texts(&server.state.nocodb(), &job.to_string())
        .await
        .unwrap();
    assert!(
        remote_texts.is_some() && remote_texts == local_texts,
        "the text is not whole"
    );
    let text = local_texts.unwrap()["full_text"]
        .as_str()
        .unwrap()
        .chars()
        .count();
    assert!(text >= 350_000, "{text}");
}

/// A second run writes nothing.
async fn assert_settled(server: &TestServer, exchange: &Exchange) {
    exchange.tick(server).await;
    let before = exchange.writes();
    let stats = sync_well(server).await;
    assert_eq!(exchange.writes(), before, "{stats}");
}

async fn name_of(server: &TestServer, id: Uuid) -> String {
    let mut connection = server.state.db.read().await.unwrap();
    let plan = slovo_db::plans::get(&mut connection, id).await.unwrap();
    plan.unwrap().form.name
}

async fn rename(server: &TestServer, id: Uuid, name: &str) {
    let mut transaction = server.state.db.write().await.unwrap();
    let plan = slovo_db::plans::get(&mut transaction, id).await.unwrap();
    let mut form = plan.unwrap().form;
    form.name = name.to_owned();
    let form = slovo_rules::plan::validate(&form).unwrap();
    let now = server.state.clock.now_ms();
    slovo_db::plans::update(&mut transaction, id, &form, now)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
}
