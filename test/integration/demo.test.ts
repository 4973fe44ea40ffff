import { jest } from '@jest/globals';
import type { Report } from '../../contract/analytics/schemas';
import type { Job } from '../../contract/jobs/schemas';
import type { StartUp } from '../../contract/sites/schemas';
import type { Digests } from '../../contract/digests/schemas';
import type { Conversation, SupportVisitor } from '../../contract/support/conversations';
import type { ContentTable } from '../../contract/tables/schemas';
import type { OpenForm } from '../../contract/tables/forms';
import type { PublicLink } from '../../contract/tables/publicLinks';
import { judge } from '../../server/areas/digests/alerts';
import { area, demoTraffic, startDemo } from '../../server/areas/demo';
import { addConversations } from '../../server/areas/demo/conversations';
import { demoContent, demoRules } from '../../server/areas/demo/content';
import { covers } from '../../server/areas/demo/pictures/covers';
import { articles, authors } from '../../server/areas/demo/records';
import { demoDays, demoHits, demoZone } from '../../server/areas/demo/traffic';
import { demoVisits, networks, visitsPerRun } from '../../server/areas/demo/visits';
import { placeOf } from '../../server/collect/classify';
import { jobHandlers } from '../../server/areas';
import { createDelivery } from '../../server/delivery';
import { startCollector } from '../../server/collect';
import type { AcceptResponse, CollectRequest } from '../../server/collect';
import { DAY, addDays, dayAt } from '../../server/zone';
import { JobInterrupted, defineJob, startWorker } from '../../server/worker';
import type { JobHandler } from '../../server/worker';
import { jobs as storedJobs } from '../../server/worker/schema';
import type { ResourceLabel } from '../../contract/resources/labels';
import type { ResourceFolder } from '../../contract/resources/schemas';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { runSchedule } from '../support/schedules';
import { until as untilTrue } from '../support/until';
import { makeFolder } from './collectSupport';
import { resourceClient } from './resourcesSupport';

jest.setTimeout(120_000);
const accepted: AcceptResponse = { status: 202, body: { accepted: 1, refused: [] } };
let program: TestApp;
let owner: Person;
beforeAll(async () => {
  program = await makeTestApp({ config: { demo: true } });
  owner = await program.signUpOwner();
});
afterAll(() => program.close());

const data = async <T>(path: string): Promise<T> => (await owner.get(path)).json<{ data: T }>().data;
const jobs = () => data<Job[]>('/api/core/jobs');
const demoSites = async () => (await data<StartUp>('/api/core/load/rpm')).sites.filter((site) => site.demo);

/** Runs a worker until the demo job of the handler's kind meets the condition. */
async function work(handler: JobHandler, until: (job: Job) => boolean): Promise<Job> {
  const worker = startWorker(program.ctx, [handler], [], { pollEvery: 50 });
  try {
    return await new Promise<Job>((resolve, reject) => {
      const stop = program.ctx.live.subscribe((event) => {
        if (event.type !== 'job') return;
        jobs().then((all) => {
          const job = all.find(({ kind }) => kind === handler.kind);
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

  // The first run is interrupted early, with some days written but not recorded.
  let saved = 0;
  const interrupted = defineJob('demo.traffic', (job, ctx) => {
    const save = async (state: unknown): Promise<void> => {
      saved += 1;
      if (saved > 3) throw new JobInterrupted('stop');
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
  await work(interrupted, (job) => saved > 3 && job.state === 'queued');
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
  const [vitals] = await program.ctx.clickhouse.query<{ values: string; views: string }>(
    'SELECT count() AS values, countIf(view_id IN (SELECT view_id FROM hits WHERE site_id = {id:String})) AS views FROM web_vitals FINAL WHERE site_id = {id:String}',
    { params: { id } },
  );
  expect(Number(vitals?.values)).toBeGreaterThan(10_000);
  expect(vitals?.views).toBe(vitals?.values);
  const today = dayAt(until, 'Asia/Shanghai');
  const report = await data<Report>(`/api/site/${id}/als/report?from=${addDays(today, -demoDays + 1)}&to=${today}&who=all&series=1&gran=day`);
  expect(Math.abs((report.totals.views ?? 0) - hits.filter((hit) => hit.kind === 'view').length)).toBeLessThan(50);
  // In the first minutes of a day there may be no visits yet.
  expect(report.series?.every((bucket) => bucket.open || (bucket.values.visits ?? 0) > 0)).toBe(true);

  await startDemo(program.ctx);
  expect([(await demoSites()).length, (await jobs()).length]).toEqual([1, 1]);
});

test('the demo site is filled once, in the language of its owner', async () => {
  const [site] = await demoSites();
  const id = site?.id ?? '';
  const ensure = () => area.schedules?.find(({ name }) => name === 'demo.content')?.run(program.ctx);
  await ensure();
  expect(await work(demoContent, (job) => job.state === 'done' || job.state === 'failed')).toMatchObject({ state: 'done', error: null });
  const contentOf = async () => {
    const tables = await data<ContentTable[]>(`/api/site/${id}/table/tables`);
    const totals = await Promise.all(
      tables.map(async ({ id: table }) => (await data<{ total: number }>(`/api/site/${id}/table/tables/${table}/records?count=exact`)).total),
    );
    const list = async (part: string) => (await data<{ name?: string; kind?: string }[]>(`/api/site/${id}/als/${part}`)).length;
    return { tables: tables.map(({ title }) => title), totals, goals: await list('goals'), funnels: await list('funnels'), segments: await list('segments') };
  };
  const content = await contentOf();
  expect(content).toEqual({ tables: ['文章', '作者'], totals: [articles.length, authors.length], goals: 2, funnels: 1, segments: 2 });
  expect((await data<Digests>(`/api/site/${id}/als/digests`)).rules).toHaveLength(2);

  await ensure();
  await startDemo(program.ctx);
  expect([await contentOf(), (await jobs()).map(({ kind }) => kind).sort()]).toEqual([content, ['crawler.run', 'demo.content', 'demo.traffic']]);
});

test('the demo site has conversations in both languages', async () => {
  const [site] = await demoSites();
  const [id, timeZone] = [site?.id ?? '', site?.timeZone ?? ''];
  const list = async (name: string) => (await data<{ rows: Conversation[] }>(`/api/site/${id}/cs/conversations?list=${name}`)).rows;
  const [all, resolved, spam] = [await list('all'), await list('resolved'), await list('spam')];
  expect(all.map(({ kind, state, language }) => `${kind} ${state} ${language}`).toSorted()).toEqual(['chat open zh-Hans', 'chat waiting en', 'form open en']);
  expect(resolved.map(({ rating, assignee }) => [rating, assignee?.id])).toEqual([[5, owner.userId]]);
  expect(spam).toHaveLength(1);
  const pane = await data<SupportVisitor>(`/api/site/${id}/cs/conversations/${resolved[0]?.id ?? ''}/visitor`);
  expect([pane.country, pane.pages?.length]).toEqual(['CN', expect.any(Number)]);

  await addConversations(program.ctx, { site: { id, timeZone }, userId: owner.userId, say: (zh) => zh });
  expect([await list('all'), await list('resolved'), await list('spam')]).toEqual([all, resolved, spam]);
});

test('the demo blog is delivered in two languages and fills its screens', async () => {
  const [blog] = (await demoSites()).filter(({ purpose }) => purpose === 'built');
  const { dataDir, remove } = await makeFolder();
  const collector = await startCollector({ ...program.ctx, config: { ...program.ctx.config, dataDir } });
  const delivery = await createDelivery(program.ctx, collector);
  const visit = (url: string) => delivery.inject({ method: 'GET', url, headers: { host: `${blog?.slug ?? ''}.localhost:3001` } });
  const [chinese, english, moved, gone] = [
    await visit('/posts/bookshelf'),
    await visit('/en/posts/bookshelf'),
    await visit('/blog/bookshelf'),
    await visit('/old-newsletter'),
  ];
  expect([chinese.statusCode, english.statusCode, moved.statusCode, gone.statusCode]).toEqual([200, 200, 301, 410]);
  expect(chinese.body).toContain('<html lang="zh-Hans"');
  expect(english.body).toContain('hreflang="zh-Hans"');
  expect(chinese.body).toContain('srcset');
  expect((await visit('/robots.txt')).body).toContain('AhrefsBot');
  await delivery.close();
  await collector.close();
  await remove();

  const base = `/api/site/${blog?.id ?? ''}`;
  const missing = await data<{ rows: { path: string; suggestion: { path: string } | null }[] }>(`${base}/seo/not-found`);
  expect(missing.rows[0]).toMatchObject({ path: '/posts/meeting-note', suggestion: { path: '/posts/meeting-notes' } });
  const days = await data<{ pages: number; measured: number }[]>(`${base}/setting/requests?days=7`);
  expect(days.slice(1).every(({ pages, measured }) => pages > 10 && measured > 10)).toBe(true);
  const [states] = await program.ctx.clickhouse.query<{ blocked: string }>('SELECT count() AS blocked FROM blocked_requests WHERE site_id = {id:String}', {
    params: { id: blog?.id ?? '' },
  });
  expect(Number(states?.blocked)).toBeGreaterThan(5);
});

test('the links of the demo site open without an account', async () => {
  const [site] = await demoSites();
  const stranger = program.browser();
  const opened = (url: string, path: string) => stranger.get(path, { 'x-share': url.split('/').at(-1) ?? '' });
  const open = async (url: string, path: string) => (await opened(url, path)).statusCode;
  const [form] = await data<PublicLink[]>(`/api/site/${site?.id ?? ''}/table/shares`);
  const [report] = await data<{ url: string }[]>(`/api/site/${site?.id ?? ''}/als/shares`);
  expect(form).toMatchObject({ kind: 'form', form: { status: 'open' }, stopped: null });
  expect([await open(form?.url ?? '', '/api/view/form'), await open(report?.url ?? '', '/api/share')]).toEqual([200, 200]);
  const { sections } = (await opened(form?.url ?? '', '/api/view/form')).json<{ data: OpenForm }>().data;
  const fields = sections.flatMap((section) => section.fields.map(({ field }) => field));
  expect(fields.map(({ files }) => files?.types ?? null)).toEqual([null, null, null, ['image']]);
});

test('articles have both languages, an author and drafts among them', async () => {
  const [site] = await demoSites();
  const path = `/api/site/${site?.id ?? ''}/table/tables/articles/records?limit=100`;
  type Row = { values: Record<string, unknown> };
  const read = async (locale: string) => (await data<{ rows: Row[] }>(`${path}&names=key&locale=${locale}`)).rows;
  const [chinese, english] = [await read('zh-Hans'), await read('en')];
  expect(chinese.map(({ values }) => values['title'])).toEqual(expect.arrayContaining(articles.map(({ title }) => title.zh)));
  expect(english.map(({ values }) => values['title'])).toEqual(expect.arrayContaining(articles.map(({ title }) => title.en)));
  expect(chinese.every(({ values }) => typeof values['author'] === 'string')).toBe(true);
});

test('articles and authors have pictures, with texts in both languages', async () => {
  expect(covers).toHaveLength(articles.length);
  const [site] = await demoSites();
  const client = resourceClient(owner, site?.id ?? '');
  const { rows } = await client.list('?size=100');
  const count = (kind: string) => rows.filter((row) => row.kind === kind).length;
  const drawn = covers.filter((cover) => cover !== null).length;
  expect([count('image'), count('svg'), count('attachment')]).toEqual([drawn + authors.length + 2, 7, 3]);
  expect(rows.filter(({ kind }) => kind === 'video')).toMatchObject([{ contentType: 'video/webm', width: 480, height: 300, durationMs: 2000 }]);
  expect(rows.filter(({ kind, alt }) => kind !== 'attachment' && Object.keys(alt).length !== 2).map(({ name }) => name)).toEqual(['wallpaper-lake.jpg']);
  expect(rows.filter(({ kind, uses }) => kind === 'image' && uses === 0)).toHaveLength(2);
  const folders = (await client.get('folders?kind=image')).json<{ data: ResourceFolder[] }>().data;
  expect(folders.map((folder) => folder.count).toSorted((a, b) => a - b)).toEqual([0, 0, authors.length, drawn]);
  type Page = {
    rows: { values: { cover?: { resource: string }[]; portrait?: { resource: string }[] } }[];
    labels: { resources?: Record<string, ResourceLabel> };
  };
  const read = (table: string) => data<Page>(`/api/site/${site?.id ?? ''}/table/tables/${table}/records?limit=100&names=key`);
  const [written, people] = [await read('articles'), await read('authors')];
  const pictures = written.rows.flatMap(({ values }) => values.cover ?? []).map(({ resource }) => written.labels.resources?.[resource]);
  expect(pictures).toHaveLength(drawn);
  expect(pictures.every((picture) => picture?.width === 960 && picture.srcset !== '')).toBe(true);
  expect(new Set(pictures.map((picture) => picture?.sha256)).size).toBe(drawn);
  expect(people.rows.every(({ values }) => values.portrait?.length === 1)).toBe(true);
});

test('the collector accepts what the demo site sends', async () => {
  const { dataDir, remove } = await makeFolder();
  const collector = await startCollector({ ...program.ctx, config: { ...program.ctx.config, dataDir } });
  const answers: AcceptResponse[] = [];
  const vitals: AcceptResponse[] = [];
  const schedule = demoVisits({
    accept: async (request) => {
      const answer = await collector.accept(request);
      answers.push(answer);
      return answer;
    },
    acceptVitals: async (request) => {
      const answer = await collector.acceptVitals(request);
      vitals.push(answer);
      return answer;
    },
  });
  // The clock of the collector stands still: hits may be older, not newer.
  let now = program.ctx.now() - 7_200_000;
  while (answers.length < 10) {
    await schedule.run({ ...program.ctx, now: () => now });
    now += schedule.every;
  }
  await collector.close();
  await remove();
  expect([...answers, ...vitals].every(({ status }) => status === 202)).toBe(true);
  expect(vitals.length).toBeGreaterThan(0);
  expect(answers.map(({ body }) => body)).toEqual(answers.map(() => ({ accepted: 1, refused: [] })));
});

test('visits arrive while the program runs, and end with the site', async () => {
  const sent: CollectRequest[] = [];
  const schedule = demoVisits({ accept: async (request) => (sent.push(request), accepted), acceptVitals: async () => accepted });
  let now = program.ctx.now();
  const run = async (times: number) => {
    for (let n = 0; n < times; n += 1) {
      await schedule.run({ ...program.ctx, now: () => now });
      now += schedule.every;
    }
  };
  await run(960);
  const [site] = await demoSites();
  const id = site?.id ?? '';
  // Four hours: between one and seven hits a minute.
  expect(sent.length).toBeGreaterThan(150);
  expect(sent.length).toBeLessThan(1700);
  expect(new Set(sent.map(({ body }) => (JSON.parse(body) as { s: string }).s))).toEqual(new Set([id]));

  // Even long after the password was entered: removing the demo takes one click.
  program.pass(3_600_000);
  expect((await owner.send('DELETE', `/api/core/sites/${id}`, { confirm: site?.name })).statusCode).toBe(200);
  expect(await demoSites()).toEqual([]);
  const before = sent.length;
  await run(20);
  expect(sent).toHaveLength(before);

  program.pass(31 * DAY);
  await runSchedule(program.ctx, 'sites.purge');
  const worker = startWorker(
    program.ctx,
    jobHandlers.filter(({ kind }) => kind === 'site.purge'),
    [],
    { pollEvery: 20 },
  );
  const states = async () => (await program.ctx.postgres.db.select().from(storedJobs)).filter(({ kind }) => kind === 'site.purge').map(({ state }) => state);
  await untilTrue(async () => (await states()).every((state) => state !== 'queued' && state !== 'running'));
  await worker.close();
  expect(await states()).toEqual(['done', 'done']);
  await runSchedule(program.ctx, 'resources.sweep');
  expect(await program.ctx.files.folders(`resources/${id}`)).toEqual([]);
});

test.each(Object.entries(networks))('visitors of %s are found there', (city, network) => {
  expect(placeOf(`${network}.30`).city).toBe(city);
});

test('visits that arrive while the program runs set off no alert', () => {
  const until = Date.parse('2026-11-20T15:59:59Z');
  const { every } = demoVisits({ accept: async () => accepted, acceptVitals: async () => accepted });
  const spike = demoRules.filter(({ direction, window }) => direction === 'spike' && window === 'day');
  expect(spike).toHaveLength(1);
  const visitorsOn = (index: number) => new Set(demoHits('aaaaaaaaaaaa', index, until).flatMap((hit) => (hit.bot_score < 90 ? hit.visitor_id : []))).size;
  for (let ahead = 1; ahead <= 7; ahead += 1) {
    const day = until + ahead * DAY;
    let live = 0;
    for (let now = day - DAY; now < day; now += every) live += visitsPerRun(now, demoZone);
    const before = [1, 2, 3, 4].map((week) => visitorsOn(demoDays - 1 + ahead - 7 * week));
    // A quarter more than the mean is more than chance adds.
    expect(spike.map((rule) => judge(rule, live * 1.25, before))).toEqual([null]);
    expect(live).toBeGreaterThan(Math.min(...before));
  }
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
