//! Allowed and rejected information about a server.

use super::*;

fn codes(form: &SiteSettings) -> Vec<(String, Code)> {
    let violations = validate(form).unwrap_err().0;
    violations.into_iter().map(|v| (v.field, v.code)).collect()
}

fn link(url: &str) -> SiteSettings {
    SiteSettings {
        social: vec![SocialLink {
            name: String::new(),
            url: url.to_owned(),
        }],
        ..SiteSettings::default()
    }
}

#[test]
fn no_field_is_required_and_missing_ones_are_listed() {
    let none = SiteSettings::default();
    assert_eq!(*validate(&none).unwrap(), none);
    assert_eq!(none.missing().len(), 10);
    let read: SiteSettings = serde_json::from_str("{}").unwrap();
    assert_eq!(read, none);
    assert!(serde_json::from_str::<SiteSettings>(r#"{"edition": "shop"}"#).is_err());
    assert!(serde_json::from_str::<SiteSettings>(r#"{"e_mail": ""}"#).is_err());
}

#[test]
fn texts_are_trimmed_and_invisible_characters_removed() {
    let form = SiteSettings {
        server_name: " Архів\u{202e}\n слів\0 ".to_owned(),
        email: " Hello@Slovo.Org.ua ".to_owned(),
        phone: " +380 44 123-45-67 ".to_owned(),
        imprint: Words {
            uk: "ЄДРПОУ 1\r\nКиїв\u{1b}".to_owned(),
            en: String::new(),
        },
        ..SiteSettings::default()
    };
    let valid = validate(&form).unwrap();
    assert_eq!(valid.server_name, "Архів  слів");
    assert_eq!(valid.email, "hello@slovo.org.ua");
    assert_eq!(valid.phone, "+380 44 123-45-67");
    assert_eq!(valid.imprint.uk, "ЄДРПОУ 1\nКиїв");
    assert_eq!(valid.imprint.shown(Locale::En), Some("ЄДРПОУ 1\nКиїв"));
    assert!(!valid.missing().contains(&"imprint"));
}

#[test]
fn example_email_addresses_and_invalid_phone_numbers_are_refused() {
    for email in ["hello@slovo.example", "a@example.com", "a@x.test", "nobody"] {
        let form = SiteSettings {
            email: email.to_owned(),
            ..SiteSettings::default()
        };
        assert_eq!(
            codes(&form),
            [("email".to_owned(), Code::EmailInvalid)],
            "{email}"
        );
    }
    for phone in [
        "12",
        "call me",
        "+38+0441234567",
        "1;ext=2",
        "0".repeat(30).as_str(),
    ] {
        let form = SiteSettings {
            phone: phone.to_owned(),
            ..SiteSettings::default()
        };
        assert_eq!(
            codes(&form),
            [("phone".to_owned(), Code::PhoneInvalid)],
            "{phone}"
        );
    }
}

#[test]
fn links_are_https_and_named_by_their_host() {
    let valid = validate(&link(" https://www.linkedin.com/company/slovo ")).unwrap();
    assert_eq!(valid.social[0].name, "linkedin.com");
    assert_eq!(
        valid.social[0].url,
        "https://www.linkedin.com/company/slovo"
    );
    for url in [
        "http://slovo.org.ua",
        "javascript:alert(1)",
        "https:javascript:alert(1)",
        "//slovo.org.ua",
        "https://",
        "https://me:hunter2@slovo.org.ua",
        "https://slovo.org.ua/\"onclick=",
        "https://slovo.example/",
        "https://example.com",
        "data:text/html,<script>",
        "https://a b",
    ] {
        let found = codes(&link(url));
        assert_eq!(
            found,
            [("social.0.url".to_owned(), Code::UrlNotHttps)],
            "{url}"
        );
    }
    assert_eq!(
        codes(&link(" ")),
        [("social.0.url".to_owned(), Code::UrlRequired)]
    );
}

#[test]
fn lists_and_texts_have_maximum_lengths() {
    let long = "х".repeat(MAX_IMPRINT + 1);
    let form = SiteSettings {
        server_name: long.clone(),
        purpose: Words {
            uk: String::new(),
            en: long.clone(),
        },
        imprint: Words {
            uk: long.clone(),
            en: String::new(),
        },
        social: vec![SocialLink::default(); MAX_LINKS + 1],
        own_testimonials: vec![Testimonial {
            name: String::new(),
            role: String::new(),
            content: long,
            rating: 6,
        }],
        ..SiteSettings::default()
    };
    let expected = [
        ("server_name", Code::TooLong),
        ("purpose.en", Code::TooLong),
        ("imprint.uk", Code::TooLong),
        ("social", Code::TooMany),
        ("own_testimonials.0.name", Code::FullnameRequired),
        ("own_testimonials.0.content", Code::TooLong),
        ("own_testimonials.0.rating", Code::NumberTooLarge),
    ];
    assert_eq!(
        codes(&form),
        expected.map(|(field, code)| (field.to_owned(), code))
    );
}

#[test]
fn example_figures_are_short_single_lines() {
    let pair = |uk: &str, en: &str| Words {
        uk: uk.to_owned(),
        en: en.to_owned(),
    };
    let mut form = SiteSettings {
        example_figures: ExampleFigures {
            minutes: pair(" 20\u{a0}000\u{202e} ", &"9".repeat(MAX_FIGURE)),
            accuracy: pair("97,2 %\0", ""),
            saved: Words::default(),
        },
        ..SiteSettings::default()
    };
    let valid = validate(&form).unwrap();
    assert_eq!(
        valid.example_figures,
        ExampleFigures {
            minutes: pair("20 000", "999999999999"),
            accuracy: pair("97,2 %", ""),
            saved: Words::default(),
        }
    );
    form.example_figures.saved = pair("", &"9".repeat(MAX_FIGURE + 1));
    form.example_figures.minutes = pair(&"х".repeat(100_000), "");
    let too_long = |field: &str| (format!("example_figures.{field}"), Code::TooLong);
    assert_eq!(codes(&form), [too_long("minutes.uk"), too_long("saved.en")]);
}

#[test]
fn changing_the_edition_keeps_the_other_settings() {
    let named = SiteSettings {
        server_name: "Архів".to_owned(),
        ..SiteSettings::default()
    };
    let chosen = with_edition(named.clone(), Edition::Organisation);
    assert_eq!(chosen.edition, Some(Edition::Organisation));
    assert_eq!(chosen.server_name, named.server_name);
}
