//! The server's owner and contact details, as set by administrators. Missing details are left out.

use leptos::prelude::*;
use slovo_rules::site::SocialLink;

use crate::scene::scene;

/// The value of a fact: text, or a link.
enum Fact {
    Text(String),
    Link { href: String, text: String },
    Links(Vec<SocialLink>),
}

/// Ways to contact the owner; `None` if there are none.
pub(super) fn ways() -> Option<AnyView> {
    let scene = scene();
    let words = &scene.texts.contact.ways;
    let settings = &scene.own().settings;
    let text = |words: &slovo_rules::site::Words| words.shown(scene.locale).map(plain);
    let (email, phone, social) = (&settings.email, &settings.phone, &settings.social);
    let facts = facts(vec![
        (&words.email, (!email.is_empty()).then(|| mail_to(email))),
        (&words.phone, (!phone.is_empty()).then(|| call(phone))),
        (&words.hours, text(&settings.hours)),
        (&words.owner, text(&settings.legal_name)),
        (&words.address, text(&settings.address)),
        (&words.hosting, text(&settings.hosting)),
        (
            &words.social,
            (!social.is_empty()).then(|| Fact::Links(social.clone())),
        ),
    ])?;
    let view = view! {
        <section aria-labelledby="ways-title">
            <h2 class="headline" id="ways-title">{words.title.as_str()}</h2>
            {facts}
        </section>
    };
    Some(view.into_any())
}

/// The owner's details required by law; empty if none are set.
pub(super) fn owner() -> AnyView {
    let scene = scene();
    let words = &scene.texts.contact.ways;
    let settings = &scene.own().settings;
    let text = |words: &slovo_rules::site::Words| words.shown(scene.locale).map(plain);
    let email = &settings.email;
    facts(vec![
        (&words.owner, text(&settings.legal_name)),
        (&words.address, text(&settings.address)),
        (&words.email, (!email.is_empty()).then(|| mail_to(email))),
        (&words.hosting, text(&settings.hosting)),
    ])
    .into_any()
}

/// The imprint required in the owner's country; `None` if it is not set.
pub(super) fn imprint() -> Option<AnyView> {
    let scene = scene();
    let words = &scene.texts.contact.ways;
    let text = scene.own().settings.imprint.shown(scene.locale)?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let lines = lines.map(|line| view! { <p>{line.to_owned()}</p> });
    let view = view! {
        <section id="imprint" class="imprint" aria-labelledby="imprint-title">
            <h2 class="headline" id="imprint-title">{words.imprint.as_str()}</h2>
            {lines.collect_view()}
        </section>
    };
    Some(view.into_any())
}

/// The existing facts, as a list; `None` if there are none.
fn facts(facts: Vec<(&'static String, Option<Fact>)>) -> Option<AnyView> {
    let present = facts.into_iter();
    let present = present.filter_map(|(label, fact)| Some((label.as_str(), fact?)));
    let rows: Vec<_> = present
        .map(|(label, fact)| {
            view! {
                <div class="way">
                    <dt>{label}</dt>
                    <dd>{fact_view(fact)}</dd>
                </div>
            }
        })
        .collect();
    (!rows.is_empty()).then(|| view! { <dl class="ways">{rows}</dl> }.into_any())
}

fn fact_view(fact: Fact) -> AnyView {
    match fact {
        Fact::Text(text) => text.into_any(),
        Fact::Link { href, text } => view! { <a href=href>{text}</a> }.into_any(),
        Fact::Links(links) => {
            let links = links.into_iter().map(|SocialLink { name, url }| {
                view! { <li><a href=url rel="me noopener">{name}</a></li> }
            });
            view! { <ul>{links.collect_view()}</ul> }.into_any()
        }
    }
}

fn plain(text: &str) -> Fact {
    Fact::Text(text.to_owned())
}

/// Percent-encodes characters of an address that have a meaning in a link.
fn mail_to(email: &str) -> Fact {
    let encoded = email.bytes().fold(String::new(), |text, byte| {
        if byte.is_ascii_alphanumeric() || b"@.+-_".contains(&byte) {
            text + &char::from(byte).to_string()
        } else {
            text + &format!("%{byte:02X}")
        }
    });
    Fact::Link {
        href: format!("mailto:{encoded}"),
        text: email.to_owned(),
    }
}

fn call(phone: &str) -> Fact {
    let dialled: String = phone
        .chars()
        .filter(|c| c.is_ascii_digit() || *c == '+')
        .collect();
    Fact::Link {
        href: format!("tel:{dialled}"),
        text: phone.to_owned(),
    }
}
