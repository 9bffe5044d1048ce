//! The foot of every page: where else to go, and the newsletter.

use leptos::prelude::*;

use crate::drawing::{Draw, Drawing};
use crate::page::{Name, Sent};
use crate::scene::{forms, scene};

use super::NewsletterForm;

/// A column: its heading, and links with their texts.
type Column = (&'static str, Vec<(String, &'static str)>);

/// See the module.
#[component]
pub(super) fn Footer() -> impl IntoView {
    let scene = scene();
    let words = &scene.texts.site;
    let has_form = matches!(scene.page, Name::Contact | Name::Newsletter);
    view! {
        <footer class="foot">
            <div class="wide foot-grid">
                <div class="foot-about">
                    <a class="name-mark" href=scene.href("/") aria-label=words.home.as_str()>
                        <Draw of=Drawing::Mark class="mark"/>
                        "Slovo"
                    </a>
                    <p>{words.footer.motto.as_str()}</p>
                    {(!has_form && forms().newsletter)
                        .then(|| {
                            view! {
                                <h2 class="foot-title">{words.newsletter.title.as_str()}</h2>
                                <p>{words.newsletter.text.as_str()}</p>
                                <NewsletterForm email=String::new() sent=Sent::Not/>
                            }
                        })}
                </div>
                <nav class="foot-columns" aria-label=words.footer.label.as_str()>
                    {columns().into_iter().map(column).collect_view()}
                </nav>
            </div>
            <div class="wide foot-end">
                <p>{words.footer.rights.as_str()}</p>
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
    let page = |path: &str| scene.href(path);
    let (product, company, support) = (&words.product, &words.company, &words.support);
    [
        (
            &product.title,
            vec![
                (page("/features"), product.features.as_str()),
                (page("/pricing"), &product.pricing),
                (page("/status"), &product.status),
                (page("/docs"), &product.docs),
                (page("/changelog"), &product.changelog),
            ],
        ),
        (
            &company.title,
            vec![
                (page("/about"), company.about.as_str()),
                (page("/contact"), &company.contact),
                (page("/about#social"), &company.github),
                (page("/about#social"), &company.linkedin),
            ],
        ),
        (
            &support.title,
            vec![
                (page("/about#faq"), support.faq.as_str()),
                (page("/privacy"), &support.privacy),
                (page("/terms"), &support.terms),
                (page("/cookies"), &support.cookies),
            ],
        ),
    ]
}
