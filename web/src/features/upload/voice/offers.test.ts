import { describe, expect, it } from "vitest";
import { findLostRecordings, findOffers, type LocalRecording } from "./offers";

const SECOND = 88_200;
const HEADER = 44;
const bytes = (seconds: number) => HEADER + seconds * SECOND;

const localRecording = (over: Partial<LocalRecording> = {}): LocalRecording => ({
  id: "r1",
  owner: "u",
  filename: "Запис.wav",
  startedAt: 1_000,
  uploadId: "up1",
  acked: bytes(2),
  declared: null,
  pieces: [{ offset: 0, length: bytes(5) }],
  busy: false,
  ...over,
});

const upload = (over = {}) => ({ id: "up1", filename: "Запис.wav", size: null, stored: bytes(3), startedAt: 2_000, ...over });

describe("an offered recording", () => {
  it("combines the bytes of the server and of this browser", () => {
    expect(findOffers([localRecording()], [upload()])).toMatchObject([{ id: "r1", uploadId: "up1", seconds: 5, open: true }]);
  });

  it("uses the server's bytes if there are more", () => {
    const [offer] = findOffers([localRecording({ pieces: [{ offset: 0, length: bytes(1) }] })], [upload()]);
    expect(offer?.seconds).toBe(3);
  });

  it("can come from another device, then from the server only", () => {
    expect(findOffers([], [upload()])).toMatchObject([{ id: "up1", seconds: 3, kept: null, open: true }]);
  });

  it("cannot be continued if its length is declared", () => {
    expect(findOffers([localRecording()], [upload({ size: bytes(5), stored: bytes(5) })])[0]?.open).toBe(false);
    expect(findOffers([], [upload({ size: bytes(3) })])[0]?.open).toBe(false);
  });

  it("can be continued if its length was declared here and all pieces are here", () => {
    const declared = bytes(3);
    const completed = upload({ size: declared, stored: declared });
    expect(findOffers([localRecording({ declared, pieces: [{ offset: 0, length: declared }] })], [completed])[0]?.open).toBe(
      true,
    );
    // It was continued before the page ended, so it is longer than its upload.
    expect(findOffers([localRecording({ declared })], [completed])).toMatchObject([{ uploadId: "up1", seconds: 5, open: true }]);
  });

  it("has the declared length if its beginning is missing here, or another device declared it", () => {
    const completed = upload({ size: bytes(3), stored: bytes(3) });
    const tail = localRecording({ declared: bytes(3), pieces: [{ offset: bytes(3), length: SECOND }] });
    expect(findOffers([tail], [completed])).toMatchObject([{ seconds: 3, open: false }]);
    expect(findOffers([localRecording({ declared: bytes(4) })], [completed])).toMatchObject([{ seconds: 3, open: false }]);
  });

  it("uses the last known state while the server is unreachable", () => {
    const [offer] = findOffers([localRecording({ pieces: [{ offset: bytes(2), length: SECOND }] })], null);
    expect(offer).toMatchObject({ seconds: 3, uploadId: "up1" });
  });

  it("is complete here if it is missing on the server", () => {
    expect(findOffers([localRecording({ uploadId: null, acked: 0 })], [])).toMatchObject([{ seconds: 5, uploadId: null }]);
    expect(findOffers([localRecording()], [])).toMatchObject([{ seconds: 5, uploadId: null, open: true }]);
  });

  it("is not offered if it is missing on the server and incomplete here", () => {
    const part = localRecording({ pieces: [{ offset: bytes(2), length: SECOND }] });
    const offers = findOffers([part], []);
    expect(offers).toEqual([]);
    expect(findLostRecordings([part], offers)).toEqual([part]);
  });

  it("is not offered without sound, unless another tab is recording it", () => {
    const silent = localRecording({ uploadId: null, pieces: [{ offset: 0, length: HEADER }] });
    expect(findOffers([silent], [])).toEqual([]);
    expect(findOffers([], [upload({ stored: HEADER })])).toEqual([]);
    const busy = localRecording({ uploadId: null, pieces: [], busy: true });
    expect(findOffers([busy], [])).toMatchObject([{ busy: true }]);
    expect(findLostRecordings([busy], [])).toEqual([]);
  });

  it("is sorted by start, the newest first", () => {
    const two = findOffers([localRecording({ startedAt: 5 })], [upload(), upload({ id: "up2", startedAt: 9 })]);
    expect(two.map(({ id }) => id)).toEqual(["up2", "r1"]);
  });
});
