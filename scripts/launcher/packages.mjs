import { existsSync } from 'node:fs';
import { runCommand } from './process.mjs';

/** Whether this process may install packages of the system: as root, where there is apt. */
export const mayInstallPackages = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/** Installs packages of the system, after an update of their lists if it fails without. Returns the exit code and output of apt-get. */
export async function installPackages(...names) {
  const run = (...args) => runCommand('apt-get', args, { quiet: true, env: { DEBIAN_FRONTEND: 'noninteractive' } });
  const install = ['install', '-y', '--no-install-recommends', ...names];
  const result = await run(...install);
  if (result.code === 0) return result;
  await run('update');
  return run(...install);
}
