/** The application for an administrator, with fake responses about the server and its users. */
import type { Page } from "@playwright/test";
import type { ManagedUser, Overview, OverviewDay, UserList } from "../src/api/schema";
import { intercept } from "./intercept";
import { mockApi, SESSION } from "./mock-api";

export const ADMIN = { ...SESSION, user: { ...SESSION.user, role: "admin" as const } };

interface Look {
  locale?: "uk" | "en";
  theme?: "light" | "dark";
}

/** Opens the URL as an administrator; `answers`: responses of `/api/v1/admin/…`, by the last part of the path. */
export async function openAsAdmin(page: Page, address: string, answers: Record<string, unknown>, look: Look = {}) {
  const { locale = "uk", theme = "light" } = look;
  await mockApi(page, { signedIn: true, jobs: [] });
  await intercept(page, "**/api/v1/auth/me", (route) => route.fulfill({ json: ADMIN.user }));
  await intercept(page, "**/api/v1/admin/**", (route) => {
    const name = new URL(route.request().url()).pathname.split("/").at(-1) ?? "";
    return name in answers ? route.fulfill({ json: answers[name] }) : route.fallback();
  });
  await page.addInitScript(
    ([session, language, colours]) => {
      localStorage.setItem("slovo.session", session);
      localStorage.setItem("slovo.locale", language);
      localStorage.setItem("slovo.theme", colours);
    },
    [JSON.stringify(ADMIN), locale, theme] as const,
  );
  await page.goto(address);
}

const EMPTY_DAY: OverviewDay = {
  day: "2026-11-22",
  completed: 0,
  failed: 0,
  cancelled: 0,
  under_way: 0,
  minutes: 0,
  words: 0,
  queue_peak: 0,
  waited_median: null,
  waited_p95: null,
};

/** A server with this many jobs in total; those in the requested days were created on the last day (`made`). */
export const overviewOf = ({ jobs, made }: { jobs: number; made: number }): Overview => ({
  days: [EMPTY_DAY, { ...EMPTY_DAY, day: "2026-11-23", completed: made, minutes: made * 12, words: made * 1500 }],
  totals: { users: 1, users_active: 1, users_blocked: 0, jobs, jobs_today: made, jobs_week: made },
  queue: { waiting: 0, running: 0, downloads: 0, oldest: null },
  failures: [],
  workers: [],
  storage: {
    media: 0,
    avatars: 0,
    database: 240_000,
    free: 82_000_000_000,
    space: "enough",
    has_folder: true,
    is_shared: false,
    stores: true,
  },
  version: "0.2.0",
  uptime: 320,
});

const user = (n: number, change: Partial<ManagedUser>): ManagedUser => ({
  id: `01981d3e-0000-7000-8000-${String(n).padStart(12, "0")}`,
  email: "",
  fullname: null,
  created_at: "2026-11-01T08:00:00Z",
  last_used_at: "2026-11-20T14:05:00Z",
  plan_name: null,
  role: "user",
  status: "active",
  subscription_id: null,
  ...change,
});

/** A short name, a long name, and the administrator. */
export const USERS: UserList = {
  users: [
    user(1, { id: ADMIN.user.id, email: ADMIN.user.email, fullname: ADMIN.user.fullname, role: "admin" }),
    user(2, { email: "t@e.org", status: "blocked", last_used_at: null }),
    user(3, {
      email: "volodymyra.nesterenko-kotsiubynska@archive-of-the-region.example.org",
      fullname: "Володимира Нестеренко-Коцюбинська",
      plan_name: "Professional",
      subscription_id: 2,
    }),
  ],
  next_cursor: null,
  total: 3,
};
