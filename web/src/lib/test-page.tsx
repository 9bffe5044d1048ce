import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, type ReactNode } from "react";
import type { Root } from "react-dom/client";
import { MemoryRouter } from "react-router";

/** Lets the answers of a test’s server arrive and be drawn. */
export const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)));

/** Shows a part of the page at an address, with an empty cache, and lets what it asks for arrive. */
export async function show(root: Root, what: ReactNode, address = "/") {
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter initialEntries={[address]}>{what}</MemoryRouter>
      </QueryClientProvider>,
    ),
  );
  await settle();
}
