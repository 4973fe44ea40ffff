import { jest } from '@jest/globals';
import type { RecordComment, Written } from '../../contract/tables/records';
import type { Site } from '../../contract/sites/schemas';
import type { ContentTable } from '../../contract/tables/schemas';
import { emptyBins, forgetHistory } from '../../server/areas/tables/records';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { ask, callsOf, personOn, setRule } from './tablesLifeSupport';
import type { Calls, Failed } from './tablesLifeSupport';

jest.setTimeout(60_000);
let program: TestApp;
let owner: Person;
let editor: Person;
let viewer: Person;
let site: Site;
let calls: Calls;
let there: Calls;
beforeAll(async () => {
  program = await makeTestApp();
  owner = await program.signUpOwner();
  site = await program.makeSite(owner, { name: '茶馆' });
  editor = await personOn(program, site, 'editor');
  viewer = await personOn(program, site, 'viewer');
  calls = callsOf(owner, site);
  there = callsOf(owner, await program.makeSite(owner, { name: '酒馆' }));
});
afterAll(() => program.close());

let teas: ContentTable;
const at = (rest: string): string => `tables/${teas.id}/records/${rest}`;
beforeEach(async () => {
  teas = await calls.table({
    title: '茶',
    fields: [
      { type: 'text', title: 'Name', key: 'name' },
      { type: 'slug', title: 'Slug', key: 'slug', unique: true },
      { type: 'number', title: 'Cost', key: 'cost' },
    ],
  });
});
const add = (...names: string[]): Promise<string[]> =>
  calls.add(
    teas.id,
    names.map((name) => ({ name, slug: name.toLowerCase() })),
  );
const names = async (query = '', by?: Person) => (await calls.rows(teas.id, query, by)).map((row) => row.values['name']);
const undo = (batchId: string | null): Promise<unknown> => calls.post(`batches/${batchId}/undo`, {});

describe('the bin', () => {
  test('binned records can be restored, and are purged only from the bin', async () => {
    const [a = '', b = ''] = await add('A', 'B');
    const thrown = await calls.post<Written>(at('trash'), { target: { ids: [a] } }, editor);
    expect(thrown).toMatchObject({ updated: 1, records: [{ id: a, revision: 2 }] });
    expect([await names(), await names('trash=true')]).toEqual([['B'], ['A']]);
    expect(await calls.post(at('purge'), { ids: [b] })).toEqual({ purged: 0 });
    expect(await calls.post<Written>(at('restore'), { ids: [a] }, editor)).toMatchObject({ updated: 1 });
    expect(await names()).toEqual(['A', 'B']);
    await calls.post(at('trash'), { target: { ids: [a] } });
    expect(await calls.post(at('purge'), { ids: [a, b] }, editor)).toEqual({ purged: 1 });
    expect(await names('trash=true')).toEqual([]);
    expect(await ask(program, site, 'select 1 from $site.h where record_id = $1', [a])).toEqual([]);
    expect(await calls.refused('POST', at('restore'), { ids: [a] })).toBe('not_found');
  });

  test('a record is not restored while its unique value is taken', async () => {
    const [a = ''] = await add('A');
    await calls.post(at('trash'), { target: { ids: [a] } });
    await add('A');
    const answer = await calls.send('POST', at('restore'), { ids: [a] });
    expect([answer.statusCode, answer.json<{ fields: object }>().fields]).toEqual([422, { slug: { code: 'taken' } }]);
  });

  test('undo restores binned records and bins restored ones again', async () => {
    const ids = await add('A', 'B', 'C');
    const { batchId } = await calls.post<Written>(at('trash'), { target: { filter: { field: 'name', op: 'ne', value: 'B' } } });
    expect(await names()).toEqual(['B']);
    await undo(batchId);
    expect(await names()).toEqual(['A', 'B', 'C']);
    await calls.post(at('trash'), { target: { ids } });
    const back = await calls.post<Written>(at('restore'), { ids });
    await undo(back.batchId);
    expect(await names()).toEqual([]);
  });

  test('binning requires the right and finds only records of the table', async () => {
    const [a = ''] = await add('A');
    for (const act of ['trash', 'publish', 'unpublish'])
      expect(await calls.refused('POST', at(act), { target: { ids: [a] } }, undefined, viewer)).toBe('forbidden');
    for (const act of ['restore', 'purge', 'duplicate']) expect(await calls.refused('POST', at(act), { ids: [a] }, undefined, viewer)).toBe('forbidden');
    const other = await there.table({ title: '酒', fields: [{ type: 'text', title: 'Name' }] });
    expect(await there.refused('POST', `tables/${teas.id}/records/trash`, { target: { ids: [a] } })).toBe('not_found');
    expect(await there.refused('POST', `tables/${other.id}/records/trash`, { target: { ids: [a] } })).toBe('not_found');
    expect(await there.refused('POST', `tables/${other.id}/records/restore`, { ids: [a] })).toBe('not_found');
    expect(await there.post(`tables/${other.id}/records/purge`, { ids: [a] })).toEqual({ purged: 0 });
    expect(await names()).toEqual(['A']);
  });

  test('a rule for some records applies to the bin too', async () => {
    await setRule(program, teas, site, { role: 'editor', action: 'delete', allowed: true, filter: { field: 'cost', op: 'lt', value: '10' } });
    const [cheap = '', dear = ''] = await calls.add(teas.id, [
      { name: 'cheap', cost: '1' },
      { name: 'dear', cost: '99' },
    ]);
    expect(await calls.refused('POST', at('trash'), { target: { ids: [dear] } }, undefined, editor)).toBe('forbidden');
    // A filter target covers only records that the caller may remove.
    expect(await calls.post<Written>(at('trash'), { target: { filter: null } }, editor)).toMatchObject({ updated: 1 });
    expect(await names()).toEqual(['dear']);
    await calls.post(at('trash'), { target: { ids: [dear] } });
    expect(await calls.post(at('purge'), { ids: [cheap, dear] }, editor)).toEqual({ purged: 1 });
  });

  test('the bin is emptied after the retention days of the table', async () => {
    const [a = ''] = await add('A', 'B');
    await calls.post(at('trash'), { target: { ids: [a] } });
    await calls.post(at(`${a}/comments`), { text: 'old' });
    const age = (days: number) => ask(program, site, `update $site.${teas.id} set deleted_at = deleted_at - make_interval(days => $1)`, [days]);
    await age(29);
    await emptyBins(program.ctx);
    expect(await names('trash=true')).toEqual(['A']);
    await age(2);
    await emptyBins(program.ctx);
    expect([await names('trash=true'), await names()]).toEqual([[], ['B']]);
    expect(await ask(program, site, 'select 1 from content_comments where record_id = $1', [a])).toEqual([]);
  });

  test('history expires after a year and records stay unchanged', async () => {
    await add('A');
    const lines = () => ask(program, site, 'select 1 from $site.h where table_id = $1', [teas.id]);
    const age = (days: number) => ask(program, site, 'update content_batches set at = at - make_interval(days => $1)', [days]);
    await age(364);
    await forgetHistory(program.ctx);
    expect(await lines()).toHaveLength(1);
    await age(2);
    await forgetHistory(program.ctx);
    expect([await lines(), await names()]).toEqual([[], ['A']]);
  });
});

describe('a record that links to a removed one', () => {
  const shelf = (onDelete: 'clear' | 'block' | 'cascade', more = {}) =>
    calls.table({
      title: `架 ${onDelete}`,
      fields: [
        { type: 'text', title: 'Name', key: 'name' },
        { type: 'relation', title: 'Tea', key: 'tea', options: { to: teas.id, onDelete }, ...more },
      ],
    });

  test('loses the link and regains it on undo', async () => {
    const [a = ''] = await add('A');
    const shelves = await shelf('clear');
    await calls.add(shelves.id, [{ name: 's', tea: a }]);
    const { batchId } = await calls.post<Written>(at('trash'), { target: { ids: [a] } });
    expect((await calls.rows(shelves.id))[0]?.values['tea']).toBeNull();
    await undo(batchId);
    expect((await calls.rows(shelves.id))[0]?.values['tea']).toBe(a);
  });

  test('is binned too where the relation cascades, transitively', async () => {
    const [a = ''] = await add('A', 'B');
    const shelves = await shelf('cascade');
    const [s = ''] = await calls.add(shelves.id, [{ name: 's', tea: a }, { name: 'free' }]);
    const labels = await calls.table({
      title: '签',
      fields: [
        { type: 'text', title: 'Name', key: 'name' },
        { type: 'relation', title: 'Shelf', key: 'shelf', options: { to: shelves.id, onDelete: 'cascade' } },
      ],
    });
    await calls.add(labels.id, [{ name: 'l', shelf: s }]);
    // The cascade does not require the right to delete there: the relation decides.
    await setRule(program, shelves, site, { role: 'editor', action: 'delete', allowed: false });
    const { batchId } = await calls.post<Written>(at('trash'), { target: { ids: [a] } }, editor);
    expect([(await calls.rows(shelves.id)).length, (await calls.rows(labels.id)).length]).toEqual([1, 0]);
    await undo(batchId);
    expect([(await calls.rows(shelves.id)).length, (await calls.rows(labels.id)).length, await names()]).toEqual([2, 1, ['A', 'B']]);
  });

  test('blocks the removal when its relation blocks or is required', async () => {
    const [a = '', b = ''] = await add('A', 'B');
    const blocking = await shelf('block');
    const [s = ''] = await calls.add(blocking.id, [{ name: 's', tea: a }]);
    expect(await calls.refused('POST', at('trash'), { target: { ids: [a, b] } })).toBe('referenced');
    expect(await names()).toEqual(['A', 'B']);
    await calls.post(`tables/${blocking.id}/records/trash`, { target: { ids: [s] } });
    await calls.post(at('trash'), { target: { ids: [a] } });
    const needing = await shelf('clear', { required: true });
    await calls.add(needing.id, [{ name: 's', tea: b }]);
    expect(await calls.refused('POST', at('trash'), { target: { ids: [b] } })).toBe('referenced');
  });

  test('is listed as blocking, as far as the reader may see it', async () => {
    const [a = ''] = await add('A');
    const shelves = await shelf('block');
    const field = (key: string) => shelves.fields.find((one) => one.key === key);
    const [s = '', hidden = ''] = await calls.add(shelves.id, [{ name: 's', tea: a }, { name: 'hidden', tea: a }, { name: 'free' }]);
    const blockedFor = async (by: Person) => {
      const refused = await calls.send('POST', at('trash'), { target: { ids: [a] } }, undefined, by);
      expect([refused.statusCode, refused.json<Failed>().code]).toEqual([409, 'referenced']);
      expect(refused.json<{ error: string }>().error).not.toMatch(/\d/);
      return refused.json<{ current: { blockedBy: object[] } }>().current.blockedBy;
    };
    const place = { tableId: shelves.id, tableTitle: '架 block', fieldId: field('tea')?.id, fieldTitle: 'Tea', more: false };
    const records = [
      { id: s, label: 's' },
      { id: hidden, label: 'hidden' },
    ];
    expect(await blockedFor(owner)).toEqual([{ ...place, records: expect.arrayContaining(records) }]);
    // The editor may not see one of the records.
    await setRule(program, shelves, site, { role: 'editor', action: 'read', allowed: true, filter: { field: 'name', op: 'eq', value: 's' } });
    expect(await blockedFor(editor)).toEqual([{ ...place, records: [records[0]] }]);
    await ask(program, site, 'delete from content_rules where table_id = $1', [shelves.id]);
    // A hidden field hides its records too.
    await setRule(program, shelves, site, { role: 'editor', action: 'read', allowed: true, fields: [field('name')?.id ?? ''] });
    expect(await blockedFor(editor)).toEqual([]);
    await ask(program, site, 'delete from content_rules where table_id = $1', [shelves.id]);
    await setRule(program, shelves, site, { role: 'editor', action: 'read', allowed: false });
    expect(await blockedFor(editor)).toEqual([]);
  });

  test('is listed up to twenty, with a note of more', async () => {
    const [a = ''] = await add('A');
    const shelves = await shelf('block');
    await calls.add(
      shelves.id,
      Array.from({ length: 25 }, (_, i) => ({ name: `s${i}`, tea: a })),
    );
    const refused = await calls.send('POST', at('trash'), { target: { ids: [a] } });
    const [found] = refused.json<{ current: { blockedBy: { records: unknown[]; more: boolean }[] } }>().current.blockedBy;
    expect([found?.records.length, found?.more]).toEqual([20, true]);
  });

  test('keeps the position of the link in its list', async () => {
    const [a = '', b = ''] = await add('A', 'B');
    const lists = await calls.table({
      title: '单',
      fields: [
        { type: 'text', title: 'Name', key: 'name' },
        { type: 'relations', title: 'Teas', key: 'teas', options: { to: teas.id } },
      ],
    });
    await calls.add(lists.id, [{ name: 'l', teas: [a, b] }]);
    await calls.post(at('trash'), { target: { ids: [a] } });
    await calls.post(at('restore'), { ids: [a] });
    expect((await calls.rows(lists.id))[0]?.values['teas']).toEqual([a, b]);
    await calls.post(at('trash'), { target: { ids: [a] } });
    await calls.post(at('purge'), { ids: [a] });
    expect((await calls.rows(lists.id))[0]?.values['teas']).toEqual([b]);
  });
});

describe('the order of records', () => {
  const move = (ids: string[], before: string | null) => calls.post<Written>(at('move'), { ids, before }, editor);

  test('records move before others, to either end, and new ones come last', async () => {
    const [a = '', b = '', c = '', d = ''] = await add('A', 'B', 'C', 'D');
    await move([d, a], c);
    expect(await names()).toEqual(['B', 'D', 'A', 'C']);
    await move([b], null);
    await move([c], d);
    expect(await names()).toEqual(['C', 'D', 'A', 'B']);
    await add('E');
    expect(await names()).toEqual(['C', 'D', 'A', 'B', 'E']);
    // Dropped onto a record of the selection: it moves before the next record outside it.
    await move([c, a], a);
    expect(await names()).toEqual(['D', 'C', 'A', 'B', 'E']);
    expect(await calls.refused('POST', at('move'), { ids: [a], before: teas.id })).toBe('invalid_fields');
    expect(await calls.refused('POST', at('move'), { ids: [a], before: '0b8f9f5e-5a34-4a53-9d3c-0c7f6a1d2e3f' })).toBe('not_found');
  });

  test('records can be moved between two with equal positions', async () => {
    const ids = await add('A', 'B', 'C', 'D');
    const [c = '', d = ''] = ids.slice(2);
    // Records with equal positions are sorted by id.
    const [a = '', b = ''] = ids.slice(0, 2).toSorted();
    const [A, B] = a === ids[0] ? ['A', 'B'] : ['B', 'A'];
    const away = await move([a], null);
    await ask(program, site, `update $site.${teas.id} set ord = (select (inverse->>'$ord')::numeric from $site.h where batch = $1) where id = $2`, [
      away.batchId,
      b,
    ]);
    await undo(away.batchId);
    expect(await names()).toEqual([A, B, 'C', 'D']);
    await move([d], b);
    expect(await names()).toEqual([A, 'D', B, 'C']);
    await move([c], d);
    expect(await names()).toEqual([A, 'C', 'D', B]);
  });

  test('concurrent moves leave distinct positions', async () => {
    const ids = await add(...Array.from({ length: 12 }, (_, i) => `T${i}`));
    const [first = '', ...others] = ids;
    await Promise.all(others.map((id) => move([id], first)));
    const orders = (await ask<{ ord: string }>(program, site, `select ord from $site.${teas.id}`)).map(({ ord }) => ord);
    expect(new Set(orders).size).toBe(12);
    expect((await names()).at(-1)).toBe('T0');
  });
});

describe('copies of records', () => {
  test('follow their originals with new unique values, undone as one batch', async () => {
    const [a = ''] = await add('A', 'B');
    await calls.send('PATCH', at(a), { values: { cost: '12.50' } }, 1);
    const copy = await calls.post<Written>(at('duplicate'), { ids: [a] }, editor);
    expect(copy).toMatchObject({ created: 1 });
    const rows = await calls.rows(teas.id);
    expect(rows.map(({ values: { name, cost, slug } }) => [name, cost, slug])).toEqual([
      ['A', '12.50', 'a'],
      ['A', '12.50', expect.not.stringMatching(/^a$/)],
      ['B', null, 'b'],
    ]);
    await undo(copy.batchId);
    expect(await names()).toEqual(['A', 'B']);
    expect(await calls.refused('POST', at('duplicate'), { ids: [a, '0b8f9f5e-5a34-4a53-9d3c-0c7f6a1d2e3f'] })).toBe('not_found');
  });

  test('keep translations and links, except to binned records', async () => {
    const [a = '', b = ''] = await add('A', 'B');
    const pages = await calls.table({
      title: '文章',
      locales: ['zh-Hans', 'en'],
      fields: [
        { type: 'text', title: 'Title', key: 'title', localized: true },
        { type: 'relations', title: 'Teas', key: 'teas', options: { to: teas.id } },
      ],
    });
    const [p = ''] = await calls.add(pages.id, [{ title: '春茶', teas: [a, b] }]);
    await calls.send('PATCH', `tables/${pages.id}/records/${p}`, { values: { title: 'Spring tea' }, locale: 'en' }, 1);
    await calls.post(at('trash'), { target: { ids: [a] } });
    await calls.post(`tables/${pages.id}/records/duplicate`, { ids: [p] });
    const [, copy] = await calls.rows(pages.id);
    expect([copy?.values, copy?.locales]).toEqual([{ title: '春茶', teas: [b] }, ['en']]);
    expect((await calls.rows(pages.id, 'locale=en'))[1]?.values['title']).toBe('Spring tea');
  });
});

test('a singleton allows no second record, copy or removal', async () => {
  const about = await calls.table({ title: '关于', kind: 'singleton', fields: [{ type: 'text', title: 'Name', key: 'name' }] });
  const [only] = await calls.rows(about.id);
  const path = (rest = '') => `tables/${about.id}/records${rest}`;
  expect(await calls.refused('POST', path(), { records: [{ name: 'second' }] })).toBe('conflict');
  expect(await calls.refused('POST', path('/duplicate'), { ids: [only?.id] })).toBe('conflict');
  expect(await calls.refused('POST', path('/trash'), { target: { ids: [only?.id] } })).toBe('conflict');
  expect(await calls.rows(about.id)).toHaveLength(1);
});

test('readers comment, authors edit their comments, anyone resolves them', async () => {
  const [a = ''] = await add('A');
  const path = (rest = '') => at(`${a}/comments${rest}`);
  const said = await calls.post<RecordComment>(path(), { text: '这款缺货了' }, viewer);
  expect(said).toMatchObject({ text: '这款缺货了', own: true, resolvedAt: null });
  const change = (body: object, by: Person, revision?: number) => calls.send('PATCH', path(`/${said.id}`), body, revision, by);
  expect((await change({ text: 'x' }, editor)).statusCode).toBe(403);
  const resolvedComment = (await change({ resolved: true }, editor)).json<{ data: RecordComment }>().data;
  expect([resolvedComment.own, resolvedComment.resolvedAt]).toEqual([false, expect.any(String)]);
  program.pass(1000);
  expect((await change({ resolved: true }, viewer)).json<{ data: RecordComment }>().data.resolvedAt).toBe(resolvedComment.resolvedAt);
  expect((await change({ resolved: false, text: '又有了' }, viewer, 1)).json<{ data: RecordComment }>().data).toMatchObject({
    text: '又有了',
    resolvedAt: null,
  });
  expect(await calls.refused('POST', path(), { text: '   ' })).toBe('invalid_fields');
  expect(await calls.refused('POST', path(), { text: 'x'.repeat(4001) })).toBe('invalid_fields');
  expect(await calls.refused('DELETE', path(`/${said.id}`), undefined, undefined, editor)).toBe('forbidden');
  expect((await calls.send('DELETE', path(`/${said.id}`))).statusCode).toBe(204);
  expect(await calls.get(path())).toEqual([]);
  expect(await there.refused('POST', `tables/${teas.id}/records/${a}/comments`, { text: 'x' })).toBe('not_found');
  await setRule(program, teas, site, { role: 'viewer', action: 'read', allowed: true, filter: { field: 'name', op: 'eq', value: 'B' } });
  expect(await calls.refused('POST', path(), { text: 'x' }, undefined, viewer)).toBe('not_found');
});

test('a comment changed in another tab is not overwritten', async () => {
  const [a = ''] = await add('A');
  const path = (rest = '') => at(`${a}/comments${rest}`);
  const said = await calls.post<RecordComment>(path(), { text: 'first' }, viewer);
  const change = (body: object, revision?: number) => calls.send('PATCH', path(`/${said.id}`), body, revision, viewer);
  expect((await change({ text: 'blind' })).statusCode).toBe(428);
  expect((await change({ text: 'second' }, said.revision)).json<{ data: RecordComment }>().data).toMatchObject({ text: 'second', revision: said.revision + 1 });
  const refused = await change({ text: 'third' }, said.revision);
  expect([refused.statusCode, refused.json<Failed>()]).toEqual([
    409,
    expect.objectContaining({ code: 'stale_revision', current: expect.objectContaining({ text: 'second', revision: said.revision + 1 }) }),
  ]);
  // Resolving needs no revision and does not change the text.
  expect((await change({ resolved: true })).json<{ data: RecordComment }>().data).toMatchObject({ text: 'second', revision: said.revision + 1 });
  expect((await change({ text: 'third' }, said.revision + 1)).statusCode).toBe(200);
});

test('one of two simultaneous changes of a comment is refused', async () => {
  const [a = ''] = await add('A');
  const { id, revision } = await calls.post<RecordComment>(at(`${a}/comments`), { text: 'first' }, viewer);
  const change = (text: string) => calls.send('PATCH', at(`${a}/comments/${id}`), { text }, revision, viewer);
  const codes = (await Promise.all([change('one'), change('other')])).map(({ statusCode }) => statusCode);
  expect(codes.toSorted((one, other) => one - other)).toEqual([200, 409]);
});
