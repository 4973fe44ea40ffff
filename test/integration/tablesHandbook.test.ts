import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { addTestTable, makeTabled } from '../support/tables';

/** What the handbook says about the content API, done as it says. */
let program: TestApp;
let env: Record<string, string | undefined>;
beforeAll(async () => {
  program = await makeTestApp();
  const { owner, site, ...people } = await makeTabled(program, [{ key: 'name', type: 'text' }], { key: 'people' });
  const articles = await addTestTable(
    owner,
    site.id,
    [
      { key: 'title', type: 'text', localized: true },
      { key: 'slug', type: 'slug', unique: true },
      { key: 'date', type: 'date' },
      { key: 'author', type: 'relation', options: { to: people.table.id } },
    ],
    { key: 'articles', drafts: true, locales: ['zh-Hans', 'en'] },
  );
  const send = async (method: 'POST' | 'PUT', url: string, body: object): Promise<{ value: string; records: { id: string }[] }> => {
    const headers: Record<string, string> = method === 'PUT' ? { 'if-match': String((await owner.get(url)).headers['etag']) } : {};
    const answer = await owner.send(method, url, body, headers);
    if (answer.statusCode !== 200) throw new Error(answer.body);
    return answer.json<{ data: { value: string; records: { id: string }[] } }>().data;
  };
  const [lin] = (await send('POST', `${people.path}/records`, { records: [{ name: '林' }] })).records;
  await send('POST', `${articles.path}/records`, { records: [{ title: '春天的茶', slug: 'spring', date: '2026-03-01', author: lin?.id }], publish: true });
  for (const table of [people, articles]) await send('PUT', `${table.path}/rules`, { rules: [{ role: 'public', action: 'read', allowed: true }] });
  const { value } = await send('POST', '/api/acc/tokens', { name: 'Handbook', scopes: ['tables:read', 'tables:write'] });
  await program.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = program.app.server.address() as AddressInfo;
  env = { PATH: process.env['PATH'], CONSOLE: `http://127.0.0.1:${port}`, SITE: site.id, TOKEN: value, NO_PROXY: '127.0.0.1' };
});
afterAll(() => program.close());

async function run(command: string): Promise<{ data?: Record<string, unknown> } & Record<string, unknown>> {
  const { stdout } = await promisify(execFile)('sh', ['-c', command.replace(/^curl /, 'curl -sS --fail-with-body ')], { env });
  return JSON.parse(stdout) as { data?: Record<string, unknown> } & Record<string, unknown>;
}

test.each(['zh', 'en'])('the commands of the handbook (%s) answer what their comments say', async (language) => {
  const page = readFileSync(path.join(import.meta.dirname, `../../docs/${language}/content-api.md`), 'utf8');
  const commands = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) => block.replaceAll(/^#.*\n/gm, '').split(/^(?=curl )/m));
  expect(commands).toHaveLength(6);
  const [list, filtered, one, document, written, read] = await Promise.all(commands.map(run));
  expect(list?.data).toMatchObject({ total: 1, rows: [{ values: { title: '春天的茶', slug: 'spring' } }] });
  expect(Object.values(list?.data?.['included'] ?? {})).toEqual([expect.objectContaining({ values: { name: '林' } })]);
  expect(filtered?.data?.['rows']).toEqual([expect.objectContaining({ values: { title: '春天的茶', slug: 'spring' } })]);
  expect(one?.data).toMatchObject({ values: { slug: 'spring', date: '2026-03-01' } });
  expect(document).toMatchObject({ openapi: '3.1.0' });
  // The same key again, in the other language's page: the first answer, and nothing twice.
  expect(written?.data).toMatchObject({ created: 1, updated: 0 });
  expect(read?.data?.['rows']).toContainEqual(expect.objectContaining({ values: expect.objectContaining({ slug: 'spring' }) }));
  const after = await run(commands.at(-1) ?? '');
  expect(after.data?.['rows']).toHaveLength(2);
});
