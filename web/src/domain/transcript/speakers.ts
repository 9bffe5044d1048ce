/** Names and colours of speakers, the same in every view and export. */
import { speakerLabel } from "@/rules";
import { SPEAKER_COLORS } from "@/rules/constants";

export interface NamedSpeaker {
  /** `SPEAKER_n`. */
  id: string;
  name?: string | null | undefined;
}

/** The n of `SPEAKER_n`; 0 for any other string. */
export const speakerNumber = (id: string): number => Number(/^SPEAKER_(\d+)$/.exec(id)?.[1] ?? 0);

/** The next free `SPEAKER_n`. */
export function freeSpeaker(speakers: readonly NamedSpeaker[]): string {
  const last = speakers.reduce((most, { id }) => Math.max(most, speakerNumber(id)), -1);
  return `SPEAKER_${last + 1}`;
}

/** `S1` for a speaker without a name. */
export const speakerSign: (id: string) => string = speakerLabel;

/** The given name, or `S1`. */
export const speakerName = ({ id, name }: NamedSpeaker): string => name || speakerSign(id);

/** A CSS colour: the colours of speakers, tags and folders hold in both themes and for the colour-blind. */
export const colourOf = (number: number): string => `var(--speaker-${number % SPEAKER_COLORS})`;

/** A CSS colour. */
export const speakerColour = (id: string): string => colourOf(speakerNumber(id));

/** The displayed name of each speaker, by id. */
export const namesOf = (speakers: readonly NamedSpeaker[]): ReadonlyMap<string, string> =>
  new Map(speakers.map((speaker) => [speaker.id, speakerName(speaker)]));
