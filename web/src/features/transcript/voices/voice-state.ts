/** What is shown about the voices of a text's speakers, without React. */
import type { JobVoices, RememberedVoice, Voice } from "@/api/voices";
import type { Speaker } from "../document/model";

/** The voice with the speaker's name, to which another recording of this speaker is probably to be added. */
export function voiceNamed(name: string, voices: readonly Voice[]): string | null {
  const form = (text: string) => text.trim().toLocaleLowerCase();
  const [only, ...others] = voices.filter((voice) => form(voice.name) === form(name));
  // Several people may have the same name: then the reader chooses.
  return only !== undefined && others.length === 0 ? only.id : null;
}

/** Whether comparing may find something: there are voices from other recordings, and speakers without a name. */
export function isWorthComparing(text: JobVoices, voices: readonly Voice[], speakers: readonly Speaker[]): boolean {
  const { compared, looking, remembered } = text;
  const isFromHere = ({ id }: Voice) => remembered.some(({ voice }) => voice === id);
  const isKnown = ({ id, name }: Speaker) => Boolean(name) || remembered.some(({ speaker }) => speaker === id);
  return (
    !compared && !looking && voices.some((voice) => voice.state === "ready" && !isFromHere(voice)) && !speakers.every(isKnown)
  );
}

/** The speakers whose voices were being computed, and are not any more. */
export function ended(before: readonly RememberedVoice[], now: readonly RememberedVoice[]): readonly RememberedVoice[] {
  return now.filter(
    ({ speaker, voice, state }) =>
      state !== "learning" &&
      before.some((other) => other.speaker === speaker && other.voice === voice && other.state === "learning"),
  );
}
