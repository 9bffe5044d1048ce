import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Options } from "@/api/schema";
import { settle } from "@/lib/test-page";
import { GoogleButton } from "./google-button";

vi.mock("react-i18next", () => ({ useTranslation: () => ({ t: (key: string) => key, i18n: { language: "uk" } }) }));
vi.mock("./legal", () => ({ LegalSentence: () => null }));

const MARK = "/api/v1/auth/google/mark";
let root: Root;

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  document.body.innerHTML = "<div></div>";
  root = createRoot(document.querySelector("div") as HTMLElement);
});
afterEach(() => act(async () => root.unmount()));

async function show(provider: Pick<Options, "provider_is_google" | "provider_mark">) {
  const options: Options = { google: true, provider: "Облік", sign_up: true, mail: true, chosen_plan: null, ...provider };
  vi.stubGlobal("fetch", async () => Response.json(options));
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <GoogleButton intent="login" remember={false} />
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  );
  await settle();
}

const image = () => document.querySelector<HTMLImageElement>("a img");
const key = () => document.querySelector("a .lucide-key-round");

it("shows the provider's logo, or a key icon if it cannot be loaded", async () => {
  await show({ provider_is_google: false, provider_mark: MARK });
  expect(image()?.getAttribute("src")).toBe(MARK);
  // Decorative: the name is beside it.
  expect(image()?.alt).toBe("");
  expect(key()).toBeNull();
  await act(async () => image()?.dispatchEvent(new Event("error")));
  expect(image()).toBeNull();
  expect(key()).not.toBeNull();
});

it.each([
  [true, false],
  [false, true],
])("without a configured logo, Google (%s) has Google's logo and others a key icon", async (provider_is_google, hasKey) => {
  await show({ provider_is_google, provider_mark: null });
  expect(image()).toBeNull();
  expect(document.querySelector("a svg")).not.toBeNull();
  expect(key() !== null).toBe(hasKey);
});
