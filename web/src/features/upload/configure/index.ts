/** Step 2 of the wizard. */
export { ConfigureStep, type ConfigureStepProps, type Recording } from "./configure-step";
export { useChoice } from "./use-choice";
