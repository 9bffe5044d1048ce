//! The document's head: metadata for browsers, search engines and link previews.

use leptos::html;
use leptos::prelude::*;
use slovo_rules::locale::Locale;

use crate::page::{Name, Page};
use crate::pages;
use crate::scene::{Scene, scene};
use crate::texts::facts;

/// The fonts of the first screen, by the beginnings of their file names.
const FACES: [&str; 2] = ["literata", "onest"];

/// See the module.
#[component]
pub(super) fn Head<'a>(page: &'a Page) -> impl IntoView + use<> {
    let scene = scene();
    let name = page.name();
    let outline = scene.texts.site.pages.of(name);
    let title = title(&scene, name, &outline.title);
    let description = description(&scene, name, &outline.description);
    let assets = &scene.site.assets;
    let style = assets.path("src/styles/site.css");
    let script = assets.path("src/site.ts");
    let imports = assets.imports("src/site.ts");
    let listed = Name::LISTED.contains(&name);
    let is_draft = scene.own().preview.is_some();
    view! {
        <head>
            <meta charset="utf-8"/>
            <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover"/>
            <title>{title.clone()}</title>
            <meta name="description" content=description.clone()/>
            <meta name="color-scheme" content="light dark"/>
            <meta name="theme-color" content="#f8f4ec" media="(prefers-color-scheme: light)"/>
            <meta name="theme-color" content="#14151c" media="(prefers-color-scheme: dark)"/>
            <script src="/first-paint.js"></script>
            {preload_fonts()}
            {style.map(|href| view! { <link rel="stylesheet" href=href/> })}
            {imports
                .into_iter()
                .map(|href| view! { <link rel="modulepreload" href=href/> })
                .collect_view()}
            {script.map(|src| view! { <script type="module" src=src></script> })}
            <link rel="icon" href="/favicon.ico" sizes="32x32"/>
            <link rel="icon" href="/favicon.svg" type="image/svg+xml"/>
            <link rel="apple-touch-icon" href="/apple-touch-icon.png"/>
            // With credentials: the language cookie determines the names in the manifest.
            <link rel="manifest" href="/site.webmanifest" crossorigin="use-credentials"/>
            {(name == Name::Changelog).then(|| view! {
                <link rel="alternate" type="application/atom+xml" href=scene.href("/changelog.xml") title=outline.title.as_str()/>
            })}
            {if listed && !is_draft {
                let picture = outline.og_title.is_some();
                view! { <Listed name title description picture/> }.into_any()
            } else {
                view! { <meta name="robots" content="noindex"/> }.into_any()
            }}
            {pages::json_ld(page).map(|json| view! { <script type="application/ld+json">{json}</script> })}
        </head>
    }
}

/// The title of the page and the name of the server.
fn title(scene: &Scene, page: Name, title: &str) -> String {
    let own = scene.own();
    if own.is_named() {
        return match (page, title.split_once(": ")) {
            (Name::Home, Some((_, what))) => format!("{}: {what}", own.name()),
            _ => format!("{title} · {}", own.name()),
        };
    }
    if title.contains(own.name()) {
        title.to_owned()
    } else {
        format!("{title} · {}", own.name())
    }
}

/// The description for search engines; on an organisation's server, its purpose.
fn description(scene: &Scene, page: Name, description: &str) -> String {
    let own = scene.own();
    let purpose = own.settings.purpose.shown(scene.locale);
    let custom = purpose.filter(|_| page == Name::Home && !own.sells_plans());
    custom.map_or_else(|| facts(description), str::to_owned)
}

/// Preloads the fonts before the style sheet is parsed, so that the text does not shift.
fn preload_fonts() -> impl IntoView {
    let scene = scene();
    // Ukrainian text uses digits, spaces and punctuation from the Latin file.
    let scripts: &[&str] = match scene.locale {
        Locale::Uk => &["cyrillic", "latin"],
        Locale::En => &["latin"],
    };
    let assets = &scene.site.assets;
    let found = FACES.iter().flat_map(|face| {
        scripts.iter().filter_map(move |script| {
            let file = format!("src/fonts/{face}-{script}.woff2");
            assets.path(&file)
        })
    });
    found
        .map(|href| {
            let link = html::link().rel("preload").attr("as", "font");
            link.r#type("font/woff2")
                .crossorigin("anonymous")
                .href(href)
        })
        .collect_view()
}

/// Metadata of pages that may be indexed.
#[component]
fn Listed(name: Name, title: String, description: String, picture: bool) -> impl IntoView {
    let scene = scene();
    let path = name.path();
    let address = |locale| scene.address(path, locale);
    let here = address(scene.locale);
    let drawn = if picture {
        path.trim_start_matches('/')
    } else {
        ""
    };
    let drawn = if drawn.is_empty() { "home" } else { drawn };
    let (locale, other) = match scene.locale {
        Locale::Uk => ("uk_UA", "en_US"),
        Locale::En => ("en_US", "uk_UA"),
    };
    view! {
        <link rel="canonical" href=here.clone()/>
        <link rel="alternate" hreflang="uk" href=address(Locale::Uk)/>
        <link rel="alternate" hreflang="en" href=address(Locale::En)/>
        <link rel="alternate" hreflang="x-default" href=address(Locale::Uk)/>
        {property("og:type", "website")}
        {property("og:site_name", scene.own().name().to_owned())}
        {property("og:title", title)}
        {property("og:description", description.clone())}
        {property("og:url", here)}
        {property("og:locale", locale)}
        {property("og:locale:alternate", other)}
        {property("og:image", format!("{}/og/{drawn}-{}.png", scene.site.origin, scene.locale))}
        {property("og:image:width", "1200")}
        {property("og:image:height", "630")}
        {property("og:image:alt", description)}
        <meta name="twitter:card" content="summary_large_image"/>
    }
}

/// The attribute `property` of Open Graph (ogp.me) is not an HTML attribute.
fn property(name: &'static str, content: impl Into<String>) -> impl IntoView {
    html::meta().attr("property", name).content(content.into())
}
