//! Texts shared by all pages.

use serde::Deserialize;

use crate::page::Name;

macro_rules! texts {
    ($($(#[$about:meta])* $name:ident { $($(#[$note:meta])* $field:ident: $type:ty,)* })*) => {
        $(
            $(#[$about])*
            #[derive(Deserialize)]
            #[serde(deny_unknown_fields)]
            pub(crate) struct $name { $($(#[$note])* pub $field: $type,)* }
        )*
    };
}
pub(super) use texts;

texts! {
    Common {
        skip: String,
        home: String,
        preview: String,
        language: String,
        nav: Nav,
        pages: Pages,
        footer: Footer,
        newsletter: Newsletter,
        not_found: NotFound,
        form: Form,
    }
    Nav {
        label: String,
        features: String,
        pricing: String,
        about: String,
        contact: String,
        log_in: String,
        sign_up: String,
        dashboard: String,
        new_transcription: String,
        menu: String,
        close: String,
        theme: String,
    }
    Pages {
        home: Outline,
        about: Outline,
        features: Outline,
        pricing: Outline,
        contact: Outline,
        privacy: Outline,
        terms: Outline,
        cookies: Outline,
        status: Outline,
        docs: Outline,
        api: Outline,
        changelog: Outline,
        newsletter: Outline,
        not_found: Outline,
    }
    Footer {
        label: String,
        motto: String,
        product: Product,
        company: Company,
        support: Support,
        rights: String,
        powered: String,
    }
    Product {
        title: String,
        features: String,
        pricing: String,
        status: String,
        docs: String,
        changelog: String,
    }
    Company {
        title: String,
        about: String,
        contact: String,
        imprint: String,
    }
    Support {
        title: String,
        faq: String,
        privacy: String,
        terms: String,
        cookies: String,
        cookie_settings: String,
    }
    Newsletter {
        title: String,
        text: String,
        email: String,
        placeholder: String,
        send: String,
        confirm: Ask,
        confirmed: Notice,
        leave: Ask,
        left: Notice,
        unknown: Notice,
    }
    /// Texts of a call to action: a heading, a paragraph and a button.
    Ask {
        title: String,
        text: String,
        send: String,
    }
    /// A heading and a paragraph.
    Notice {
        title: String,
        text: String,
    }
    NotFound {
        title: String,
        text: String,
        home: String,
    }
    Form {
        trap: String,
        limited: String,
        contact_off: String,
        contact_off_only: String,
        newsletter_off: String,
    }
}

/// Metadata of a page for browsers and search engines.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Outline {
    pub title: String,
    pub description: String,
    /// The caption of the preview image for links; `None` for pages without one.
    pub og_title: Option<String>,
}

impl Pages {
    pub(crate) const fn of(&self, page: Name) -> &Outline {
        match page {
            Name::Home => &self.home,
            Name::About => &self.about,
            Name::Features => &self.features,
            Name::Pricing => &self.pricing,
            Name::Contact => &self.contact,
            Name::Privacy => &self.privacy,
            Name::Terms => &self.terms,
            Name::Cookies => &self.cookies,
            Name::Status => &self.status,
            Name::Docs => &self.docs,
            Name::Api => &self.api,
            Name::Changelog => &self.changelog,
            Name::Newsletter => &self.newsletter,
            Name::NotFound => &self.not_found,
        }
    }
}
