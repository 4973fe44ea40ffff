/** Builds tracker/t.ts into dist/tracker/t.js and t.more.js, tracker/v.ts into v.js, and widget/w.ts into w.js (+ .gz, .br), and fails when one outgrows its budget. */
import { mkdir, writeFile } from 'node:fs/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { minify } from '@swc/core';
import { build } from 'esbuild';

/** Budgets of each script in bytes after gzip: every page of every site loads one of the first two, and later `v.js`; pages with the chat load `w.js`. */
const scripts = [
  { name: 't.js', source: 'tracker/t.ts', more: false, budget: 2000, ecma: 2017 },
  { name: 't.more.js', source: 'tracker/t.ts', more: true, budget: 2200, ecma: 2017 },
  // Browsers that do not understand this syntax report no interactions either.
  { name: 'v.js', source: 'tracker/v.ts', more: false, budget: 6000, ecma: 2020 },
  // Private fields and top-level class syntax of browsers since 2022.
  { name: 'w.js', source: 'widget/w.ts', more: false, budget: 25_000, ecma: 2022 },
];
const root = new URL('../', import.meta.url);
const folder = new URL('dist/tracker/', root);
await mkdir(folder, { recursive: true });

for (const { name, source, more, budget, ecma } of scripts) {
  const { outputFiles } = await build({
    entryPoints: [new URL(source, root).pathname],
    bundle: true,
    minify: true,
    format: 'iife',
    target: `es${ecma}`,
    // No "use strict": nothing in the script depends on it.
    tsconfigRaw: {},
    charset: 'utf8',
    legalComments: 'none',
    define: { MORE: String(more) },
    write: false,
  });
  // esbuild strips the types; swc minifies to fewer bytes.
  const { code } = await minify(outputFiles[0].text, {
    compress: { passes: 3, ecma, unsafe_arrows: true },
    mangle: { toplevel: true },
    ecma,
    module: false,
  });
  const script = Buffer.from(code);
  const gzip = gzipSync(script, { level: 9 });
  const brotli = brotliCompressSync(script, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
  await Promise.all([
    writeFile(new URL(name, folder), script),
    writeFile(new URL(`${name}.gz`, folder), gzip),
    writeFile(new URL(`${name}.br`, folder), brotli),
  ]);
  console.log(`tracker  ${name}: ${script.length} B, gzip ${gzip.length} B of ${budget} B, brotli ${brotli.length} B`);
  if (gzip.length > budget) {
    console.error(`${name} is ${gzip.length - budget} B over its budget.`);
    process.exitCode = 1;
  }
}
