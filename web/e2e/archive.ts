/** Reads a ZIP archive by its central directory (APPNOTE 4.3.12), so that a damaged one is detected. */
import { inflateRawSync } from "node:zlib";

interface Entry {
  name: string;
  /** The decompressed bytes. */
  body: () => Buffer;
}

function* entries(archive: Buffer): Generator<Entry> {
  let at = archive.indexOf("PK\x01\x02", 0, "latin1");
  while (at >= 0) {
    const [packed, nameBytes, extra, comment] = [20, 28, 30, 32].map((offset) =>
      offset === 20 ? archive.readUInt32LE(at + offset) : archive.readUInt16LE(at + offset),
    ) as [number, number, number, number];
    const entryStart = at;
    yield {
      name: archive.toString("utf8", at + 46, at + 46 + nameBytes),
      body: () => {
        const local = archive.readUInt32LE(entryStart + 42);
        const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
        const body = archive.subarray(from, from + packed);
        return archive.readUInt16LE(entryStart + 10) === 8 ? inflateRawSync(body) : body;
      },
    };
    at = archive.indexOf("PK\x01\x02", at + 46 + nameBytes + extra + comment, "latin1");
  }
}

/** The names of the entries. */
export const archived = (archive: Buffer): string[] => [...entries(archive)].map(({ name }) => name);

/** The bytes of the entry with this name. */
export function entry(archive: Buffer, name: string): Buffer {
  const match = [...entries(archive)].find((candidate) => candidate.name === name);
  if (!match) throw new Error(`no ${name} in the archive`);
  return match.body();
}
