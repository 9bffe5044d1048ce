import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, type ReactNode } from "react";
import type { Root } from "react-dom/client";
import { MemoryRouter } from "react-router";

/** Waits until responses of the fake server have arrived and are rendered. */
export const settle = () => act(() => new Promise((resolve) => setTimeout(resolve, 20)));

/** Renders a component at a URL with an empty cache, and waits until its data has arrived. */
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
