//! Limits of subtitles: the figures, two published style guides, and their bounds.

use serde::{Deserialize, Serialize};

use crate::valid::Valid;
use crate::violation::{Code, Violation, Violations};

/// Limits of subtitles.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct SubtitleLimits {
    /// Maximum columns of a line; East Asian characters count as two.
    pub max_columns: usize,
    /// Maximum number of lines shown at once.
    pub max_lines: usize,
    /// Maximum characters per second, including spaces and punctuation.
    pub max_cps: f64,
    /// Maximum duration of a subtitle, in seconds.
    pub max_seconds: f64,
    /// Minimum duration of a subtitle if there is room, in seconds.
    pub min_seconds: f64,
    /// Minimum number of frames between two subtitles.
    pub gap_frames: usize,
    /// Frames per second of the video.
    pub frame_rate: f64,
    /// Seconds added to all times, for a file that begins before or after the recording.
    pub offset: f64,
}

impl SubtitleLimits {
    /// Gap between two subtitles, in seconds.
    #[must_use]
    pub fn gap(&self) -> f64 {
        let frames = f64::from(u32::try_from(self.gap_frames).unwrap_or(u32::MAX));
        if self.frame_rate > 0.0 {
            frames / self.frame_rate
        } else {
            0.0
        }
    }
}

/// The default limits: at least a second, and 17 characters per second, as in Netflix's Timed Text
/// Style Guides for Ukrainian and most European languages.
pub const LIMITS: SubtitleLimits = SubtitleLimits {
    max_columns: 42,
    max_lines: 2,
    max_cps: 17.0,
    max_seconds: 7.0,
    min_seconds: 1.0,
    gap_frames: 2,
    frame_rate: 25.0,
    offset: 0.0,
};

wire_enum! {
    /// A publisher of a style guide for subtitles.
    SubtitlePreset {
        /// Netflix, Timed Text Style Guide: 42 columns, 17 characters per second (20 in English),
        /// 5/6 to 7 seconds, 2 frames apart.
        Netflix => "netflix",
        /// BBC, Subtitle Guidelines: 37 columns as on teletext, 15 characters per second for its 160
        /// to 180 words per minute.
        Bbc => "bbc",
    }
}

impl SubtitlePreset {
    /// Its limits for speech in this language (`en`).
    #[must_use]
    pub fn limits(self, language: &str) -> SubtitleLimits {
        match self {
            Self::Netflix => SubtitleLimits {
                max_cps: if language.eq_ignore_ascii_case("en") {
                    20.0
                } else {
                    17.0
                },
                min_seconds: 5.0 / 6.0,
                ..LIMITS
            },
            Self::Bbc => SubtitleLimits {
                max_columns: 37,
                max_cps: 15.0,
                ..LIMITS
            },
        }
    }
}

/// Requested limits: those of a style guide or the defaults, and custom values that replace them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SubtitleOptions {
    /// The style guide to follow; the default limits if absent.
    #[serde(default)]
    pub preset: Option<SubtitlePreset>,
    /// Maximum columns of a line, 20 to 80.
    #[serde(default)]
    pub max_columns: Option<u32>,
    /// Maximum number of lines shown at once, 1 or 2.
    #[serde(default)]
    pub max_lines: Option<u32>,
    /// Maximum characters per second, 5 to 40.
    #[serde(default)]
    pub max_cps: Option<f64>,
    /// Maximum duration of a subtitle, 2 to 15 seconds.
    #[serde(default)]
    pub max_seconds: Option<f64>,
    /// Minimum duration of a subtitle if there is room, 0.2 to 2 seconds.
    #[serde(default)]
    pub min_seconds: Option<f64>,
    /// Minimum number of frames between two subtitles, 0 to 12.
    #[serde(default)]
    pub gap_frames: Option<u32>,
    /// Frames per second of the video, 12 to 120.
    #[serde(default)]
    pub frame_rate: Option<f64>,
    /// Seconds added to all times, -86400 to 86400; a subtitle that would begin before 0 begins at
    /// 0.
    #[serde(default)]
    pub offset: Option<f64>,
}

/// The range of a value.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct Span {
    /// Minimum.
    pub min: f64,
    /// Maximum.
    pub max: f64,
}

const fn span(min: f64, max: f64) -> Span {
    Span { min, max }
}

/// The bounds of custom limits.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
pub struct SubtitleBounds {
    /// Columns.
    pub max_columns: Span,
    /// Lines.
    pub max_lines: Span,
    /// Characters per second.
    pub max_cps: Span,
    /// Seconds.
    pub max_seconds: Span,
    /// Seconds.
    pub min_seconds: Span,
    /// Frames.
    pub gap_frames: Span,
    /// Frames per second.
    pub frame_rate: Span,
    /// Seconds.
    pub offset: Span,
}

/// The bounds of custom limits.
pub const BOUNDS: SubtitleBounds = SubtitleBounds {
    max_columns: span(20.0, 80.0),
    max_lines: span(1.0, 2.0),
    max_cps: span(5.0, 40.0),
    max_seconds: span(2.0, 15.0),
    min_seconds: span(0.2, 2.0),
    gap_frames: span(0.0, 12.0),
    frame_rate: span(12.0, 120.0),
    offset: span(-86_400.0, 86_400.0),
};

impl SubtitleOptions {
    /// No custom limits.
    pub const NONE: Self = Self {
        preset: None,
        max_columns: None,
        max_lines: None,
        max_cps: None,
        max_seconds: None,
        min_seconds: None,
        gap_frames: None,
        frame_rate: None,
        offset: None,
    };

    /// Whether there are no custom limits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::NONE
    }

    /// The limits for speech in this language (`en`).
    #[must_use]
    pub fn limits(&self, language: &str) -> SubtitleLimits {
        let base = self.preset.map_or(LIMITS, |preset| preset.limits(language));
        let integer = |requested: Option<u32>, usual: usize| {
            requested.map_or(usual, |value| usize::try_from(value).unwrap_or(usual))
        };
        SubtitleLimits {
            max_columns: integer(self.max_columns, base.max_columns),
            max_lines: integer(self.max_lines, base.max_lines),
            max_cps: self.max_cps.unwrap_or(base.max_cps),
            max_seconds: self.max_seconds.unwrap_or(base.max_seconds),
            min_seconds: self.min_seconds.unwrap_or(base.min_seconds),
            gap_frames: integer(self.gap_frames, base.gap_frames),
            frame_rate: self.frame_rate.unwrap_or(base.frame_rate),
            offset: self.offset.unwrap_or(base.offset),
        }
    }
}

/// Checks custom limits against their bounds.
///
/// # Errors
/// Every value that is out of bounds, with `min` and `max`.
pub fn validate(options: &SubtitleOptions) -> Result<Valid<SubtitleOptions>, Violations> {
    let figures = [
        (
            "max_columns",
            options.max_columns.map(f64::from),
            BOUNDS.max_columns,
        ),
        (
            "max_lines",
            options.max_lines.map(f64::from),
            BOUNDS.max_lines,
        ),
        ("max_cps", options.max_cps, BOUNDS.max_cps),
        ("max_seconds", options.max_seconds, BOUNDS.max_seconds),
        ("min_seconds", options.min_seconds, BOUNDS.min_seconds),
        (
            "gap_frames",
            options.gap_frames.map(f64::from),
            BOUNDS.gap_frames,
        ),
        ("frame_rate", options.frame_rate, BOUNDS.frame_rate),
        ("offset", options.offset, BOUNDS.offset),
    ];
    let violations: Vec<Violation> = figures
        .into_iter()
        .filter(|(_, value, Span { min, max })| {
            value.is_some_and(|value| !(*min..=*max).contains(&value))
        })
        .map(|(field, _, Span { min, max })| {
            Violation::new(field, Code::FigureOutOfRange)
                .with("min", min)
                .with("max", max)
        })
        .collect();
    if violations.is_empty() {
        Ok(Valid::new(*options))
    } else {
        Err(Violations(violations))
    }
}
