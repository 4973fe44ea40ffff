import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Failed } from './failed.mjs';
import { withLock } from './lock.mjs';
import { inRoot, runCommand, runNode } from './process.mjs';
import { say } from './messages.mjs';

const stamp = inRoot('node_modules', '.installed');

/** Installs the packages of the lockfile when they are missing or the lockfile has changed. Concurrent commands wait for each other. */
export async function install() {
  if (isInstalled()) return;
  await withLock(
    'install',
    () => console.log(say('Waiting for another command that is installing packages…', '等待另一个命令安装依赖…')),
    async () => {
      if (isInstalled()) return;
      console.log(say('Installing packages (about 1.5 GB on disk; only the first time)…', '安装依赖（约占 1.5 GB 磁盘，仅首次需要）…'));
      const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
      const npm = process.env.npm_execpath;
      const { code } = npm && /npm-cli\.[cm]?js$/.test(npm) ? await runNode([npm, ...args]) : await runCommand('npm', args);
      if (code !== 0)
        throw new Failed(
          say(
            'The packages could not be installed: see what npm said above. Run the command again once it is put right.',
            '依赖安装失败，原因见上方 npm 的输出。排除后重新运行即可。',
          ),
        );
      writeFileSync(stamp, lockfileHash());
    },
  );
}

function lockfileHash() {
  return createHash('sha256')
    .update(readFileSync(inRoot('package-lock.json')))
    .digest('hex');
}

function isInstalled() {
  const hash = lockfileHash();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return true;
  if (!matchesLockfile()) return false;
  try {
    writeFileSync(stamp, hash);
  } catch {
    // node_modules may belong to somebody else; the comparison is made again next time.
  }
  return true;
}

/** Whether npm's record of the installed packages matches the lockfile (after a manual install). */
function matchesLockfile() {
  const record = inRoot('node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
  const locked = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8')).packages;
  return Object.entries(locked).every(
    ([name, { version, optional }]) => name === '' || installed[name]?.version === version || (optional && installed[name] === undefined),
  );
}
