#!/usr/bin/env node
/**
 * `npx sitewright-gate`: starts a run of a crawler, waits for its end, and fails with 10 if it found more new issues than allowed. For builds and deployments.
 * Free of dependencies. docs/en/crawler-gate.md describes it.
 */
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';

const usage = `Usage: sitewright-gate --url https://console.example.com --crawler ID [--new-errors 0] [--new-warnings N] [--new-notices N] [--minutes 60] [--json]
The token, with the scopes crawler:read and crawler:write, is read from SITEWRIGHT_TOKEN.
Exit codes: 0 within the limits, 10 more new issues than allowed, 2 wrong usage, 1 anything else.
`;
const severities = ['error', 'warning', 'notice'];
const ended = new Set(['completed', 'limited', 'stopped', 'failed']);
const exits = { ok: 0, failed: 1, usage: 2, issues: 10 };

class UsageError extends Error {}

/** The arguments, and the token from the environment. `limits`: new issues that are allowed, by severity; null: no limit. */
function readOptions(argv, env) {
  const text = { type: 'string' };
  const { values } = parseArgs({
    args: argv,
    options: {
      url: text,
      crawler: text,
      'new-errors': text,
      'new-warnings': text,
      'new-notices': text,
      minutes: text,
      json: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return null;
  const number = (name, standard) => {
    const value = values[name] === undefined ? standard : Number(values[name]);
    if (value !== null && !(Number.isInteger(value) && value >= 0)) throw new UsageError(`--${name} must be a whole number`);
    return value;
  };
  if (!values.url || !values.crawler) throw new UsageError('--url and --crawler are required');
  if (!env.SITEWRIGHT_TOKEN) throw new UsageError('SITEWRIGHT_TOKEN is not set');
  return {
    console: values.url.replace(/\/+$/, ''),
    crawler: values.crawler,
    token: env.SITEWRIGHT_TOKEN,
    limits: { error: number('new-errors', 0), warning: number('new-warnings', null), notice: number('new-notices', null) },
    minutes: number('minutes', 60),
    json: values.json === true,
  };
}

/** Requests that fail on the way are repeated a few times: a run is worth more than one lost packet. */
async function call({ console: base, token }, method, path) {
  for (let attempt = 1; ; attempt += 1) {
    let response;
    try {
      response = await fetch(`${base}${path}`, { method, headers: { authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(30_000) });
    } catch (error) {
      if (method !== 'GET' || attempt === 5) throw error;
      await sleep(attempt * 1000);
      continue;
    }
    const body = await response.json().catch(() => ({}));
    if (response.ok) return body.data;
    if (method === 'GET' && response.status >= 500 && attempt < 5) await sleep(attempt * 1000);
    else throw new Error(`${method} ${path}: ${String(response.status)} ${body.error ?? ''} ${body.code ? `(${body.code})` : ''}`.trim());
  }
}

async function finishedRun(options) {
  const { id } = await call(options, 'POST', `/api/dev/crawlers/${encodeURIComponent(options.crawler)}/runs`);
  const started = Date.now();
  for (;;) {
    const run = await call(options, 'GET', `/api/dev/crawl-runs/${id}`);
    if (ended.has(run.state)) return run;
    const elapsed = Date.now() - started;
    if (elapsed > options.minutes * 60_000) throw new Error(`The run has not ended within ${String(options.minutes)} minutes; it continues`);
    await sleep(Math.min(5000, Math.max(250, elapsed / 10)));
  }
}

/** Whether a run before this one has results. Without them, everything would be new. */
async function hasEarlierResults(options, run) {
  for (let before = String(run.number); before !== null;) {
    const { rows, next } = await call(options, 'GET', `/api/dev/crawlers/${encodeURIComponent(options.crawler)}/runs?size=100&before=${before}`);
    if (rows.some(({ state }) => state === 'completed' || state === 'limited')) return true;
    before = next;
  }
  return false;
}

/** New issues, and those that came back, by rule. */
async function newGroups(options, run) {
  const groups = [];
  for (const list of ['new', 'regressed'])
    for (const severity of severities) {
      if (options.limits[severity] === null) continue;
      const { rows } = await call(options, 'GET', `/api/dev/crawl-runs/${run.id}/issues/groups?list=${list}&severity=${severity}`);
      groups.push(...rows.map(({ rule, issues, example }) => ({ list, severity, rule, issues, example: example?.url ?? null })));
    }
  return groups;
}

async function main(argv, env) {
  const options = readOptions(argv, env);
  if (options === null) {
    process.stdout.write(usage);
    return exits.ok;
  }
  const run = await finishedRun(options);
  if (run.state === 'failed' || run.state === 'stopped') throw new Error(`The run ended as ${run.state}${run.reason ? ` (${run.reason})` : ''}`);
  const groups = (await hasEarlierResults(options, run)) ? await newGroups(options, run) : [];
  const counts = Object.fromEntries(
    severities.map((severity) => [severity, groups.filter((group) => group.severity === severity).reduce((sum, { issues }) => sum + issues, 0)]),
  );
  const exceeded = severities.filter((severity) => options.limits[severity] !== null && counts[severity] > options.limits[severity]);
  if (options.json)
    process.stdout.write(
      `${JSON.stringify({ run: run.id, number: run.number, state: run.state, score: run.score, pages: run.counters.pages, counts, exceeded, groups })}\n`,
    );
  else {
    process.stdout.write(`Run ${String(run.number)}: ${run.state}, ${String(run.counters.pages)} pages, score ${String(run.score ?? '–')}\n`);
    for (const { list, severity, rule, issues, example } of groups)
      process.stdout.write(`  ${severity} ${rule}: ${String(issues)} ${list}${example === null ? '' : `, such as ${example}`}\n`);
    for (const severity of exceeded)
      process.stdout.write(`New issues of severity ${severity}: ${String(counts[severity])}, allowed: ${String(options.limits[severity])}\n`);
  }
  return exceeded.length > 0 ? exits.issues : exits.ok;
}

try {
  process.exitCode = await main(process.argv.slice(2), process.env);
} catch (error) {
  const isUsage = error instanceof UsageError || error?.code?.startsWith?.('ERR_PARSE_ARGS');
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${isUsage ? usage : ''}`);
  process.exitCode = isUsage ? exits.usage : exits.failed;
}
