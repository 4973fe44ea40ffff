import { runSchedule } from '../support/schedules';
import { jest } from '@jest/globals';
import type { EventsReport } from '../../contract/insights/reports';
import type { Site } from '../../contract/sites/schemas';
import { rebuildVisits } from '../../server/collect/rebuild';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { hitsOf, store } from './insightsSupport';

jest.setTimeout(60_000);
let program: TestApp;
let owner: Person;
let site: Site;
let other: Site;
const at = Date.UTC(2026, 10, 2, 2);

beforeAll(async () => {
  program = await makeTestApp();
  owner = await program.signUpOwner();
  site = await program.makeSite(owner, { name: '茶馆', purpose: 'external', url: 'https://tea.example/', timeZone: 'Asia/Shanghai' });
  other = await program.makeSite(owner, { name: '酒馆', purpose: 'external', url: 'https://bar.example/', timeZone: 'Asia/Shanghai' });
  for (const { id } of [site, other])
    await store(
      program,
      hitsOf(id, 1, [
        { at, path: '/' },
        { at: at + 1000, event: 'signup' },
      ]),
    );
  // As written by the builder before step 0002: the number of events without the events.
  await program.ctx.clickhouse.command(
    'ALTER TABLE visits UPDATE event_at = [], event_name = [], event_props = [], event_view = [], view_search = [] WHERE site_id = {site:String}',
    { params: { site: site.id }, settings: { mutations_sync: 1 } },
  );
});
afterAll(() => program.close());

const eventsOf = async (): Promise<number> => {
  const answer = await owner.get(`/api/site/${site.id}/als/event?from=2026-11-02&to=2026-11-02`);
  return answer.json<{ data: EventsReport }>().data.totals.count;
};
const jobs = async () => (await owner.get('/api/core/jobs')).json<{ data: { id: string; kind: string; siteId: string }[] }>().data;

test('visits from before events were stored are rebuilt once', async () => {
  expect(await eventsOf()).toBe(0);
  await runSchedule(program.ctx, 'insights.upgrade');
  await runSchedule(program.ctx, 'insights.upgrade');
  expect((await jobs()).map(({ kind, siteId }) => [kind, siteId])).toEqual([['analytics.rebuild', site.id]]);
  // What the job does on the collecting process.
  await rebuildVisits(program.ctx.clickhouse, site.id);
  expect(await eventsOf()).toBe(1);
  const [job] = await jobs();
  await owner.send('POST', `/api/core/jobs/${job?.id}/cancel`);
  await runSchedule(program.ctx, 'insights.upgrade');
  expect(await jobs()).toHaveLength(1);
});
