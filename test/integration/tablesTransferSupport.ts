import type { LightMyRequestResponse } from 'fastify';
import type { ImportLook, ImportPlanInput, TableImport } from '../../contract/tables/transfers';
import type { Site } from '../../contract/sites/schemas';
import type { ContentTable } from '../../contract/tables/schemas';
import { findImport } from '../../server/areas/tables/transfer/queries';
import type { Person, TestApp } from '../support/app';
import { sendChunk } from '../support/sendChunk';
import { until } from '../support/until';

export type Imports = {
  readonly path: (rest?: string) => string;
  readonly get: (id: string, by?: Person) => Promise<TableImport>;
  /** Uploads a whole file; the import is then ready. */
  readonly upload: (table: ContentTable | null, name: string, content: Buffer | string, by?: Person) => Promise<TableImport>;
  readonly look: (id: string, body?: object) => Promise<ImportLook>;
  /** Error code and message of a refused preview. */
  readonly unread: (id: string, body?: object) => Promise<string>;
  readonly start: (id: string, plan: ImportPlanInput, more?: { dryRun?: boolean; title?: string }, by?: Person) => Promise<TableImport>;
  /** Waits until its job has finished. */
  readonly ended: (id: string) => Promise<TableImport>;
  /** The whole import: columns are mapped to fields by key, in order. */
  readonly run: (
    table: ContentTable,
    name: string,
    content: Buffer | string,
    keys: readonly (string | null)[],
    plan?: Partial<ImportPlanInput>,
  ) => Promise<TableImport>;
  readonly rows: (id: string, query?: string) => Promise<RowsAnswer>;
};
export type RowsAnswer = {
  rows: { row: number; outcome: string; id: string | null; line: number; cells: string[]; errors: { field: string | null; code: string; text: string }[] }[];
  next: number | null;
};

export const columnsTo = (keys: readonly (string | null)[]): ImportPlanInput['columns'] =>
  keys.map((key, column) => ({ column, to: key === null ? null : { field: key } }));

export function importsOf(program: TestApp, owner: Person, site: Site): Imports {
  const path = (rest = ''): string => `/api/site/${site.id}/table/imports${rest === '' ? '' : `/${rest}`}`;
  async function data<T>(answer: Promise<LightMyRequestResponse>): Promise<T> {
    const got = await answer;
    if (got.statusCode >= 300) throw new Error(`${got.statusCode} ${got.body}`);
    return got.json<{ data: T }>().data;
  }
  const get: Imports['get'] = (id, by = owner) => data(by.get(path(id)));
  const upload: Imports['upload'] = async (table, name, content, by = owner) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const createdImport = await data<TableImport>(by.send('POST', path(), { table: table?.id ?? null, name, size: bytes.length }));
    const sent = await sendChunk(by, path(`${createdImport.id}/file`), 0, bytes);
    if (sent.statusCode !== 204) throw new Error(sent.body);
    return get(createdImport.id, by);
  };
  const start: Imports['start'] = (id, plan, more = {}, by = owner) => data(by.send('POST', path(`${id}/start`), { dryRun: false, ...more, plan }));
  const ended: Imports['ended'] = async (id) => {
    // Not through the API, whose rate limit is meant for people.
    await until(async () => {
      const found = await findImport(program.ctx.postgres.db, site.id, id);
      return found !== null && (found.row.requested === null || ['failed', 'cancelled'].includes(found.job?.state ?? ''));
    }, 90_000);
    return get(id);
  };
  return {
    path,
    get,
    upload,
    start,
    ended,
    look: (id, body = {}) => data(owner.send('POST', path(`${id}/look`), body)),
    unread: async (id, body = {}) => {
      const answer = await owner.send('POST', path(`${id}/look`), body);
      return answer.json<{ fields?: { file?: { message?: string } } }>().fields?.file?.message ?? `${answer.statusCode} ${answer.body}`;
    },
    rows: (id, query = '') => data(owner.get(`${path(`${id}/rows`)}?${query}`)),
    async run(table, name, content, keys, plan = {}) {
      const { id } = await upload(table, name, content);
      await start(id, { columns: columnsTo(keys), ...plan });
      return ended(id);
    },
  };
}
