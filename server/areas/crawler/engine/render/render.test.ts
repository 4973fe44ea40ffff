import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { defaultConfig } from '../../../../../contract/crawler/config';
import type { PageFacts } from '../../../../../contract/crawler/facts';
import { startSite } from '../../../../../test/support/crawlSite';
import { findProgram } from '../../../../kit/installedProgram';
import { freshRun } from '../protocol';
import { createCrawl } from '../crawl';
import { sentHeaders } from './answers';
import { createBrowsers } from './browsers';
import { BrowserGone, createDevtools, goneEvent } from './devtools';
import { findChromium } from './findChromium';
import { createTurns } from './turns';

test('a host that a rendered page waits for gets no other request', async () => {
  let free = 1;
  const begun: string[] = [];
  const governor = { isReady: () => free > 0, readyAt: () => (free > 0 ? 0 : Infinity), start: () => void (free -= 1) };
  const turns = createTurns(governor, () => 0);
  const page = new AbortController();
  const next = (name: string): Promise<void> => turns.next('tea.example', page.signal).then(() => void begun.push(name));
  await next('first');
  const [second, third] = [next('second'), next('third')];
  expect([turns.waitsFor('tea.example'), turns.waitsFor('other.example')]).toEqual([true, false]);
  free = 1;
  turns.look();
  await second;
  expect(begun).toEqual(['first', 'second']);
  page.abort();
  await expect(third).rejects.toThrow('aborted');
  expect(turns.waitsFor('tea.example')).toBe(false);
});

test('headers that identify or redirect a request are not sent for scripts', () => {
  const own = [
    'Host',
    'Cookie',
    'Origin',
    'User-Agent',
    'Accept-Encoding',
    'Content-Length',
    'Proxy-Authorization',
    'X-Forwarded-For',
    'X-HTTP-Method-Override',
  ];
  const headers = { ...Object.fromEntries(own.map((name) => [name, 'x'])), 'X-Key': '7', Accept: 'application/json', 'x-long': 'x'.repeat(3000) };
  const sent = { 'x-key': '7', accept: 'application/json' };
  expect(sentHeaders({ url: 'https://tea.example/api', headers }, 'https://tea.example/page')).toEqual(sent);
  expect(sentHeaders({ url: 'https://api.example/', headers }, 'https://tea.example/page')).toEqual({ ...sent, origin: 'https://tea.example' });
});

test('messages of the browser arrive in any parts, and what is none ends it', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let broken = 0;
  const devtools = createDevtools(input, output, () => void (broken += 1));
  const events: string[] = [];
  devtools.listen('s', ({ method }) => events.push(method));
  const [first, second] = [devtools.send('A'), devtools.send('B', {}, 's')];
  const refused = second.catch((error: Error) => error.message);
  const text = `{"id":1,"result":{"text":"茶"}}\0{"method":"E","sessionId":"s","params":{}}\0{"id":2,"error":{"message":"no"}}\0`;
  for (const byte of Buffer.from(text)) output.write(Buffer.from([byte]));
  expect(await first).toEqual({ text: '茶' });
  expect(await refused).toBe('no');
  expect(events).toEqual(['E']);
  const third = devtools.send('C').catch((error: unknown) => error);
  output.write('nothing\0');
  expect(await third).toBeInstanceOf(BrowserGone);
  expect(broken).toBe(1);
  // A page that waits for an event learns of it.
  expect(events).toEqual(['E', goneEvent]);
});

/** A browser that starts, and ends as soon as it is to render something. `starts`: the file that it notes its start in. */
const shortLived = (starts: string): string => `#!${process.execPath}
  const { appendFileSync, createReadStream, writeSync } = require('node:fs');
  appendFileSync(${JSON.stringify(starts)}, 'x');
  createReadStream('', { fd: 3 }).on('data', (data) => {
    const { id, method } = JSON.parse(data.toString().split('\\0')[0]);
    if (method !== 'Browser.getVersion') process.exit();
    writeSync(4, JSON.stringify({ id, result: {} }) + '\\0');
  });`;

test('a folder is no browser, even if it may be entered', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sitewright-test-'));
  mkdirSync(path.join(folder, 'chromium'));
  const program = path.join(folder, 'chrome');
  writeFileSync(program, '', { mode: 0o755 });
  expect([findChromium(folder), findChromium(program), findProgram(['chromium', 'chrome'], [folder])]).toEqual([null, program, program]);
  rmSync(folder, { recursive: true });
});

test('pages that lose a browser together start one in its place', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sitewright-test-'));
  const [program, starts] = [path.join(folder, 'chromium'), path.join(folder, 'starts')];
  writeFileSync(program, shortLived(starts), { mode: 0o755 });
  const browsers = createBrowsers(program, 'Test');
  const page = {
    url: 'https://tea.example/',
    document: { status: 200, headers: [], body: new Uint8Array() },
    answer: () => Promise.resolve(null),
    onSocket: () => undefined,
  };
  const render = (): Promise<unknown> => browsers.render(page).catch((error: unknown) => error);
  for (const result of await Promise.all([render(), render()])) expect(result).toBeInstanceOf(BrowserGone);
  // Each page is tried twice.
  expect(readFileSync(starts, 'utf8')).toBe('xx');
  browsers.close();
  rmSync(folder, { recursive: true });
});

test('a crawl without Chromium says that it runs no scripts', async () => {
  const local = await startSite(1);
  local.answer = (_request, response, requested) => {
    if (requested === '/')
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Tea</title><div id="root"></div><script src="/app.js"></script>');
    return requested === '/';
  };
  const usual = defaultConfig([`${local.origin}/`]);
  const facts: PageFacts[] = [];
  const running = createCrawl(
    {
      siteId: 'tea',
      runId: '00000000-0000-4000-8000-000000000000',
      config: { ...usual, render: { mode: 'auto', pages: 5 }, fetch: { ...usual.fetch, sitemaps: false, resources: false } },
      verified: true,
      allowNear: true,
      ownOrigins: [],
      folder: null,
      chromium: findChromium('off'),
      headers: {},
      ...freshRun,
    },
    (_page, found) => {
      facts.push(found);
      return [];
    },
    { write: () => Promise.resolve(), body: () => Promise.resolve(null), now: Date.now, random: Math.random },
  );
  expect((await running.run()).kind).toBe('done');
  await local.close();
  const { renderStop, needScripts, rendered, pages } = running.state.counters;
  expect({ renderStop, needScripts, rendered, pages }).toEqual({ renderStop: 'no_browser', needScripts: 1, rendered: 0, pages: 1 });
  expect(facts[0]).toMatchObject({ needsScripts: true, rendering: null, titles: ['Tea'] });
});
