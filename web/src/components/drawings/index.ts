/** A drawing for each kind of empty page, loaded only by the pages that show it. */
export { NoAnalysis } from "./analysis";
export { NoCalls } from "./calls";
export { NoFigures } from "./figures";
export { NoLinks } from "./links";
export { EmptyLog } from "./log";
export { NoMessages } from "./messages";
export { NoPeople } from "./people";
export { NoPlans } from "./plans";
export { NoPresets } from "./presets";
export { NoRecordings } from "./recordings";
export { NothingFound } from "./search";
export { Silence } from "./silence";
