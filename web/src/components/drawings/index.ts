/** A drawing for each kind of place where there may be nothing. */
import { NoAnalysis } from "./analysis";
import { NoCalls } from "./calls";
import { NoLinks } from "./links";
import { EmptyLog } from "./log";
import { NoMessages } from "./messages";
import { NoPeople } from "./people";
import { NoPlans } from "./plans";
import { NoPresets } from "./presets";
import { NoRecordings } from "./recordings";
import { NothingFound } from "./search";
import { Silence } from "./silence";
import { NoVisits } from "./visits";

export const DRAWINGS = {
  recordings: NoRecordings,
  search: NothingFound,
  presets: NoPresets,
  links: NoLinks,
  people: NoPeople,
  messages: NoMessages,
  log: EmptyLog,
  calls: NoCalls,
  plans: NoPlans,
  silence: Silence,
  analysis: NoAnalysis,
  visits: NoVisits,
} as const;

export type DrawingName = keyof typeof DRAWINGS;
