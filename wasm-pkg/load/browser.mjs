// Loads a built module in a browser without a bundler. The bindings and the module are the very
// files that bundlers and Node get.

/** Gives the bindings of `dist/<name>_bg.js` their module. */
export async function load(name, bindings) {
  const imports = { [`./${name}_bg.js`]: bindings };
  const response = await fetch(new URL(`../dist/${name}_bg.wasm`, import.meta.url));
  if (!response.ok) {
    throw new Error(`the rules could not be loaded: ${response.status}`);
  }
  // Compiling while it arrives asks for the right content type, which not every server gives.
  const streams = response.headers.get("content-type")?.startsWith("application/wasm") ?? false;
  const { instance } = streams
    ? await WebAssembly.instantiateStreaming(response, imports)
    : await WebAssembly.instantiate(await response.arrayBuffer(), imports);
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
}
