//! How large a page is, and where its text stands.

/// A4, in points.
pub const PAGE: (f32, f32) = (595.28, 841.89);
/// Space left and right of the text, in points: lines of about 75 letters.
pub const SIDE: f32 = 76.0;
/// Space above the text, in points.
pub const TOP: f32 = 68.0;
/// Space below the text, in points; the page's number stands in it.
const BOTTOM: f32 = 76.0;
/// Height of the text on one page, in points.
pub const TEXT_HEIGHT: f32 = PAGE.1 - TOP - BOTTOM;
/// Width of the text, in points.
pub const TEXT_WIDTH: f32 = PAGE.0 - 2.0 * SIDE;
