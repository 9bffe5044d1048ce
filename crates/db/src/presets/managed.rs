//! Presets for administrators: those of all users, with their owners, and those of the system.

use slovo_rules::preset::PresetCategory;
use slovo_rules::settings::TranscriptionType;
use sqlx::Row;
use uuid::Uuid;

use crate::core::fields::{json, word};
use crate::core::statement::{row_columns, statements};
use crate::presets::{self, NewPreset, Preset, generated_id, preset_columns};
use crate::{Connection, Result};

/// A preset with its owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PresetWithOwner {
    /// The preset.
    pub preset: Preset,
    /// The owner's address; `None` for a preset of the system.
    pub owner_email: Option<String>,
}

/// A filter of presets.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// A part of the name in either language; case-insensitive.
    pub search: String,
    /// Only this category; `None` means all.
    pub category: Option<PresetCategory>,
    /// Only this mode; `None` means both.
    pub mode: Option<TranscriptionType>,
}

/// A page of presets.
#[derive(Debug, PartialEq, Eq)]
pub struct PresetPage {
    /// The presets, the most used first.
    pub presets: Vec<PresetWithOwner>,
    /// Number of matching presets on all pages.
    pub total: u64,
}

/// Presets per query of [`search`].
const SEARCHED_AT_ONCE: i64 = 2_000;

/// The filter of the statements below; empty parameters match everything.
macro_rules! matches_filter {
    () => {
        "(s.usage_count < $1 OR (s.usage_count = $1 AND s.id < $2)) \
         AND ($3 = '' OR s.category = $3) AND ($4 = '' OR s.transcription_type = $4)"
    };
}

row_columns! {
    fn read() -> PresetWithOwner from "synced_presets" by "id" {
        owner_email: text_or_none;
        preset: presets::read,
    }
}

statements! {
    const LIST: BOTH -> Preset, PresetWithOwner = concat!(
        "SELECT ",
        preset_columns!("s."),
        ", a.email AS owner_email FROM synced_presets s \
         LEFT JOIN accounts a ON a.id = s.user_id WHERE ",
        matches_filter!(),
        " ORDER BY s.usage_count DESC, s.id DESC LIMIT $5"
    );
    const COUNT: BOTH = concat!(
        "SELECT COUNT(*) AS total FROM synced_presets s WHERE ",
        matches_filter!()
    );
}

/// At most `limit` presets after this position (uses, id), the most used first, and the total
/// number.
///
/// Without a search text the database filters. With one, names are lower-cased and compared here,
/// because SQLite only knows the cases of ASCII; that reads the names of all presets that match
/// otherwise.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(
    connection: &mut Connection,
    filter: &Filter,
    after: Option<(i64, Uuid)>,
    limit: u32,
) -> Result<PresetPage> {
    let search_text = filter.search.trim().to_lowercase();
    if !search_text.is_empty() {
        return search(connection, filter, &search_text, after, limit).await;
    }
    let rows = sqlx::query(LIST);
    let rows = bind(rows, filter, after)
        .bind(i64::from(limit))
        .fetch_all(&mut *connection)
        .await?;
    let total = sqlx::query(COUNT);
    let total = bind(total, filter, None).fetch_one(connection).await?;
    let total: i64 = total.try_get("total")?;
    Ok(PresetPage {
        presets: rows.iter().map(read).collect::<Result<_>>()?,
        total: total.unsigned_abs(),
    })
}

type Query<'q> = sqlx::query::Query<'q, sqlx::Any, sqlx::any::AnyArguments>;

fn bind<'q>(query: Query<'q>, filter: &Filter, after: Option<(i64, Uuid)>) -> Query<'q> {
    let (uses, id) = after.map_or((i64::MAX, String::new()), |(uses, id)| {
        (uses, id.to_string())
    });
    query
        .bind(uses)
        .bind(id)
        .bind(filter.category.as_ref().map(word).unwrap_or_default())
        .bind(filter.mode.as_ref().map(word).unwrap_or_default())
}

/// What is searched of a preset.
struct SearchedPreset {
    id: Uuid,
    name: String,
    name_en: String,
    usage_count: i64,
}

row_columns! {
    fn read_searched() -> SearchedPreset from "synced_presets" by "id" {
        id: uuid,
        name: text,
        name_en: text_or_none => Option::unwrap_or_default,
        usage_count: integer,
    }
}

statements! {
    const SEARCH: BOTH -> SearchedPreset = concat!(
        "SELECT s.id, s.name, s.name_en, s.usage_count FROM synced_presets s WHERE ",
        matches_filter!(),
        " ORDER BY s.usage_count DESC, s.id DESC LIMIT $5"
    );
}

async fn search(
    connection: &mut Connection,
    filter: &Filter,
    search_text: &str,
    after: Option<(i64, Uuid)>,
    limit: u32,
) -> Result<PresetPage> {
    let (mut ids, mut total, mut last) = (Vec::new(), 0, None);
    loop {
        let rows = sqlx::query(SEARCH);
        let rows = bind(rows, filter, last)
            .bind(SEARCHED_AT_ONCE)
            .fetch_all(&mut *connection)
            .await?;
        for row in &rows {
            let preset = read_searched(row)?;
            let place = (preset.usage_count, preset.id);
            last = Some(place);
            if ![preset.name, preset.name_en]
                .iter()
                .any(|name| name.to_lowercase().contains(search_text))
            {
                continue;
            }
            total += 1;
            if after.is_none_or(|after| place < after) && ids.len() < limit as usize {
                ids.push(place.1);
            }
        }
        if rows.is_empty() {
            break;
        }
    }
    let mut presets = Vec::with_capacity(ids.len());
    for id in ids {
        presets.extend(get(connection, id).await?);
    }
    Ok(PresetPage { presets, total })
}

statements! {
    const GET: BOTH -> Preset, PresetWithOwner = concat!(
        "SELECT ",
        preset_columns!("s."),
        ", a.email AS owner_email FROM synced_presets s \
         LEFT JOIN accounts a ON a.id = s.user_id WHERE s.id = $1"
    );
}

/// The preset `id` of any owner.
///
/// # Errors
/// A row that cannot be read.
pub async fn get(connection: &mut Connection, id: Uuid) -> Result<Option<PresetWithOwner>> {
    sqlx::query(GET)
        .bind(id.to_string())
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

/// Stores presets of the system, in the given order. If the system already has a permanent name, a
/// generated one is used. Later versions of the program do not overwrite these presets.
///
/// # Errors
/// When the database fails.
pub async fn insert(
    connection: &mut Connection,
    presets: Vec<NewPreset>,
    now: i64,
) -> Result<Vec<Uuid>> {
    let mut ids = Vec::with_capacity(presets.len());
    for mut preset in presets {
        if !insert_one(connection, &preset, now).await? {
            preset.preset_id = generated_id(preset.id);
            insert_one(connection, &preset, now).await?;
        }
        ids.push(preset.id);
    }
    Ok(ids)
}

statements! {
    const INSERT: BOTH =
        "INSERT INTO synced_presets (id, preset_id, name, description, category, is_public, \
         is_default, transcription_type, language_code, settings, changed_at, created_at, \
         updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $11) \
         ON CONFLICT DO NOTHING";
}

/// Stores a preset; `false` if the system has one with this permanent name.
async fn insert_one(connection: &mut Connection, preset: &NewPreset, now: i64) -> Result<bool> {
    let form = &preset.form;
    let done = sqlx::query(INSERT)
        .bind(preset.id.to_string())
        .bind(&preset.preset_id)
        .bind(&form.name)
        .bind(&form.description)
        .bind(word(&form.category))
        .bind(i64::from(form.is_public))
        .bind(i64::from(form.is_default))
        .bind(word(&form.settings.transcription_type))
        .bind(&form.settings.language_code)
        .bind(json(&form.settings))
        .bind(now)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}

#[cfg(test)]
mod tests {
    use slovo_rules::Valid;
    use slovo_rules::preset::{PresetForm, validate};
    use slovo_rules::settings::TranscriptionSettings;

    use super::*;
    use crate::presets::Viewer;
    use crate::testing::{Backend, account, apply, each_database, with_database};

    fn form(name: &str, category: PresetCategory, mode: TranscriptionType) -> Valid<PresetForm> {
        let settings = TranscriptionSettings::default().with_type(mode);
        let form = PresetForm {
            name: name.to_owned(),
            category,
            is_public: false,
            settings,
            ..PresetForm::default()
        };
        validate(&form).unwrap()
    }

    fn new(number: u128, preset_id: &str, form: Valid<PresetForm>) -> NewPreset {
        NewPreset {
            id: Uuid::from_u128(number),
            preset_id: preset_id.to_owned(),
            form,
        }
    }

    #[apply(each_database!)]
    fn presets_are_listed_by_use_and_found_by_name_category_and_mode(backend: Backend) {
        with_database(backend, async |database| {
            use {PresetCategory as For, TranscriptionType as Mode};
            let mut transaction = database.write().await.unwrap();
            account(&mut transaction, "u1").await;
            let own = new(1, "a", form("Лекція Ї", For::Education, Mode::Full));
            let own = presets::insert(&mut transaction, "u1", vec![own], 1).await;
            assert!(own.unwrap().is_some());
            let system = vec![
                new(2, "a", form("Lecture 100%", For::Education, Mode::Lite)),
                new(3, "a", form("Нарада", For::Business, Mode::Full)),
            ];
            insert(&mut transaction, system, 1).await.unwrap();
            let viewer = Viewer {
                user_id: "u1",
                is_admin: true,
            };
            for id in [1, 1, 3] {
                presets::count_use(&mut transaction, viewer, Uuid::from_u128(id))
                    .await
                    .unwrap();
            }
            let mut find = async |filter: &Filter, after: Option<(i64, u128)>, limit| {
                let after = after.map(|(uses, id)| (uses, Uuid::from_u128(id)));
                let found = list(&mut transaction, filter, after, limit).await.unwrap();
                let ids = found
                    .presets
                    .iter()
                    .map(|listed| listed.preset.id.as_u128());
                (ids.collect::<Vec<_>>(), found.total)
            };
            let all = Filter::default();
            assert_eq!(find(&all, None, 9).await, (vec![1, 3, 2], 3));
            assert_eq!(find(&all, None, 1).await, (vec![1], 3));
            assert_eq!(find(&all, Some((2, 1)), 1).await, (vec![3], 3));
            assert_eq!(find(&all, Some((0, 2)), 1).await, (vec![], 3));
            let education = Filter {
                category: Some(For::Education),
                ..all.clone()
            };
            assert_eq!(find(&education, None, 9).await, (vec![1, 2], 2));
            let lite = Filter {
                mode: Some(Mode::Lite),
                ..all.clone()
            };
            assert_eq!(find(&lite, None, 9).await, (vec![2], 1));
            let search = |text: &str| Filter {
                search: text.to_owned(),
                ..all.clone()
            };
            assert_eq!(find(&search(" лекція ї "), None, 9).await, (vec![1], 1));
            assert_eq!(find(&search("00%"), None, 9).await, (vec![2], 1));
            assert_eq!(find(&search("%"), None, 9).await, (vec![2], 1));
            assert_eq!(find(&search("_"), None, 9).await, (vec![], 0));
            assert_eq!(find(&search("А"), Some((2, 1)), 9).await, (vec![3], 1));
            assert_eq!(find(&search("лек"), Some((2, 1)), 9).await, (vec![], 1));
            let both = Filter {
                category: Some(For::Business),
                ..search("лек")
            };
            assert_eq!(find(&both, None, 9).await, (vec![], 0));

            let found = list(&mut transaction, &all, None, 9).await.unwrap();
            let owners: Vec<_> = found
                .presets
                .iter()
                .map(|listed| &listed.owner_email)
                .collect();
            assert_eq!(owners, [&Some("u1@example.com".to_owned()), &None, &None]);
            // The second preset of an import, whose name is taken.
            let ids: Vec<_> = found
                .presets
                .iter()
                .map(|listed| &*listed.preset.preset_id)
                .collect();
            assert_eq!(ids, ["a", &*generated_id(Uuid::from_u128(3)), "a"]);
        });
    }
}
