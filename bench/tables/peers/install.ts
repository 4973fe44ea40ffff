import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** Folder in which peers stay between runs; they are large and not part of this repository. */
export const defaultFolder = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'sitewright-peers');

/** Time limit of an installation, ms. */
const patience = 20 * 60_000;

/**
 * Installs packages (`{ directus: '12.4.0' }`) into their own folder unless they are there, and returns the folder. Their install scripts run, because some
 * compile native code.
 */
export async function installPeer(folder: string, name: string, packages: Readonly<Record<string, string>>): Promise<string> {
  const place = path.join(folder, name);
  if (existsSync(path.join(place, 'package-lock.json'))) return place;
  const unfinished = `${place}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  await writeFile(path.join(unfinished, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies: packages }));
  console.log(`installing ${name} into ${place}, which takes minutes`);
  const npm = spawn('npm', ['install', '--omit=dev', '--no-audit', '--no-fund', '--ignore-scripts=false', '--legacy-peer-deps'], {
    cwd: unfinished,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: patience,
  });
  const code = await new Promise((resolve) => npm.once('close', resolve));
  if (code !== 0) throw new Error(`npm could not install ${name} (${String(code)})`);
  await rename(unfinished, place);
  return place;
}
