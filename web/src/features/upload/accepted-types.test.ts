import { afterEach, expect, test } from "vitest";
import { contentViolations, fileViolations, setExtraTypes } from "./accepted-types";

afterEach(() => setExtraTypes([]));

const codes = (name: string, size = 1000) => fileViolations({ name, type: "", size }).map(({ code }) => code);

test("additional formats are accepted if the server supports them", () => {
  expect(codes("talk.wma")).toEqual(["file_unsupported"]);
  setExtraTypes(["aac", "wma"]);
  expect(codes("talk.WMA")).toEqual([]);
  expect(codes("talk.amr")).toEqual(["file_unsupported"]);
  expect(codes("wma")).toEqual(["file_unsupported"]);
  expect(codes("talk.mp3")).toEqual([]);
});

test("additional formats have the same size limit", () => {
  setExtraTypes(["wma"]);
  expect(codes("talk.wma", 0)).toEqual(["file_empty"]);
  expect(codes("talk.wma", 10 ** 12)).toEqual(["file_too_large"]);
});

test("a file is checked by its first bytes, regardless of its name", async () => {
  const foundTypes = async (content: string) =>
    (await contentViolations(new File([content], "talk.mp3"))).map(({ code, params }) => [code, params.found]);
  expect(await foundTypes("fLaC\0")).toEqual([]);
  expect(await foundTypes("<!doctype html><title>")).toEqual([["content_refused", "html"]]);
  expect(await foundTypes("#!AMR\n")).toEqual([["content_refused", "amr"]]);
  setExtraTypes(["amr"]);
  expect(await foundTypes("#!AMR\n")).toEqual([]);
  expect(await foundTypes("<!doctype html><title>")).toEqual([["content_refused", "html"]]);
});

test("an unreadable file is left to the transfer", async () => {
  const unreadable = { slice: () => ({ arrayBuffer: () => Promise.reject(new Error("NotReadableError")) }) } as unknown as Blob;
  expect(await contentViolations(unreadable)).toEqual([]);
});
