import { setTimeout as delay } from 'node:timers/promises';
import type { ContentTable } from '../../contract/tables/schemas';
import type { ImportLook, TableImport } from '../../contract/tables/transfers';
import { choices, fieldsOf, kindOf, recordsOf, valueOf } from './data';
import type { Shot } from './shots';

/** Calls that write whole tables: CSV import and duplication. `call` returns the `data` of a response; `base` is the path prefix of the content table calls. */
type Calls = { readonly call: <T>(shot: Shot) => Promise<T>; readonly base: string; readonly fields: number };

const count = 10_000;
const pause = 20;

const titles = new Map(choices.map(({ id, title }) => [id, title]));
/** Formats a value as a CSV cell. */
function cell(i: number, n: number): string {
  const value = String(valueOf(i, n));
  const text = kindOf(i) === 'select' ? (titles.get(value) ?? '') : value;
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const post = (path: string, body: object): Shot => ({ method: 'POST', path, body: JSON.stringify(body) });

/** Creates a table with the same fields and no records. */
const makeTable = ({ call, base, fields }: Calls, title: string): Promise<ContentTable> =>
  call<ContentTable>(post(`${base}/tables`, { title, fields: fieldsOf(fields) }));

/** Imports a CSV file of 10 000 rows into a table as the console does: upload, preview, start, and wait until the end. */
async function importCsv(calls: Calls, table: ContentTable, times: number): Promise<void> {
  const { call, base, fields } = calls;
  const each = Array.from({ length: fields }, (_, i) => i);
  const lines = Array.from({ length: count }, (_, n) => each.map((i) => cell(i, times * count + n)).join(','));
  const file = [table.fields.map((field) => field.title).join(','), ...lines, ''].join('\r\n');
  const size = Buffer.byteLength(file);
  const createdImport = await call<TableImport>(post(`${base}/imports`, { table: table.id, name: 'records.csv', size }));
  const at = `${base}/imports/${createdImport.id}`;
  const headers = { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
  await call<null>({ method: 'PATCH', path: `${at}/file`, body: file, headers });
  const look = await call<ImportLook>(post(`${at}/look`, {}));
  const columns = look.columns.map(({ column, field }) => ({ column, to: field === null ? null : { field } }));
  if (columns.some(({ to }) => to === null)) throw new Error('a column of the file was not known as a field');
  await call<TableImport>(post(`${at}/start`, { plan: { columns }, dryRun: false }));
  for (;;) {
    const now = await call<TableImport>({ method: 'GET', path: at });
    if (now.state === 'done' && now.counts?.insert === count) return;
    if (now.state !== 'running' && now.state !== 'ready') throw new Error(`the import is ${now.state}: ${now.error ?? JSON.stringify(now.counts)}`);
    await delay(pause);
  }
}

/** Fills a table with the 10 000 records that `copyTable` duplicates. */
async function fillTable({ call, base, fields }: Calls, table: ContentTable): Promise<void> {
  for (let n = 0; n < count; n += 1000) await call(post(`${base}/tables/${table.id}/records`, { records: recordsOf(fields, n, 1000) }));
}

/** Duplicates a table with its 10 000 records, and waits until all of them are there. */
async function copyTable({ call, base }: Calls, table: ContentTable, title: string): Promise<void> {
  const copy = await call<ContentTable>(post(`${base}/tables/${table.id}/duplicate`, { title, records: true }));
  for (;;) {
    const { total } = await call<{ total: number }>({ method: 'GET', path: `${base}/tables/${copy.id}/records?limit=1&fields=-&count=exact` });
    if (total === count) return;
    await delay(pause);
  }
}

/** Measures what works on whole tables. */
export async function measureWholeTables(
  calls: Calls,
  repeat: (name: string, times: number, work: (n: number) => Promise<unknown>) => Promise<void>,
  isIncluded: (name: string) => boolean,
): Promise<void> {
  const other = await makeTable(calls, '另一张');
  await repeat('import a CSV of 10 000', 2, (n) => importCsv(calls, other, n));
  if (!isIncluded('duplicate a table of 10 000')) return;
  const original = await makeTable(calls, '原表');
  await fillTable(calls, original);
  await repeat('duplicate a table of 10 000', 2, (n) => copyTable(calls, original, `副本 ${n}`));
}
