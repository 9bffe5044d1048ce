export { HistoryRouter, useLeaveBlocker, useShown } from "./context";
export { createHistory, type Place } from "./history";
export { useTabInUrl } from "./use-tab-in-url";
