//! Texts of the landing page.

use serde::Deserialize;
use slovo_rules::site::Testimonial;

use super::common::{Notice, texts};

texts! {
    Home {
        hero: Hero,
        demo: DemoTexts,
        picture: Picture,
        stats: Stats,
        steps: Steps,
        features: Features,
        testimonials: Testimonials,
        call: Call,
    }
    Hero {
        kicker: String,
        title: String,
        lead: String,
        start: String,
        talk: String,
        note: String,
    }
    DemoTexts {
        title: String,
        label: String,
        speaker: String,
        hint: String,
        source: String,
        player: String,
        play: String,
        pause: String,
        place: String,
    }
    Picture {
        kicker: String,
        title: String,
        text: String,
        alt: String,
    }
    Stats {
        title: String,
        /// Note on figures that are examples.
        example: String,
        /// Mark at each example figure.
        mark: String,
        /// Link to the measured figures.
        measured: String,
        minutes: Stat,
        accuracy: Stat,
        saved: Stat,
        own: OwnStats,
    }
    /// Labels of the server's own figures.
    OwnStats {
        minutes: String,
        recordings: String,
        words: String,
    }
    Stat {
        figure: String,
        label: String,
    }
    Steps {
        kicker: String,
        title: String,
        upload: Notice,
        process: Notice,
        edit: Notice,
        export: Notice,
    }
    Features {
        kicker: String,
        title: String,
        accuracy: Notice,
        realtime: Notice,
        multilang: Notice,
        speakers: Notice,
        formatting: Notice,
        analytics: Notice,
        more: String,
    }
    Testimonials {
        kicker: String,
        title: String,
        /// Note on testimonials that are examples.
        example: String,
        stars: String,
        people: Vec<Testimonial>,
    }
    Call {
        title: String,
        text: String,
        text_organisation: String,
        start: String,
        talk: String,
    }
}
