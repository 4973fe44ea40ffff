import { endpointsOf, operationOf } from '../../server/http/openapi';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { makeTabled } from '../support/tables';
import type { Tabled } from '../support/tables';

let program: TestApp;
let teas: Tabled;
let id = '';
beforeAll(async () => {
  program = await makeTestApp();
  teas = await makeTabled(program, [{ key: 'name', type: 'text' }]);
  const added = await teas.owner.send('POST', `${teas.path}/records`, { records: [{ name: 'a' }] });
  id = added.json<{ data: { records: { id: string }[] } }>().data.records[0]?.id ?? '';
});
afterAll(() => program.close());

const change = (headers: Record<string, string>) => teas.owner.send('PATCH', `${teas.path}/records/${id}`, { values: { name: 'b' } }, headers);

test('a change without If-Match is refused with 428', async () => {
  const refused = await change({ 'accept-language': 'en' });
  expect(refused.statusCode).toBe(428);
  expect(refused.json()).toMatchObject({ code: 'precondition_required', error: expect.stringContaining('If-Match') as string });
});

test('a change with a malformed If-Match is refused with 400', async () => {
  const refused = await change({ 'if-match': 'yesterday' });
  expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([400, 'bad_request']);
});

test('the ETag of a response is the If-Match of the next change', async () => {
  const first = await change({ 'if-match': '"1"' });
  expect(first.statusCode).toBe(200);
  const again = await teas.owner.send('PATCH', `${teas.path}/records/${id}`, { values: { name: 'c' } }, { 'if-match': String(first.headers['etag']) });
  expect(again.statusCode).toBe(200);
});

test('every document describes If-Match and its absence', async () => {
  type Document = {
    paths: Record<string, Record<string, { operationId: string; parameters: { name: string; in: string; required: boolean }[]; responses: object }>>;
  };
  const program_ = (await teas.owner.get('/api/openapi.json')).json<Document>();
  const site = (await teas.owner.get(`/api/site/${teas.site.id}/table/openapi.json`)).json<{ data: Document } & Document>();
  for (const document of [program_, 'data' in site ? site.data : site]) {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    const operation = operations.find(({ operationId }) => operationId.endsWith('changeRecord'));
    expect(operation?.parameters).toContainEqual(expect.objectContaining({ name: 'If-Match', in: 'header', required: true }));
    expect(operation?.responses).toHaveProperty('428');
  }
});

test('a call whose summary mentions If-Match accepts it', () => {
  const silent = endpointsOf(program.app.routeTable)
    .filter(({ summary }) => summary.includes('If-Match'))
    .filter((endpoint) => !operationOf(endpoint).parameters.some(({ name }) => name === 'If-Match'));
  expect(silent.map((one) => one.id)).toEqual([]);
});
