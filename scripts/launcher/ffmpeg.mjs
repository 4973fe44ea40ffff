import { existsSync } from 'node:fs';
import { say } from './messages.mjs';
import { installPackages, mayInstallPackages } from './packages.mjs';

/** Installs ffmpeg from the system's packages where this process may install them. Returns whether it is installed. */
export async function ensureFfmpeg() {
  const isThere = () => ['ffmpeg', 'ffprobe'].every((name) => existsSync(`/usr/bin/${name}`));
  if (isThere() || !mayInstallPackages()) return isThere();
  console.log(say('Installing ffmpeg from the system’s packages…', '从系统软件包安装 ffmpeg…'));
  await installPackages('ffmpeg');
  return isThere();
}
