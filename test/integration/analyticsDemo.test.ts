import { demoTraffic } from '../../server/areas/analytics/demo';
import { jest } from '@jest/globals';
import type { Report } from '../../contract/analytics/schemas';
import type { Job } from '../../contract/jobs/schemas';
import type { StartUp } from '../../contract/sites/schemas';
import { startDemo } from '../../server/areas/analytics';
import { demoDays, demoHits } from '../../server/areas/analytics/demo/traffic';
import { addDays, dayAt } from '../../server/zone';
import { JobInterrupted, defineJob, startWorker } from '../../server/worker';
import type { JobHandler } from '../../server/worker';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';

jest.setTimeout(120_000);
let program: TestApp;
let owner: Person;
beforeAll(async () => {
  program = await makeTestApp();
  owner = await program.signUpOwner();
});
afterAll(() => program.close());

const data = async <T>(path: string): Promise<T> => (await owner.get(path)).json<{ data: T }>().data;
const jobs = () => data<Job[]>('/api/core/jobs');
const demoSites = async () => (await data<StartUp>('/api/core/load/rpm')).sites.filter((site) => site.demo);

/** Runs a worker until the only demo job meets the condition. */
async function work(handler: JobHandler, until: (job: Job) => boolean): Promise<Job> {
  const worker = startWorker(program.ctx, [handler], [], { pollEvery: 50 });
  try {
    return await new Promise<Job>((resolve, reject) => {
      const stop = program.ctx.live.subscribe((event) => {
        if (event.type !== 'job') return;
        jobs().then(([job]) => {
          if (!job || !until(job)) return;
          stop();
          resolve(job);
        }, reject);
      });
    });
  } finally {
    await worker.close();
  }
}

test('the demo site is created once, and interrupted traffic counts once', async () => {
  await startDemo(program.ctx);
  await startDemo(program.ctx);
  const [site, ...more] = await demoSites();
  expect(more).toEqual([]);
  expect(site).toMatchObject({ name: '演示站点 Demo', demo: true });
  expect(await jobs()).toHaveLength(1);

  // The first run is interrupted after two thirds, with some days written but not recorded.
  let saved = 0;
  const interrupted = defineJob('demo.traffic', (job, ctx) => {
    const save = async (state: unknown): Promise<void> => {
      saved += 1;
      if (saved > 12) throw new JobInterrupted('stop');
      await job.save(state);
    };
    return demoTraffic.run(
      {
        ...job,
        get cancelled() {
          return job.cancelled;
        },
        save,
      },
      ctx,
    );
  });
  await work(interrupted, (job) => saved > 12 && job.state === 'queued');
  program.pass(60_000);
  const done = await work(demoTraffic, (job) => job.state === 'done');
  expect(done).toMatchObject({ done: demoDays, total: demoDays, error: null });

  const id = site?.id ?? '';
  const until = Date.parse(done.createdAt);
  const hits = Array.from({ length: demoDays }, (_, day) => demoHits(id, day, until)).flat();
  const [stored] = await program.ctx.clickhouse.query<{ hits: string }>(
    'SELECT count() AS hits FROM (SELECT 1 FROM hits WHERE site_id = {id:String} LIMIT 1 BY visitor_id, view_id, seq)',
    { params: { id } },
  );
  expect(Math.abs(Number(stored?.hits) - hits.length)).toBeLessThan(50);
  const today = dayAt(until, 'Asia/Shanghai');
  const report = await data<Report>(`/api/site/${id}/als/report?from=${addDays(today, -demoDays + 1)}&to=${today}&who=all&series=1&gran=day`);
  expect(Math.abs((report.totals.views ?? 0) - hits.filter((hit) => hit.kind === 'view').length)).toBeLessThan(50);
  // In the first minutes of a day there may be no visits yet.
  expect(report.series?.every((bucket) => bucket.open || (bucket.values.visits ?? 0) > 0)).toBe(true);

  await startDemo(program.ctx);
  expect([(await demoSites()).length, (await jobs()).length]).toEqual([1, 1]);
});

test('the traffic includes returning visitors', () => {
  const until = Date.parse('2026-11-20T04:00:00Z');
  const hits = Array.from({ length: demoDays }, (_, day) => demoHits('aaaaaaaaaaaa', day, until)).flat();
  expect(hits.length).toBeGreaterThan(60_000);
  expect(hits.length).toBeLessThan(100_000);
  expect(hits.every((hit) => hit.received_at <= until)).toBe(true);
  expect(new Set(hits.map((hit) => `${hit.view_id} ${hit.seq}`)).size).toBe(hits.length);
  expect(new Set(hits.map((hit) => hit.source_type)).size).toBeGreaterThanOrEqual(7);
  for (const name of ['source_name', 'browser', 'os', 'city', 'path'] as const) expect(new Set(hits.map((hit) => hit[name])).size).toBeGreaterThan(5);
  expect(hits.filter((hit) => hit.bot_score >= 90).length / hits.length).toBeGreaterThan(0.01);
  const people = hits.filter((hit) => hit.bot_score < 50 && hit.kind === 'view');
  expect(new Set(people.map((hit) => hit.visitor_id)).size).toBeLessThan(people.length / 2);
  expect(demoHits('aaaaaaaaaaaa', 10, until)).toEqual(demoHits('aaaaaaaaaaaa', 10, until));
});
