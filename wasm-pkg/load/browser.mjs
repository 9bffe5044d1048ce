// Loads a built module in a browser without a bundler, from the same files as bundlers and Node.

/** Instantiates the module for the bindings in `dist/<name>_bg.js`. */
export async function load(name, bindings) {
  const imports = { [`./${name}_bg.js`]: bindings };
  const response = await fetch(new URL(`../dist/${name}_bg.wasm`, import.meta.url));
  if (!response.ok) {
    throw new Error(`the rules could not be loaded: ${response.status}`);
  }
  // Streaming compilation needs the right content type, which some servers do not send.
  const streams = response.headers.get("content-type")?.startsWith("application/wasm") ?? false;
  const { instance } = streams
    ? await WebAssembly.instantiateStreaming(response, imports)
    : await WebAssembly.instantiate(await response.arrayBuffer(), imports);
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
}
