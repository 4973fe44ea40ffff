import { jest } from '@jest/globals';
import type { Job } from '../../contract/jobs/schemas';
import type { WrittenOrJob } from '../../contract/tables/records';
import type { Site } from '../../contract/sites/schemas';
import type { ContentTable } from '../../contract/tables/schemas';
import { bulkJob } from '../../server/areas/tables/records';
import { defineJob, startWorker } from '../../server/worker';
import type { RunningJob } from '../../server/worker';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { until } from '../support/until';
import { ask, callsOf, personOn, setRule } from './tablesLifeSupport';
import type { Calls } from './tablesLifeSupport';

jest.setTimeout(60_000);
let program: TestApp;
let owner: Person;
let editor: Person;
let site: Site;
let calls: Calls;
beforeAll(async () => {
  program = await makeTestApp();
  owner = await program.signUpOwner();
  site = await program.makeSite(owner, { name: '茶馆' });
  editor = await personOn(program, site, 'editor');
  calls = callsOf(owner, site);
});
afterAll(() => program.close());

let teas: ContentTable;
const at = (rest: string): string => `tables/${teas.id}/records/${rest}`;
const field = (key: string): string => teas.fields.find((one) => one.key === key)?.id ?? '';
beforeEach(async () => {
  teas = await calls.table({
    title: '茶',
    fields: [
      { type: 'text', title: 'Name', key: 'name' },
      { type: 'text', title: 'Code', key: 'code', unique: true },
      { type: 'number', title: 'Cost', key: 'cost', options: { max: 100 } },
      { type: 'number', title: 'Secret', key: 'secret', sensitive: true },
      { type: 'password', title: 'Lock', key: 'lock' },
    ],
  });
});
/** `count` records T0…, whose cost is their number modulo ten. */
async function fill(count: number): Promise<void> {
  for (let from = 0; from < count; from += 1000)
    await calls.add(
      teas.id,
      Array.from({ length: Math.min(1000, count - from) }, (_, i) => ({ name: `T${from + i}`, cost: String((from + i) % 10) })),
    );
}
type Trial = WrittenOrJob & {
  matched: number;
  state: string | null;
  samples: { id: string; label: string; before: object; after: object; error: string | null }[];
};
const bulk = (body: object, by?: Person) => calls.post<Trial>(at('bulk'), body, by);
const change = async (id: string, values: object) =>
  expect((await calls.send('PATCH', at('').slice(0, -1), { changes: [{ id, values }] })).statusCode).toBe(200);
const counted = async (condition: string): Promise<number> =>
  (await ask<{ n: number }>(program, site, `select count(*)::int as n from $site.${teas.id} where ${condition}`))[0]?.n ?? -1;

test('a dry run previews a bulk edit, which is then one batch', async () => {
  await fill(30);
  const target = { filter: { field: 'cost', op: 'lt', value: '5' } };
  const trial = await bulk({ target, values: { cost: '7.50' }, dryRun: true }, editor);
  expect(trial).toMatchObject({ batchId: null, matched: 15, updated: 15 });
  expect(trial.samples.slice(0, 2)).toEqual([
    { id: expect.any(String), label: 'T0', before: { cost: '0' }, after: { cost: '7.50' }, error: null },
    { id: expect.any(String), label: 'T1', before: { cost: '1' }, after: { cost: '7.50' }, error: null },
  ]);
  expect(await counted(`${field('cost')} = 7.5`)).toBe(0);
  const done = await bulk({ target, values: { cost: '7.50' } }, editor);
  expect(done).toMatchObject({ matched: 15, updated: 15, unchanged: 0, jobId: null });
  expect(await counted(`${field('cost')} = 7.5`)).toBe(15);
  await calls.post(`batches/${done.batchId}/undo`, {});
  expect(await counted(`${field('cost')} < 5`)).toBe(15);
});

test('one invalid record refuses the bulk edit, and the dry run explains', async () => {
  await fill(3);
  const trial = await bulk({ target: { filter: null }, values: { code: 'same' }, dryRun: true });
  expect(trial.samples.map(({ error }) => error)).toEqual(['重复', '重复', '重复']);
  await calls.send('PATCH', `tables/${teas.id}/records`, { changes: [{ id: trial.samples[2]?.id, values: { code: 'taken' } }] });
  const two = trial.samples.slice(0, 1).map(({ id }) => id);
  expect((await bulk({ target: { ids: two }, values: { code: 'taken' }, dryRun: true })).samples.map(({ error }) => error)).toEqual(['与其他记录重复']);
  await calls.send('PATCH', `tables/${teas.id}/records`, { changes: [{ id: trial.samples[2]?.id, values: { code: null } }] });
  expect(await calls.refused('POST', at('bulk'), { target: { filter: null }, values: { code: 'same' } })).toBe('invalid_fields');
  expect(await counted(`${field('code')} is not null`)).toBe(0);
  const wrong = await calls.send('POST', at('bulk'), { target: { filter: null }, values: { cost: '101' } });
  expect(wrong.json<{ fields: object }>().fields).toMatchObject({ 'values.cost': { code: 'out_of_range' } });
  expect(await calls.refused('POST', at('bulk'), { target: { filter: { field: 'cost', op: 'contains', value: 'x' } }, values: {} })).toBe('invalid_fields');
});

test('access rules limit bulk edits and what their dry runs show', async () => {
  await fill(20);
  const analyst = await personOn(program, site, 'analyst');
  await setRule(program, teas, site, {
    role: 'analyst',
    action: 'read',
    allowed: true,
    fields: [field('name'), field('cost')],
    filter: { field: 'cost', op: 'lt', value: '5' },
  });
  await setRule(program, teas, site, { role: 'analyst', action: 'update', allowed: true, fields: null, filter: { field: 'cost', op: 'lt', value: '3' } });
  expect(await bulk({ target: { filter: null }, values: { name: 'x' }, dryRun: true }, analyst)).toMatchObject({ matched: 6 });
  const [visibleId = '', hidden = ''] = (
    await ask<{ id: string }>(program, site, `select id from $site.${teas.id} where ${field('cost')} in (0, 9) order by ord limit 2`)
  ).map(({ id }) => id);
  const peek = await bulk({ target: { ids: [visibleId, hidden] }, values: { secret: '1', name: 'x' }, dryRun: true }, analyst);
  expect(peek.samples.map(({ label, before }) => [label, before])).toEqual([
    ['T0', { secret: null, name: 'T0' }],
    ['', { secret: null, name: null }],
  ]);
  expect(await calls.refused('POST', at('bulk'), { target: { filter: null }, values: { secret: '1' } }, undefined, analyst)).toBe('invalid_fields');
  await bulk({ target: { filter: null }, values: { name: 'x' } }, analyst);
  expect(await counted(`${field('name')} = 'x'`)).toBe(6);
});

describe('a bulk edit confirmed after a preview', () => {
  type Refused = { code: string; current: { changed: number } };
  const send = (body: object, by = owner) => by.send('POST', calls.path(at('bulk')), body);
  const costs = async () => (await calls.rows(teas.id, 'names=key')).map((row) => row.values['cost']);

  test('is refused with a count when records changed after the preview', async () => {
    await fill(5);
    const target = { filter: { field: 'cost', op: 'gte', value: '2' } };
    const values = { cost: '50' };
    const { state } = await bulk({ target, values, dryRun: true });
    const [first = '', second = ''] = (await calls.rows(teas.id)).slice(2).map(({ id }) => id);
    program.pass(1000);
    await change(first, { cost: '33' });
    await change(second, { name: 'other' });
    const refused = await send({ target, values, state });
    expect([refused.statusCode, refused.json<Refused>()]).toEqual([409, expect.objectContaining({ code: 'stale_revision', current: { changed: 2 } })]);
    expect(await costs()).toEqual(['0', '1', '33', '3', '4']);
    const again = await bulk({ target, values, dryRun: true });
    expect(await bulk({ target, values, state: again.state })).toMatchObject({ updated: 3, matched: 3, state: null });
    expect(await costs()).toEqual(['0', '1', '50', '50', '50']);
  });

  test('is refused for named records and when the matching records change', async () => {
    await fill(3);
    const ids = (await calls.rows(teas.id)).map(({ id }) => id);
    const named = { target: { ids }, values: { name: 'x' } };
    const filtered = { target: { filter: { field: 'cost', op: 'lt', value: '9' } }, values: { name: 'x' } };
    const [one, other] = [await bulk({ ...named, dryRun: true }), await bulk({ ...filtered, dryRun: true })];
    program.pass(1000);
    await change(ids[0] ?? '', { cost: '9' });
    expect((await send({ ...named, state: one.state })).json<Refused>().current).toEqual({ changed: 1 });
    expect((await send({ ...filtered, state: other.state })).json<Refused>().current).toEqual({ changed: 1 });
    expect(await counted(`${field('name')} = 'x'`)).toBe(0);
    expect((await send({ ...named, state: 'nonsense' })).statusCode).toBe(422);
  });

  test('is not refused because of changes to hidden records', async () => {
    await fill(4);
    const analyst = await personOn(program, site, 'analyst');
    const filter = { field: 'cost', op: 'lt' as const, value: '2' };
    for (const action of ['read', 'update'] as const) await setRule(program, teas, site, { role: 'analyst', action, allowed: true, fields: null, filter });
    const body = { target: { filter: null }, values: { name: 'x' } };
    const { state } = await bulk({ ...body, dryRun: true }, analyst);
    program.pass(1000);
    await change((await calls.rows(teas.id))[3]?.id ?? '', { name: 'hidden' });
    expect((await send({ ...body, state }, analyst)).statusCode).toBe(200);
  });
});

describe('a bulk edit of more records than one call may write', () => {
  const jobOf = async (id: string | null) => (await owner.get('/api/core/jobs')).json<{ data: Job[] }>().data.find((job) => job.id === id);
  const ended = async (id: string | null) =>
    until(async () => (await ask(program, site, `select 1 from jobs where id = $1 and state in ('done', 'failed', 'cancelled')`, [id])).length === 1, 30_000);
  /** A worker that runs the job through `run`. */
  const work = (run: (job: RunningJob) => Promise<void>) => startWorker(program.ctx, [defineJob('tables.bulk', run)], [], { pollEvery: 30, concurrency: 1 });
  const really = (job: RunningJob) => bulkJob.run(job, program.ctx);

  test('a dry run counts all changes and shows twenty samples', async () => {
    await fill(2600);
    const trial = async (values: object) => {
      const { matched, updated, unchanged, samples } = await bulk({ target: { filter: null }, values, dryRun: true });
      expect([samples.length, matched]).toEqual([20, 2600]);
      return [updated, unchanged];
    };
    expect(await trial({ cost: '3.00' })).toEqual([2340, 260]);
    expect(await trial({ cost: null })).toEqual([2600, 0]);
    expect(await trial({ secret: null })).toEqual([0, 2600]);
    expect(await trial({ cost: '3', name: 'T3' })).toEqual([2599, 1]);
    // Refused for every record: nothing would change.
    expect(await trial({ cost: '101' })).toEqual([0, 2600]);
    // Trying values does not reveal what the caller may not see.
    const analyst = await personOn(program, site, 'analyst');
    await setRule(program, teas, site, { role: 'analyst', action: 'update', allowed: true });
    await ask(program, site, `update $site.${teas.id} set ${field('secret')} = 7`);
    for (const secret of ['7', '8'])
      expect(await bulk({ target: { filter: null }, values: { secret }, dryRun: true }, analyst)).toMatchObject({ matched: 2600, updated: 0, unchanged: 2600 });
    const within = await bulk({ target: { filter: { field: 'cost', op: 'gte', value: '4' } }, values: { cost: '9' }, dryRun: true });
    expect([within.matched, within.updated, within.unchanged]).toEqual([1560, 1300, 260]);

    // The password is not readable in the job’s input.
    const lock = 'two lumps of sugar';
    const { jobId } = await bulk({ target: { filter: null }, values: { lock } });
    const [storedJob] = await ask<{ input: object }>(program, site, 'select input from jobs where id = $1', [jobId]);
    expect(JSON.stringify(storedJob)).not.toContain(lock);
    await ask(program, site, `update $site.${teas.id} set deleted_at = now() where n > 2`);
    const worker = work(really);
    await ended(jobId);
    await worker.close();
    expect([await counted(`${field('lock')} is not null`), await counted(`${field('lock')} = '${lock}'`)]).toEqual([2, 0]);
  });

  test('a restarted job changes each record once, in one undoable batch', async () => {
    await fill(2600);
    const { jobId, matched } = await bulk({ target: { filter: { field: 'cost', op: 'ne', value: '9' } }, values: { name: 'bulk' } });
    expect([matched, jobId]).toEqual([2340, expect.any(String)]);
    // Records created after the request are not included.
    program.pass(1000);
    await calls.add(teas.id, [{ name: 'later', cost: '1' }]);
    // Dies after the second transaction without a message.
    let steps = 0;
    let revive = (): void => undefined;
    const dying = work((job) =>
      really({
        ...job,
        progress: async (done, total) => {
          await job.progress(done, total);
          if (++steps === 3) await new Promise<void>((resolve) => (revive = resolve));
          if (steps >= 3) throw new Error('dead');
        },
      }),
    );
    await until(async () => (await counted(`${field('name')} = 'bulk'`)) === 1000, 30_000);
    // A killed process leaves a lease that expires.
    await ask(program, site, `update jobs set lease_by = 'dead', lease_until = now() - interval '1 minute' where id = $1`, [jobId]);
    const next = work(really);
    await ended(jobId);
    await next.close();
    revive();
    await dying.close();
    expect(await jobOf(jobId)).toMatchObject({ state: 'done', done: 2340, total: 2340 });
    expect([await counted(`${field('name')} = 'bulk'`), await counted(`${field('name')} = 'later'`), await counted('rev > 2')]).toEqual([2340, 1, 0]);
    const batches = await ask<{ id: string; updated: number; origin: string }>(
      program,
      site,
      `select id, updated, door as origin from content_batches where table_id = $1 and door = 'bulk'`,
      [teas.id],
    );
    expect(batches).toEqual([{ id: expect.any(String), updated: 2340, origin: 'bulk' }]);
    await calls.post(`batches/${batches[0]?.id}/undo`, {});
    expect(await counted(`${field('name')} = 'bulk'`)).toBe(0);
  });

  test('a job skips records that others change after the preview', async () => {
    await ask(
      program,
      site,
      `insert into $site.${teas.id} (id, n, ord, rev, created_at, updated_at, ${field('name')}, ${field('cost')})
       select gen_random_uuid(), i, i, 1, now() - interval '1 hour', now() - interval '1 hour', 'T' || i, i % 10 from generate_series(1, 4000) i`,
    );
    const analyst = await personOn(program, site, 'analyst');
    const filter = { field: 'cost', op: 'lt' as const, value: '5' };
    for (const action of ['read', 'update'] as const) await setRule(program, teas, site, { role: 'analyst', action, allowed: true, fields: null, filter });
    const body = { target: { filter: null }, values: { cost: '2' } };
    const trial = await bulk({ ...body, dryRun: true }, analyst);
    const stale = await bulk({ ...body, dryRun: true });
    expect([trial.matched, stale.matched]).toEqual([2000, 4000]);
    program.pass(1000);
    const [lost = '', , conflictingId = ''] = (await calls.rows(teas.id, 'sort=$n')).map(({ id }) => id);
    await change(lost, { name: 'before' });
    const refused = await owner.send('POST', calls.path(at('bulk')), { ...body, state: stale.state });
    expect([refused.statusCode, refused.json<{ current: unknown }>().current]).toEqual([409, { changed: 1 }]);
    const { state } = await bulk({ ...body, dryRun: true }, analyst);
    const { jobId, matched } = await bulk({ ...body, state }, analyst);
    expect([matched, jobId]).toEqual([2000, expect.any(String)]);
    program.pass(1000);
    await change(conflictingId, { cost: '4' });
    const worker = work(really);
    await ended(jobId);
    await worker.close();
    // A value changed after the request is kept; a change of another field is merged.
    expect([
      await counted(`id = '${conflictingId}' and ${field('cost')} = 4`),
      await counted(`id = '${lost}' and ${field('cost')} = 2 and ${field('name')} = 'before'`),
    ]).toEqual([1, 1]);
    const [job] = await ask<{ done: string; total: string }>(program, site, 'select done, total from jobs where id = $1', [jobId]);
    expect([Number(job?.done), Number(job?.total)]).toEqual([1999, 2000]);
  });

  test('changes of a cancelled job can be undone', async () => {
    await fill(1600);
    const { jobId } = await bulk({ target: { filter: null }, values: { name: 'bulk' } });
    const stopping = work((job) =>
      really({
        ...job,
        progress: async (done, total) => {
          if (done >= 500) await owner.send('POST', `/api/core/jobs/${jobId}/cancel`);
          if (done >= 500) await until(() => job.cancelled);
          await job.progress(done, total);
        },
      }),
    );
    await ended(jobId);
    await stopping.close();
    expect([(await jobOf(jobId))?.state, await counted(`${field('name')} = 'bulk'`)]).toEqual(['cancelled', 500]);
  });

  test('a job skips blocked records, and repeating its call starts no other', async () => {
    await fill(1200);
    const call = () => owner.send('POST', calls.path(at('trash')), { target: { filter: null } }, { 'idempotency-key': 'once' });
    const shelves = await calls.table({
      title: '架',
      fields: [
        { type: 'text', title: 'Name', key: 'name' },
        { type: 'relation', title: 'Tea', key: 'tea', options: { to: teas.id, onDelete: 'block' } },
      ],
    });
    const teaId = (await calls.rows(teas.id))[0]?.id;
    await calls.add(shelves.id, [{ name: 's', tea: teaId }]);
    const answers = [await call(), await call()].map((answer) => answer.json<{ data: WrittenOrJob }>().data.jobId);
    expect(answers[0]).toBe(answers[1]);
    const worker = work(really);
    await ended(answers[0] ?? null);
    await worker.close();
    expect([await jobOf(answers[0] ?? null), await counted('deleted_at is null')]).toEqual([
      expect.objectContaining({ state: 'done', done: 1199, total: 1200 }),
      1,
    ]);
  });
});
