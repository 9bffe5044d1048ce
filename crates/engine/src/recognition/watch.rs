//! Callbacks of whisper.cpp: whether to stop, and when each stage began.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use whisper_rs::FullParams;
use whisper_rs::whisper_rs_sys::{whisper_context, whisper_state, whisper_token_data};

use crate::stages::StageTimes;

/// Start times of whisper.cpp's stages, recorded by its callbacks.
pub(super) struct Watch<'a> {
    cancelled: &'a AtomicBool,
    /// Whether the encoder runs.
    encodes: bool,
    started_at: Instant,
    encoder: Option<Instant>,
    first_token: Option<Instant>,
    last_token: Option<Instant>,
}

impl<'a> Watch<'a> {
    pub(super) fn new(cancelled: &'a AtomicBool) -> Self {
        Self {
            cancelled,
            encodes: true,
            started_at: Instant::now(),
            encoder: None,
            first_token: None,
            last_token: None,
        }
    }

    /// A watch that stops the call before the encoder.
    pub(super) fn before_encoder(cancelled: &'a AtomicBool) -> Self {
        Self {
            encodes: false,
            ..Self::new(cancelled)
        }
    }

    pub(super) fn times(&self) -> StageTimes {
        let ended = Instant::now();
        let encoder = self.encoder.unwrap_or(ended);
        let first_token = self.first_token.unwrap_or(ended);
        let last_token = self.last_token.unwrap_or(ended);
        StageTimes {
            mel: encoder - self.started_at,
            encoder: first_token - encoder,
            decoder: last_token - first_token,
            alignment: ended - last_token,
            ..StageTimes::default()
        }
    }

    /// Registers this watch for whisper.cpp's callbacks; it must outlive the call of `full`.
    pub(super) fn attach(&mut self, params: &mut FullParams<'_, '_>) {
        #[expect(
            unsafe_code,
            reason = "the safe setters of whisper-rs 0.16 leak their closures, and the one for aborting \
                      calls them through a pointer of the wrong type"
        )]
        // SAFETY: the pointer is used during the one call of `full` that follows, on this
        // thread only (one thread per state); the caller keeps `self` until it returns.
        unsafe {
            let data: *mut c_void = std::ptr::from_mut(self).cast();
            params.set_abort_callback(Some(is_cancelled));
            params.set_abort_callback_user_data(data);
            params.set_start_encoder_callback(Some(on_encoder_start));
            params.set_start_encoder_callback_user_data(data);
            params.set_filter_logits_callback(Some(on_token));
            params.set_filter_logits_callback_user_data(data);
        }
    }
}

/// The callbacks' data pointer as the watch.
///
/// # Safety
/// `data` must point to the `Watch` of a call of `full` in progress.
#[expect(unsafe_code, reason = "a C callback gets its data as a pointer")]
unsafe fn watch<'a>(data: *mut c_void) -> &'a mut Watch<'a> {
    // SAFETY: by the contract above.
    unsafe { &mut *data.cast::<Watch<'a>>() }
}

#[expect(unsafe_code, reason = "a C callback")]
unsafe extern "C" fn is_cancelled(data: *mut c_void) -> bool {
    // SAFETY: set in `recognize` to a live `Watch`.
    let watch = unsafe { watch(data) };
    watch.cancelled.load(Ordering::Acquire)
}

#[expect(unsafe_code, reason = "a C callback")]
unsafe extern "C" fn on_encoder_start(
    _: *mut whisper_context,
    _: *mut whisper_state,
    data: *mut c_void,
) -> bool {
    // SAFETY: set in `recognize` to a live `Watch`.
    let watch = unsafe { watch(data) };
    watch.encoder.get_or_insert_with(Instant::now);
    watch.encodes
}

#[expect(unsafe_code, reason = "a C callback")]
unsafe extern "C" fn on_token(
    _: *mut whisper_context,
    _: *mut whisper_state,
    _: *const whisper_token_data,
    _: c_int,
    _: *mut f32,
    data: *mut c_void,
) {
    // SAFETY: set in `recognize` to a live `Watch`.
    let watch = unsafe { watch(data) };
    let now = Instant::now();
    watch.first_token.get_or_insert(now);
    watch.last_token = Some(now);
}
