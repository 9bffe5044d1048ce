import { useShown } from "@/lib/history";

/**
 * Handler for clicks on the buttons of tabs whose name is in the URL. While the chosen tab is loading, the former one is
 * still shown, and Radix ignores a click on its button as already open; this handler opens it again.
 */
export function useReturnToTab<Tab extends string>(
  shown: Tab,
  parseTab: (params: URLSearchParams) => Tab,
  open: (tab: Tab) => void,
): (clicked: Tab) => void {
  const history = useShown()?.history;
  return (clicked) => {
    if (clicked !== shown || !history) return;
    const chosen = parseTab(new URLSearchParams(history.place().location.search));
    if (chosen !== shown) open(shown);
  };
}
