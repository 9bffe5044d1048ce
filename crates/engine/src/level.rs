//! Amplifies quiet recordings. Whisper and silero were trained on speech at ordinary levels; a
//! recording 40 dB below full scale is recognised only when it is amplified.

/// The root mean square of ordinary speech, about -26 dB below full scale, and the target of
/// amplification.
const SPEECH_RMS: f32 = 0.05;

/// Audio below this level, -34 dB, is amplified. Louder audio passes unchanged, bit for bit.
const QUIET_RMS: f32 = 0.02;

/// The highest gain, 46 dB: audio that needs more is only noise.
const MAX_GAIN: f32 = 200.0;

/// Samples per loudness measurement, 20 ms.
const STEP: usize = 320;

/// The gain for voice detection in `samples`: 1 unless their loudest parts are quiet.
pub(crate) fn gain_for_detection(samples: &[f32]) -> f32 {
    gain(samples, 0.95)
}

/// The gain for recognising `samples`, which consist mostly of speech.
pub(crate) fn gain_for_recognition(samples: &[f32]) -> f32 {
    gain(samples, 0.8)
}

/// The gain from the given quantile of the loudness of short steps, limited so that nothing clips.
fn gain(samples: &[f32], quantile: f64) -> f32 {
    let mut loudness: Vec<f32> = samples
        .chunks(STEP)
        .map(|step| (step.iter().map(|s| s * s).sum::<f32>() / step.len() as f32).sqrt())
        .collect();
    if loudness.is_empty() {
        return 1.0;
    }
    let place = ((loudness.len() - 1) as f64 * quantile) as usize;
    let (_, speech, _) = loudness.select_nth_unstable_by(place, f32::total_cmp);
    let speech = *speech;
    if speech >= QUIET_RMS || speech <= f32::EPSILON {
        return 1.0;
    }
    let peak = samples.iter().fold(0.0_f32, |peak, s| peak.max(s.abs()));
    (SPEECH_RMS / speech)
        .min(MAX_GAIN)
        .min(0.95 / peak)
        .max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(amplitude: f32) -> Vec<f32> {
        (0..16_000)
            .map(|i| (i as f32 * 0.1).sin() * amplitude)
            .collect()
    }

    #[test]
    fn ordinary_sound_is_untouched() {
        assert_eq!(gain_for_recognition(&tone(0.1)), 1.0);
        assert_eq!(gain_for_detection(&tone(0.9)), 1.0);
    }

    #[test]
    fn quiet_sound_is_raised_to_the_level_of_speech() {
        let gain = gain_for_recognition(&tone(0.001));
        assert!((60.0..80.0).contains(&gain), "{gain}");
    }

    #[test]
    fn silence_and_empty_input_get_no_gain() {
        assert_eq!(gain_for_detection(&[0.0; 1000]), 1.0);
        assert_eq!(gain_for_detection(&[]), 1.0);
    }

    #[test]
    fn the_gain_is_limited_and_never_clips() {
        assert_eq!(gain_for_recognition(&tone(1e-5)), MAX_GAIN);
        let mut click = tone(0.001);
        click[5] = 0.9;
        assert!(gain_for_recognition(&click) * 0.9 <= 0.951);
    }
}
