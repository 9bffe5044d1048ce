/** Reads the duration and the audio tracks, from the header if possible. */
import type { InputAudioTrack } from "mediabunny";
import type { MediaTrack } from "../facts";
import type { Reply } from "../protocol";
import { cleanDuration, cleanTrack, MAX_TRACKS, selectedTrack } from "../sanitise-facts";
import { open } from "./open";

/** Reports the tracks and the duration; if the header has no duration, first the tracks alone. */
export async function readHeader(file: File, tell: (reply: Reply) => void): Promise<void> {
  const audioTracks = (await open(file).getAudioTracks()).slice(0, MAX_TRACKS);
  const tracks = await Promise.all(audioTracks.map(describe));
  const meant = audioTracks[selectedTrack(tracks, null)];
  const written = cleanDuration(await meant?.getDurationFromMetadata().catch(() => null));
  tell({ kind: "header", duration: written, tracks });
  if (meant && written === null) {
    // For a recording of a browser, or an Ogg or ADTS stream, the last packet must be found. The page applies a timeout.
    tell({ kind: "header", duration: cleanDuration(await meant.computeDuration()), tracks });
  }
}

async function describe(track: InputAudioTrack, index: number): Promise<MediaTrack> {
  const ask = <T>(question: Promise<T>) => question.catch(() => null);
  const [codec, internal, language, title, channels, disposition] = await Promise.all([
    ask(track.getCodec()),
    ask(track.getInternalCodecId()),
    ask(track.getLanguageCode()),
    ask(track.getName()),
    ask(track.getNumberOfChannels()),
    ask(track.getDisposition()),
  ]);
  return cleanTrack({ codec: codec ?? internal, language, title, channels, default: disposition?.default }, index);
}
