//! `/cookies`: all data stored in the browser, and consent to the optional part.

use leptos::prelude::*;

use crate::page::CookiesPage;
use crate::prose::prose;
use crate::scene::{scene, texts};
use crate::texts::{CookieItems, Item, Paragraph};

use super::reading::contents;

/// Names with their texts.
type NamedItems = Vec<(&'static str, &'static Item)>;

/// Stored only with consent.
const OPTIONAL: &str = "slovo.contact-draft";

/// See the module.
#[component]
pub(crate) fn Cookies(page: CookiesPage) -> impl IntoView {
    let words = &texts().legal.cookies;
    let items = &words.items;
    let choice = &texts().islands.cookies;
    let places = [
        ("cookies", &words.cookies, cookies(items)),
        ("storage", &words.storage, storage(items)),
        ("tab", &words.tab, tab(items)),
        ("database", &words.database, database(items)),
    ];
    let mut entries = vec![("settings".to_owned(), choice.title.clone())];
    let headings = places.iter().map(|(id, place, _)| (*id, &place.title));
    let headings = headings.chain([("statistics", &words.nothing.title)]);
    entries.extend(headings.map(|(id, title)| (id.to_owned(), title.clone())));
    let places = places.map(|(id, place, stored_items)| table(id, place, stored_items));
    view! {
        <article class="wide page-top reading">
            <header class="reading-head">
                <p class="kicker">{texts().legal.changed.as_str()}</p>
                <h1 class="headline">{words.title.as_str()}</h1>
                <p class="lead">{words.lead.as_str()}</p>
            </header>
            {contents(entries)}
            <div class="reading-text">
                <Choice page/>
                {places.into_iter().collect_view()}
                <section class="chapter" id="statistics">
                    <h2>{words.nothing.title.as_str()}</h2>
                    <p>{words.nothing.text.as_str()}</p>
                </section>
            </div>
        </article>
    }
}

/// The consent form, saved with a plain POST; the dialog of the footer has the same texts.
#[component]
fn Choice(page: CookiesPage) -> impl IntoView {
    let scene = scene();
    let words = &scene.texts.islands.cookies;
    view! {
        <form
            id="settings"
            class="cookies-form"
            data-island="cookies-form"
            method="post"
            action=scene.href("/cookies")
            aria-labelledby="settings-title"
        >
            <h2 id="settings-title">{words.title.as_str()}</h2>
            <p>{words.text.as_str()}</p>
            <label>
                <input type="checkbox" checked disabled/>
                {meaning(&words.necessary)}
            </label>
            <label>
                <input type="checkbox" name="preferences" value="on" checked=page.preferences/>
                {meaning(&words.preferences)}
            </label>
            <label>
                <input type="checkbox" name="statistics" value="on" checked=page.statistics/>
                {meaning(&words.statistics)}
            </label>
            <div class="cookies-save">
                <button class="button button-primary" type="submit">{words.save.as_str()}</button>
                <p class="form-status" role="status" data-state=page.saved.then_some("sent")>
                    {page.saved.then_some(words.saved.as_str())}
                </p>
            </div>
        </form>
    }
}

fn meaning(words: &'static Paragraph) -> AnyView {
    view! {
        <span>
            <strong>{words.title.as_str()}</strong>
            {words.text.as_str()}
        </span>
    }
    .into_any()
}

/// The data in one kind of storage. Cells repeat the column names for narrow windows.
fn table(id: &'static str, place: &'static Paragraph, stored_items: NamedItems) -> AnyView {
    let words = &texts().legal.cookies;
    let (columns, kinds) = (&words.columns, &words.kinds);
    let scene = scene();
    // Entries of a sign-in method that this server does not have are left out.
    let rows = stored_items.into_iter().filter_map(|(name, item)| {
        let purpose = scene.filled_in(&item.purpose)?;
        let kind = if name == OPTIONAL {
            &kinds.preferences
        } else {
            &kinds.necessary
        };
        Some(view! {
            <tr>
                <th scope="row"><code>{name}</code></th>
                <td data-label=columns.purpose.as_str()>{prose(&purpose)}</td>
                <td data-label=columns.kept.as_str()>{item.kept.as_str()}</td>
                <td data-label=columns.kind.as_str()>{kind.as_str()}</td>
            </tr>
        })
    });
    view! {
        <section class="chapter" id=id>
            <h2>{place.title.as_str()}</h2>
            <p>{place.text.as_str()}</p>
            <table class="ledger ledger-keys" aria-label=place.title.as_str()>
                <thead>
                    <tr>
                        <th scope="col">{columns.name.as_str()}</th>
                        <th scope="col">{columns.purpose.as_str()}</th>
                        <th scope="col">{columns.kept.as_str()}</th>
                        <th scope="col">{columns.kind.as_str()}</th>
                    </tr>
                </thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </section>
    }
    .into_any()
}

// A name ending with a dot and an ellipsis stands for all names with that prefix. A test compares
// these lists with the sources of the web application.

fn cookies(items: &'static CookieItems) -> NamedItems {
    vec![
        ("slovo.locale", &items.locale_cookie),
        ("slovo.consent", &items.consent),
        ("slovo.open", &items.open),
        ("slovo.sidebar", &items.sidebar),
        ("slovo.openid", &items.openid),
    ]
}

fn storage(items: &'static CookieItems) -> NamedItems {
    vec![
        ("slovo.session", &items.session),
        ("slovo.locale", &items.locale),
        ("slovo.theme", &items.theme),
        ("slovo.settings", &items.settings),
        ("slovo.preset", &items.preset),
        ("slovo.tray", &items.tray),
        ("tus::slovo/…", &items.tus),
        ("slovo.edits.…", &items.edits),
        ("slovo.player", &items.player),
        ("slovo.export", &items.export),
        ("slovo.voice.device", &items.device),
        ("slovo.hidden-warnings", &items.hidden_warnings),
        ("slovo.visitor-name", &items.visitor),
        ("slovo.voice.discarded.…", &items.discarded),
        ("slovo.voice.removed.…", &items.removed),
        ("slovo.….lease", &items.lease),
        (OPTIONAL, &items.draft),
    ]
}

fn tab(items: &'static CookieItems) -> NamedItems {
    vec![
        ("slovo.scroll", &items.scroll),
        ("slovo.client", &items.client),
        ("slovo.share.…", &items.share),
        ("slovo.google", &items.google),
        ("slovo.site-typed", &items.typed),
    ]
}

fn database(items: &'static CookieItems) -> NamedItems {
    vec![
        ("slovo.uploads", &items.uploads),
        ("slovo.voice", &items.voice),
    ]
}
