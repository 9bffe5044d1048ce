export { HistoryRouter, useLeaveBlocker, useShown } from "./context";
export { createHistory, type Place } from "./history";
