import { existsSync } from 'node:fs';
import { say } from './messages.mjs';
import { installPackages, mayInstallPackages } from './packages.mjs';

/** Installs OpenStack Swift, the S3 server of the tests (test/support/s3), from the system's packages where this process may install them. Returns whether it is installed. */
export async function ensureSwift() {
  const isThere = () => ['account', 'container', 'object', 'proxy'].every((name) => existsSync(`/usr/bin/swift-${name}-server`));
  if (isThere() || !mayInstallPackages()) return isThere();
  console.log(say('Installing OpenStack Swift from the system’s packages…', '从系统软件包安装 OpenStack Swift…'));
  await installPackages('swift', 'swift-account', 'swift-container', 'swift-object', 'swift-proxy', 'python3-lxml');
  return isThere();
}
