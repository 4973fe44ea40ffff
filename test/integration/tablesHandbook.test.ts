import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';

/** Runs the commands of the handbook page about the content API. */
let program: TestApp;
let owner: Person;
let env: Record<string, string | undefined>;
beforeAll(async () => {
  program = await makeTestApp();
  owner = await program.signUpOwner();
  const created = await owner.send('POST', '/api/acc/tokens', { name: 'Handbook', scopes: ['tables:read', 'tables:write', 'tables:design'] });
  await program.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = program.app.server.address() as AddressInfo;
  const token = created.json<{ data: { value: string } }>().data.value;
  env = { PATH: process.env['PATH'], CONSOLE: `http://127.0.0.1:${port}`, TOKEN: token, NO_PROXY: '127.0.0.1' };
});
afterAll(() => program.close());

type Response = { data?: Record<string, unknown> } & Record<string, unknown>;
async function run(command: string, site: string): Promise<Response> {
  const { stdout } = await promisify(execFile)('sh', ['-c', command.replace(/^curl /, 'curl -sS --fail-with-body ')], { env: { ...env, SITE: site } });
  return JSON.parse(stdout) as Response;
}

test.each([
  ['zh', '春茶', 'Spring tea'],
  ['en', 'Spring tea', '春茶'],
])('the commands of the handbook (%s) do what their comments say', async (language, title, translation) => {
  const { id: site } = await program.makeSite(owner);
  const page = readFileSync(path.join(import.meta.dirname, `../../docs/${language}/content-api.md`), 'utf8');
  const commands = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) => block.replaceAll(/^#.*\n/gm, '').split(/^(?=curl )/m));
  expect(commands).toHaveLength(12);
  const responses: Response[] = [];
  for (const command of commands) responses.push(await run(command, site));
  const [table, added, translated, published, rules, translatedPage, list, filtered, one, document, upserted, all] = responses;
  expect(table?.data).toMatchObject({ key: 'articles', drafts: true, revision: 1 });
  expect(added?.data).toMatchObject({ created: 1, updated: 0 });
  expect(translated?.data).toMatchObject({ created: 0, updated: 1 });
  expect(published?.data).toMatchObject({ updated: 1 });
  expect(rules?.data?.['rules']).toContainEqual(expect.objectContaining({ role: 'public', action: 'read', allowed: true }));
  expect(translatedPage?.data).toMatchObject({ values: { title: translation, slug: 'spring-tea' } });
  expect(list?.data).toMatchObject({ total: 1, rows: [{ values: { title, slug: 'spring-tea', related: [] } }], included: {} });
  expect(filtered?.data?.['rows']).toEqual([expect.objectContaining({ values: { title: 'Spring tea', slug: 'spring-tea' } })]);
  expect(one?.data).toMatchObject({ values: { title, slug: 'spring-tea', published_on: '2026-11-20' } });
  expect(document).toMatchObject({ openapi: '3.1.0' });
  expect(upserted?.data).toMatchObject({ created: 1, updated: 0 });
  expect(all?.data?.['rows']).toHaveLength(2);
  // The same Idempotency-Key returns the first response and creates nothing.
  expect((await run(commands[10] ?? '', site)).data).toMatchObject({ created: 1 });
  expect((await run(commands[11] ?? '', site)).data?.['rows']).toHaveLength(2);
});
