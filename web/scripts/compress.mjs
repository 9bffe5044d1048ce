// Compresses the built files once; the server sends them unchanged to browsers that accept the encoding.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const DIST = fileURLToPath(new URL("../dist", import.meta.url));
/** Smaller files fit into one packet uncompressed. In bytes. */
const SMALLEST = 1024;

const files = readdirSync(DIST, { withFileTypes: true, recursive: true });
for (const entry of files) {
  if (!entry.isFile() || !/\.(js|css|html|svg|wasm|json|txt)$/.test(entry.name)) continue;
  const file = join(entry.parentPath, entry.name);
  const bytes = readFileSync(file);
  if (bytes.length < SMALLEST) continue;
  const brotli = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } };
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, brotli));
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
}
