import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import { build } from './build.mjs';
import { findChromium } from './chromium.mjs';
import { Failed } from './failed.mjs';
import { ensureGoaccess } from './goaccess.mjs';
import { install } from './install.mjs';
import { inRoot, runCommand, runNode } from './process.mjs';
import { say } from './messages.mjs';

const jestReport = inRoot('.cache', 'jest.json');
const e2eReport = inRoot('.cache', 'e2e.json');
const nothing = { passed: 0, failed: 0 };

/** The steps in order, the fast ones first. Each returns the numbers of passed and failed tests; a step with a single check counts as one test. */
const steps = {
  format: () => check(['node_modules/oxfmt/bin/oxfmt', '--check']),
  lockfile: () => check(['scripts/complete-lockfile.mjs', '--check']),
  settings: async () => {
    const settings = await check(['--import', 'tsx', 'scripts/settings-page.ts', '--check']);
    return settings.failed > 0 ? settings : check(['--import', 'tsx', 'scripts/rules-page.ts', '--check']);
  },
  // One checker: on two cores, several checkers build the same types repeatedly, which costs more than the parallelism saves.
  types: () => check(['node_modules/typescript/bin/tsc', '--checkers', '1', '--incremental', '--tsBuildInfoFile', '.cache/types.tsbuildinfo']),
  lint: () => check(['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings']),
  imports: () => check(['node_modules/oxlint/bin/oxlint', '-c', 'import-rules.json', '--deny-warnings', 'contract', 'server', 'src', 'tracker', 'widget']),
  unused: () => check(['node_modules/knip/bin/knip.js', '--no-progress']),
  build: async () => {
    await build();
    const size = await check(['scripts/check-size.mjs']);
    return { passed: size.passed + 1, failed: size.failed };
  },
  // Listed late, because it reuses the results of the types if they are there.
  examples: () => check(['scripts/replay-examples.mjs']),
  unit: (args) => jest(args),
  e2e: async (args) => {
    if (!existsSync(inRoot('playwright.config.ts'))) return nothing;
    await build();
    const chromium = await findChromium();
    rmSync(e2eReport, { force: true });
    const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: e2eReport, ...(chromium === null ? {} : { CHROMIUM_PATH: chromium }) };
    const { code } = await runNode(['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json', ...args], { env });
    return withCode(code, readPlaywright());
  },
};

async function jest(args) {
  await ensureGoaccess();
  rmSync(jestReport, { force: true });
  const { code } = await runNode(
    [
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      // Inherited by the workers. Tests allocate much that dies young: with more room for it, less is copied by the garbage collector.
      '--max-semi-space-size=64',
      'node_modules/jest/bin/jest.js',
      '--ci',
      `--maxWorkers=${jestWorkers()}`,
      // The memory of test contexts is never fully released; a worker that has grown to this size is restarted.
      '--workerIdleMemoryLimit=1500MB',
      '--json',
      `--outputFile=${jestReport}`,
      ...args,
    ],
    { env: { NODE_ENV: 'test' } },
  );
  return withCode(code, readJest());
}

/**
 * The step of the daily loop: the unit and integration tests affected by changes since the upstream branch; without an upstream, since the commit before the
 * last.
 */
async function changed() {
  const upstream = await runCommand('git', ['merge-base', 'HEAD', '@{upstream}'], { quiet: true });
  const base = upstream.code === 0 ? upstream.output.trim() : 'HEAD~1';
  return jest([`--changedSince=${base}`, '--passWithNoTests']);
}
const dailySteps = { format: steps.format, types: steps.types, lint: steps.lint, changed };

/**
 * `npm test -- changed` runs the daily loop (`dailySteps`). `npm test` runs every step; `npm test -- unit lint` runs the named ones, in the order above;
 * arguments that are not step names go to the step (`npm test -- unit test/faults`), which must then be the only one.
 */
export async function test(args) {
  if (args.length === 1 && args[0] === 'changed') return runSteps(Object.keys(dailySteps), dailySteps);
  const named = args.filter((arg) => arg in steps);
  const rest = args.filter((arg) => !(arg in steps));
  if (rest.length > 0 && named.length !== 1)
    throw new Failed(
      say(
        `Name one step to pass "${rest.join(' ')}" to. Steps: ${Object.keys(steps).join(', ')}`,
        `请指明把“${rest.join(' ')}”交给哪一步。步骤：${Object.keys(steps).join('、')}`,
      ),
    );
  const chosen = Object.keys(steps).filter((name) => named.length === 0 || named.includes(name));
  return runSteps(chosen, steps, rest);
}

/** Steps that leave each other alone: run two at a time, because each leaves a core idle for much of its time. */
const independent = new Set(['types', 'lint', 'imports', 'unused', 'build', 'examples']);

/** Runs the steps in order, independent neighbours two at a time. Resolves with the results in the order of `chosen`. */
async function runTwoAtATime(chosen, run) {
  const results = [];
  for (let index = 0; index < chosen.length;) {
    let end = index + 1;
    while (independent.has(chosen[index]) && independent.has(chosen[end])) end += 1;
    const waiting = chosen.slice(index, end).map((name, place) => ({ name, place: index + place }));
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) results[next.place] = await run(next.name);
    };
    await Promise.all([work(), work()]);
    index = end;
  }
  return results;
}

async function runSteps(chosen, table, rest = []) {
  await timed('install', async () => {
    await install();
    return nothing;
  });
  mkdirSync(inRoot('.cache'), { recursive: true });
  return summary(await runTwoAtATime(chosen, async (name) => ({ name, ...(await timed(name, () => table[name](rest))) })));
}

async function timed(name, work) {
  console.log(`\n▶ ${name}`);
  const begun = Date.now();
  try {
    const result = await work();
    console.log(`${result.failed > 0 ? '✖' : '✔'} ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
    return result;
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    console.error(`${error.message}\n✖ ${name}`);
    return { passed: 0, failed: 1 };
  }
}

function summary(results) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const failedSteps = results.filter(({ failed }) => failed > 0).map(({ name }) => name);
  if (failedSteps.length > 0) console.log(`\n${say('Failed', '未通过')}: ${failedSteps.join(', ')}`);
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed') > 0 ? 1 : 0;
}

/**
 * One worker more than cores: one of them usually waits for a program or a store (test/support/longestFirst.cjs sees to it), and more would take each other's
 * time. One worker takes up to 1.5 GB, the stores 2 GB.
 */
function jestWorkers() {
  const cores = Math.min(os.availableParallelism(), 4);
  const fitting = Math.floor((os.totalmem() / 2 ** 30 - 3) / 1.5);
  return Math.max(2, Math.min(cores + 1, fitting));
}

/** Runs a check as one test. Its output is shown when it has finished, so that checks side by side do not mix theirs. */
async function check(args) {
  const { code, output } = await runNode(args, { quiet: true });
  process.stdout.write(output);
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** A test runner that aborted (no report, or a non-zero exit without a failed test) counts as a failure. */
function withCode(code, counts) {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

function readJest() {
  if (!existsSync(jestReport)) return nothing;
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(readFileSync(jestReport, 'utf8'));
  return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
}

function readPlaywright() {
  if (!existsSync(e2eReport)) return nothing;
  const { expected, flaky, unexpected } = JSON.parse(readFileSync(e2eReport, 'utf8')).stats;
  return { passed: expected + flaky, failed: unexpected };
}
