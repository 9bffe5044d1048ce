import { type URLSearchParamsInit, useSearchParams } from "react-router";
import { useShown } from "./context";

/**
 * The tab that the URL names, and a function that opens one.
 *
 * While a chosen tab is loading, the former one is still shown, and opening that one goes back to it. So tab bars must
 * call `open` at every click, also at one on the tab that is shown; opening the chosen tab does nothing.
 *
 * @param paramsOf The query of the URL that names a tab, from the query before.
 */
export function useTabInUrl<Tab extends string>(
  parseTab: (params: URLSearchParams) => Tab,
  paramsOf: (tab: Tab, before: URLSearchParams) => URLSearchParamsInit,
): [shown: Tab, open: (tab: Tab) => void] {
  const [params, setParams] = useSearchParams();
  const history = useShown()?.history;
  const open = (tab: Tab) => {
    const chosen = history ? new URLSearchParams(history.place().location.search) : params;
    if (parseTab(chosen) !== tab) setParams(paramsOf(tab, new URLSearchParams(params)), { preventScrollReset: true });
  };
  return [parseTab(params), open];
}
