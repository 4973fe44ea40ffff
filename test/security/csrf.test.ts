import { makeTestApp, ownerPassword } from '../support/app';
import type { Person, TestApp } from '../support/app';

let t: TestApp;
let owner: Person;
beforeAll(async () => {
  t = await makeTestApp({ config: { publicUrl: 'http://localhost:3000' } });
  owner = await t.signUpOwner();
});
afterAll(() => t.close());

const write = (headers: Record<string, string>, signedIn = true) =>
  t.app.inject({
    method: 'POST',
    url: '/api/acc/contacts',
    headers,
    payload: { name: 'Wang' },
    ...(signedIn ? { cookies: Object.fromEntries(owner.cookies) } : {}),
  });
const ours = 'http://localhost:3000';
const consoleHeader = { 'x-requested-with': 'console' };

test.each<[string, Record<string, string>]>([
  ['a page of another site', { 'sec-fetch-site': 'cross-site', ...consoleHeader }],
  ['a page of another port or subdomain', { 'sec-fetch-site': 'same-site', ...consoleHeader }],
  ['an address typed by hand', { 'sec-fetch-site': 'none', ...consoleHeader }],
  ['another origin, in a browser without fetch metadata', { origin: 'https://evil.example', ...consoleHeader }],
  ['an opaque origin', { origin: 'null', ...consoleHeader }],
  ['our host on another port', { origin: 'http://localhost:3001', ...consoleHeader }],
  ['no sign of where it came from', { ...consoleHeader }],
  ['our page without the header that forces a preflight', { 'sec-fetch-site': 'same-origin' }],
  ['our page with another value of it', { 'sec-fetch-site': 'same-origin', 'x-requested-with': 'XMLHttpRequest' }],
  ['our origin next to metadata that contradicts it', { origin: ours, 'sec-fetch-site': 'cross-site', ...consoleHeader }],
])('a write from %s is refused without effect', async (_name, headers) => {
  const answer = await write(headers);
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([403, 'bad_origin']);
  expect((await owner.get('/api/acc/contacts')).json()).toEqual({ data: [] });
});

test.each<[string, Record<string, string>]>([
  ['the console', { 'sec-fetch-site': 'same-origin', ...consoleHeader }],
  ['the console, in a browser without fetch metadata', { origin: ours, ...consoleHeader }],
])('a write from %s passes', async (_name, headers) => {
  const answer = await write(headers);
  expect(answer.statusCode).toBe(200);
  await owner.send('DELETE', `/api/acc/contacts/${answer.json<{ data: { id: string } }>().data.id}`);
});

test('another site cannot sign its visitor in', async () => {
  const answer = await t.app.inject({
    method: 'POST',
    url: '/api/acc/sign/in',
    headers: { origin: 'https://evil.example' },
    payload: { login: 'lin.owner', password: ownerPassword },
  });
  expect([answer.statusCode, answer.cookies]).toEqual([403, []]);
});

test('the API allows no other origin', async () => {
  const preflight = await t.app.inject({
    method: 'OPTIONS',
    url: '/api/acc/contacts',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-requested-with' },
  });
  expect(preflight.statusCode).toBe(405);
  for (const answer of [preflight, await owner.get('/api/acc/token/session', { origin: 'https://evil.example' })])
    expect(Object.keys(answer.headers).filter((h) => h.startsWith('access-control'))).toEqual([]);
});

test('no endpoint that changes something answers GET', () => {
  const changing = /^(sign(?!Ins$)|rename|change|add|replace|remove|create|delete(?!d)|set|pin|end|cancel|reauth)/;
  expect(t.app.routeTable.filter((r) => r.endpoint && r.endpoint.method === 'GET' && changing.test(r.endpoint.id)).map((r) => r.url)).toEqual([]);
});
