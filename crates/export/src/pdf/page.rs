//! The size of a page and of its text area.

/// A4, in points.
pub const PAGE: (f32, f32) = (595.28, 841.89);
/// Margins left and right of the text, in points: lines have about 75 letters.
pub const SIDE: f32 = 76.0;
/// Margin above the text, in points.
pub const TOP: f32 = 68.0;
/// Margin below the text, in points; contains the page number.
const BOTTOM: f32 = 76.0;
/// Height of the text on one page, in points.
pub const TEXT_HEIGHT: f32 = PAGE.1 - TOP - BOTTOM;
/// Width of the text, in points.
pub const TEXT_WIDTH: f32 = PAGE.0 - 2.0 * SIDE;
