//! The footer of every page: links, and the newsletter.

use leptos::prelude::*;

use crate::newsletter_form::NewsletterForm;
use crate::page::{FormOutcome, Name};
use crate::scene::{Scene, forms, scene};
use crate::texts::fill;

use super::NameMark;

/// A column: its heading, and links with their texts.
type Column = (&'static str, Vec<(String, String)>);

/// See the module.
#[component]
pub(super) fn Footer() -> impl IntoView {
    let scene = scene();
    let words = &scene.texts.site;
    let own = scene.own();
    let motto = own.settings.purpose.shown(scene.locale);
    let motto = motto.unwrap_or(&words.footer.motto).to_owned();
    let rights = fill(&words.footer.rights, "owner", own.owner(scene.locale));
    let rights = if own.is_named() {
        format!("{rights} · {}", words.footer.powered)
    } else {
        rights
    };
    let has_form = matches!(scene.page, Name::Contact | Name::Newsletter);
    view! {
        <footer class="foot">
            <div class="wide foot-grid">
                <div class="foot-about">
                    <NameMark/>
                    <p>{motto}</p>
                    {(!has_form && forms().newsletter)
                        .then(|| {
                            view! {
                                <h2 class="foot-title">{words.newsletter.title.as_str()}</h2>
                                <p>{words.newsletter.text.as_str()}</p>
                                <NewsletterForm email=String::new() sent=FormOutcome::Not/>
                            }
                        })}
                </div>
                <nav class="foot-columns" aria-label=words.footer.label.as_str()>
                    {columns().into_iter().map(column).collect_view()}
                </nav>
            </div>
            <div class="wide foot-end">
                <p>{rights}</p>
                <a class="link" href=scene.href("/cookies#settings") data-island="cookies">
                    {words.footer.support.cookie_settings.as_str()}
                </a>
            </div>
        </footer>
    }
}

fn column((title, links): Column) -> impl IntoView {
    let links = links.into_iter().map(|(href, text)| {
        view! { <li><a class="link" href=href>{text}</a></li> }
    });
    view! {
        <div>
            <h2 class="foot-title">{title}</h2>
            <ul>{links.collect_view()}</ul>
        </div>
    }
}

fn columns() -> [Column; 3] {
    let scene = scene();
    let words = &scene.texts.site.footer;
    let (product, company, support) = (&words.product, &words.company, &words.support);
    let pages = |pages: &[(&str, &str)]| {
        let links = pages.iter();
        links
            .map(|(path, text)| (scene.href(path), (*text).to_owned()))
            .collect::<Vec<_>>()
    };
    let mut products = vec![("/features", product.features.as_str())];
    if scene.own().sells_plans() {
        products.push(("/pricing", &product.pricing));
    }
    products.extend([
        ("/status", product.status.as_str()),
        ("/docs", &product.docs),
        ("/changelog", &product.changelog),
    ]);
    let mut owner = pages(&[
        ("/about", company.about.as_str()),
        ("/contact", &company.contact),
    ]);
    owner.extend(external_links(&scene));
    [
        (&product.title, pages(&products)),
        (&company.title, owner),
        (
            &support.title,
            pages(&[
                ("/about#faq", support.faq.as_str()),
                ("/privacy", &support.privacy),
                ("/terms", &support.terms),
                ("/cookies", &support.cookies),
            ]),
        ),
    ]
}

/// Links to the imprint and to the owner's external pages, if there are any.
fn external_links(scene: &Scene) -> Vec<(String, String)> {
    let settings = &scene.own().settings;
    let company = &scene.texts.site.footer.company;
    let imprint = settings.imprint.shown(scene.locale);
    let imprint = imprint.map(|_| (scene.href("/contact#imprint"), company.imprint.clone()));
    let social = settings.social.iter();
    let social = social.map(|link| (link.url.clone(), link.name.clone()));
    imprint.into_iter().chain(social).collect()
}
