//! Re-encodes an avatar from its pixels alone, which removes metadata (location, camera, an
//! embedded preview) and everything else in the file.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::webp::WebPEncoder;
use image::imageops::{self, FilterType};
use image::{
    DynamicImage, GenericImageView, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits,
    RgbaImage,
};
use slovo_rules::profile::{AVATAR_EDGE_PX, AvatarType};

/// Longest edge that is decoded, in pixels: more than phone cameras produce.
const MAX_EDGE_PX: u32 = 8192;

/// Memory limit of decoding, in bytes. A file of a few kilobytes can claim gigabytes.
const MAX_DECODED_BYTES: u64 = 200 * 1024 * 1024;

/// Most pixels that are decoded: a 50-megapixel photo. The JPEG decoder only checks the edges, and
/// takes up to nine bytes per pixel for a progressive image.
const MAX_PIXELS: u64 = 50_000_000;

/// Largest scale factor for the high-quality filter; larger images are first reduced with the fast
/// one, without a visible difference.
const FAST_ABOVE: u32 = 4;

/// JPEG quality, 0 to 100. The picture is shown at a tenth of its size.
const JPEG_QUALITY: u8 = 88;

/// Why an image cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the image cannot be read: {0}")]
pub struct UnreadableImage(pub String);

impl From<ImageError> for UnreadableImage {
    fn from(error: ImageError) -> Self {
        Self(error.to_string())
    }
}

/// Decodes the image, crops the centred square, and scales it to 400 by 400 pixels: as JPEG or
/// lossless WebP, whichever is smaller; as WebP if it has transparency.
///
/// # Errors
/// If the image cannot be decoded or exceeds the limits.
pub fn draw(image: &[u8], kind: AvatarType) -> Result<Vec<u8>, UnreadableImage> {
    let format = match kind {
        AvatarType::Png => ImageFormat::Png,
        AvatarType::Jpeg => ImageFormat::Jpeg,
        AvatarType::Webp => ImageFormat::WebP,
    };
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_EDGE_PX);
    limits.max_image_height = Some(MAX_EDGE_PX);
    limits.max_alloc = Some(MAX_DECODED_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(image), format);
    reader.limits(limits);
    let mut decoder = reader.into_decoder()?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if pixels > MAX_PIXELS || decoder.total_bytes() > MAX_DECODED_BYTES {
        return Err(UnreadableImage("it has too many pixels".to_owned()));
    }
    // Phones store the sensor's orientation and record the rotation in Exif.
    let orientation = decoder.orientation()?;
    let decoded = DynamicImage::from_decoder(decoder)?;
    let mut avatar = DynamicImage::ImageRgba8(square(&decoded));
    drop(decoded);
    avatar.apply_orientation(orientation);
    Ok(encode(&avatar)?)
}

/// The centred square at its final size. It is rotated afterwards, because rotating the whole image
/// would take twice its memory.
fn square(image: &DynamicImage) -> RgbaImage {
    let (width, height) = image.dimensions();
    let edge = width.min(height);
    let (left, top) = ((width - edge) / 2, (height - edge) / 2);
    let between = AVATAR_EDGE_PX * FAST_ABOVE;
    let middle = if edge > between {
        let middle = image.view(left, top, edge, edge);
        imageops::thumbnail(&*middle, between, between).into()
    } else {
        image.crop_imm(left, top, edge, edge)
    };
    let avatar = middle.resize_exact(AVATAR_EDGE_PX, AVATAR_EDGE_PX, FilterType::Lanczos3);
    avatar.into_rgba8()
}

fn encode(avatar: &DynamicImage) -> Result<Vec<u8>, ImageError> {
    let see_through = avatar.pixels().any(|(_, _, pixel)| pixel.0[3] != u8::MAX);
    let mut webp = Vec::new();
    if see_through {
        avatar.write_with_encoder(WebPEncoder::new_lossless(&mut webp))?;
        return Ok(webp);
    }
    let opaque = DynamicImage::ImageRgb8(avatar.to_rgb8());
    opaque.write_with_encoder(WebPEncoder::new_lossless(&mut webp))?;
    let mut jpeg = Vec::new();
    opaque.write_with_encoder(JpegEncoder::new_with_quality(&mut jpeg, JPEG_QUALITY))?;
    Ok(if jpeg.len() < webp.len() { jpeg } else { webp })
}
