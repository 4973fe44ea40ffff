// Follows the worked examples of CONTRIBUTING in a copy of the tree: their edits still fit, the document names every file that they touch, and the copy passes
// the type checker, the linter's import rules and the tests that a contributor would run.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Folders of `test/examples`, with the title of their section in CONTRIBUTING. */
const examples = { report: 'an analytics screen', 'field-type': 'a content-table field type', area: 'an area with a job and a public page' };
/** What a contributor runs; tests of routes, messages and registries cover the rest of what the edits reach. */
const tests = [
  'test/unit/areas.test.ts',
  'test/unit/fieldTypes.test.ts',
  'test/unit/publicScreens.test.ts',
  'test/security/access.test.ts',
  'test/integration/tablesIsbn.test.ts',
  'test/integration/guestbook.test.ts',
  'src/routes/routes.test.tsx',
  'src/i18n',
];

/** All of them but the access matrix: it takes most of the time, and the type checker demands its rows of a new action. */
const quickTests = '^(?!access matrix )';
const typeCheck = ['typescript/bin/tsc', '--checkers', '1', '--incremental', '--tsBuildInfoFile', '.cache/types.tsbuildinfo'];

const filesBelow = (folder, below = '') =>
  readdirSync(path.join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(below, entry.name);
    return entry.isDirectory() ? filesBelow(folder, name) : [name];
  });

function copyTree() {
  // Below the tree, so that packages are found without copying them.
  const copy = path.join(root, '.cache', 'examples');
  rmSync(copy, { recursive: true, force: true });
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter(Boolean);
  for (const file of files) if (existsSync(path.join(root, file))) cpSync(path.join(root, file), path.join(copy, file));
  mkdirSync(path.join(copy, '.cache'));
  // With the types of the tree known, only what the examples change is checked again.
  const known = path.join(root, '.cache', 'types.tsbuildinfo');
  if (existsSync(known)) cpSync(known, path.join(copy, '.cache', 'types.tsbuildinfo'));
  return copy;
}

/** Applies one edit; throws if its anchor is missing or not unique. */
function applyEdit(copy, { file, anchor, replacement }) {
  const text = readFileSync(path.join(copy, file), 'utf8');
  const count = text.split(anchor).length - 1;
  if (count !== 1) throw new Error(`${file} holds ${JSON.stringify(anchor)} ${count} times instead of once`);
  writeFileSync(
    path.join(copy, file),
    text.replace(anchor, () => replacement),
  );
}

/** The text of a section of CONTRIBUTING, from its heading to the next. */
function sectionOf(title) {
  const text = readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');
  const start = text.indexOf(`## Worked example: ${title}\n`);
  if (start < 0) throw new Error(`CONTRIBUTING.md has no worked example "${title}"`);
  const end = text.indexOf('\n## ', start + 1);
  return text.slice(start, end < 0 ? undefined : end);
}

/** Whether a section names a file, by its path or by its name after another file of its folder (“`a/messages.zh-CN.ts` and `messages.en.ts`”). */
const isNamed = (section, file) =>
  section.includes(`\`${file}\``) || (section.includes(`${path.posix.dirname(file)}/`) && section.includes(`\`${path.posix.basename(file)}\``));

/** Applies one example and returns what its section should name but does not. */
async function applyExample(copy, [name, title]) {
  const folder = path.join(root, 'test', 'examples', name);
  const { default: edits } = await import(path.join(folder, 'edits.mjs'));
  for (const edit of edits) applyEdit(copy, edit);
  const added = existsSync(path.join(folder, 'files')) ? filesBelow(path.join(folder, 'files')) : [];
  for (const file of added) cpSync(path.join(folder, 'files', file), path.join(copy, file));
  const section = sectionOf(title);
  return [...new Set(edits.map(({ file }) => file))].filter((file) => !isNamed(section, file)).map((file) => `"${title}" does not name ${file}`);
}

/** Runs a program of an installed package in the copy. Its output is shown at its end, so that programs side by side do not mix theirs; `quiet`: only if it fails. */
async function run(copy, [program, ...args], quiet = false) {
  console.log(`  ${program} ${args.join(' ')}`);
  const env = { ...process.env, NODE_ENV: 'test', NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning' };
  const child = spawn(process.execPath, [path.join(root, 'node_modules', program), ...args], { cwd: copy, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [status] = await once(child, 'close');
  if (!quiet || status !== 0) console.log(output);
  return status === 0;
}

const copy = copyTree();
try {
  const unnamed = [];
  for (const example of Object.entries(examples)) unnamed.push(...(await applyExample(copy, example)));
  for (const problem of unnamed) console.error(problem);
  const passed =
    unnamed.length === 0 &&
    (await run(copy, ['drizzle-kit/bin.cjs', 'generate', '--config', 'drizzle.config.ts'], true)) &&
    // Side by side: the type checker and most test files use one core each.
    (await Promise.all([run(copy, typeCheck), run(copy, ['jest/bin/jest.js', '--ci', '--maxWorkers=2', '--testNamePattern', quickTests, ...tests])])).every(
      Boolean,
    );
  process.exitCode = passed ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
