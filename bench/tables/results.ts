import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Milliseconds at so many connections, and answers a second. */
export type Line = { readonly name: string; readonly connections: number; readonly p50: number; readonly p95: number; readonly perSecond: number };
type Result = {
  readonly at: string;
  readonly node: string;
  readonly cpus: number;
  readonly load: number;
  readonly rows: number;
  readonly fields: number;
  readonly loadSeconds: number;
  readonly lines: readonly Line[];
};

/** Aims of one connection at 100 000 × 20 (tables.md §9.6): p95 of single calls, p50 of bulk ones, ms. */
const aims: Readonly<Record<string, number>> = {
  'list 50 + capped count': 10,
  'indexed filter + sort, 50': 10,
  'create one': 5,
  'create 1 000 at once': 250,
  'undo 1 000': 300,
  'paste 10 000': 3000,
  'read 10 000 in pages of 1 000': 1000,
  'search, 2 Chinese characters': 30,
};

/** Writes the table into its place in bench/RESULTS.md. */
export async function writeSection(root: string, result: Result): Promise<void> {
  const file = path.join(root, 'bench', 'RESULTS.md');
  const text = await readFile(file, 'utf8').catch(() => '# Results\n');
  const name = `tables-${result.rows}x${result.fields}`;
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const written = `${begin}\n${section(result)}\n${end}`;
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  await writeFile(file, from === -1 || to === -1 ? `${text.trimEnd()}\n\n${written}\n` : `${text.slice(0, from)}${written}${text.slice(to + end.length)}`);
}

function section({ at, node, cpus, load, rows, fields, loadSeconds, lines }: Result): string {
  const table = lines.map(({ name, connections, p50, p95, perSecond }) => {
    const aim = connections === 1 && rows === 100_000 ? aims[name] : undefined;
    const reached = name === 'create one' || aim === undefined || aim <= 30 ? p95 : p50;
    return `| ${name} | ${connections} | ${p50.toFixed(1)} | ${p95.toFixed(1)} | ${perSecond.toFixed(perSecond < 10 ? 1 : 0)} | ${aim === undefined ? '' : `${aim} (${reached <= aim ? 'met' : 'missed'})`} |`;
  });
  return [
    `## Content tables, ${rows} × ${fields} (\`npm run bench:tables -- --rows ${rows} --fields ${fields}\`)`,
    '',
    `The real program over HTTP with an API token; embedded PostgreSQL and the caller on the same ${cpus} cores (Node ${node.slice(1)}, ${at.slice(0, 10)}, load average at the end ${load.toFixed(1)}).`,
    `All records were written over the API in batches of 1 000 in ${loadSeconds.toFixed(0)} s, ${Math.round(rows / loadSeconds)} a second, with history and search index.`,
    '',
    '| operation | connections | p50 ms | p95 ms | a second | aim ms |',
    '|---|---|---|---|---|---|',
    ...table,
  ].join('\n');
}
