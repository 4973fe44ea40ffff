import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import type { LiveEvent } from '../../contract/live/schemas';
import type { Site } from '../../contract/sites/schemas';
import type { ContentTable } from '../../contract/tables/schemas';
import { makeTestApp } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';
import { until } from '../support/until';
import { callsOf, personOn, setRule } from './tablesLifeSupport';
import type { Calls } from './tablesLifeSupport';

jest.setTimeout(60_000);
let program: TestApp;
let owner: Person;
let site: Site;
let calls: Calls;
let origin: string;
let teas: ContentTable;
beforeAll(async () => {
  program = await makeTestApp();
  owner = await program.signUpOwner();
  site = await program.makeSite(owner, { name: '茶馆' });
  calls = callsOf(owner, site);
  await program.app.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(program.app.server.address() as AddressInfo).port}`;
});
afterAll(() => program.close());
beforeEach(async () => {
  teas = await calls.table({
    title: '茶',
    fields: [
      { type: 'text', title: 'Name', key: 'name' },
      { type: 'number', title: 'Cost', key: 'cost', sensitive: true },
    ],
  });
});
const field = (key: string): string => teas.fields.find((one) => one.key === key)?.id ?? '';

const open: AbortController[] = [];
afterEach(() => {
  for (const abort of open.splice(0)) abort.abort();
});
/** Events about tables that the person receives over their stream. */
async function listen(who: Browser): Promise<LiveEvent[]> {
  const abort = new AbortController();
  open.push(abort);
  const cookie = [...who.cookies].map(([k, v]) => `${k}=${v}`).join('; ');
  const answer = await fetch(`${origin}/api/core/stream?topic=table:${site.id}`, { signal: abort.signal, headers: { cookie } });
  const events: LiveEvent[] = [];
  const readAll = async (): Promise<void> => {
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) if (block.startsWith('data: ')) events.push(JSON.parse(block.slice(6)) as LiveEvent);
    }
  };
  void readAll().catch(() => undefined);
  return events;
}
const present = (by: Person, recordId: string | null, fieldId: string | null) =>
  calls.send('POST', `tables/${teas.id}/presence`, { recordId, fieldId }, undefined, by);
const ends = (event: LiveEvent): boolean => event.type === 'tables';

test('readers see where others are, as far as access rules allow', async () => {
  const [editor, viewer, support, analyst] = [
    await personOn(program, site, 'editor'),
    await personOn(program, site, 'viewer'),
    await personOn(program, site, 'support'),
    await personOn(program, site, 'analyst'),
  ];
  await setRule(program, teas, site, { role: 'support', action: 'read', allowed: false });
  await setRule(program, teas, site, { role: 'analyst', action: 'read', allowed: true, filter: { field: 'name', op: 'eq', value: 'A' } });
  const [a = '', b = ''] = await calls.add(teas.id, [{ name: 'A' }, { name: 'B' }]);
  const receivedEvents = await Promise.all([owner, viewer, support, analyst].map(listen));
  expect((await present(editor, b, field('cost'))).statusCode).toBe(204);
  await calls.send('PATCH', `tables/${teas.id}/records`, { changes: [{ id: b, values: { name: 'C' } }] });
  // Everybody receives changes of definitions, so earlier events have arrived before this one.
  program.ctx.live.publish({ type: 'tables', siteId: site.id, tableId: teas.id });
  await until(() => receivedEvents.every((events) => events.some(ends)));
  const at = { type: 'presence', siteId: site.id, tableId: teas.id, userId: editor.userId, name: editor.loginName };
  const of = (index: number) => receivedEvents[index]?.filter((event) => !ends(event));
  const changed = { type: 'records', siteId: site.id, tableId: teas.id, by: owner.userId };
  expect(of(0)).toEqual([
    { ...at, recordId: b, fieldId: field('cost') },
    { ...changed, ids: [b] },
  ]);
  expect(of(1)).toEqual([
    { ...at, recordId: b, fieldId: null },
    { ...changed, ids: [b] },
  ]);
  expect(of(2)).toEqual([]);
  expect(of(3)).toEqual([
    { ...at, recordId: null, fieldId: null },
    { ...changed, ids: [] },
  ]);
  expect(await calls.refused('POST', `tables/${teas.id}/presence`, { recordId: a, fieldId: null }, undefined, support)).toBe('not_found');
  expect(await calls.refused('POST', `tables/${teas.id}/presence`, { recordId: b, fieldId: null }, undefined, analyst)).toBe('not_found');
  expect(await calls.refused('POST', `tables/${teas.id}/presence`, { recordId: null, fieldId: field('cost') }, undefined, viewer)).toBe('not_found');
  expect(await calls.refused('POST', `tables/${teas.id}/presence`, { recordId: null, fieldId: 'f_aaaaaaaaaaaa' })).toBe('not_found');
});

test('revoked rights limit or end presence notices, strangers receive none', async () => {
  const [viewer, stranger] = [await personOn(program, site, 'viewer'), await personOn(program, await program.makeSite(owner, { name: '别处' }), 'admin')];
  const [a = '', b = ''] = await calls.add(teas.id, [{ name: 'A' }, { name: 'B' }]);
  const receivedEvents = await Promise.all([viewer, stranger, owner].map(listen));
  const [ofViewer, ofStranger, ofOwner] = receivedEvents;
  const viewerPresences = () => ofViewer?.flatMap((event) => (event.type === 'presence' ? [[event.recordId, event.fieldId]] : []));
  const passed = async (count: number) => until(() => (ofOwner?.filter(({ type }) => type === 'presence').length ?? 0) >= count);
  const [one, two, three] = [await personOn(program, site, 'editor'), await personOn(program, site, 'editor'), await personOn(program, site, 'editor')];
  await present(one, b, field('name'));
  await passed(1);
  await setRule(program, teas, site, { role: 'viewer', action: 'read', allowed: true, filter: { field: 'name', op: 'eq', value: 'A' } });
  // Notices to a filtered reader omit the record id, even for visible records.
  await present(two, b, field('name'));
  await present(two, a, field('name'));
  await passed(3);
  const { revision } = await calls.get<{ revision: number }>(`tables/${teas.id}/rules`);
  const closed = { role: 'viewer', action: 'read', allowed: false, fields: null, filter: null };
  expect((await calls.send('PUT', `tables/${teas.id}/rules`, { rules: [closed] }, revision)).statusCode).toBe(200);
  await present(three, a, field('name'));
  await passed(4);
  program.ctx.live.publish({ type: 'tables', siteId: site.id, tableId: teas.id });
  await until(() => ofViewer?.some(ends) === true);
  expect(viewerPresences()).toEqual([
    [b, field('name')],
    [null, null],
    [null, null],
  ]);
  expect(ofStranger).toEqual([]);
});

test('rapid movement is reduced to the first and last positions', async () => {
  const editor = await personOn(program, site, 'editor');
  const [a = '', b = ''] = await calls.add(teas.id, [{ name: 'A' }, { name: 'B' }]);
  const presenceEvents: LiveEvent[] = [];
  const stop = program.ctx.live.subscribe((event) => void (event.type === 'presence' && event.userId === editor.userId && presenceEvents.push(event)));
  await present(editor, a, field('name'));
  for (let i = 0; i < 30; i++) await present(editor, i % 2 === 0 ? b : a, field('name'));
  await present(editor, b, field('cost'));
  await until(() => presenceEvents.some((event) => event.type === 'presence' && event.fieldId === field('cost')));
  stop();
  expect(presenceEvents[0]).toMatchObject({ recordId: a });
  expect(presenceEvents.at(-1)).toMatchObject({ recordId: b, fieldId: field('cost') });
  // At most one notice in 400 ms; on a slow machine the calls themselves take longer.
  expect(presenceEvents.length).toBeLessThan(15);
});
