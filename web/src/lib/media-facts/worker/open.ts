/** Opening a file for reading in parts, and never more of it than is sensible. */
import { ADTS, CustomSource, FLAC, Input, type InputFormat, MATROSKA, MP3, MP4, OGG, QTFF, WAVE, WEBM } from "mediabunny";

/** No playlist formats: those name other files and addresses, and nothing is fetched from here. */
const FORMATS: InputFormat[] = [MP4, QTFF, MATROSKA, WEBM, WAVE, OGG, FLAC, MP3, ADTS];
/** Bytes at once: the index of a film of ten hours has less. What wants more is damaged, or wants the memory. */
const MAX_READ = 64 * 2 ** 20;

export function open(file: Blob, formats: InputFormat[] = FORMATS): Input {
  const source = new CustomSource({
    getSize: () => file.size,
    read: async (start, end) => {
      if (end - start > MAX_READ) throw new RangeError("too much is asked for at once");
      return new Uint8Array(await file.slice(start, end).arrayBuffer());
    },
    prefetchProfile: "fileSystem",
    // The read that waits for it fails as well, and is answered there.
    handleUnhandledError: () => undefined,
  });
  return new Input({ formats, source });
}
