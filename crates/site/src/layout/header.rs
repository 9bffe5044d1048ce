//! The header: name, pages, language and sign-in.

use leptos::prelude::*;
use slovo_rules::locale::Locale;

use crate::drawing::{Draw, Drawing};
use crate::page::Name;
use crate::scene::{forms, scene, texts};
use crate::texts::fill;

/// The languages' own names.
const LANGUAGES: [(Locale, &str); 2] = [(Locale::Uk, "Українська"), (Locale::En, "English")];

/// See the module. Contains the links both for guests and for users: first-paint.js selects the
/// visible ones before the first paint, and without scripts no user is signed in.
#[component]
pub(super) fn Header() -> impl IntoView {
    let nav = &texts().site.nav;
    view! {
        <header class="top">
            <div class="wide top-row">
                <NameMark/>
                <nav class="top-pages" aria-label=nav.label.as_str()>
                    <PageLinks/>
                </nav>
                <div class="top-end">
                    <Languages/>
                    // Needs scripts, and is hidden without them.
                    <button
                        class="theme-button"
                        type="button"
                        data-island="theme"
                        aria-label=nav.theme.as_str()
                        title=nav.theme.as_str()
                    >
                        <Draw of=Drawing::Theme class="icon"/>
                    </button>
                    <a class="link for-guests" href="/login">{nav.log_in.as_str()}</a>
                    <SignUp/>
                    <a class="button button-primary for-users" href="/dashboard">{nav.dashboard.as_str()}</a>
                </div>
                <button
                    class="menu-button"
                    type="button"
                    popovertarget="site-menu"
                    aria-label=nav.menu.as_str()
                    aria-controls="site-menu"
                >
                    <Draw of=Drawing::Menu class="icon"/>
                </button>
            </div>
            <Menu/>
        </header>
    }
}

/// The link to sign up, if sign-up is possible.
#[component]
fn SignUp() -> impl IntoView {
    let nav = &texts().site.nav;
    forms().sign_up.then(|| {
        view! {
            <a class="button button-primary for-guests" href="/signup">{nav.sign_up.as_str()}</a>
        }
    })
}

/// The server's name, linked to the home page.
#[component]
pub(super) fn NameMark() -> impl IntoView {
    let scene = scene();
    let name = scene.own().name().to_owned();
    let label = fill(&scene.texts.site.home, "name", &name);
    view! {
        <a class="name-mark" href=scene.href("/") aria-label=label>
            <Draw of=Drawing::Mark class="mark"/>
            {name}
        </a>
    }
}

/// The menu for narrow windows: a popover, which works without scripts.
#[component]
fn Menu() -> impl IntoView {
    let nav = &texts().site.nav;
    view! {
        <nav id="site-menu" class="menu" popover="auto" data-island="menu" aria-label=nav.menu.as_str()>
            <div class="menu-head">
                <span class="menu-title">{nav.menu.as_str()}</span>
                <button
                    class="menu-close"
                    type="button"
                    popovertarget="site-menu"
                    popovertargetaction="hide"
                    aria-label=nav.close.as_str()
                >
                    <Draw of=Drawing::Close class="icon"/>
                </button>
            </div>
            <div class="menu-pages">
                <PageLinks/>
            </div>
            <div class="menu-account">
                <a class="button for-guests" href="/login">{nav.log_in.as_str()}</a>
                <SignUp/>
                <a class="button button-primary for-users" href="/dashboard">{nav.dashboard.as_str()}</a>
            </div>
            <Languages/>
        </nav>
    }
}

/// Links to the pages; the current one is marked.
#[component]
fn PageLinks() -> impl IntoView {
    let scene = scene();
    let nav = &scene.texts.site.nav;
    [
        (Name::Features, &nav.features),
        (Name::Pricing, &nav.pricing),
        (Name::About, &nav.about),
        (Name::Contact, &nav.contact),
    ]
    .into_iter()
    .filter(|(name, _)| scene.own().has_page(*name))
    .map(|(name, text)| {
        let current = (name == scene.page).then_some("page");
        view! {
            <a class="link" href=scene.href(name.path()) aria-current=current>
                {text.as_str()}
            </a>
        }
    })
    .collect_view()
}

/// The languages as links: the URL contains the language, so they work without scripts.
#[component]
fn Languages() -> impl IntoView {
    let scene = scene();
    let links = LANGUAGES.map(|(locale, name)| {
        let current = (locale == scene.locale).then_some("true");
        let href = scene.this_page_in(locale);
        view! {
            <a class="locale" href=href lang=locale.as_str() hreflang=locale.as_str() aria-current=current>
                {name}
            </a>
        }
    });
    view! {
        <div class="locales" role="group" data-island="locale" aria-label=scene.texts.site.language.as_str()>
            {links.into_iter().collect_view()}
        </div>
    }
}
