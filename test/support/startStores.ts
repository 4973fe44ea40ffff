import { mkdir, mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundlePackages } from './bundlePackages.mjs';
import { startS3Server } from './s3/server';
import { startTestStores } from './testStores';

const running = globalThis as { stopTestStores?: () => Promise<void> };
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Bundles the import thread (server/areas/imports/threadFromSource.mjs) and the process of a crawl; removed after the run by stopStores.ts. */
async function bundleEntries(): Promise<string> {
  const folder = path.join(root, '.cache', 'programs');
  await mkdir(folder, { recursive: true });
  const outdir = await mkdtemp(path.join(folder, 't-'));
  await build({
    absWorkingDir: root,
    entryPoints: { 'import-thread': 'server/areas/imports/threadMain.ts', 'crawl-process': 'server/areas/crawler/engine/crawlMain.ts' },
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  return outdir;
}

/** Jest runs this once, before the first test file of the server project. Data loss after a crash is tested by test/faults, on separate stores. */
export default async function startStores(): Promise<void> {
  const [{ addresses, stop }, entries] = await Promise.all([startTestStores({ durable: false }), bundleEntries(), bundlePackages()]);
  process.env.TEST_STORES = JSON.stringify(addresses);
  process.env.TEST_IMPORT_THREAD = path.join(entries, 'import-thread.mjs');
  process.env['TEST_CRAWL_PROCESS'] = path.join(entries, 'crawl-process.mjs');
  process.env.TEST_PROGRAM = path.join(entries, 'program');
  running.stopTestStores = stop;
  if (process.env['TEST_FILES'] !== 's3') return;
  const s3 = await startS3Server();
  process.env['TEST_S3'] = JSON.stringify(s3.location());
  running.stopTestStores = async () => {
    await stop();
    await s3.stop();
  };
}
