//! The landing page's texts.

use serde::Deserialize;

use super::common::{Notice, texts};

texts! {
    Home {
        hero: Hero,
        demo: DemoTexts,
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
        translation: String,
        translation_label: String,
        source: String,
        player: String,
        play: String,
        pause: String,
        place: String,
    }
    Stats {
        title: String,
        minutes: Stat,
        accuracy: Stat,
        saved: Stat,
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
        stars: String,
        people: Vec<Testimonial>,
    }
    Testimonial {
        name: String,
        role: String,
        content: String,
        rating: usize,
    }
    Call {
        title: String,
        text: String,
        start: String,
        talk: String,
    }
}
