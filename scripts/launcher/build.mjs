import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Failed } from './failed.mjs';
import { withLock } from './lock.mjs';
import { inRoot, root, runNode } from './process.mjs';
import { say } from './messages.mjs';

const common = ['package-lock.json', 'package.json', 'contract'];

/** Parts of the build, with their sources and results. A part is rebuilt when the content of its sources has changed. */
export const parts = [
  { name: 'server', sources: [...common, 'server', 'scripts/build-server.mjs'], result: 'dist/server/main.js', args: ['scripts/build-server.mjs'] },
  { name: 'tracker', sources: [...common, 'tracker', 'widget', 'scripts/build-tracker.mjs'], result: 'dist/tracker/t.js', args: ['scripts/build-tracker.mjs'] },
  {
    name: 'console',
    sources: [...common, 'src', 'public', 'webpack.config.ts'],
    result: 'dist/console/index.html',
    args: ['--import', 'tsx', 'node_modules/webpack-cli/bin/cli.js', '--mode', 'production'],
  },
];

/** Builds the parts that are out of date, in parallel. */
export async function build() {
  await withLock(
    'build',
    () => console.log(say('Waiting for another command that is building…', '等待另一个命令构建…')),
    async () => {
      const stale = parts.map((part) => ({ ...part, hash: hashOf(part.sources) })).filter((part) => !isBuilt(part));
      if (stale.length === 0) return;
      console.log(say(`Building: ${stale.map(({ name }) => name).join(', ')}…`, `构建：${stale.map(({ name }) => name).join('、')}…`));
      const failed = (await Promise.all(stale.map(buildPart))).filter((name) => name !== null);
      if (failed.length > 0) throw new Failed(say(`Not built: ${failed.join(', ')}. The reason is above.`, `构建失败：${failed.join('、')}，原因见上。`));
    },
  );
}

async function buildPart({ name, args, hash }) {
  const { code, output } = await runNode(args, { quiet: true, env: { NODE_ENV: 'production' } });
  if (code !== 0) {
    console.error(output);
    return name;
  }
  mkdirSync(inRoot('dist', '.built'), { recursive: true });
  writeFileSync(stampOf(name), hash);
  return null;
}

const stampOf = (name) => inRoot('dist', '.built', name);

function isBuilt({ name, result, hash }) {
  return existsSync(inRoot(result)) && existsSync(stampOf(name)) && readFileSync(stampOf(name), 'utf8') === hash;
}

/** Hashes the names and contents of everything below `sources`; tests beside the sources are excluded. */
function hashOf(sources) {
  const hash = createHash('sha256').update(process.version);
  const visit = (at) => {
    const stat = statSync(at, { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (stat.isDirectory()) for (const name of readdirSync(at).sort()) visit(path.join(at, name));
    else if (!/\.test\.tsx?$/.test(at)) hash.update(path.relative(root, at)).update('\0').update(readFileSync(at)).update('\0');
  };
  for (const source of sources) visit(inRoot(source));
  return hash.digest('hex');
}
