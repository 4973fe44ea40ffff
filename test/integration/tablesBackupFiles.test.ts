import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { jest } from '@jest/globals';
import type { Resource } from '../../contract/resources/schemas';
import type { Site } from '../../contract/sites/schemas';
import type { ContentTable } from '../../contract/tables/schemas';
import { bringResource, mediaOfResource } from '../../server/areas/resources';
import { area } from '../../server/areas/tables';
import { startWorker } from '../../server/worker';
import type { Worker } from '../../server/worker';
import { makeTestAppWithFolder } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { runSchedule } from '../support/schedules';
import { photo, resourceClient, sha256 } from './resourcesSupport';
import type { ResourceClient } from './resourcesSupport';
import { callsOf } from './tablesLifeSupport';
import { fileOf, linesOf, maintenanceCalls } from './tablesMaintenanceSupport';

jest.setTimeout(60_000);

let t: TestApp;
let owner: Person;
let site: Site;
let elsewhere: Site;
let table: ContentTable;
let picture: Resource;
let paper: Resource;
let worker: Worker;
/** Longer than a line of a backup. */
const large = Buffer.alloc(7 * 2 ** 20, 'tea ');
let backup: Buffer;
const described = {
  alt: { en: 'A garden' },
  tags: ['tea'],
  visibility: 'private',
  rotation: 90,
  crop: { x: 0, y: 0.5, width: 1, height: 0.5 },
} as const;

const resourcesOf = (where: Site): ResourceClient => resourceClient(owner, where.id);
const callsIn = (where: Site) => maintenanceCalls(() => ({ t, owner, site: where }));

beforeAll(async () => {
  t = await makeTestAppWithFolder();
  owner = await t.signUpOwner();
  site = await t.makeSite(owner);
  elsewhere = await t.makeSite(owner, { name: 'Elsewhere' });
  const resources = resourcesOf(site);
  const uploaded = await resources.upload(await photo(90, 60), 'tea.jpg');
  picture = (await resources.change(uploaded.id, uploaded.revision, { ...described, focalX: 0.2 })).json<{ data: Resource }>().data;
  paper = await resources.upload(large, 'paper.txt');
  const on = callsOf(owner, site);
  table = await on.table({
    title: 'Products',
    fields: [
      { key: 'name', type: 'text', title: 'Name' },
      { key: 'pictures', type: 'image', title: 'Pictures' },
      { key: 'papers', type: 'file', title: 'Papers' },
      { key: 'body', type: 'richText', title: 'Body' },
      { key: 'notes', type: 'json', title: 'Notes' },
    ],
  });
  const values = { name: 'Longjing', pictures: [{ resource: picture.id, alt: { 'zh-Hans': '茶园' } }], papers: [{ resource: paper.id }] };
  await on.add(table.id, [{ ...values, body: `<p><img src="/_r/${picture.id}/tea.jpg"></p>`, notes: [{ resource: picture.id }] }]);
  worker = startWorker(t.ctx, area.jobs ?? [], [], { pollEvery: 50 });
  backup = await callsIn(site).backup(`/api/site/${site.id}/table/tables/${table.id}`);
});
afterAll(async () => {
  await worker.close();
  await t.close();
});

type Restored = { pictures?: { resource: string }[]; papers?: { resource: string }[]; body?: string; notes?: unknown };
/** Restores a backup in a site: the check, and the values of the only record of the new table. */
async function restored(file: Buffer, where: Site) {
  const calls = callsIn(where);
  const { id } = await calls.upload(file);
  await calls.send('POST', calls.restores(`/${id}/start`), { dryRun: true });
  const checked = await calls.finishedRestore(id);
  await calls.send('POST', calls.restores(`/${id}/start`), { dryRun: false });
  const done = await calls.finishedRestore(id);
  const [record] = done.tableId === null ? [] : await callsOf(owner, where).rows(done.tableId);
  return { checked, done, values: record?.values as Restored | undefined };
}

test('files are lines of the backup, before the records', () => {
  const lines = linesOf(backup);
  expect(lines.map((line) => Object.keys(line)[0])).toEqual(['format', 'file', 'part', 'file', 'part', 'part', 'part', 'id', 'end']);
  expect(lines[0]).toMatchObject({ version: 2 });
  expect(lines[1]).toMatchObject({ file: { id: picture.id, name: 'tea.jpg', alt: { en: 'A garden' }, parts: 1 } });
});

test('a restore in another site brings the files, and its records use them', async () => {
  const { checked, done, values } = await restored(backup, elsewhere);
  expect(checked.report).toMatchObject({ own: false, files: { brought: 2, bytes: picture.bytes + paper.bytes, named: 0 } });
  expect(done.state).toBe('done');
  const resources = resourcesOf(elsewhere);
  const { rows } = await resources.list();
  const brought = rows.find(({ sha256: hash }) => hash === picture.sha256);
  // It is as private and cropped as it was, and rich text shows it, too.
  expect(brought).toMatchObject({ name: 'tea.jpg', ...described, uses: 2 });
  expect(values?.body).toContain(`src="/_r/${brought?.id ?? ''}/tea.jpg"`);
  // What looks like a use in another type of field is none.
  expect(values?.notes).toEqual([{ resource: picture.id }]);
  expect(brought?.focalX).toBeCloseTo(0.2);
  expect(brought?.id).not.toBe(picture.id);
  expect(values?.pictures).toEqual([{ resource: brought?.id, alt: { 'zh-Hans': '茶园' } }]);
  const paperThere = rows.find(({ sha256: hash }) => hash === paper.sha256);
  expect(values?.papers).toEqual([{ resource: paperThere?.id }]);
  const content = await resources.get(`items/${paperThere?.id ?? ''}/content?download=true`);
  expect(sha256(content.rawPayload)).toBe(sha256(large));
  // A second restore uses what is there.
  const again = await restored(backup, elsewhere);
  expect(again.values?.pictures).toMatchObject([{ resource: brought?.id }]);
  expect((await resources.list()).total).toBe(rows.length);
});

test('a restore uses existing files and brings back deleted ones', async () => {
  const resources = resourcesOf(site);
  expect((await restored(backup, site)).values?.pictures).toMatchObject([{ resource: picture.id }]);
  await resources.post('remove', { ids: [picture.id] });
  await resources.post('purge', { ids: [picture.id] });
  const { values } = await restored(backup, site);
  const [use] = values?.pictures ?? [];
  expect(use?.resource).not.toBe(picture.id);
  expect(await resources.read(use?.resource ?? '')).toMatchObject({ sha256: picture.sha256, alt: { en: 'A garden' } });
  expect(values?.papers).toEqual([{ resource: paper.id }]);
});

test('a use is left out if the site and the backup lack the file', async () => {
  const other = await t.makeSite(owner, { name: 'Third' });
  const lines = linesOf(backup).filter((line) => !('part' in line));
  const named = lines.map((line) => ('file' in line ? { file: { ...(line['file'] as object), parts: null } } : line));
  const { checked, values } = await restored(fileOf(named), other);
  expect(checked.report?.files).toEqual({ brought: 0, bytes: 0, named: 2 });
  expect([values?.pictures ?? [], values?.papers ?? [], values?.notes]).toEqual([[], [], [{ resource: picture.id }]]);
  const without = await owner.get(`/api/site/${site.id}/table/tables/${table.id}/backup?files=false`);
  expect(linesOf(without.rawPayload).map((line) => Object.keys(line)[0])).toEqual(['format', 'id', 'end']);
});

test('a damaged or oversized file in a backup leaves nothing behind', async () => {
  const other = await t.makeSite(owner, { name: 'Fourth' });
  const lines = linesOf(backup);
  const changed = lines.map((line, at) => (at === 2 ? { part: Buffer.alloc(picture.bytes, 'x').toString('base64') } : line));
  const more = lines.map((line, at) => (at === 2 ? { part: Buffer.alloc(picture.bytes + 1, 'x').toString('base64') } : line));
  const missing = lines.filter((_line, at) => at !== 2);
  for (const file of [changed, more, missing]) {
    const { done } = await restored(fileOf(file), other);
    expect([done.state, done.error]).toEqual(['failed', expect.anything()]);
  }
  expect((await resourcesOf(other).list()).total).toBe(0);
  expect((await resourcesOf(other).get('storage')).json()).toMatchObject({ data: { usedBytes: 0 } });
});

test('limits of a site hold for restored files', async () => {
  const other = await t.makeSite(owner, { name: 'Fifth' });
  await owner.send('PUT', `/api/site/${other.id}/resource/storage`, { maxBytes: 2 ** 20, maxFileBytes: null }, { 'if-match': '"0"' });
  const { done } = await restored(backup, other);
  expect(done.state).toBe('failed');
  expect((await resourcesOf(other).list()).rows.map(({ name }) => name)).toEqual(['tea.jpg']);
});

describe('a file that is brought into a site', () => {
  const carriedOf = (content: Buffer, name: string) => {
    const texts = { title: {}, alt: {}, caption: {}, tags: [], focalX: 0.5, focalY: 0.5 };
    const media = { rotation: 0, crop: null, poster: null, captions: [] };
    return { id: randomUUID(), name, sha256: sha256(content), bytes: content.length, visibility: 'private' as const, ...texts, ...media };
  };
  const contentOf = (content: Buffer) => Readable.from([content]) as AsyncIterable<Buffer>;

  test('is never there without its visibility, even if it is interrupted', async () => {
    const other = await t.makeSite(owner, { name: 'Sixth' });
    const content = await photo(91, 60);
    const carrying = { siteId: other.id, createdBy: owner.userId, uploadId: randomUUID() };
    const carried = carriedOf(content, 'secret.jpg');
    const { inspect } = t.ctx.images;
    Object.assign(t.ctx.images, { inspect: () => Promise.reject(new Error('interrupted')) });
    await expect(bringResource(t.ctx, carrying, carried, contentOf(content))).rejects.toThrow('interrupted');
    Object.assign(t.ctx.images, { inspect });
    await runSchedule(t.ctx, 'resources.uploads', 120_000);
    expect((await resourcesOf(other).list()).total).toBe(0);
    await bringResource(t.ctx, carrying, carried, contentOf(content));
    expect((await resourcesOf(other).list()).rows).toMatchObject([{ name: 'secret.jpg', visibility: 'private' }]);
  });

  test('has its poster and captions', async () => {
    const other = await t.makeSite(owner, { name: 'Seventh' });
    const [content, poster] = [await readFile('test/support/tiny.mp4'), await photo(92, 60)];
    const source = 'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nTea\n';
    const captions = [
      { language: 'en', use: 'subtitles' as const, label: 'English', source },
      { language: 'de', use: 'subtitles' as const, label: 'Deutsch', source: 'no captions' },
    ];
    const carried = { ...carriedOf(content, 'tea.mp4'), poster: poster.toString('base64'), captions };
    const carrying = { siteId: other.id, createdBy: owner.userId, uploadId: randomUUID() };
    const id = (await bringResource(t.ctx, carrying, carried, contentOf(content)))?.id ?? '';
    const resources = resourcesOf(other);
    expect((await resources.read(id)).posterSha256).toBe(sha256(poster));
    expect((await resources.get(`items/${id}/captions`)).json()).toMatchObject({ data: [{ language: 'en', label: 'English', source }] });
    expect(await mediaOfResource(t.ctx, other.id, { id, posterSha256: sha256(poster) })).toEqual({ poster: carried.poster, captions: captions.slice(0, 1) });
  });
});
