import { canonicalLanguage } from '../../../../contract/languages';
import { randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { RecordFilter } from '../../../../contract/tables/recordFilter';
import type { Context } from '../../../context';
import type { SiteRole } from '../../../../contract/permissions';
import { Failure } from '../../../http/failure';
import { JobInterrupted, defineJob } from '../../../worker';
import type { RunningJob } from '../../../worker';
import { insertJob } from '../../../worker/queries';
import { jobs } from '../../../worker/schema';
import { siteModel, tableOf } from '../core/model';
import { starterNow } from '../core/starter';
import { inWrite } from '../core/write/call';
import { writeBatch } from '../core/write/engine';
import { Clashed } from '../core/write/merge';
import type { TableContext } from '../core/tableContext';
import type { WriteTx } from '../core/write/types';
import { actionOf, changesOf, doorOf, requireAct, valuesFor } from './acts';
import type { Act } from './acts';
import { revisionsAt } from './bulkState';
import { countOf, idsOf } from './target';
import type { RecordSelection } from './target';

/** Records of one transaction. */
const atOnce = 500;

type Input = {
  readonly tableId: string;
  /** What they were when they asked; a release before goes by it. */
  readonly role: SiteRole;
  readonly userId: string;
  readonly viaToken: boolean;
  readonly timeZone: string;
  readonly asked: { readonly filter: RecordFilter | null; readonly q: string | null };
  /** A string: sealed, because there is a password in it. */
  readonly act: Act | string;
  /** Records made later are not meant. */
  readonly until: string;
  /** Of a change: values that others have changed since are left as they are. A release before had none. */
  readonly seenAt?: string;
  readonly batchId: string;
};
type State = { readonly after: string | null; readonly seen: number; readonly failed: number };
const sealPurpose = 'bulkAct';
const keptAct = (ctx: Pick<Context, 'secrets'>, { table }: TableContext, act: Act): Act | string =>
  act.kind === 'change' && Object.keys(act.values).some((name) => table.byName.get(name)?.type === 'password')
    ? ctx.secrets.seal(sealPurpose, JSON.stringify(act))
    : act;
function actIn(ctx: Pick<Context, 'secrets'>, input: Input): Act {
  const act = typeof input.act === 'string' ? (JSON.parse(ctx.secrets.open(sealPurpose, input.act)) as Act) : input.act;
  // An earlier release may have queued it under another name of the language.
  return act.kind === 'change' && act.locale !== undefined ? { ...act, locale: canonicalLanguage(act.locale) } : act;
}
const begun: State = { after: null, seen: 0, failed: 0 };

/** Puts an act on more records than one call may write into the queue; in the transaction of the call, so that the same call again makes no second job. */
export async function enqueueBulk(
  w: WriteTx,
  context: TableContext & { readonly viaToken: boolean },
  selection: RecordSelection,
  act: Act,
  seenAt: Date | null,
): Promise<string> {
  const { reader, table, model } = context;
  if (reader.role === 'public' || reader.userId === null) throw new Error('a bulk change is somebody’s');
  const input: Input = {
    tableId: table.id,
    role: reader.role,
    userId: reader.userId,
    viaToken: context.viaToken,
    timeZone: context.timeZone,
    asked: { filter: selection.filter, q: selection.q ?? null },
    act: keptAct(w.ctx, context, act),
    until: w.now.toISOString(),
    ...(seenAt === null ? {} : { seenAt: seenAt.toISOString() }),
    batchId: randomUUID(),
  };
  const job = await insertJob(w.tx, {
    kind: 'tables.bulk',
    siteId: model.siteId,
    label: table.title,
    input,
    createdBy: reader.userId,
    createdAt: w.now,
    runAfter: w.now,
  });
  w.after(() => w.ctx.live.publish({ type: 'job', jobId: job.id }));
  return job.id;
}

/**
 * Does one act to every record of a filter: five hundred in a transaction, all of them in one batch, in the order of their ids. How far it is stands in the
 * job's own row, written in the same transaction as the records: whenever it is killed, it goes on behind the last record that it has written, and does
 * nothing twice. What cannot be done with a record (its value is taken, it is pointed at, somebody has changed it since) leaves that record out; `done` stays behind `total` by as many.
 */
export const bulkJob = defineJob('tables.bulk', async (job, ctx) => {
  // Written by `enqueueBulk` of this or an earlier release.
  const input = job.input as Input;
  const act = actIn(ctx, input);
  const siteId = job.siteId ?? '';
  const selection: RecordSelection = { filter: input.asked.filter, q: input.asked.q ?? undefined };
  const contextNow = async (): Promise<TableContext> => {
    const model = await siteModel(ctx, siteId);
    const role = await starterNow(ctx.postgres.db, siteId, input.userId);
    const context = { model, table: tableOf(model, input.tableId), reader: { role, userId: input.userId }, timeZone: input.timeZone };
    requireAct(context, act);
    return context;
  };
  let state: State = (job.saved as State | null) ?? begun;
  const total = state.seen + (await countOf(ctx, await contextNow(), actionOf(act), selection, { after: state.after, until: new Date(input.until) }));
  for (;;) {
    await job.progress(state.seen - state.failed, total);
    const context = await contextNow();
    const next = await chunk(ctx, job, context, { input, act, selection, state });
    if (!next) return;
    state = next;
  }
});

type At = { readonly input: Input; readonly act: Act; readonly selection: RecordSelection; readonly state: State };

/** The next records; null where there are no more. */
async function chunk(ctx: Context, job: RunningJob, context: TableContext, { input, act, selection, state }: At): Promise<State | null> {
  const window = { after: state.after, until: new Date(input.until), most: atOnce };
  const ids = await idsOf(ctx, ctx.postgres.db, context, actionOf(act), selection, window, 'ids');
  const values = await valuesFor(context, act, ids);
  const write = (some: readonly string[], from: State): Promise<State> =>
    inWrite(ctx, null, async (w) => {
      const revisions = input.seenAt === undefined ? null : await revisionsAt(w.tx, context.model.siteId, context.table.id, some, new Date(input.seenAt));
      const changes = await changesOf(w, context, act, some, values, revisions);
      const { results } = await writeBatch(w, context, changes, {
        door: doorOf(act, input.viaToken),
        faults: 'collect',
        batchId: input.batchId,
        ...(act.kind === 'change' ? { locale: act.locale } : {}),
      });
      return moveOn(w, job, from, some, new Set(results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)).size);
    });
  /** Where one of them keeps all from being done, halves are tried, until it is alone and left out. */
  async function through(some: readonly string[], from: State): Promise<State> {
    try {
      return await write(some, from);
    } catch (error) {
      if (!(error instanceof Failure || error instanceof Clashed)) throw error;
    }
    if (some.length === 1) return inWrite(ctx, null, (w) => moveOn(w, job, from, some, 1));
    const half = Math.ceil(some.length / 2);
    return through(some.slice(half), await through(some.slice(0, half), from));
  }
  return ids.length === 0 ? null : through(ids, state);
}

/** Keeps that some more records have been looked at, if the job is where this run believes it is: a run that has lost its lease without knowing writes nothing. */
async function moveOn(w: WriteTx, job: RunningJob, before: State, some: readonly string[], failed: number): Promise<State> {
  const state: State = { after: some.at(-1) ?? before.after, seen: before.seen + some.length, failed: before.failed + failed };
  const moved = await w.tx
    .update(jobs)
    .set({ stateData: state })
    .where(and(eq(jobs.id, job.id), eq(jobs.state, 'running'), sql`coalesce(${jobs.stateData}->>'after', '') = ${before.after ?? ''}`))
    .returning({ id: jobs.id });
  if (moved.length === 0) throw new JobInterrupted('lost');
  return state;
}
