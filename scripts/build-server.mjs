/** Bundles the server into dist/server. Packages are not bundled, because several contain native code or data files. */
import { cp, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const usual = path.join(root, 'dist', 'server');

/** esbuild settings of the bundle, for the build, `npm run dev` and tests. */
export const serverBundle = (out = usual) => ({
  absWorkingDir: root,
  // Threads and the process of a crawl are separate files beside main.js.
  entryPoints: {
    main: 'server/main.ts',
    'import-thread': 'server/areas/imports/threadMain.ts',
    'crawl-process': 'server/areas/crawler/engine/crawlMain.ts',
    'template-worker': 'server/kit/templates/worker.mjs',
  },
  outdir: out,
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  logLevel: 'warning',
});

/** Copies the files that the bundle reads at run time to the folder of main.js. */
export async function copyServerFiles(out = usual) {
  await mkdir(out, { recursive: true });
  await rm(path.join(out, 'migrations'), { recursive: true, force: true });
  await cp(path.join(root, 'server/stores/postgres/migrations'), path.join(out, 'migrations'), { recursive: true });
  await rm(path.join(out, 'themes'), { recursive: true, force: true });
  await cp(path.join(root, 'themes'), path.join(out, 'themes'), { recursive: true });
  await cp(path.join(root, 'server/stores/clickhouse/child.mjs'), path.join(out, 'clickhouse-child.js'));
  await cp(path.join(root, 'server/kit/images/child.mjs'), path.join(out, 'image-child.js'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const out = path.resolve(process.argv[2] ?? usual);
  await Promise.all([build(serverBundle(out)), copyServerFiles(out)]);
}
