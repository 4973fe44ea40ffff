import { jest } from '@jest/globals';
import type { ContentTable } from '../../contract/tables/schemas';
import type { TableImport } from '../../contract/tables/transfers';
import { importJob, tendTableImports } from '../../server/areas/tables/transfer';
import { defineJob, startWorker } from '../../server/worker';
import type { RunningJob } from '../../server/worker';
import type { Person } from '../support/app';
import { until } from '../support/until';
import { ask, personOn, setRule } from './tablesLifeSupport';
import { columnsTo, importsOf } from './tablesTransferSupport';
import { t, owner, editor, site, calls, imports, work, rest, serial, teaTable, values, csv, tried } from './tablesTransferFixture';

jest.setTimeout(60_000);

describe('interruptions of an import', () => {
  const total = 3200;
  const large = csv('品名,编号', ...Array.from({ length: total }, (_, i) => `T${i},L${i}`));
  const counted = async (table: ContentTable, condition = 'deleted_at is null'): Promise<number> =>
    (await ask<{ n: number }>(t, site, `select count(*)::int as n from $site.${table.id} where ${condition}`))[0]?.n ?? -1;
  /** A worker that runs the job through `run`. */
  const workWith = (run: (job: RunningJob) => Promise<void>) => startWorker(t.ctx, [defineJob('tables.import', run)], [], { pollEvery: 30, concurrency: 1 });
  const really = (job: RunningJob) => importJob.run(job, t.ctx);

  test('a killed import or undo resumes, and writes each row once', async () => {
    const table = await teaTable();
    const valuesBefore = await values(table, 'name', 'code');
    const { id } = await imports.upload(table, 'large.csv', large);
    await rest();
    await imports.start(id, { columns: columnsTo(['name', 'code']) });
    const { jobId } = await imports.get(id);
    // Dies after the second thousand rows; then in the middle of the third, with its transaction open.
    for (const when of ['between', 'within']) {
      let revive = (): void => undefined;
      let dead = false;
      const dying = workWith((job) =>
        importJob.run(
          {
            ...job,
            progress: async (done, of) => {
              await job.progress(done, of);
              if (dead || (await counted(table)) < (when === 'between' ? 2000 : 3000)) return;
              dead = true;
              await new Promise<void>((resolve) => (revive = resolve));
              throw new Error('dead');
            },
          },
          when === 'between' ? t.ctx : { ...t.ctx },
        ),
      );
      await until(() => dead, 30_000);
      await ask(t, site, `update jobs set lease_by = 'dead', lease_until = now() - interval '1 minute', attempts = 0 where id = $1`, [jobId]);
      if (when === 'within') {
        // Uncommitted rows of the killed process are gone, and its later writes are refused.
        const next = workWith(really);
        await imports.ended(id);
        await next.close();
      }
      revive();
      await dying.close();
    }
    const done = await imports.get(id);
    expect(done).toMatchObject({ state: 'done', counts: { rows: total, insert: total, fail: 0 } });
    expect([await counted(table), (await ask(t, site, `select 1 from $site.${table.id} group by ${table.fields[1]?.id} having count(*) > 1`)).length]).toEqual([
      total,
      0,
    ]);
    const batches = await ask<{ id: string; created: number }>(t, site, `select id, created from content_batches where table_id = $1 and door = 'import'`, [
      table.id,
    ]);
    expect(batches).toEqual([{ id: done.batchId, created: total }]);
    // Undone by a job, which is killed as well.
    const [one] = await calls.rows(table.id, 'fields=-');
    await calls.send('PATCH', `tables/${table.id}/records`, { changes: [{ id: one?.id, values: { name: '别人' } }] });
    const begun = (await owner.send('POST', `${imports.path(id)}/undo`)).json<{ data: TableImport }>().data;
    expect(begun).toMatchObject({ state: 'done', undone: false });
    expect(await calls.refused('POST', `imports/${id}/undo`)).toBe('bad_transition');
    let dead = false;
    const dying = workWith((job) =>
      really({
        ...job,
        progress: async (processedRows, of) => {
          await job.progress(processedRows, of);
          if (processedRows < 2000) return;
          dead = true;
          throw new Error('dead');
        },
      }),
    );
    await until(() => dead);
    await until(async () => (await ask(t, site, `select 1 from jobs where id = $1 and state = 'queued'`, [begun.jobId])).length === 1);
    await dying.close();
    await ask(t, site, `update jobs set run_after = now() - interval '1 minute' where id = $1`, [begun.jobId]);
    const next = workWith(really);
    await imports.ended(id);
    await next.close();
    expect(await imports.get(id)).toMatchObject({ undone: true, undoSkipped: 1 });
    expect(await values(table, 'name', 'code')).toEqual([...valuesBefore, ['别人', 'L0']]);
    const undos = await ask<{ removed: number }>(t, site, `select removed from content_batches where table_id = $1 and door = 'undo'`, [table.id]);
    expect(undos).toEqual([{ removed: total - 1 }]);
  });

  test('a cancelled import resumes, and a second one waits for it', async () => {
    const table = await teaTable();
    const [a, b] = [await imports.upload(table, 'a.csv', large), await imports.upload(table, 'b.csv', csv('品名,编号', 'last,LAST'))];
    await rest();
    const plan = { columns: columnsTo(['name', 'code']) };
    await imports.start(a.id, plan);
    expect(await imports.start(b.id, plan)).toMatchObject({ state: 'running', jobId: null });
    const stopping = workWith((job) =>
      really({
        ...job,
        progress: async (done, of) => {
          if ((await counted(table)) >= 1000 && !job.cancelled) {
            await owner.send('POST', `${imports.path(a.id)}/cancel`);
            await until(() => job.cancelled);
          }
          await job.progress(done, of);
        },
      }),
    );
    expect(await imports.ended(a.id)).toMatchObject({ state: 'cancelled', counts: { insert: 1000 }, batchId: expect.any(String) });
    await stopping.close();
    work();
    expect(await imports.ended(b.id)).toMatchObject({ state: 'done' });
    expect(await calls.refused('POST', `imports/${a.id}/start`, { plan, dryRun: true })).toBe('bad_transition');
    expect(await calls.refused('POST', `imports/${a.id}/start`, { plan: { ...plan, emptyCells: 'clear' }, dryRun: false })).toBe('conflict');
    await imports.start(a.id, plan);
    expect(await imports.ended(a.id)).toMatchObject({ state: 'done', counts: { rows: total, insert: total } });
    expect(await counted(table)).toBe(total + 1);
  });

  test('a conflict since the dry run stops the import unless skipped', async () => {
    const table = await teaTable();
    const plan = { columns: columnsTo(['name', 'code']) };
    const trial = await tried(table, 'a.csv', csv('品名,编号', 'a,X1', 'b,X2'), plan);
    await calls.add(table.id, [{ code: 'X2' }]);
    await imports.start(trial.id, plan);
    expect(await imports.ended(trial.id)).toMatchObject({ state: 'failed', error: expect.stringContaining('第 3 行') });
    expect(await counted(table)).toBe(1);
    await imports.start(trial.id, { ...plan, leaveOut: true });
    expect(await imports.ended(trial.id)).toMatchObject({ state: 'done', counts: { insert: 1, fail: 1 } });
  });

  test('imports are hidden from other editors and sites, and limited by role', async () => {
    const table = await teaTable();
    const viewer = await personOn(t, site, 'viewer');
    const other = await t.makeSite(owner, { name: '别处' });
    const { id } = await imports.upload(table, 'a.csv', 'a,b\n1,2\n', editor);
    const code = async (by: Person, method: 'GET' | 'POST' | 'DELETE', url: string, body?: object): Promise<string> => {
      const answer = method === 'GET' ? await by.get(url) : await by.send(method, url, body);
      return answer.statusCode < 300 ? 'ok' : answer.json<{ code: string }>().code;
    };
    const plan = { columns: columnsTo(['name', 'code']) };
    const second = await personOn(t, site, 'editor');
    for (const [method, part, body] of [
      ['GET', ''],
      ['POST', '/look', {}],
      ['POST', '/start', { plan, dryRun: true }],
      ['POST', '/cancel'],
      ['POST', '/undo'],
      ['DELETE', ''],
      ['GET', '/rows'],
      ['GET', '/errors'],
    ] as const) {
      expect([part, await code(second, method, `${imports.path(id)}${part}`, body)]).toEqual([part, 'not_found']);
      expect([part, await code(owner, method, `/api/site/${other.id}/table/imports/${id}${part}`, body)]).toEqual([part, 'not_found']);
    }
    expect(await code(owner, 'GET', imports.path(id))).toBe('ok');
    expect((await second.get(imports.path())).json<{ data: unknown[] }>().data).toEqual([]);
    const begin = (by: Person, into: string | null) => code(by, 'POST', imports.path(), { table: into, name: 'a.csv', size: 3 });
    expect([await begin(viewer, table.id), await begin(viewer, null), await begin(editor, null), await begin(editor, 'nowhere')]).toEqual([
      'forbidden',
      'forbidden',
      'forbidden',
      'not_found',
    ]);
    const startAs = (more: object) => code(editor, 'POST', `${imports.path(id)}/start`, { plan: { ...plan, ...more }, dryRun: true });
    expect(await startAs({ addChoices: true })).toBe('forbidden');
    expect(await startAs({ columns: [{ column: 0, to: { new: { title: 'x', type: 'text' } } }] })).toBe('forbidden');
    expect(await startAs({ columns: columnsTo(['name', 'name']) })).toBe('invalid_fields');
    expect(await startAs({ columns: columnsTo(['nothing']) })).toBe('invalid_fields');
    expect(await startAs({ key: ['price'] })).toBe('invalid_fields');
    expect(await startAs({ publish: true })).toBe('conflict');
    expect(await startAs({})).toBe('ok');
    await imports.ended(id);
  });

  test('a row is imported completely or not, as the dry run says', async () => {
    const table = await calls.table({
      title: `篇 ${serial()}`,
      drafts: true,
      locales: ['zh-Hans', 'en'],
      fields: [
        { type: 'text', title: '题', key: 'title', localized: true, required: true },
        { type: 'number', title: '级', key: 'level' },
      ],
    });
    const [mine = '', other = ''] = await calls.add(table.id, [
      { title: '甲', level: '1' },
      { title: '乙', level: '9' },
    ]);
    for (const action of ['create', 'update'] as const)
      await setRule(t, table, site, { role: 'editor', action, allowed: true, fields: null, filter: { field: 'level', op: 'lt', value: '5' } });
    const by = importsOf(t, editor, site);
    const plan = {
      columns: [
        { column: 0, to: { field: 'title' } },
        { column: 1, to: { field: 'title', locale: 'en' } },
        { column: 2, to: { field: 'level' } },
      ],
      key: ['title'],
      publish: true,
      leaveOut: true,
    };
    const { id } = await by.upload(table, 'a.csv', csv('题,en,级', '甲,First,2', '乙,Second,', '丙,Third,3', '丁,Fourth,8', ',Fifth,1', '戊,"two\nlines",1'));
    await by.start(id, plan, { dryRun: true });
    const trial = await by.ended(id);
    const codes = async () => (await by.rows(id)).rows.map(({ outcome, errors }) => errors[0]?.code ?? outcome);
    expect([trial.counts, await codes()]).toEqual([
      { rows: 6, insert: 2, update: 1, skip: 0, fail: 3 },
      ['update', 'forbidden', 'insert', 'forbidden', 'required', 'insert'],
    ]);
    await by.start(id, plan);
    expect((await by.ended(id)).counts).toEqual(trial.counts);
    const rows = await calls.rows(table.id, 'locale=en');
    expect(rows.map(({ state, values: v }) => [state, v.title, v.level])).toEqual([
      ['published', 'First', '2'],
      ['draft', '乙', '9'],
      ['published', 'Third', '3'],
      ['published', 'two lines', '1'],
    ]);
    await editor.send('POST', `${by.path(id)}/undo`);
    expect((await calls.rows(table.id, 'locale=en')).map(({ id: at, state, values: v }) => [at, state, v.title, v.level])).toEqual([
      [mine, 'draft', '甲', '1'],
      [other, 'draft', '乙', '9'],
    ]);
  });

  test('abandoned uploads expire after a week, finished imports after a month', async () => {
    const table = await teaTable();
    const { id } = await imports.upload(table, 'a.csv', 'a,b\n1,2\n');
    await tendTableImports(t.ctx);
    expect((await imports.get(id)).state).toBe('ready');
    const later = { ...t.ctx, now: () => Date.now() + 8 * 86_400_000 };
    await tendTableImports(later);
    expect(await calls.refused('POST', `imports/${id}/look`, {})).toBe('not_found');
    // An import that wrote something is kept for a month, whether it succeeded or not.
    const done = await imports.run(table, 'b.csv', 'a,b\n1,2\n', ['name', 'code']);
    await tendTableImports(later);
    expect((await imports.get(done.id)).state).toBe('done');
    expect((await imports.rows(done.id)).rows[0]?.cells).toEqual(['1', '2']);
    await tendTableImports({ ...t.ctx, now: () => Date.now() + 31 * 86_400_000 });
    expect(await calls.refused('POST', `imports/${done.id}/look`, {})).toBe('not_found');
  });
});
