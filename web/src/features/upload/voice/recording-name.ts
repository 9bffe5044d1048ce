/** File name of a recording: `Запис 2026-11-21 14-05.wav`, in local time, sortable, and valid in every file system. */

/** `word` in the reader's language; `at` in ms. */
export function recordingName(word: string, at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${word} ${day} ${two(date.getHours())}-${two(date.getMinutes())}.wav`;
}
