/** Step 2 of the wizard. */
export { ConfigureStep } from "./configure-step";
export { useChoice } from "./use-choice";
