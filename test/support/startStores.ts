import { mkdir, mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundlePackages } from './bundlePackages.mjs';
import { startS3Server } from './s3/server';
import { startTestStores } from './testStores';

const running = globalThis as { stopTestStores?: () => Promise<void> };
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Bundles the import thread (server/areas/imports/threadFromSource.mjs); removed after the run by stopStores.ts. */
async function bundleImportThread(): Promise<string> {
  const folder = path.join(root, '.cache', 'programs');
  await mkdir(folder, { recursive: true });
  const outfile = path.join(await mkdtemp(path.join(folder, 't-')), 'import-thread.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['server/areas/imports/threadMain.ts'],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  return outfile;
}

/** Jest runs this once, before the first test file of the server project. Data loss after a crash is tested by test/faults, on separate stores. */
export default async function startStores(): Promise<void> {
  const [{ addresses, stop }, thread] = await Promise.all([startTestStores({ durable: false }), bundleImportThread(), bundlePackages()]);
  process.env.TEST_STORES = JSON.stringify(addresses);
  process.env.TEST_IMPORT_THREAD = thread;
  process.env.TEST_PROGRAM = path.join(path.dirname(thread), 'program');
  running.stopTestStores = stop;
  if (process.env['TEST_FILES'] !== 's3') return;
  const s3 = await startS3Server();
  process.env['TEST_S3'] = JSON.stringify(s3.location());
  running.stopTestStores = async () => {
    await stop();
    await s3.stop();
  };
}
