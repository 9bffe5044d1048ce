export { PresetsPage } from "./presets-page";
