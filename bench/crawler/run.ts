import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { median, writeSection } from '../sections';
import { crawlArguments } from '../../server/areas/crawler/engine/crawlProcess';
import { bundle, startBenchSite } from './entries';

/**
 * Pages per second and per second of processor time, and memory, of the crawl engine with all rules of pages, of Crawlee's crawlers (installed from npm into a temporary folder),
 * and of a loop that only requests pages: `npm run bench:crawler`. `PAGES=100000` crawls a larger site; `PEERS=0` leaves out Crawlee, `ROUNDS=1` runs each once.
 */
const pages = Number(process.env['PAGES'] ?? 5000);
const rounds = Number(process.env['ROUNDS'] ?? 3);
const withPeers = process.env['PEERS'] !== '0';
type Cost = { readonly pages: number; readonly seconds: number; readonly cpu: number; readonly rss: number };

const folder = mkdtempSync(path.join(path.resolve('.cache'), 'bench-crawler-'));
await bundle(folder, Object.fromEntries(['engine', 'loop', 'site'].map((name) => [name, `bench/crawler/${name}.ts`])));
const { origin, close } = await startBenchSite(folder, pages);
const run = (file: string, args: readonly string[] = [], nodeArguments: readonly string[] = []): Cost =>
  JSON.parse(
    execFileSync(process.execPath, [...nodeArguments, file, origin, String(pages), ...args], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .at(-1) ?? '',
  ) as Cost;

const programs: [string, () => Cost][] = [
  ['Engine, all rules of pages', () => run(path.join(folder, 'engine.mjs'), [], crawlArguments)],
  ['Loop that only requests pages', () => run(path.join(folder, 'loop.mjs'))],
];
const peers = mkdtempSync(path.join(os.tmpdir(), 'crawlee-'));
if (withPeers) {
  writeFileSync(path.join(peers, 'package.json'), '{"type":"module"}');
  execFileSync('npm', ['i', 'crawlee@3.18.1', '--no-audit', '--no-fund', '--ignore-scripts', '--omit=peer'], { cwd: peers, stdio: 'ignore' });
  copyFileSync('bench/crawler/peer.mjs', path.join(peers, 'peer.mjs'));
  programs.push(['Crawlee HttpCrawler', () => run(path.join(peers, 'peer.mjs'), ['http', 'crawlee'])]);
  programs.push(['Crawlee CheerioCrawler', () => run(path.join(peers, 'peer.mjs'), ['cheerio', 'crawlee'])]);
}
const results = new Map<string, Cost[]>();
for (let round = 0; round < rounds; round += 1) for (const [name, work] of programs) results.set(name, [...(results.get(name) ?? []), work()]);
close();
for (const used of [folder, peers]) rmSync(used, { recursive: true, force: true });

const rows = [...results].map(([name, costs]) => {
  const of = (value: (cost: Cost) => number): string => median(costs.map(value)).toFixed(0);
  return `| ${name} | ${of((one) => one.pages)} | ${of((one) => one.pages / one.seconds)} | ${of((one) => one.pages / one.cpu)} | ${of((one) => one.rss)} |`;
});
const table = ['| | pages | pages/s | pages per CPU second | most memory, MB |', '|---|---:|---:|---:|---:|', ...rows].join('\n');
console.log(table);
await writeSection(
  pages === 5000 ? 'crawler' : `crawler ${pages}`,
  `## Crawler, ${pages} pages (\`npm run bench:crawler\`)\n\nPages of 58 KB with 31 links, compressed, from a server on the same machine. ${rounds === 1 ? 'One run of each.' : `Medians of ${rounds} runs in turn.`} Aims: 600 pages per CPU second, four times CheerioCrawler, 250 MB.\n\n${table}`,
);
