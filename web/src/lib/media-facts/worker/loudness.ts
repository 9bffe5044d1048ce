/** Measures the loudness of a track; samples are decoded in small parts and not stored. */
import { type AudioSample, AudioSampleSink, type InputAudioTrack } from "mediabunny";
import { addSamples, type LoudnessSum, loudness } from "../windows";

/** The first two channels: in an interview each often has one voice. */
const CHANNELS = 2;
/** Longest decoder output, in frames; longer ones are ignored. Codecs produce at most 65,536. */
const MAX_FRAMES = 2 ** 20;

/** The mean loudness from `start` to `end`, in seconds; null without samples. */
export async function measureLoudness(track: InputAudioTrack, start: number, end: number): Promise<number | null> {
  const sum: LoudnessSum = { squares: 0, values: 0 };
  for await (const sample of new AudioSampleSink(track).samples(start, end)) addSample(sum, sample);
  return loudness(sum);
}

/** The mean loudness of the first `seconds`, or of what can be decoded before an error. */
export async function measureBeginning(track: InputAudioTrack, seconds: number): Promise<number | null> {
  const sum: LoudnessSum = { squares: 0, values: 0 };
  let length = 0;
  try {
    for await (const sample of new AudioSampleSink(track).samples()) {
      addSample(sum, sample);
      length += sample.duration;
      if (length >= seconds) break;
    }
  } catch {
    // A cut piece ends in the middle of a frame.
  }
  return loudness(sum);
}

function addSample(sum: LoudnessSum, sample: AudioSample): void {
  if (sample.numberOfFrames <= MAX_FRAMES) {
    const values = new Float32Array(sample.numberOfFrames);
    for (let channel = 0; channel < Math.min(CHANNELS, sample.numberOfChannels); channel++) {
      sample.copyTo(values, { planeIndex: channel, format: "f32-planar" });
      addSamples(sum, values);
    }
  }
  sample.close();
}
