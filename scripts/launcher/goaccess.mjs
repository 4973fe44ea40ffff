import { existsSync } from 'node:fs';
import { say } from './messages.mjs';
import { installPackages, mayInstallPackages } from './packages.mjs';

/** Installs GoAccess, which a test compares log imports with, from the system's packages where this process may install them. */
export async function ensureGoaccess() {
  if (existsSync('/usr/bin/goaccess') || !mayInstallPackages()) return;
  console.log(say('Installing GoAccess from the system’s packages…', '从系统软件包安装 GoAccess…'));
  await installPackages('goaccess');
}
