//! How the interface can be set: its languages and themes.

wire_enum! {
    /// A language that every visible text exists in.
    Locale {
        /// Ukrainian.
        Uk => "uk",
        /// English.
        En => "en",
    }
}

wire_enum! {
    /// Light or dark.
    Theme {
        /// As the device has it.
        System => "system",
        /// Light.
        Light => "light",
        /// Dark.
        Dark => "dark",
    }
}

impl Default for Locale {
    /// Ukrainian, as in a browser that has not chosen yet.
    fn default() -> Self {
        Self::Uk
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self::System
    }
}

#[cfg(test)]
mod tests {
    use super::{Locale, Theme};

    #[test]
    fn only_whole_languages_are_known() {
        assert_eq!(Locale::parse("uk"), Some(Locale::Uk));
        for unknown in ["", "UK", "uk-UA", "ru", "en "] {
            assert_eq!(Locale::parse(unknown), None, "{unknown}");
        }
        assert_eq!(Locale::default(), Locale::Uk);
        assert_eq!(Theme::default().as_str(), "system");
    }
}
