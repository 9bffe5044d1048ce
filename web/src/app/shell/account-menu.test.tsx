import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, type ReactNode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { session } from "@/api/client";
import type { Preferences, User } from "@/api/schema";
import { sessionOf } from "@/api/test-session";
import { AccountMenu } from "./account-menu";

vi.mock("react-i18next", () => ({ useTranslation: () => ({ t: (key: string) => key, i18n: { language: "uk" } }) }));
vi.mock("@/lib/i18n", async (original) => ({ ...(await original<object>()), switchLocale: async () => undefined }));

interface ChoiceProps {
  label: string;
  onChange: (value: string) => void;
}
/** An item of the open menu, by its label. */
const choices = vi.hoisted(() => new Map<string, (value: string) => void>());
vi.mock("@/components/menu", () => {
  const Show = ({ children }: { children?: ReactNode }) => <div>{children}</div>;
  const MenuChoice = ({ label, onChange }: ChoiceProps) => {
    choices.set(label, onChange);
    return null;
  };
  return { Menu: Show, MenuItem: Show, MenuLink: Show, MenuSeparator: Show, MenuChoice };
});

const USER = { id: "u1", email: "o@example.org", role: "user" } as User;
const SAVED = { locale: "uk", theme: "system", mail_on_completion: false, settings: {} } as Preferences;

let root: Root;
let stored: Preferences;
let online: boolean;

const choose = (label: string, value: string) =>
  act(async () => {
    choices.get(label)?.(value);
    await new Promise((resolve) => setTimeout(resolve, 20));
  });

beforeEach(async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  stored = SAVED;
  online = true;
  vi.stubGlobal("fetch", async (request: Request) => {
    if (!online) throw new TypeError("no network");
    if (request.method === "PUT") stored = (await request.json()) as Preferences;
    return Response.json(stored);
  });
  session.begin(sessionOf(USER), true);
  root = createRoot(document.createElement("div"));
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <AccountMenu />
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  );
});
afterEach(async () => {
  await act(async () => root.unmount());
  session.end("signed_out");
});

it("saves only the changed choice, and an earlier one again if saving it failed", async () => {
  await choose("common:theme.label", "light");
  expect(stored).toEqual({ ...SAVED, theme: "light" });
  online = false;
  await choose("common:theme.label", "dark");
  expect(stored.theme).toBe("light");
  online = true;
  await choose("common:language", "en");
  expect(stored).toEqual({ ...SAVED, theme: "dark", locale: "en" });
  stored = { ...stored, theme: "system" };
  await choose("common:language", "uk");
  expect(stored.theme).toBe("system");
});
