import i18next from "i18next";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { initReactI18next } from "react-i18next";
import { expect, it, vi } from "vitest";
import { ApiError, type Notice } from "@/api";
import en from "@/locales/en/problems.json";
import problems from "@/locales/uk/problems.json";
import { useErrorText, useJobErrorText, useWarningText } from "./use-error-text";

await i18next.use(initReactI18next).init({
  lng: "uk",
  resources: { uk: { problems }, en: { problems: en } },
  interpolation: { escapeValue: false },
});

async function textOf(use: () => (notice: Notice) => string, notice: Notice): Promise<string> {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const place = document.createElement("div");
  const root = createRoot(place);
  const Show = () => <p>{use()(notice)}</p>;
  await act(async () => root.render(<Show />));
  const text = place.textContent ?? "";
  await act(async () => root.unmount());
  return text;
}

const failed = (reason: string): Notice => ({ code: "webhook_transcription_failed", params: { service: "Глек", reason } });

it("describes why a service returned no text, also for an unknown reason", async () => {
  const known = await textOf(useJobErrorText, failed("answer_times"));
  expect(known).toContain(`«Глек»`);
  expect(known).toContain(problems.reasons.answer_times);
  expect(known).not.toContain("answer_times");
  expect(await textOf(useJobErrorText, failed("brand_new"))).toContain(problems.reasons.other);
});

it("describes why the speech service returned no text, also with the words of other services", async () => {
  const withReason = (reason: string): Notice => ({ code: "speech_endpoint_failed", params: { reason } });
  expect(await textOf(useJobErrorText, withReason("unauthorized"))).toContain(problems.reasons.unauthorized);
  expect(await textOf(useJobErrorText, withReason("timed_out"))).toContain(`(${problems.reasons.timed_out})`);
});

it("describes what is wrong with a damaged file, also for the message of an older server", async () => {
  const damaged = (what: string): Notice => ({ code: "damaged", params: { what } });
  expect(await textOf(useJobErrorText, damaged("checksum"))).toContain(problems.damage.checksum);
  const older = await textOf(useJobErrorText, damaged("malformed stream: ogg: crc mismatch"));
  expect(older).toContain(problems.damage.other);
  expect(older).not.toMatch(/[a-z]{3}/i);
});

it("names the codec, or says that it is unknown", async () => {
  const codec = (name: string): Notice => ({ code: "unsupported_codec", params: { codec: name } });
  expect(await textOf(useJobErrorText, codec("dts"))).toContain("dts");
  const unnamed = await textOf(useJobErrorText, codec("unknown"));
  expect(unnamed).toContain(problems.unknown_codec);
  expect(unnamed).not.toContain("unknown");
});

it("inserts the parameters of a server's problem", async () => {
  const said403 = new ApiError({ status: 422, code: "url_forbidden", params: { status: 403 } });
  const text = await textOf(
    () => {
      const errorText = useErrorText();
      return () => errorText(said403);
    },
    { code: "", params: {} },
  );
  expect(text).toContain("(403)");
});

it("does not show unknown codes of failures and warnings", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  for (const use of [useJobErrorText, useWarningText]) {
    const text = await textOf(use, { code: "brand_new", params: {} });
    expect(text).not.toContain("brand_new");
    expect(text.length).toBeGreaterThan(20);
  }
});
