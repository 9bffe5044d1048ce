/** What step 1 and the rows know of step 2; the step itself, which is fetched when it is reached, is in configure-step.tsx. */
export { PresetBadge } from "./preset-badge";
export { isPresetChanged, withPreset } from "./preset-choice";
export { useChoice } from "./use-choice";
export { usePresetName } from "./use-preset-name";
