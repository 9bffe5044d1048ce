export { AdminPresetsPage } from "./presets-page";
