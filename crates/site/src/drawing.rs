//! Drawings, inlined into the page so that they use its light and dark colours.

use leptos::prelude::*;

macro_rules! drawings {
    ($($name:ident => $file:literal,)*) => {
        /// A drawing of `web/src/drawings`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Drawing {
            $($name,)*
        }

        impl Drawing {
            const fn svg(self) -> &'static str {
                match self {
                    $(Self::$name => include_str!(concat!("../../../web/src/drawings/", $file, ".svg")),)*
                }
            }
        }
    };
}

drawings! {
    Mark => "mark",
    StepUpload => "step-upload",
    StepProcess => "step-process",
    StepEdit => "step-edit",
    StepExport => "step-export",
    FeatureAccuracy => "feature-accuracy",
    FeatureRealtime => "feature-realtime",
    FeatureMultilang => "feature-multilang",
    FeatureSpeakers => "feature-speakers",
    FeatureFormatting => "feature-formatting",
    FeatureAnalytics => "feature-analytics",
    ValueClarity => "value-clarity",
    ValuePrivacy => "value-privacy",
    ValueLanguage => "value-language",
    ValueCraft => "value-craft",
    BenefitTime => "benefit-time",
    BenefitReach => "benefit-reach",
    BenefitTrust => "benefit-trust",
    About => "about",
    Pricing => "pricing",
    Contact => "contact",
    NotFound => "not-found",
    Docs => "docs",
    Status => "status",
    Star => "star",
    Check => "check",
    Dash => "dash",
    Play => "play",
    Pause => "pause",
    Menu => "menu",
    Theme => "theme",
    Close => "close",
    Chevron => "chevron",
}

/// The drawings of the six features, in the order of the pages that show them.
pub(crate) const FEATURES: [Drawing; 6] = [
    Drawing::FeatureAccuracy,
    Drawing::FeatureRealtime,
    Drawing::FeatureMultilang,
    Drawing::FeatureSpeakers,
    Drawing::FeatureFormatting,
    Drawing::FeatureAnalytics,
];

/// A drawing. It is decorative: the text next to it has the same information.
#[component]
pub(crate) fn Draw(of: Drawing, #[prop(default = "drawing")] class: &'static str) -> impl IntoView {
    view! { <span class=class inner_html=of.svg().trim()></span> }
}
