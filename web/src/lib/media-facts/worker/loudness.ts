/** How loud a track is: decoded a little at a time, never kept. */
import { type AudioSample, AudioSampleSink, type InputAudioTrack } from "mediabunny";
import { addSamples, type LoudnessSum, loudness } from "../windows";

/** The first two channels: an interview often has a voice on each. */
const CHANNELS = 2;
/** Values of one channel in one piece of a decoder; the largest that codecs make have 65,536. */
const MAX_FRAMES = 2 ** 20;

/** The mean loudness from `start` to `end`, in seconds; null when there is nothing to hear. */
export async function measureLoudness(track: InputAudioTrack, start: number, end: number): Promise<number | null> {
  const heard: LoudnessSum = { squares: 0, values: 0 };
  for await (const sample of new AudioSampleSink(track).samples(start, end)) addSample(heard, sample);
  return loudness(heard);
}

/** The mean loudness of the first `seconds`; what comes before a piece that cannot be decoded counts. */
export async function measureBeginning(track: InputAudioTrack, seconds: number): Promise<number | null> {
  const heard: LoudnessSum = { squares: 0, values: 0 };
  let length = 0;
  try {
    for await (const sample of new AudioSampleSink(track).samples()) {
      addSample(heard, sample);
      length += sample.duration;
      if (length >= seconds) break;
    }
  } catch {
    // A cut piece ends in the middle of a frame.
  }
  return loudness(heard);
}

function addSample(heard: LoudnessSum, sample: AudioSample): void {
  if (sample.numberOfFrames <= MAX_FRAMES) {
    const values = new Float32Array(sample.numberOfFrames);
    for (let channel = 0; channel < Math.min(CHANNELS, sample.numberOfChannels); channel++) {
      sample.copyTo(values, { planeIndex: channel, format: "f32-planar" });
      addSamples(heard, values);
    }
  }
  sample.close();
}
