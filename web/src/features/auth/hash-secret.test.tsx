import { act } from "react";
import { createRoot } from "react-dom/client";
import { createMemoryRouter, MemoryRouter, RouterProvider } from "react-router";
import { expect, it, vi } from "vitest";
import { secretOfHash, secretOfState, useHashSecret, useStoredHashSecret } from "./hash-secret";

it.each([
  ["#token=abc-_1", "abc-_1"],
  ["#other=1&token=abc", "abc"],
  ["#token=", null],
  ["#nothing", null],
  ["", null],
])("reads from %j the secret %j", (hash, secret) => expect(secretOfHash(hash, "token")).toBe(secret));

function Page() {
  return <output>{useHashSecret("token")}</output>;
}

it("keeps it in memory and removes it from the URL", async () => {
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

it.each([
  [{ token: "abc" }, "abc"],
  [{ token: "" }, null],
  [{ token: 7 }, null],
  [{ other: "abc" }, null],
  ["abc", null],
  [null, null],
])("reads from the state %j the secret %j", (state, secret) => expect(secretOfState(state, "token")).toBe(secret));

it("keeps it only in the history entry, not in the URL or storage, until it is removed", async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  let forget = () => {};
  const SecretOutput = () => {
    const hashSecret = useStoredHashSecret("token");
    forget = hashSecret.forget;
    return <output>{hashSecret.secret}</output>;
  };
  const router = createMemoryRouter([{ path: "/reset-password", Component: SecretOutput }], {
    initialEntries: ["/", "/reset-password#token=secret"],
  });
  const container = document.createElement("div");
  const root = createRoot(container);
  await act(async () => root.render(<RouterProvider router={router} />));
  expect(container.textContent).toBe("secret");
  expect(router.state.location).toMatchObject({ pathname: "/reset-password", hash: "", state: { token: "secret" } });
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain("secret");

  await act(async () => void (await router.navigate("/reset-password#token=newer")));
  expect(container.textContent).toBe("newer");
  expect(router.state.location).toMatchObject({ hash: "", state: { token: "newer" } });

  await act(async () => forget());
  expect(container.textContent).toBe("");
  expect(router.state.location.state).toBeNull();
  await act(async () => root.unmount());
});
