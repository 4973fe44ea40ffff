import { existsSync } from 'node:fs';
import { runCommand } from './process.mjs';
import { say } from './messages.mjs';

/** Installs OpenStack Swift, the S3 server of the tests (test/support/s3), from the system's packages where this process may install them. Returns whether it is installed. */
export async function ensureSwift() {
  const isThere = () => ['account', 'container', 'object', 'proxy'].every((name) => existsSync(`/usr/bin/swift-${name}-server`));
  if (isThere() || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return isThere();
  console.log(say('Installing OpenStack Swift from the system’s packages…', '从系统软件包安装 OpenStack Swift…'));
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const packages = ['install', '-y', '--no-install-recommends', 'swift', 'swift-account', 'swift-container', 'swift-object', 'swift-proxy', 'python3-lxml'];
  if ((await runCommand('apt-get', packages, { quiet: true, env })).code !== 0) {
    await runCommand('apt-get', ['update'], { quiet: true, env });
    await runCommand('apt-get', packages, { quiet: true, env });
  }
  return isThere();
}
