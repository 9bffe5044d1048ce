/** Converts the browser's samples, -1 to 1, to 16-bit PCM. Runs in the audio worklet: no imports. */

/** Always little-endian. Values beyond full scale are clipped; NaN becomes silence. */
export function floatToPcm(samples: Float32Array): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(samples.length * 2));
  for (let i = 0; i < samples.length; i += 1) {
    const sample = samples[i] ?? 0;
    // Asymmetric: -1 is -32768, 1 is 32767. NaN fails every comparison.
    const scaled = sample >= 1 ? 32_767 : sample <= -1 ? -32_768 : sample < 0 ? sample * 32_768 : sample * 32_767;
    view.setInt16(i * 2, Math.round(scaled) || 0, true);
  }
  return new Uint8Array(view.buffer);
}

/** The largest absolute value: 0 to 1, above 1 if it clips. */
export function peakOf(samples: Float32Array): number {
  let peak = 0;
  for (const sample of samples) {
    const size = Math.abs(sample);
    if (size > peak) {
      peak = size;
    }
  }
  return peak;
}
