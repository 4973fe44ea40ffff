/**
 * Bundles the program for tests that start it often. Unlike the build, the bundle includes the packages that are loaded at every start, because finding and
 * compiling hundreds of files takes most of a start's processor time. Argument: the folder; start.cjs in it runs the program.
 */
import { spawnSync } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { copyServerFiles, serverBundle } from '../../scripts/build-server.mjs';

const out = path.resolve(process.argv[2]);
const start = path.join(out, 'start.cjs');
const {
  entryPoints: { main, ...threads },
  packages,
  ...settings
} = serverBundle(out);

/** Packages that are loaded only when they are needed stay files of their own, as in the build. */
const lazyPackages = {
  name: 'lazy-packages',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ kind, path: name }) => (kind === 'dynamic-import' ? { path: name, external: true } : undefined));
  },
};

await Promise.all([
  build({
    ...settings,
    entryPoints: { main },
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    sourcemap: false,
    plugins: [lazyPackages],
    // Native code and its loaders.
    external: ['@node-rs/argon2', 'pg-native'],
    // `import()` does not work in code loaded from V8's cache.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: "(function (require, __filename) { 'use strict'; const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
    footer: { js: '})' },
  }),
  build({
    ...settings,
    packages,
    entryPoints: threads,
    sourcemap: false,
  }),
  copyServerFiles(out).then(() => copyFile(fileURLToPath(new URL('startProgram.cjs', import.meta.url)), start)),
]);
const { status, stderr } = spawnSync(process.execPath, [start, '--help'], { env: { ...process.env, SAVE_CODE_CACHE: '1' }, encoding: 'utf8' });
if (status !== 0) throw new Error(`the bundled program does not start: ${stderr}`);
