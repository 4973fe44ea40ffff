/** Builds tracker/t.ts into dist/tracker/t.js (+ .gz, .br) and fails when it outgrows its budget. */
import { mkdir, writeFile } from 'node:fs/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
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
  charset: 'utf8',
  legalComments: 'none',
  write: false,
});
const script = Buffer.from(outputFiles[0].contents);
const gzip = gzipSync(script, { level: 9 });
const brotli = brotliCompressSync(script, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });

await mkdir(folder, { recursive: true });
await Promise.all([writeFile(new URL('t.js', folder), script), writeFile(new URL('t.js.gz', folder), gzip), writeFile(new URL('t.js.br', folder), brotli)]);
console.log(`tracker  ${script.length} B, gzip ${gzip.length} B of ${BUDGET} B, brotli ${brotli.length} B`);
if (gzip.length > BUDGET) {
  console.error(`The tracker is ${gzip.length - BUDGET} B over its budget.`);
  process.exitCode = 1;
}
