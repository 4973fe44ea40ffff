import { existsSync } from 'node:fs';
import { runCommand } from './process.mjs';
import { say } from './messages.mjs';

/** Installs GoAccess, which a test compares log imports with, from the system's packages where this process may install them. */
export async function ensureGoaccess() {
  if (existsSync('/usr/bin/goaccess') || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  console.log(say('Installing GoAccess from the system’s packages…', '从系统软件包安装 GoAccess…'));
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const packages = ['install', '-y', '--no-install-recommends', 'goaccess'];
  const { code } = await runCommand('apt-get', packages, { quiet: true, env });
  if (code === 0) return;
  await runCommand('apt-get', ['update'], { quiet: true, env });
  await runCommand('apt-get', packages, { quiet: true, env });
}
