//! The direction of each field: changes to fields that only Slovo may change are reverted and
//! reported, changes to two-way fields take effect here.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use slovo_db::accounts::{self, profiles};
use slovo_db::nocodb::{self as stored, Kind};
use slovo_db::plans::ledger;
use slovo_nocodb::testing::schema::{self, FieldType};

use super::fake::Fake;
use super::world::{
    assert_settled, finished_job, last, long_text, plan, preset, remote_text, sync, sync_well,
    with_world,
};
use crate::testing::{Backend, TestServer, apply, each_database};

/// Fields that the last run reverted, by table.
async fn reverted_fields(server: &TestServer) -> BTreeMap<Kind, Vec<String>> {
    let run = last(server).await;
    let mut connection = server.state.db.read().await.unwrap();
    let all = stored::conflicts(&mut connection, run.id, 100).await;
    let all = all.unwrap().into_iter().map(|conflict| {
        assert!(conflict.is_put_back, "{conflict:?}");
        assert_eq!((conflict.ours_stands, &conflict.lost), (true, &None));
        (conflict.kind, conflict.fields)
    });
    all.collect()
}

/// Advances both clocks by a minute.
fn advance_clocks(server: &TestServer, fake: &Fake) {
    server.clock.advance_seconds(60);
    fake.set_now(server.state.clock.now_ms());
}

async fn give_minutes(server: &TestServer, user_id: &str) {
    let mut transaction = server.state.db.write().await.unwrap();
    let now = server.state.clock.now_ms();
    ledger::adjust(&mut transaction, user_id, 500, "Дарунок", now)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
}

async fn fullname(server: &TestServer, user_id: &str) -> Option<String> {
    let mut connection = server.state.db.read().await.unwrap();
    let account = accounts::get(&mut connection, user_id).await.unwrap();
    account.unwrap().fullname
}

fn remote_row(fake: &Fake, table: &str, id: i64) -> Map<String, Value> {
    let mut rows = fake.rows(table).into_iter();
    rows.find(|(row_id, _)| *row_id == id).unwrap().1
}

/// A changed value for each field of a table that only Slovo may change.
fn forged(kind: Kind) -> Map<String, Value> {
    let fields = schema::table(kind).one_way_fields();
    // Without it, it is unknown which of the texts was changed.
    let fields = fields.filter(|field| field.name != "text_parts");
    let forged = fields.map(|field| {
        let value = match field.data_type {
            FieldType::Line | FieldType::Text => json!("changed"),
            FieldType::Number => json!(987),
            FieldType::Decimal => json!(987.5),
            FieldType::Flag => json!(true),
            FieldType::Time => json!("2001-02-03 04:05:06+00:00"),
        };
        (field.name.to_owned(), value)
    });
    forged.collect()
}

#[apply(each_database!)]
fn changes_to_fields_only_slovo_may_change_are_reverted_and_reported(backend: Backend) {
    with_world(backend, async |server, fake| {
        let admin = server.signup("admin@example.com").await;
        plan(&server, "Стартовий").await;
        preset(&server, &admin, "Подкаст").await;
        finished_job(&server, &admin.user_id, &["Так.".to_owned()]).await;
        give_minutes(&server, &admin.user_id).await;
        sync_well(&server).await;
        assert_settled(&server, &fake).await;
        let originals = Kind::ALL.map(|kind| {
            let row = fake.rows(schema::table(kind).name).into_iter().next();
            let (id, row) = row.expect("each table has a row");
            (kind, id, row)
        });
        advance_clocks(&server, &fake);
        for (kind, id, _) in &originals {
            let table = schema::table(*kind).name;
            fake.change(table, *id, Value::Object(forged(*kind)));
        }
        server.clock.advance_seconds(60);
        let stats = sync_well(&server).await;
        for (name, count) in [("put_back", 6), ("conflicts", 0), ("changed_here", 0)] {
            assert_eq!(stats[name], count, "{name}: {stats}");
        }
        let reverted = reverted_fields(&server).await;
        for (kind, id, before) in &originals {
            let now = remote_row(&fake, schema::table(*kind).name, *id);
            let forged = forged(*kind);
            let mut expected: Vec<_> = forged.keys().cloned().collect();
            let mut fields = reverted[kind].clone();
            expected.sort_unstable();
            fields.sort_unstable();
            assert_eq!(fields, expected, "{kind:?}");
            for name in forged.keys() {
                assert_eq!(now[name], before[name], "{kind:?} {name}");
            }
        }
        let response = server.get_as(&admin, "/api/v1/admin/nocodb/sync").await;
        let run = response.json()["run"].clone();
        assert_eq!(run["status"], "succeeded");
        assert_eq!(run["stats"]["put_back"], 6);
        assert_eq!(run["conflicts"][0]["winner"], "put_back");
        assert_settled(&server, &fake).await;
    });
}

#[apply(each_database!)]
fn a_full_name_syncs_both_ways_and_waits_for_its_account(backend: Backend) {
    with_world(backend, async |server, fake| {
        server.signup("admin@example.com").await;
        let olha = server.signup("olha@example.com").await;
        let row = json!({"email": "new@example.com", "fullname": "Нова Людина"});
        let waiting = fake.insert("synced_users", row);
        sync_well(&server).await;
        let (row, _) = fake.row_with("synced_users", "email", "olha@example.com");
        let remote_name = |id| remote_row(&fake, "synced_users", id)["fullname"].clone();
        assert_eq!(remote_name(waiting), "Нова Людина", "it is not erased");
        assert_settled(&server, &fake).await;

        advance_clocks(&server, &fake);
        fake.change("synced_users", row, json!({"fullname": "Ольга Коваль"}));
        fake.change("synced_users", waiting, json!({"fullname": "Нова Особа"}));
        server.clock.advance_seconds(60);
        let stats = sync_well(&server).await;
        assert_eq!(stats["changed_here"], 2, "{stats}");
        assert_eq!(stats["conflicts"], 0, "{stats}");
        let stored_name = fullname(&server, &olha.user_id).await;
        assert_eq!(stored_name.as_deref(), Some("Ольга Коваль"));
        assert_settled(&server, &fake).await;

        // The opposite change, and a new sign-up.
        advance_clocks(&server, &fake);
        let mut transaction = server.state.db.write().await.unwrap();
        let now = server.state.clock.now_ms();
        profiles::set_fullname(&mut transaction, &olha.user_id, "Ольга Бондар", now)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        let new = server.signup("new@example.com").await;
        let stored_name = fullname(&server, &new.user_id).await;
        assert_eq!(stored_name.as_deref(), Some("Нова Особа"));
        sync_well(&server).await;
        assert_eq!(remote_name(row), "Ольга Бондар");
        assert_eq!(remote_name(waiting), "Нова Особа");
        assert_settled(&server, &fake).await;

        // An account's name is managed here.
        advance_clocks(&server, &fake);
        fake.change("synced_users", row, json!({"fullname": null}));
        server.clock.advance_seconds(60);
        let run = sync(&server).await;
        assert_eq!(run.problems[0]["code"], "name_required", "{run:?}");
        let stored_name = fullname(&server, &olha.user_id).await;
        assert_eq!(stored_name.as_deref(), Some("Ольга Бондар"));
        assert_eq!(remote_name(row), "Ольга Бондар");
        assert_settled(&server, &fake).await;
    });
}

#[apply(each_database!)]
fn two_way_fields_take_effect_while_other_fields_are_reverted(backend: Backend) {
    with_world(backend, async |server, fake| {
        server.signup("admin@example.com").await;
        let olha = server.signup("olha@example.com").await;
        let job = finished_job(&server, &olha.user_id, &["Так.".to_owned()]).await;
        give_minutes(&server, &olha.user_id).await;
        sync_well(&server).await;
        assert_settled(&server, &fake).await;
        advance_clocks(&server, &fake);
        // Not even a valid address.
        let (user, _) = fake.row_with("synced_users", "email", "olha@example.com");
        let fields = json!({"email": "nobody", "status": "blocked"});
        fake.change("synced_users", user, fields);
        let (row, _) = fake.row_with("synced_jobs", "my_job_id", &job.to_string());
        let fields =
            json!({"original_filename": "Розмова.wav", "status": "queued", "language": "de"});
        fake.change("synced_jobs", row, fields);
        // Meanwhile, other minutes are changed here.
        let (usage, before) = fake.row_with("synced_user_usage", "user_id", &olha.user_id);
        let fields = json!({"minutes_used_current_month": 77});
        fake.change("synced_user_usage", usage, fields);
        give_minutes(&server, &olha.user_id).await;
        server.clock.advance_seconds(60);
        let stats = sync_well(&server).await;
        assert_eq!(
            (&stats["put_back"], &stats["conflicts"]),
            (&json!(3), &json!(0))
        );
        let reverted = reverted_fields(&server).await;
        assert_eq!(reverted[&Kind::Users], ["email"]);
        assert_eq!(reverted[&Kind::Jobs], ["status", "language"]);
        assert_eq!(reverted[&Kind::Usage], ["minutes_used_current_month"]);

        assert_eq!(server.me(&olha).await.status, 401, "blocked");
        let (_, now) = fake.row_with("synced_users", "email", "olha@example.com");
        assert_eq!(now["status"], "blocked");
        let now = remote_row(&fake, "synced_jobs", row);
        assert_eq!(now["original_filename"], "Розмова.wav");
        assert_eq!(
            (&now["status"], &now["language"]),
            (&json!("completed"), &json!("uk"))
        );
        let now = remote_row(&fake, "synced_user_usage", usage);
        let used = "minutes_used_current_month";
        assert_eq!(now[used], before[used]);
        assert_ne!(now["minutes_bonus"], before["minutes_bonus"]);
        let mut connection = server.state.db.read().await.unwrap();
        let stored_job = slovo_db::jobs::find_any(&mut connection, job)
            .await
            .unwrap();
        assert_eq!(stored_job.unwrap().original_filename, "Розмова.wav");
        drop(connection);
        assert_settled(&server, &fake).await;
    });
}

#[apply(each_database!)]
fn a_long_text_changed_in_nocodb_is_reverted_with_its_pieces(backend: Backend) {
    with_world(backend, async |server, fake| {
        let olha = server.signup("olha@example.com").await;
        let texts = long_text(200_000);
        let job = finished_job(&server, &olha.user_id, &texts).await;
        sync_well(&server).await;
        assert_settled(&server, &fake).await;
        let subtitles = remote_text(&fake, job, "srt_content");
        let pieces = fake.rows("synced_output_parts");
        let (piece, _) = pieces
            .iter()
            .find(|(_, row)| row["field"] == "full_text")
            .unwrap();
        let (row, _) = fake.row_with("synced_output", "my_job_id", &job.to_string());
        advance_clocks(&server, &fake);
        fake.change("synced_output_parts", *piece, json!({"text": "Інше."}));
        fake.change("synced_output", row, json!({"summary": "Інше."}));
        server.clock.advance_seconds(60);
        sync_well(&server).await;
        assert_eq!(
            reverted_fields(&server).await[&Kind::Outputs],
            ["full_text", "summary"]
        );
        assert_eq!(remote_text(&fake, job, "full_text"), texts.join(" "));
        assert_eq!(remote_text(&fake, job, "srt_content"), subtitles);
        assert_eq!(
            remote_row(&fake, "synced_output", row)["summary"],
            json!(null)
        );
        assert_eq!(fake.rows("synced_output_parts").len(), pieces.len());
        assert_settled(&server, &fake).await;

        // A single continuation row, some time later.
        server.clock.advance_seconds(600);
        advance_clocks(&server, &fake);
        let pieces = fake.rows("synced_output_parts");
        let (piece, _) = pieces.last().unwrap();
        fake.change("synced_output_parts", *piece, json!({"text": "Інше."}));
        server.clock.advance_seconds(60);
        sync_well(&server).await;
        let reverted = reverted_fields(&server).await;
        assert_eq!(reverted[&Kind::Outputs].len(), 1, "{reverted:?}");
        assert_eq!(remote_text(&fake, job, "full_text"), texts.join(" "));
        assert_eq!(remote_text(&fake, job, "srt_content"), subtitles);
        assert_settled(&server, &fake).await;

        // The text cannot be made to look short, either.
        advance_clocks(&server, &fake);
        fake.change(
            "synced_output",
            row,
            json!({"text_parts": "{\"full_text\":1}"}),
        );
        server.clock.advance_seconds(60);
        sync_well(&server).await;
        assert_eq!(
            reverted_fields(&server).await[&Kind::Outputs],
            ["text_parts"]
        );
        assert_eq!(remote_text(&fake, job, "full_text"), texts.join(" "));
        assert_settled(&server, &fake).await;
    });
}
