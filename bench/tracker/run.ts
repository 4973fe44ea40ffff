import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import type { CDPSession } from '@playwright/test';
import { chromiumArgs, chromiumPath } from '../../test/support/chromium';
import { median, writeSection } from '../sections';

/**
 * Cost of the tracker for a page, in Chromium with its processor slowed four times (about a mid-range phone): `npm run build && npm run bench:tracker`. The
 * figure is the main thread's time in scripts and tasks as Chromium reports it, minus that of the same page without the tracker. Median of 15.
 */
const runs = 15;
const slower = 4;
const steps = 20;
const root = path.resolve('.');
const script = readFileSync(path.join(root, 'dist', 'tracker', 't.js'));
const gzipped = gzipSync(script, { level: 9 }).length;
const bytesAim = 2000;

const page = (tag: string): string => `<!doctype html><html lang="en"><head><title>Page</title>${tag}</head><body><h1>Page</h1><p>Text</p></body></html>`;
let collected = 0;
const server = createServer((request, response) => {
  if (request.url === '/t.js') return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
  if (request.url === '/collect') {
    collected += 1;
    request.resume();
    return void response.writeHead(202, { 'content-type': 'application/json' }).end('{"accepted":1,"refused":[]}');
  }
  const tag = request.url?.startsWith('/with') ? '<script defer src="/t.js" data-site="benchmarkabc"></script>' : '';
  return void response.writeHead(200, { 'content-type': 'text/html' }).end(page(tag));
});

type Spent = { readonly script: number; readonly task: number };
async function spent(session: CDPSession): Promise<Spent> {
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (name: string): number => (metrics.find((metric) => metric.name === name)?.value ?? 0) * 1000;
  return { script: of('ScriptDuration'), task: of('TaskDuration') };
}

await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const port = address !== null && typeof address === 'object' ? address.port : 0;
const executablePath = chromiumPath();
const browser = await chromium.launch({ args: [...chromiumArgs], ...(executablePath === undefined ? {} : { executablePath }) });

/** Returns the milliseconds of loading a page, and of each further page view of a single-page application. */
async function cost(kind: 'with' | 'without'): Promise<{ load: Spent; view: Spent }> {
  const context = await browser.newContext();
  const tab = await context.newPage();
  const session = await context.newCDPSession(tab);
  await session.send('Performance.enable');
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
  await tab.goto(`http://127.0.0.1:${port}/${kind}`, { waitUntil: 'networkidle' });
  const loaded = await spent(session);
  await tab.evaluate(async (count) => {
    for (let i = 0; i < count; i += 1) {
      history.pushState({}, '', `?view=${i}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }, steps);
  const after = await spent(session);
  await context.close();
  return { load: loaded, view: { script: (after.script - loaded.script) / steps, task: (after.task - loaded.task) / steps } };
}

try {
  await cost('with');
  const withIt: Awaited<ReturnType<typeof cost>>[] = [];
  const without: Awaited<ReturnType<typeof cost>>[] = [];
  for (let run = 0; run < runs; run += 1) {
    withIt.push(await cost('with'));
    without.push(await cost('without'));
  }
  if (collected === 0) throw new Error('the tracker sent nothing');
  /** A negative difference is noise of the page itself, not a cost. */
  const extra = (of: 'load' | 'view', what: keyof Spent): string => {
    const more = median(withIt.map((one) => one[of][what])) - median(without.map((one) => one[of][what]));
    return more < 0 ? `not measurable (${more.toFixed(2)})` : more.toFixed(2);
  };
  const section = [
    '## Tracker (`npm run build && npm run bench:tracker`)',
    '',
    `${gzipped} bytes gzipped (aim ${bytesAim}: ${gzipped <= bytesAim ? 'met' : 'missed'}; Umami 3.1: 2239). Chromium ${browser.version()} slowed down ${slower} times, ${os.cpus().length} cores, load average ${(os.loadavg()[0] ?? 0).toFixed(1)},`,
    `${new Date().toISOString().slice(0, 10)}. Medians of ${runs} runs, less the time of the same page without the tracker.`,
    '',
    '| main thread | scripts, ms | all tasks, ms |',
    '|---|---|---|',
    `| loading a page | ${extra('load', 'script')} | ${extra('load', 'task')} |`,
    `| another page view (history API) | ${extra('view', 'script')} | ${extra('view', 'task')} |`,
  ].join('\n');
  await writeSection('tracker', section);
  process.stdout.write(`${section}\n`);
} finally {
  await browser.close();
  server.close();
}
