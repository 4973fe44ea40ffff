import type { Job } from '../../contract/jobs/schemas';
import { defineJob, enqueue, startWorker } from '../../server/worker';
import type { RunningJob, Schedule, Worker } from '../../server/worker';
import { makeTestApp } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';
import { until } from '../support/until';

let t: TestApp;
let owner: Person;
const workers: Worker[] = [];
beforeEach(async () => {
  t = await makeTestApp();
  owner = await t.signUpOwner();
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.close()));
  await t.close();
});

const listOf = async (who: Browser) => (await who.get('/api/core/jobs')).json<{ data: Job[] }>().data;
const stateOf = async (id: string) => (await listOf(owner)).find((job) => job.id === id)?.state;
const cancel = (who: Browser, id: string) => who.send('POST', `/api/core/jobs/${id}/cancel`);

function start(run: (job: RunningJob) => Promise<void>, options = {}, schedules: Schedule[] = []): Worker {
  const worker = startWorker(t.ctx, [defineJob('demo.traffic', run)], schedules, { pollEvery: 30, ...options });
  workers.push(worker);
  return worker;
}
/** Blocks a job until the test opens it. */
function gate(): { passed: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { passed, open };
}
const interrupted = (job: RunningJob) =>
  new Promise<void>((resolve) => (job.signal.aborted ? resolve() : job.signal.addEventListener('abort', () => resolve())));

test('a job runs once with its input and appears in the list', async () => {
  const inputs: unknown[] = [];
  const halfway = gate();
  const job = await enqueue(t.ctx, 'demo.traffic', { label: 'Tea', input: { days: 90 }, createdBy: owner.userId });
  const run = async (running: RunningJob) => {
    inputs.push(running.input);
    await running.progress(45, 90);
    await halfway.passed;
    await running.progress(90, 90);
  };
  start(run);
  start(run);
  await until(async () => (await listOf(owner))[0]?.done === 45);
  expect((await listOf(owner))[0]).toMatchObject({ id: job.id, kind: 'demo.traffic', label: 'Tea', state: 'running', total: 90, cancellable: true });
  halfway.open();
  await until(async () => (await stateOf(job.id)) === 'done');
  expect((await listOf(owner))[0]).toMatchObject({ done: 90, total: 90, error: null, cancellable: false, finishedAt: expect.any(String) });
  expect(inputs).toEqual([{ days: 90 }]);
});

test('three workers run each of a hundred jobs once', async () => {
  const processedIds: string[] = [];
  const jobs = await Promise.all(Array.from({ length: 100 }, (_, i) => enqueue(t.ctx, 'demo.traffic', { label: String(i) })));
  for (let i = 0; i < 3; i++) start(async (job) => void processedIds.push(job.id));
  await until(async () => (await listOf(owner)).every((job) => job.state === 'done'), 30_000);
  expect(processedIds.sort()).toEqual(jobs.map((job) => job.id).sort());
});

test('a dead worker’s job resumes from its saved state', async () => {
  const job = await enqueue(t.ctx, 'demo.traffic', { label: 'Tea' });
  // The state that a killed process leaves.
  await t.ctx.postgres.pool.query(
    "update jobs set state = 'running', lease_by = 'dead', lease_until = now() + interval '1 minute', attempts = 1, state_data = '{\"day\": 41}'",
  );
  const saved: unknown[] = [];
  start(async (running) => void saved.push(running.saved));
  await until(async () => (await stateOf(job.id)) === 'running');
  expect(saved).toEqual([]);
  t.pass(61_000);
  await until(async () => (await stateOf(job.id)) === 'done');
  expect(saved).toEqual([{ day: 41 }]);
});

test('a closed worker returns its job and another finishes it', async () => {
  const begun = gate();
  const job = await enqueue(t.ctx, 'demo.traffic', { label: 'Tea' });
  const first = start(async (running) => {
    await running.save({ day: 7 });
    begun.open();
    await interrupted(running);
    await running.progress(1, 2);
  });
  await begun.passed;
  await first.close();
  expect(await stateOf(job.id)).toBe('queued');
  const saved: unknown[] = [];
  start(async (running) => void saved.push(running.saved));
  await until(async () => (await stateOf(job.id)) === 'done');
  expect(saved).toEqual([{ day: 7 }]);
});

test('cancelling stops a running job at its next step', async () => {
  const begun = gate();
  const running = await enqueue(t.ctx, 'demo.traffic', { label: 'a' });
  start(
    async (job) => {
      begun.open();
      await interrupted(job);
      await job.progress(1, 2);
    },
    { concurrency: 1 },
  );
  await begun.passed;
  const waiting = await enqueue(t.ctx, 'demo.traffic', { label: 'b' });
  expect((await cancel(owner, waiting.id)).json()).toMatchObject({ data: { state: 'cancelled' } });
  expect((await cancel(owner, running.id)).json()).toMatchObject({ data: { state: 'running', cancellable: false } });
  await until(async () => (await stateOf(running.id)) === 'cancelled');
  expect((await cancel(owner, running.id)).json()).toMatchObject({ code: 'bad_transition' });
  expect((await cancel(owner, '00000000-0000-4000-8000-000000000000')).statusCode).toBe(404);
});

test('only a committed transaction counts attempts anew', async () => {
  const job = await enqueue(t.ctx, 'demo.traffic', { label: 'Tea' });
  const attemptsOf = async (): Promise<number> =>
    (await t.ctx.postgres.pool.query<{ attempts: number }>('select attempts from jobs where id = $1', [job.id])).rows[0]?.attempts ?? 0;
  await t.ctx.postgres.pool.query('update jobs set attempts = 2');
  let isCommitted = true;
  start(async (running) => {
    await t.ctx.postgres.db.transaction(async (tx) => {
      await running.isAdvancing(tx);
      if (!isCommitted) throw new Error('rolled back');
    });
    throw new Error('no more disk');
  });
  await until(async () => (await stateOf(job.id)) === 'queued' && (await attemptsOf()) === 1);
  isCommitted = false;
  await t.ctx.postgres.pool.query('update jobs set attempts = 3');
  t.pass(10 * 60_000);
  await until(async () => (await stateOf(job.id)) === 'failed');
  expect(await attemptsOf()).toBe(4);
});

test('a failing job is retried with growing delays and reports why', async () => {
  const job = await enqueue(t.ctx, 'demo.traffic', { label: 'Tea' });
  let tries = 0;
  start(async () => {
    tries++;
    throw new Error('no more disk');
  });
  for (let n = 1; n <= 3; n++) {
    await until(async () => tries === n && (await stateOf(job.id)) === 'queued');
    t.pass(10 * 60_000);
  }
  await until(async () => (await stateOf(job.id)) === 'failed');
  expect((await listOf(owner))[0]).toMatchObject({ error: '服务器出错了，请稍后重试。' });
  expect(tries).toBe(4);
});

test('`once` prevents a second open job of the same kind', async () => {
  const jobs = await Promise.all(Array.from({ length: 5 }, () => enqueue(t.ctx, 'site.purge', { siteId: 'aaaaaaaaaaaa', label: 'x', once: true })));
  expect(new Set(jobs.map((job) => job.id)).size).toBe(1);
});

test('viewers of a site see its jobs and its admins cancel', async () => {
  const site = await t.makeSite(owner);
  const [viewer, admin, outsider] = [await t.makePerson('member'), await t.makePerson('member'), await t.makePerson('member')];
  await t.grant(site.id, viewer.userId, 'viewer');
  await t.grant(site.id, admin.userId, 'admin');
  const job = await enqueue(t.ctx, 'demo.traffic', { label: 'Tea', siteId: site.id, createdBy: owner.userId });
  expect([await listOf(owner), await listOf(viewer), await listOf(outsider)].map((list) => list.length)).toEqual([1, 1, 0]);
  expect([(await cancel(outsider, job.id)).statusCode, (await cancel(viewer, job.id)).statusCode, (await cancel(admin, job.id)).statusCode]).toEqual([
    404, 403, 200,
  ]);
});

test('only starters and designers see a table job’s label', async () => {
  const site = await t.makeSite(owner);
  const [admin, editor, other] = await Promise.all([t.makePerson('member'), t.makePerson('member'), t.makePerson('member')]);
  await t.grant(site.id, admin.userId, 'admin');
  for (const { userId } of [editor, other]) await t.grant(site.id, userId, 'editor');
  const job = await enqueue(t.ctx, 'tables.import', { siteId: site.id, label: '薪资.xlsx', createdBy: editor.userId });
  const jobsOf = (who: Browser) => listOf(who).then((all) => all.map(({ label }) => label));
  expect([await jobsOf(owner), await jobsOf(admin), await jobsOf(editor), await jobsOf(other)]).toEqual([['薪资.xlsx'], ['薪资.xlsx'], ['薪资.xlsx'], []]);
  expect((await cancel(other, job.id)).statusCode).toBe(404);
});

test('a schedule runs in one of many processes each time', async () => {
  let runs = 0;
  const schedule: Schedule = { name: 'hourly', every: 3_600_000, run: async () => void runs++ };
  for (let i = 0; i < 3; i++) start(async () => undefined, {}, [schedule]);
  await until(() => runs === 1);
  await Promise.all(workers.splice(0).map((worker) => worker.close()));
  expect(runs).toBe(1);
  t.pass(3_600_001);
  for (let i = 0; i < 3; i++) start(async () => undefined, {}, [schedule]);
  await until(() => runs === 2);
  await Promise.all(workers.splice(0).map((worker) => worker.close()));
  expect(runs).toBe(2);
});
