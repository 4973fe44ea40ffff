/**
 * Bundles packages that the server imports, each with what it consists of. Jest resolves, reads and compiles every module anew for each test file, and these have about a thousand: without
 * them, a file that starts the program begins more than a second earlier. `jest.config.mjs` maps their names to the folder. Packages with native code or files beside them stay as they are.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = path.join(root, '.cache', 'test-packages');

const bundledPackages = [
  'drizzle-orm',
  'drizzle-orm/pg-core',
  'drizzle-orm/node-postgres',
  'drizzle-orm/errors',
  'zod',
  'fastify',
  'pg',
  '@clickhouse/client',
  'rate-limiter-flexible',
  '@tus/server',
  'file-type',
  'pinyin-pro',
  'csv-parse',
  'csv-parse/sync',
  'csv-stringify',
  'csv-stringify/sync',
];
const fileName = (name) => name.replaceAll('/', '-').replace('@', '');

/** For `moduleNameMapper` of Jest. */
export const bundledNames = Object.fromEntries(bundledPackages.map((name) => [`^${name}$`, `<rootDir>/.cache/test-packages/${fileName(name)}.mjs`]));

/** A module that exports what the package does, in the way Node imports it. */
async function entryOf(name) {
  const found = await import(name);
  const names = Object.keys(found).filter((key) => key !== 'default' && key !== 'module.exports');
  const isCommonJs = names.length > 0 && 'default' in found && names.every((key) => found.default?.[key] === found[key]);
  if (!isCommonJs) return `export * from '${name}';${'default' in found ? ` export { default } from '${name}';` : ''}`;
  return `const whole = require('${name}'); export default whole; export const ${names.map((key) => `${key} = whole.${key}`).join(', ')};`;
}

async function bundleInto(outdir) {
  const entries = new Map(await Promise.all(bundledPackages.map(async (name) => [fileName(name), await entryOf(name)])));
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries([...entries.keys()].map((name) => [name, `entry:${name}`])),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['pg-native', 'pino', 'sharp'],
    logLevel: 'error',
    banner: { js: "import { createRequire as createRequireOf } from 'node:module'; const require = createRequireOf(import.meta.url);" },
    plugins: [
      {
        name: 'entries',
        setup(plugin) {
          plugin.onResolve({ filter: /^entry:/ }, (found) => ({ path: found.path.slice('entry:'.length), namespace: 'entry' }));
          plugin.onLoad({ filter: /.*/, namespace: 'entry' }, (found) => ({ contents: entries.get(found.path), resolveDir: root }));
        },
      },
    ],
  });
}

/** Bundles them again only after a change of the lockfile or of this file. */
export async function bundlePackages() {
  const [lockfile, own] = await Promise.all([readFile(path.join(root, 'package-lock.json')), readFile(fileURLToPath(import.meta.url))]);
  const state = createHash('sha256').update(lockfile).update(own).digest('hex');
  const stamp = path.join(folder, 'state');
  if ((await readFile(stamp, 'utf8').catch(() => '')) === state) return;
  // A folder of its own first: another run may be reading the old one.
  const fresh = `${folder}-${process.pid}`;
  await mkdir(fresh, { recursive: true });
  await bundleInto(fresh);
  await writeFile(path.join(fresh, 'state'), state);
  await rm(folder, { recursive: true, force: true });
  await rename(fresh, folder);
}
