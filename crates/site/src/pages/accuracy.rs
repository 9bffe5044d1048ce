//! Word error rates from `docs/ACCURACY.md`, and the supported languages.

use std::sync::LazyLock;

use leptos::prelude::*;
use serde::Deserialize;
use slovo_rules::language::LANGUAGES;

use super::number::percent;
use crate::scene::{scene, texts};
use crate::texts::facts;

/// A row of the table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AccuracyRow {
    /// Language code.
    language: String,
    model: String,
    /// Word error rate in percent.
    wrong: f64,
    /// The data set, by its key in the texts.
    on: String,
}

/// # Panics
/// If the embedded file is not such a table; tests check this.
static MEASURED: LazyLock<Vec<AccuracyRow>> =
    LazyLock::new(
        || match serde_json::from_str(include_str!("../accuracy.json")) {
            Ok(rows) => rows,
            Err(error) => panic!("accuracy.json: {error}"),
        },
    );

/// The table, Ukrainian first.
#[component]
pub(super) fn Accuracy() -> impl IntoView {
    let scene = scene();
    let words = &scene.texts.features.measured;
    let rows = MEASURED.iter().map(|row| {
        let set = words.sets.get(&row.on).map_or(&*row.on, String::as_str);
        let model = words.models.get(&row.model).unwrap_or(&row.model);
        view! {
            <tr>
                // A language can have several rows, distinguished by the data set.
                <th scope="row">
                    <strong>{language(&row.language)}</strong>
                    " "
                    <span>{set}</span>
                </th>
                <td data-label=words.wrong.as_str() class="measured-wrong">{percent(scene.locale, row.wrong)}</td>
                <td data-label=words.model.as_str()>{model.as_str()}</td>
            </tr>
        }
    });
    view! {
        <section class="section section-ruled" id="accuracy" aria-labelledby="accuracy-title">
            <div class="wide measured">
                <h2 class="headline" id="accuracy-title">{words.title.as_str()}</h2>
                <p>{words.text.as_str()}</p>
                <table class="ledger" aria-labelledby="accuracy-title">
                    <thead>
                        <tr>
                            <th scope="col">{words.heard.as_str()}</th>
                            <th scope="col">{words.wrong.as_str()}</th>
                            <th scope="col">{words.model.as_str()}</th>
                        </tr>
                    </thead>
                    <tbody>{rows.collect_view()}</tbody>
                </table>
                <p class="example">{words.weak.as_str()}</p>
            </div>
        </section>
    }
}

/// All supported languages, Ukrainian first.
#[component]
pub(super) fn Languages() -> impl IntoView {
    let words = &texts().features.languages;
    let items = LANGUAGES.map(|code| view! { <li>{language(code)}</li> });
    view! {
        <section class="section section-ruled" id="languages" aria-labelledby="languages-title">
            <div class="wide measured">
                <h2 class="headline" id="languages-title">{facts(&words.title)}</h2>
                <p>{words.text.as_str()}</p>
                <ul class="languages">{items.into_iter().collect_view()}</ul>
            </div>
        </section>
    }
}

/// The name of a language in the page's language.
fn language(code: &'static str) -> &'static str {
    let names = &texts().languages;
    names.get(code).map_or(code, String::as_str)
}

#[cfg(test)]
mod tests {
    use slovo_rules::locale::Locale;

    use super::*;
    use crate::texts::Texts;

    /// The rows of the table in `docs/ACCURACY.md`.
    fn documented() -> Vec<[String; 4]> {
        let document = include_str!("../../../../docs/ACCURACY.md");
        let part = document.split("\n## Words\n").nth(1).unwrap();
        let part = part.split("\n## ").next().unwrap();
        let lines = part.lines().filter(|line| line.starts_with("| "));
        let cells = lines.skip(1).map(|line| {
            let cells = line.trim_matches('|').split(" | ");
            let cells: Vec<_> = cells.map(|cell| cell.trim().to_owned()).collect();
            cells.try_into().unwrap()
        });
        cells.collect()
    }

    #[test]
    fn the_page_shows_the_documented_measurements() {
        let sets = &Texts::of(Locale::En).features.measured.sets;
        let shown: Vec<_> = MEASURED
            .iter()
            .map(|row| {
                let wrong = format!("{:.1}", row.wrong);
                [&row.language, &row.model, &wrong, &sets[&row.on]].map(Clone::clone)
            })
            .collect();
        assert_eq!(shown, documented());
    }

    #[test]
    fn ukrainian_is_first_and_every_table_entry_has_a_label() {
        assert_eq!(MEASURED[0].language, "uk");
        let worst = MEASURED.iter().map(|row| row.wrong).fold(0.0, f64::max);
        assert!((MEASURED[0].wrong - worst).abs() < f64::EPSILON);
        for locale in Locale::ALL {
            let texts = Texts::of(*locale);
            for row in MEASURED.iter() {
                assert!(
                    texts.features.measured.sets.contains_key(&row.on),
                    "{}",
                    row.on
                );
                assert!(texts.languages.contains_key(&row.language));
                assert!(texts.features.measured.models.contains_key(&row.model));
            }
            assert!(
                LANGUAGES
                    .iter()
                    .all(|code| texts.languages.contains_key(*code))
            );
        }
    }
}
