/** A drawing for each kind of place where there may be nothing. A page loads those that it shows. */
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
