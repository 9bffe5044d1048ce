//! Languages and themes of the interface.

wire_enum! {
    /// A language of the interface. Every visible text exists in it.
    #[derive(Default)]
    Locale {
        /// Ukrainian.
        #[default]
        Uk => "uk",
        /// English.
        En => "en",
    }
}

wire_enum! {
    /// The colour theme.
    #[derive(Default)]
    Theme {
        /// As set on the device.
        #[default]
        System => "system",
        /// Light.
        Light => "light",
        /// Dark.
        Dark => "dark",
    }
}

#[cfg(test)]
mod tests {
    use super::{Locale, Theme};

    #[test]
    fn only_exact_language_codes_are_known() {
        assert_eq!(Locale::parse("uk"), Some(Locale::Uk));
        for unknown in ["", "UK", "uk-UA", "ru", "en "] {
            assert_eq!(Locale::parse(unknown), None, "{unknown}");
        }
        assert_eq!(Locale::default(), Locale::Uk);
        assert_eq!(Theme::default().as_str(), "system");
    }
}
