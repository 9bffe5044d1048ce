/**
 * The audio worklet: collects samples from the microphone and sends them as PCM with their peak. Built as a separate
 * file, as required by the Content-Security-Policy.
 */
import { floatToPcm, peakOf } from "./pcm";
import { createResampler } from "./resampler";

/** Globals of the audio worklet, missing in TypeScript's library. */
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare const sampleRate: number;
declare function registerProcessor(name: string, processor: new (options: { processorOptions: Options }) => unknown): void;

interface Options {
  /** Sample rate of the recording, in hertz. */
  sampleRate: number;
}

/** About 21 blocks per second: enough for the level meter. */
const BLOCK = 2_048;

/** Sends `{pcm, peak}`, and answers "flush" with the remaining samples and then `{flushed: true}`. */
class PcmProcessor extends AudioWorkletProcessor {
  readonly #resample: (input: Float32Array) => Float32Array;
  #block = new Float32Array(BLOCK);
  #filled = 0;

  constructor({ processorOptions }: { processorOptions: Options }) {
    super();
    this.#resample = createResampler(sampleRate, processorOptions.sampleRate);
    this.port.onmessage = ({ data }) => {
      if (data === "flush") {
        this.#send();
        this.port.postMessage({ flushed: true });
      }
    };
  }

  process([input]: Float32Array[][]): boolean {
    const samples = input?.[0];
    if (samples) {
      for (const sample of this.#resample(samples)) {
        this.#block[this.#filled] = sample;
        this.#filled += 1;
        if (this.#filled === BLOCK) {
          this.#send();
        }
      }
    }
    return true;
  }

  #send() {
    const samples = this.#block.subarray(0, this.#filled);
    const pcm = floatToPcm(samples);
    this.port.postMessage({ pcm, peak: peakOf(samples) }, [pcm.buffer]);
    this.#filled = 0;
  }
}

registerProcessor("pcm", PcmProcessor);
