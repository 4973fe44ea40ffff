import { writeSection } from '../sections';
import type { Raced } from './peers/types';
import type { Figures } from './shots';

/** Figures of one operation at a number of connections. */
export type OperationResult = Figures & { readonly name: string; readonly connections: number };
/** Figures of one compared program. */
export type RaceLine = Figures & { readonly peer: string; readonly what: Raced; readonly connections: number };
type Result = {
  readonly at: string;
  readonly node: string;
  readonly postgres: string;
  readonly cpus: number;
  readonly load: number;
  readonly rows: number;
  readonly fields: number;
  readonly loadSeconds: number;
  readonly lines: readonly OperationResult[];
  /** Names of the compared programs; empty when there was no comparison. */
  readonly peers: readonly string[];
  readonly race: readonly RaceLine[];
};

/** Targets with one connection at 100 000 × 20, in ms: p95 of single calls, p50 of bulk calls. */
const aims: Readonly<Record<string, number>> = {
  'list 50 + capped count': 10,
  'indexed filter + sort, 50': 10,
  'create one': 5,
  'create 1 000 at once': 250,
  'undo 1 000': 300,
  'paste 10 000': 3000,
  'read 10 000 in pages of 1 000': 1000,
  'search, 2 Chinese characters': 30,
  'import a CSV of 10 000': 3000,
  'duplicate a table of 10 000': 1000,
};
/** The target at 1 000 000 × 10, in ms. */
const millionAims: Readonly<Record<string, number>> = { 'search, 2 Chinese characters': 30 };

const racedAs: Readonly<Record<Raced, string>> = {
  list: 'list of 50, indexed filter + sort',
  listTotal: 'the same with a total (ours stops at 10 000)',
  get: 'get one',
  create: 'create one',
  bulk: 'create 1 000 at once',
};
/** Target throughput as a multiple of that of Directus. */
const ratios: Partial<Record<Raced, number>> = { list: 3, listTotal: 5, create: 4, bulk: 10 };

/** Writes the tables into their sections of bench/RESULTS.md. */
export async function writeTables(result: Result): Promise<void> {
  const name = `tables-${result.rows}x${result.fields}`;
  await writeSection(name, section(result));
  if (result.peers.length > 0) await writeSection(`${name}-peers`, raceSection(result));
}

const each = (value: number | null): string => (value === null ? '' : value.toFixed(2));
const many = (perSecond: number): string => perSecond.toFixed(perSecond < 10 ? 1 : 0);
const setting = ({ at, node, postgres, cpus, load }: Result): string =>
  `${postgres} and the client on the same ${cpus} cores (Node ${node.slice(1)}, ${at.slice(0, 10)}, load average at the end ${load.toFixed(1)})`;

function section(result: Result): string {
  const { rows, fields, loadSeconds, lines } = result;
  const own = rows === 100_000 ? aims : rows === 1_000_000 ? millionAims : {};
  const table = lines.map(({ name, connections, p50, p95, perSecond, server, database }) => {
    const aim = connections === 1 ? own[name] : undefined;
    const reached = aim === undefined || aim <= 30 ? p95 : p50;
    return `| ${name} | ${connections} | ${p50.toFixed(1)} | ${p95.toFixed(1)} | ${many(perSecond)} | ${each(server)} | ${each(database)} | ${aim === undefined ? '' : `${aim} (${reached <= aim ? 'met' : 'missed'})`} |`;
  });
  return [
    `## Content tables, ${rows} × ${fields} (\`npm run bench:tables -- --rows ${rows} --fields ${fields}\`)`,
    '',
    `The real program over HTTP with an API token; ${setting(result)}. The client accepts no compressed responses.`,
    `All records were written through the API in batches of 1,000 in ${loadSeconds.toFixed(0)} s, ${Math.round(rows / loadSeconds)} per second, with history and search index.`,
    'Processor time is per request, in the program and in PostgreSQL. Aims apply to p95, those of 250 ms and more to p50.',
    '',
    '| operation | connections | p50 ms | p95 ms | a second | program ms | PostgreSQL ms | aim ms |',
    '|---|---|---|---|---|---|---|---|',
    ...table,
  ].join('\n');
}

/** Table cells: `requests per second | p50 / p95 | processor time of program + PostgreSQL`. */
const measured = ({ perSecond, p50, p95, server, database }: Figures): string =>
  `${many(perSecond)} | ${p50.toFixed(1)} / ${p95.toFixed(1)} | ${server === null ? '' : `${each(server)} + ${each(database)}`}`;

function raceSection(result: Result): string {
  const { rows, fields, peers, race } = result;
  const [own = '', ...others] = peers;
  const found = (peer: string, what: Raced, connections: number): RaceLine | undefined =>
    race.find((line) => line.peer === peer && line.what === what && line.connections === connections);
  const table = race
    .filter((line) => line.peer === own)
    .map(({ what, connections, ...ours }) => {
      const cells = others.map((peer) => {
        const line = found(peer, what, connections);
        return line ? `${measured(line)} | ${(ours.perSecond / line.perSecond).toFixed(1)}×` : ' | | | not offered';
      });
      const first = others[0] === undefined ? undefined : found(others[0], what, connections);
      const aim = ratios[what];
      const verdict = aim === undefined || !first ? '' : `${aim}× (${ours.perSecond / first.perSecond >= aim ? 'met' : 'missed'})`;
      return `| ${racedAs[what]} | ${connections} | ${measured(ours)} | ${cells.join(' | ')} | ${verdict} |`;
    });
  const heads = others.map((peer) => `${peer} a second | p50 / p95 ms | processor ms | ours is`);
  return [
    `## Content tables compared with others, ${rows} × ${fields} (\`npm run bench:tables -- --rows ${rows} --fields ${fields} --peers\`)`,
    '',
    `The same records in each, on the same server: ${setting(result)}. Each was measured in turn by the same client, which accepts no compressed responses.`,
    'All return the same 50 records in the same order. Directus stores revisions as Sitewright stores history; Payload runs without its admin pages and stores none.',
    'Processor time is per request, in the program and in PostgreSQL; it depends least on other load.',
    '',
    `| operation | connections | ours a second | p50 / p95 ms | processor ms | ${heads.join(' | ')} | aim beside ${others[0] ?? ''} |`,
    `|---|---|---|---|---|${'---|---|---|---|'.repeat(others.length)}---|`,
    ...table,
  ].join('\n');
}
