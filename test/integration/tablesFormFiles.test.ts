import { sql } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import type { FormFiles } from '../../contract/tables/forms';
import { aliasAddress } from '../../contract/resources/alias';
import { blobs, resources } from '../../server/areas/resources/schema';
import { makeTestAppWithFolder } from '../support/app';
import type { TestApp } from '../support/app';
import { runSchedule } from '../support/schedules';
import { publishForm, visitorOf } from '../support/openForms';
import { makeTabled } from '../support/tables';
import type { Tabled } from '../support/tables';
import { photo, resourceClient } from './resourcesSupport';

let program: TestApp;
let contest: Tabled;
let picture: Buffer;
beforeAll(async () => {
  program = await makeTestAppWithFolder();
  contest = await makeTabled(
    program,
    [
      { key: 'name', type: 'text' },
      { key: 'photos', type: 'image', options: { most: 2 } },
      { key: 'papers', type: 'file' },
    ],
    { title: '摄影比赛' },
  );
  picture = await photo(60, 40);
});
afterAll(async () => {
  await program.close();
});

type Upload = { readonly field?: string; readonly name?: string; readonly headers?: Readonly<Record<string, string>>; readonly by?: string };
const limits: FormFiles = { maxBytes: 100_000, most: 3, types: ['image', 'pdf'] };
const publish = async (files: FormFiles | null = limits) => {
  const { secret } = await publishForm(contest.owner, contest, ['name', 'photos', 'papers'], { form: { files } });
  const visitor = visitorOf(program, secret);
  const stamp = await visitor.stamp();
  const upload = (body: Buffer, { field = 'photos', name = 'tea.jpg', headers = {}, by = secret }: Upload = {}) =>
    program.app.inject({
      method: 'POST',
      url: `/api/view/form/files?${new URLSearchParams({ field: contest.f[field] ?? field, name, stamp }).toString()}`,
      payload: body,
      headers: { 'x-share': by, 'x-requested-with': 'console', 'sec-fetch-site': 'same-origin', 'content-type': 'application/offset+octet-stream', ...headers },
      remoteAddress: '203.0.113.254',
    });
  const fileOf = async (body: Buffer, more = {}): Promise<{ file: string }> => {
    const answer = await upload(body, more);
    if (answer.statusCode !== 200) throw new Error(answer.body);
    return { file: answer.json<{ data: { file: string } }>().data.file };
  };
  return { visitor, upload, fileOf, secret };
};
const client = () => resourceClient(contest.owner, contest.site.id);
const listed = async (): Promise<number> => (await client().list()).total;
const stored = () => program.ctx.postgres.db.select().from(resources).orderBy(resources.createdAt);
const fieldsOf = (answer: LightMyRequestResponse) =>
  Object.entries(answer.json<{ fields?: Record<string, { code: string }> }>().fields ?? {}).map(([at, { code }]) => [at, code]);
const values = (more: object) => ({ name: '林', ...more });

test('a file stays apart until its form is sent', async () => {
  const { visitor, fileOf } = await publish();
  expect((await visitor.fields()).map(({ names, files }) => [names[0], files])).toEqual([
    ['name', undefined],
    ['photos', { maxBytes: 100_000, most: 2, types: ['image'] }],
    ['papers', limits],
  ]);
  const file = await fileOf(picture, { name: '山门.jpg' });
  const [pending] = await stored();
  const id = pending?.id ?? '';
  expect(file.file).not.toContain(id);
  expect([await listed(), (await client().get(`items/${id}`)).statusCode, (await client().get(`items/${id}/content`)).statusCode]).toEqual([0, 404, 404]);
  for (const [call, more] of [
    ['tag', { add: ['tea'] }],
    ['move', { folderId: null }],
    ['remove', {}],
  ] as const)
    expect((await client().post(call, { ids: [id], ...more })).json()).toEqual({ data: { ids: [] } });
  expect((await program.app.inject({ url: aliasAddress({ id, name: 'a.jpg' }) })).statusCode).toBe(404);
  const used = await contest.owner.send('POST', `${contest.path}/records`, { records: [{ photos: [{ resource: id }] }] });
  expect(fieldsOf(used)).toEqual([['records.0.photos.0.resource', 'unknown']]);

  expect((await visitor.send(values({ photos: [file] }))).statusCode).toBe(200);
  expect(await client().read(id)).toMatchObject({ name: '山门.jpg', uses: 1 });
  const rows = (await contest.owner.get(`${contest.path}/records`)).json<{ data: { rows: { values: object }[] } }>().data.rows;
  expect(rows[0]?.values).toMatchObject({ name: '林', photos: [{ resource: id }] });
  // It is no longer for the taking.
  expect(fieldsOf(await visitor.send(values({ photos: [file] })))).toEqual([[`values.${contest.f['photos']}`, 'unknown']]);
});

test('content, size and number are limited', async () => {
  const { visitor, upload, fileOf } = await publish();
  const codeOf = async (answer: ReturnType<typeof upload>): Promise<string> => (await answer).json<{ code: string }>().code;
  expect(fieldsOf(await upload(Buffer.from('<html><script>alert(1)</script></html>')))).toEqual([['file', 'wrong_type']]);
  expect(fieldsOf(await upload(Buffer.from('plain text'), { field: 'papers', name: 'a.pdf' }))).toEqual([['file', 'wrong_type']]);
  // Begins like a picture, and is none.
  expect(fieldsOf(await upload(picture.subarray(0, 300)))).toEqual([['file', 'wrong_type']]);
  expect(fieldsOf(await upload(Buffer.from('%PDF-1.7\n')))).toEqual([['file', 'wrong_type']]);
  expect(await codeOf(upload(Buffer.alloc(100_001)))).toBe('too_large');
  expect(await codeOf(upload(picture, { headers: { 'content-length': String(picture.length + 5) } }))).toBe('bad_request');
  expect(fieldsOf(await upload(picture, { field: 'name' }))).toEqual([['field', 'unknown']]);
  const before = (await stored()).length;
  const files = [await fileOf(picture), await fileOf(picture), await fileOf(picture)];
  expect(fieldsOf(await visitor.send(values({ photos: files })))).toEqual([[`values.${contest.f['photos']}`, 'too_long']]);
  expect((await stored()).length - before).toBe(3);
  expect(await program.ctx.files.folders('resource-uploads')).toEqual([]);
});

test('files of other forms and fields, resources and addresses are refused', async () => {
  const { visitor, fileOf } = await publish();
  const other = await publish();
  const foreign = await other.fileOf(picture);
  const mine = await client().upload(picture, 'mine.jpg');
  const photos = `values.${contest.f['photos']}`;
  for (const [photosValue, code] of [
    [[foreign], 'unknown'],
    [[await fileOf(Buffer.from('%PDF-1.7\n%'), { field: 'papers', name: 'a.pdf' })], 'unknown'],
    [[{ file: 'v1.a.b.c' }], 'unknown'],
    [[{ resource: mine.id }], 'wrong_type'],
    [[{ url: 'https://tea.invalid/a.jpg' }], 'wrong_type'],
    ['text', 'wrong_type'],
  ] as const)
    expect([photosValue, fieldsOf(await visitor.send(values({ photos: photosValue })))]).toEqual([photosValue, [[photos, code]]]);
  // A form that takes no files has no such fields.
  const closed = await publish(null);
  expect((await closed.visitor.fields()).map(({ names }) => names[0])).toEqual(['name']);
  expect(fieldsOf(await closed.upload(picture))).toEqual([['field', 'unknown']]);
  expect((await closed.visitor.send(values({ photos: [foreign] }))).statusCode).toBe(422);
});

test('the bytes of a network are limited', async () => {
  const { upload } = await publish({ ...limits, maxBytes: 60 * 2 ** 20 });
  const answers: number[] = [];
  for (let count = 0; count < 12; count++) answers.push((await upload(Buffer.alloc(10), { headers: { 'content-length': String(60 * 2 ** 20) } })).statusCode);
  expect([answers[0], answers.at(-1)]).toEqual([400, 429]);
});

test('malware is refused, and what is not sent within a day is deleted', async () => {
  const { visitor, fileOf } = await publish();
  const bad = await fileOf(await photo(50, 50, '#aa0000'));
  await program.ctx.postgres.db.execute(sql`UPDATE blobs SET scan = 'infected' WHERE sha256 = (SELECT sha256 FROM resources ORDER BY created_at DESC LIMIT 1)`);
  expect(fieldsOf(await visitor.send(values({ photos: [bad] })))).toEqual([[`values.${contest.f['photos']}`, 'unknown']]);
  const late = await fileOf(await photo(51, 51, '#00aa00'));
  program.pass(25 * 3_600_000);
  await runSchedule(program.ctx, 'resources.pending');
  expect((await stored()).filter(({ pendingUntil }) => pendingUntil !== null)).toEqual([]);
  const contents = await program.ctx.postgres.db.select({ sha256: blobs.sha256 }).from(blobs);
  expect(await program.ctx.files.folders(`resources/${contest.site.id}`)).toHaveLength(contents.length);
  expect(fieldsOf(await visitor.send(values({ photos: [late] })))).toEqual([[`values.${contest.f['photos']}`, 'unknown']]);
});
