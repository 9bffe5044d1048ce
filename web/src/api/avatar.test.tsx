import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { beforeEach, expect, it, vi } from "vitest";
import { removeAvatar, uploadAvatar, useAvatarUrl } from "./avatar";
import { session } from "./client";
import type { Session } from "./schema";
import { SESSION } from "./test-session";

const USER = SESSION.user;

beforeEach(() => {
  session.begin(SESSION, true);
});

it("sends the bytes unchanged, and all components show the new version", async () => {
  let sent: Request | undefined;
  vi.stubGlobal("fetch", async (request: Request) => {
    sent = request;
    return Response.json({ ...USER, avatar: "v2" });
  });
  await uploadAvatar(new Blob([new Uint8Array([1, 2, 3])], { type: "image/webp" }));
  expect(sent?.method).toBe("PUT");
  expect(sent?.headers.get("authorization")).toBe("Bearer a");
  expect(session.user()?.avatar).toBe("v2");
});

it("disappears from all components when it is removed", async () => {
  session.updateUser({ ...USER, avatar: "v2" });
  vi.stubGlobal("fetch", async () => new Response(null, { status: 204 }));
  await removeAvatar();
  expect(session.user()?.avatar).toBeNull();
});

it("does not change the photo of a user who has signed in meanwhile", async () => {
  const next = { ...USER, id: "u2", avatar: "v7" };
  vi.stubGlobal("fetch", async () => {
    session.begin({ ...(session.current() as Session), access_token: "b", user: next }, true);
    return new Response(null, { status: 204 });
  });
  await removeAvatar();
  expect(session.user()).toEqual(next);
});

function Photo({ version }: { version: string | null }) {
  return <output>{useAvatarUrl(version) ?? "none"}</output>;
}

it("has an object URL while it is shown", async () => {
  vi.stubGlobal("fetch", async () => new Response(new Blob(["photo"])));
  let created = 0;
  vi.spyOn(URL, "createObjectURL").mockImplementation(() => `blob:${++created}`);
  const revoked = vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
  const container = document.createElement("div");
  const root = createRoot(container);
  const client = new QueryClient();
  const show = (version: string | null) =>
    root.render(
      <QueryClientProvider client={client}>
        <Photo version={version} />
      </QueryClientProvider>,
    );
  const expectText = (text: string) => vi.waitFor(() => expect(container.textContent).toBe(text));
  show("v1");
  await expectText("blob:1");
  show("v2");
  await expectText("blob:2");
  expect(revoked.mock.calls).toEqual([["blob:1"]]);
  show(null);
  await expectText("none");
  root.unmount();
  await vi.waitFor(() => expect(revoked.mock.calls).toEqual([["blob:1"], ["blob:2"]]));
});
