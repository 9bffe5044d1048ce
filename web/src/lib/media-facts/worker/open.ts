/** Opens a file for partial reading, with a limit per read. */
import { ADTS, CustomSource, FLAC, Input, type InputFormat, MATROSKA, MP3, MP4, OGG, QTFF, WAVE, WEBM } from "mediabunny";

/** Without playlist formats, which refer to other files and URLs. */
const FORMATS: InputFormat[] = [MP4, QTFF, MATROSKA, WEBM, WAVE, OGG, FLAC, MP3, ADTS];
/** Largest read in bytes; the index of a ten-hour film is smaller. Larger requests come from damaged or hostile files. */
const MAX_READ = 64 * 2 ** 20;

export function open(file: Blob, formats: InputFormat[] = FORMATS): Input {
  const source = new CustomSource({
    getSize: () => file.size,
    read: async (start, end) => {
      if (end - start > MAX_READ) throw new RangeError("too much is asked for at once");
      return new Uint8Array(await file.slice(start, end).arrayBuffer());
    },
    prefetchProfile: "fileSystem",
    // The pending read rejects too, and is handled there.
    handleUnhandledError: () => undefined,
  });
  return new Input({ formats, source });
}
