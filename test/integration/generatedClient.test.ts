import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { makeTabled } from '../support/tables';

/** Like an external developer: generates a client from our documents with common tools, compiles it and uses it. */
const root = path.resolve(import.meta.dirname, '../..');
let program: TestApp;
let address: string;
let token: string;
let siteId: string;
let folder: string;

beforeAll(async () => {
  program = await makeTestApp();
  await program.app.listen({ host: '127.0.0.1', port: 0 });
  address = `http://127.0.0.1:${(program.app.server.address() as AddressInfo).port}`;
  const { owner, site } = await makeTabled(
    program,
    [
      { key: 'name', type: 'text', required: true },
      { key: 'price', type: 'currency', options: { currency: 'CNY' } },
      { key: 'stock', type: 'integer' },
      {
        key: 'kind',
        type: 'select',
        options: {
          choices: [
            { id: 'green', title: '绿茶' },
            { id: 'black', title: '红茶' },
          ],
        },
      },
      { key: 'tags', type: 'tags' },
      { key: 'twice', type: 'formula', options: { formula: '{price} * 2' } },
    ],
    { key: 'teas', title: '茶' },
  );
  siteId = site.id;
  const tokenResponse = await owner.send('POST', '/api/acc/tokens', { name: 'Client', scopes: ['tables:read', 'tables:write'] });
  token = tokenResponse.json<{ data: { value: string } }>().data.value;
  mkdirSync(path.join(root, '.cache'), { recursive: true });
  folder = mkdtempSync(path.join(root, '.cache', 'client-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await program.close();
});

async function typesOf(document: string): Promise<string> {
  const answer = await fetch(`${address}${document}`, { headers: { authorization: `Bearer ${token}` } });
  expect(answer.status).toBe(200);
  return astToString(await openapiTypescript(await answer.text()));
}

/** Compiles the folder with the repository's settings; resolves to the compiler's messages. */
async function complaints(): Promise<string> {
  writeFileSync(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: '../../tsconfig.json', compilerOptions: { paths: {}, types: [] }, include: ['.'], exclude: [] }),
  );
  return promisify(execFile)(path.join(root, 'node_modules/.bin/tsc'), ['-p', folder]).then(
    () => '',
    (error: { stdout?: string; message: string }) => error.stdout || error.message,
  );
}

/** Valid uses of a table's types; lines that the compiler must refuse are marked. */
const clientOf = (records: string): string => `
import createClient from 'openapi-fetch';
import type { components, paths } from './site';

export function makeClient(baseUrl: string, token: string) {
  const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } });
  const one = '${records}/{id}';
  return {
    add: (name: string, stock: number) => client.POST('${records}', { body: { records: [{ name, stock, kind: 'green', tags: ['new'] }] } }),
    list: () => client.GET('${records}', { params: { query: { limit: 10 } } }),
    read: (id: string) => client.GET(one, { params: { path: { id } } }),
    change: (id: string, revision: string, stock: number) =>
      client.PATCH(one, { params: { path: { id }, header: { 'If-Match': revision } }, body: { values: { stock } } }),
    // @ts-expect-error -- a change names the revision that was read
    changeBlindly: (id: string, stock: number) => client.PATCH(one, { params: { path: { id } }, body: { values: { stock } } }),
    // @ts-expect-error -- a record needs what is required
    addNameless: () => client.POST('${records}', { body: { records: [{ stock: 1 }] } }),
    // @ts-expect-error -- it is one of the choices
    addUnknownKind: () => client.POST('${records}', { body: { records: [{ name: 'a', kind: 'blue' }] } }),
  };
}

// @ts-expect-error -- a formula is not written
export const computed: components['schemas']['teas.new'] = { name: 'a', twice: '2' };

/** Answers are as narrow as their table. */
export async function typed(client: ReturnType<typeof makeClient>) {
  const { data } = await client.read('');
  const stock: number | null | undefined = data?.data.values.stock;
  const kind: 'green' | 'black' | null | undefined = data?.data.values.kind;
  const { error, response } = await client.change('', '"1"', 1);
  const theirs: number | undefined = error && 'current' in error ? error.current?.revision : undefined;
  return { stock, kind, theirs, status: response.status };
}
`;

type Called<T> = Promise<{ data?: { data: T }; error?: { code: string; current?: { revision: number; fields: object } }; response: Response }>;
type TeaRecord = { id: string; revision: number; values: Record<string, unknown> };
type Client = {
  readonly add: (name: string, stock: number) => Called<{ records: TeaRecord[] }>;
  readonly list: () => Called<{ rows: TeaRecord[] }>;
  readonly read: (id: string) => Called<TeaRecord>;
  readonly change: (id: string, revision: string, stock: number) => Called<TeaRecord>;
  readonly changeBlindly: (id: string, stock: number) => Called<TeaRecord>;
};
async function openClient(): Promise<Client> {
  const { makeClient } = (await import(path.join(folder, 'client.ts'))) as { makeClient: (baseUrl: string, token: string) => Client };
  return makeClient(address, token);
}

test('types of both documents and a client of them compile', async () => {
  writeFileSync(path.join(folder, 'program.ts'), await typesOf('/api/openapi.json'));
  writeFileSync(path.join(folder, 'site.ts'), await typesOf(`/api/site/${siteId}/table/openapi.json`));
  writeFileSync(path.join(folder, 'client.ts'), clientOf(`/api/site/${siteId}/table/tables/teas/records`));
  expect(await complaints()).toBe('');
}, 300_000);

test('the generated client reads and writes with the revision read', async () => {
  const client = await openClient();
  const { data: added } = await client.add('龙井', 3);
  const id = added?.data.records[0]?.id ?? '';
  const { data: read } = await client.read(id);
  expect(read?.data).toMatchObject({ revision: 1, values: { name: '龙井', stock: 3, kind: 'green', tags: ['new'], twice: null } });
  const changed = await client.change(id, '"1"', 4);
  expect([changed.response.status, changed.data?.data.revision]).toEqual([200, 2]);
  expect(changed.response.headers.get('etag')).toBe('"2"');
  const { data: listed } = await client.list();
  expect(listed?.data.rows).toMatchObject([{ id, revision: 2, values: { stock: 4 } }]);
});

test('the generated client gets conflicts with both sides and missing revisions', async () => {
  const client = await openClient();
  const { data: added } = await client.add('普洱', 1);
  const id = added?.data.records[0]?.id ?? '';
  await client.change(id, '"1"', 2);
  const conflict = await client.change(id, '"1"', 3);
  expect([conflict.response.status, conflict.error?.code, conflict.error?.current]).toEqual([
    409,
    'stale_revision',
    expect.objectContaining({ revision: 2, fields: { stock: { base: 1, theirs: 2, yours: 3 } } }),
  ]);
  const blind = await client.changeBlindly(id, 3);
  expect([blind.response.status, blind.error?.code]).toEqual([428, 'precondition_required']);
  expect((await client.read(id)).data?.data.values).toMatchObject({ stock: 2 });
});
