/** Builds tracker/t.ts into dist/tracker/t.js (+ .gz, .br) and fails when it outgrows its budget. */
import { mkdir, writeFile } from 'node:fs/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { minify } from '@swc/core';
import { build } from 'esbuild';

/** Bytes of the script as gzip serves it: every page of every site pays them. */
const BUDGET = 2000;
const root = new URL('../', import.meta.url);
const folder = new URL('dist/tracker/', root);

const { outputFiles } = await build({
  entryPoints: [new URL('tracker/t.ts', root).pathname],
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2017',
  // No "use strict": nothing in the script depends on it.
  tsconfigRaw: {},
  charset: 'utf8',
  legalComments: 'none',
  write: false,
});
// esbuild understands the types; swc says the same in fewer bytes.
const { code } = await minify(outputFiles[0].text, {
  compress: { passes: 3, ecma: 2017, unsafe_arrows: true },
  mangle: { toplevel: true },
  ecma: 2017,
  module: false,
});
const script = Buffer.from(code);
const gzip = gzipSync(script, { level: 9 });
const brotli = brotliCompressSync(script, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });

await mkdir(folder, { recursive: true });
await Promise.all([writeFile(new URL('t.js', folder), script), writeFile(new URL('t.js.gz', folder), gzip), writeFile(new URL('t.js.br', folder), brotli)]);
console.log(`tracker  ${script.length} B, gzip ${gzip.length} B of ${BUDGET} B, brotli ${brotli.length} B`);
if (gzip.length > BUDGET) {
  console.error(`The tracker is ${gzip.length - BUDGET} B over its budget.`);
  process.exitCode = 1;
}
