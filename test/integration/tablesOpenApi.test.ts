import { makeTestApp } from '../support/app';
import type { Browser, TestApp } from '../support/app';
import { addTestTable, makeTabled } from '../support/tables';
import type { MadeTable, Tabled } from '../support/tables';
import { personOn } from './tablesLifeSupport';

type Json = Record<string, unknown>;
type Operation = {
  operationId: string;
  parameters: { name: string; in: string; required: boolean; schema: Json }[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: Json }> }>;
};
type Document = {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json & { properties?: Record<string, Json>; required?: string[] }>; securitySchemes: Json };
};

let program: TestApp;
let testTable: Tabled;
let team: MadeTable;
beforeAll(async () => {
  program = await makeTestApp();
  testTable = await makeTabled(
    program,
    [
      { key: 'title', type: 'text', title: '标题', required: true, options: { maxLength: 80 } },
      { key: 'price', type: 'currency', options: { currency: 'CNY' } },
      {
        key: 'kind',
        type: 'select',
        options: {
          choices: [
            { id: 'new', title: '新' },
            { id: 'old', title: '旧' },
          ],
        },
      },
      { key: 'due', type: 'date' },
      { key: 'place', type: 'geo' },
      { key: 'twice', type: 'formula', options: { formula: '{price} * 2' } },
      { key: 'secret', type: 'text', sensitive: true },
      { key: 'lock', type: 'password' },
    ],
    { title: '商品', key: 'goods' },
  );
  team = await addTestTable(
    testTable.owner,
    testTable.site.id,
    [
      { key: 'name', type: 'text', required: true },
      { key: 'goods', type: 'relations', options: { to: 'goods' } },
    ],
    { key: 'team', drafts: true },
  );
  const { headers } = await testTable.owner.get(`${testTable.path}/rules`);
  await testTable.owner.send(
    'PUT',
    `${testTable.path}/rules`,
    { rules: [{ role: 'public', action: 'read', allowed: true }] },
    { 'if-match': String(headers['etag']) },
  );
});
afterAll(() => program.close());

const documentOf = async (by: Browser): Promise<Document> => {
  const answer = await by.get(`/api/site/${testTable.site.id}/table/openapi.json`);
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json<Document>();
};
const schemaOf = (document: Document, name: string) => document.components.schemas[name] ?? {};
const callsIn = (document: Document): string[] =>
  Object.entries(document.paths)
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(`/api/site/${testTable.site.id}`, '')}`))
    .sort();

/** Every object in a document that may be a schema or a reference. */
function* nodesIn(value: unknown): Generator<Json> {
  if (Array.isArray(value)) for (const one of value) yield* nodesIn(one);
  else if (typeof value === 'object' && value !== null) {
    yield value as Json;
    for (const one of Object.values(value)) yield* nodesIn(one);
  }
}

test('the OpenAPI document declares its parameters, references and unique ids', async () => {
  const document = await documentOf(testTable.owner);
  expect(document.openapi).toMatch(/^3\.1\.\d+$/);
  expect(document.info).toMatchObject({ title: 'Tea house', version: expect.any(String) });
  const operations = Object.entries(document.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, one]) => ({ path, method, one })));
  expect(operations.length).toBeGreaterThan(15);
  for (const { path, method, one } of operations) {
    expect(path).toMatch(/^\/api\//);
    expect(['get', 'post', 'put', 'patch', 'delete']).toContain(method);
    const inPath = one.parameters.filter((parameter) => parameter.in === 'path');
    expect(new Set(inPath.map(({ name }) => name))).toEqual(new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)));
    expect(inPath.every(({ required }) => required)).toBe(true);
    expect(Object.keys(one.responses).every((status) => /^[2-5]\d\d$/.test(status))).toBe(true);
    expect(Object.values(one.responses).every(({ description }) => description !== '')).toBe(true);
  }
  const operationIds = operations.map(({ one }) => one.operationId);
  expect(new Set(operationIds).size).toBe(operationIds.length);
  expect(Object.keys(document.components.schemas).every((name) => /^[\w.-]+$/.test(name))).toBe(true);
  const types = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);
  for (const node of nodesIn(document)) {
    if (typeof node['$ref'] === 'string') {
      const at = node['$ref']
        .replace(/^#\//, '')
        .split('/')
        .reduce<unknown>((value, key) => (value as Json | undefined)?.[key], document);
      expect([node['$ref'], at !== undefined]).toEqual([node['$ref'], true]);
    }
    if (typeof node['type'] === 'string' && node['in'] === undefined && !('scheme' in node) && node['type'] !== 'apiKey') expect(types).toContain(node['type']);
  }
});

test('schemas describe values as they are read and written', async () => {
  const document = await documentOf(testTable.owner);
  const read = schemaOf(document, 'goods.values').properties ?? {};
  expect(Object.keys(read)).toEqual(['title', 'price', 'kind', 'due', 'place', 'twice', 'secret', 'lock']);
  expect(read['title']).toEqual({ type: ['string', 'null'], maxLength: 80, title: '标题' });
  expect(read['kind']).toMatchObject({ anyOf: [{ type: 'string', enum: ['new', 'old'] }, { type: 'null' }], description: 'new: 新\nold: 旧' });
  expect(read['due']).toMatchObject({ type: ['string', 'null'], format: 'date' });
  expect(read['price']).toMatchObject({ type: ['string', 'null'] });
  expect(read['twice']).toMatchObject({ type: ['string', 'null'] });
  const written = schemaOf(document, 'goods.new');
  expect(Object.keys(written.properties ?? {})).toEqual(['title', 'price', 'kind', 'due', 'place', 'secret', 'lock']);
  expect(written.required).toEqual(['title']);
  expect(written.properties?.['title']).toEqual({ type: 'string', maxLength: 80, title: '标题' });
  expect(schemaOf(document, 'goods.change').required).toBeUndefined();
  // With drafts, required fields are checked on publication.
  expect(schemaOf(document, 'team.new').required).toBeUndefined();
  expect(schemaOf(document, 'team.values').properties?.['goods']).toMatchObject({ type: 'array', items: { type: 'string', format: 'uuid' } });
  const records = document.paths[`/api/site/${testTable.site.id}/table/tables/goods/records`];
  expect(JSON.stringify(records?.['get']?.responses['200'])).toContain('"#/components/schemas/goods.values"');
  expect(JSON.stringify(records?.['post']?.requestBody)).toContain('"#/components/schemas/goods.new"');
  expect(JSON.stringify(records?.['patch']?.requestBody)).toContain('"#/components/schemas/goods.change"');
});

test('the server responds as the document describes', async () => {
  const { owner, path, site } = testTable;
  await owner.send('POST', `${path}/records`, { records: [{ title: '茶', price: '1.5', kind: 'new', due: '2026-01-02', place: { lat: 1, lng: 2 } }] });
  const document = await documentOf(owner);
  const [row] = (await owner.get(`${path}/records`)).json<{ data: { rows: { values: Json }[] } }>().data.rows;
  expect(Object.keys(row?.values ?? {}).sort()).toEqual(Object.keys(schemaOf(document, 'goods.values').properties ?? {}).sort());
  const [open] = (await owner.get(`/api/site/${site.id}/content/goods`)).json<{ data: { rows: { values: Json }[] } }>().data.rows;
  expect(Object.keys(open?.values ?? {}).sort()).toEqual(Object.keys(schemaOf(document, 'goods.content').properties ?? {}).sort());
});

test('the document contains only what the caller may do', async () => {
  const { owner } = testTable;
  const all = callsIn(await documentOf(owner));
  expect(all.filter((call) => call.includes('/content/'))).toEqual(['GET /content/goods', 'GET /content/goods/{id}']);
  expect(all.filter((call) => call.includes('publish'))).toEqual(['POST /table/tables/team/records/publish', 'POST /table/tables/team/records/unpublish']);
  const viewer = await personOn(program, testTable.site, 'viewer');
  const viewerDocument = await documentOf(viewer);
  expect(callsIn(viewerDocument).filter((call) => !call.startsWith('GET '))).toEqual([]);
  expect(JSON.stringify(viewerDocument)).not.toContain('secret');
  expect(Object.keys(schemaOf(viewerDocument, 'goods.content').properties ?? {})).toEqual(['title', 'price', 'kind', 'due', 'place', 'twice']);
  const { headers } = await owner.get(`${team.path}/rules`);
  await owner.send('PUT', `${team.path}/rules`, { rules: [{ role: 'viewer', action: 'read', allowed: false }] }, { 'if-match': String(headers['etag']) });
  expect(JSON.stringify(await documentOf(viewer))).not.toContain('team');
});

test('a token with tables:read can fetch it, people without a grant cannot', async () => {
  const { owner, site } = testTable;
  const token = await owner.send('POST', '/api/acc/tokens', { name: 'codegen', scopes: ['tables:read'] });
  const { value } = token.json<{ data: { value: string } }>().data;
  const url = `/api/site/${site.id}/table/openapi.json`;
  expect((await program.app.inject({ url, headers: { authorization: `Bearer ${value}` } })).statusCode).toBe(200);
  expect((await program.browser().get(url)).statusCode).toBe(401);
  const outsider = await program.makePerson('member');
  expect((await outsider.get(url)).statusCode).toBe(404);
});
