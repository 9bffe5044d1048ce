export { KeysTab } from "./keys-tab";
