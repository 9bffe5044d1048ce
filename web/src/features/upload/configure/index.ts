/** The parts of step 2 used by step 1 and the rows; the step itself is loaded on demand, see configure-step.tsx. */
export { PresetBadge } from "./preset-badge";
export { isPresetChanged, withPreset } from "./preset-choice";
export { useChoice } from "./use-choice";
