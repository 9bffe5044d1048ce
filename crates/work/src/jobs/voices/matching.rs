//! Which of an account's voices a speaker may be.

use std::borrow::Cow;
use std::collections::BTreeMap;

use slovo_db::texts::voices::Sample;
use slovo_engine::speakers::{Voice, mean, similarity};
use uuid::Uuid;

/// The least similarity of a proposed voice. How often voices of different people reach it, and
/// those of one person do not: `docs/ACCURACY.md`, “Remembered voices”.
const MIN_SIMILARITY: f64 = 0.55;

/// The most similar voice of each speaker (speaker, voice and similarity), if it is similar enough
/// and was not declined.
pub(super) fn proposals(
    speakers: &[(String, Option<Voice>)],
    samples: &[Sample],
    declined: &[(String, String)],
) -> Vec<(String, Uuid, f64)> {
    let mut proposals = Vec::new();
    // All voices of a run are made by one embedding.
    let embedding = speakers.iter().find_map(|(_, voice)| voice.as_ref());
    let embedding = embedding.map_or("", |voice| &voice.embedding);
    let known = known_voices(samples, embedding);
    for (speaker, voice) in speakers {
        let Some(voice) = voice else { continue };
        let candidates = known.iter().filter(|(id, _)| {
            let id = id.to_string();
            !declined
                .iter()
                .any(|(who, voice)| who == speaker && *voice == id)
        });
        let best = candidates
            .map(|(id, vectors)| (*id, best_of(vectors, &voice.vector)))
            .max_by(|(_, a), (_, b)| a.total_cmp(b));
        if let Some((id, score)) = best.filter(|(_, score)| *score >= MIN_SIMILARITY) {
            proposals.push((speaker.clone(), id, score));
        }
    }
    proposals
}

/// The vectors of each voice by this embedding: its samples, and their mean, weighted with their
/// seconds of speech. The mean is the better description; single samples are for recordings that
/// sound different, for example of a telephone.
fn known_voices<'a>(samples: &'a [Sample], embedding: &str) -> BTreeMap<Uuid, Vec<Cow<'a, [f32]>>> {
    let mut voices: BTreeMap<Uuid, Vec<&Sample>> = BTreeMap::new();
    for sample in samples {
        if sample.embedding == embedding {
            voices.entry(sample.voice).or_default().push(sample);
        }
    }
    let vectors = |samples: Vec<&'a Sample>| {
        let weighted = samples
            .iter()
            .map(|sample| (&*sample.vector, sample.seconds));
        let mean = mean(weighted);
        let single = samples.iter().map(|sample| Cow::from(&sample.vector));
        single.chain([Cow::from(mean)]).collect()
    };
    let voices = voices.into_iter();
    voices.map(|(id, samples)| (id, vectors(samples))).collect()
}

fn best_of(vectors: &[Cow<'_, [f32]>], voice: &[f32]) -> f64 {
    let similarities = vectors.iter().map(|vector| similarity(vector, voice));
    similarities.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(voice: u128, vector: [f32; 2], seconds: f64) -> Sample {
        Sample {
            voice: Uuid::from_u128(voice),
            job: None,
            consent_at: 0,
            embedding: "e".to_owned(),
            vector: vector.to_vec(),
            seconds,
        }
    }

    fn speaker(id: &str, vector: [f32; 2]) -> (String, Option<Voice>) {
        let voice = Voice {
            vector: vector.to_vec(),
            seconds: 9.0,
            embedding: "e".to_owned(),
        };
        (id.to_owned(), Some(voice))
    }

    fn found(
        speakers: &[(String, Option<Voice>)],
        samples: &[Sample],
        declined: &[(String, String)],
    ) -> Vec<(String, u128, i64)> {
        let proposals = proposals(speakers, samples, declined).into_iter();
        proposals
            .map(|(speaker, voice, score)| (speaker, voice.as_u128(), (score * 100.0) as i64))
            .collect()
    }

    #[test]
    fn the_most_similar_voice_is_proposed_and_a_stranger_gets_none() {
        let samples = [sample(1, [1.0, 0.0], 9.0), sample(2, [0.6, 0.8], 9.0)];
        let speakers = [
            speaker("SPEAKER_0", [1.0, 0.0]),
            speaker("SPEAKER_1", [0.0, 1.0]),
            speaker("SPEAKER_2", [-1.0, 0.0]),
            ("SPEAKER_3".to_owned(), None),
        ];
        let expected = [
            ("SPEAKER_0".to_owned(), 1, 100),
            ("SPEAKER_1".to_owned(), 2, 80),
        ];
        assert_eq!(found(&speakers, &samples, &[]), expected);
    }

    #[test]
    fn a_declined_voice_gives_way_to_the_next_one() {
        let samples = [sample(1, [1.0, 0.0], 9.0), sample(2, [0.6, 0.8], 9.0)];
        let speakers = [speaker("SPEAKER_0", [1.0, 0.0])];
        let declined = [("SPEAKER_0".to_owned(), Uuid::from_u128(1).to_string())];
        let expected = [("SPEAKER_0".to_owned(), 2, 60)];
        assert_eq!(found(&speakers, &samples, &declined), expected);
        let of_another = [("SPEAKER_1".to_owned(), Uuid::from_u128(1).to_string())];
        assert_eq!(found(&speakers, &samples, &of_another)[0].1, 1);
    }

    #[test]
    fn the_mean_of_samples_and_each_of_them_are_compared_within_an_embedding() {
        let other = Sample {
            embedding: "another".to_owned(),
            ..sample(2, [0.6, 0.8], 99.0)
        };
        let samples = [
            sample(1, [1.0, 0.0], 10.0),
            sample(1, [0.0, 1.0], 10.0),
            other,
        ];
        let score = |vector| found(&[speaker("SPEAKER_0", vector)], &samples, &[])[0].2;
        assert_eq!(score([1.0, 0.0]), 100, "one sample");
        let between = std::f32::consts::FRAC_1_SQRT_2;
        assert!(score([between, between]) >= 99, "their mean");
        let opposite = [speaker("SPEAKER_0", [-1.0, 0.0])];
        assert_eq!(found(&opposite, &samples, &[]), []);
    }
}
