import { existsSync } from 'node:fs';
import { runCommand } from './process.mjs';
import { say } from './messages.mjs';

/** Installs ffmpeg from the system's packages where this process may install them. Returns whether it is installed. */
export async function ensureFfmpeg() {
  const isThere = () => ['ffmpeg', 'ffprobe'].every((name) => existsSync(`/usr/bin/${name}`));
  if (isThere() || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return isThere();
  console.log(say('Installing ffmpeg from the system’s packages…', '从系统软件包安装 ffmpeg…'));
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const packages = ['install', '-y', '--no-install-recommends', 'ffmpeg'];
  if ((await runCommand('apt-get', packages, { quiet: true, env })).code !== 0) {
    await runCommand('apt-get', ['update'], { quiet: true, env });
    await runCommand('apt-get', packages, { quiet: true, env });
  }
  return isThere();
}
