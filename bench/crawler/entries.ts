import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';

/** Bundles sources that run as processes of their own, as `<name>.mjs`. */
export const bundle = (folder: string, entries: Readonly<Record<string, string>>) =>
  build({
    entryPoints: { ...entries },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });

/** Starts the bundled `site.ts` with so many pages. `niceness`: of its process, from 0 to 19. */
export async function startBenchSite(folder: string, pages: number, { niceness = 0 } = {}): Promise<{ readonly origin: string; readonly close: () => void }> {
  const site = spawn(process.execPath, [path.join(folder, 'site.mjs'), String(pages)], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (niceness > 0 && site.pid !== undefined) setPriority(site.pid, niceness);
  const port = await new Promise<string>((resolve) => site.stdout.once('data', (text: Buffer) => resolve(text.toString().trim())));
  return { origin: `http://127.0.0.1:${port}`, close: () => void site.kill() };
}
