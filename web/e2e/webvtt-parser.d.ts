/** The used parts of the W3C's parser, which has no types. */
declare module "webvtt-parser" {
  interface Parsed {
    cues: { startTime: number; endTime: number; text: string }[];
    errors: { line: number; col?: number; message: string }[];
  }
  const webvtt: { WebVTTParser: new () => { parse(file: string, mode: string): Parsed } };
  export default webvtt;
}
