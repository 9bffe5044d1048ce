import { act } from "react";
import { createRoot } from "react-dom/client";
import { MemoryRouter } from "react-router";
import { expect, it, vi } from "vitest";
import { secretOfHash, useHashSecret } from "./hash-secret";

it.each([
  ["#token=abc-_1", "abc-_1"],
  ["#other=1&token=abc", "abc"],
  ["#token=", null],
  ["#nothing", null],
  ["", null],
])("finds in %j the secret %j", (hash, secret) => expect(secretOfHash(hash, "token")).toBe(secret));

function Page() {
  return <output>{useHashSecret("token")}</output>;
}

it("keeps it in memory and takes it out of the address", async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  history.replaceState({ idx: 0 }, "", "/reset-password#token=secret");
  const container = document.createElement("div");
  const root = createRoot(container);
  await act(async () =>
    root.render(
      <MemoryRouter initialEntries={["/reset-password#token=secret"]}>
        <Page />
      </MemoryRouter>,
    ),
  );
  expect(container.textContent).toBe("secret");
  expect(location.href).not.toContain("secret");
  expect(history.state).toEqual({ idx: 0 });
  await act(async () => root.unmount());
});
