import { canonicalLanguage } from '../../../../contract/languages';
import { randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { RecordFilter } from '../../../../contract/tables/recordFilter';
import type { Context } from '../../../context';
import { mayOnSite } from '../../../../contract/permissions';
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
import { actionOf, changesOf, originOf, requireAct, valuesFor } from './acts';
import type { Act } from './acts';
import { revisionsAt } from './bulkState';
import { countOf, idsOf } from './target';
import type { RecordSelection } from './target';

/** Records per transaction. */
const atOnce = 500;

type Input = {
  readonly tableId: string;
  /** The role at the time of the request; read by the previous release. */
  readonly role: SiteRole;
  readonly userId: string;
  readonly viaToken: boolean;
  /** Missing in jobs of earlier releases. */
  readonly storesFiles?: boolean;
  readonly timeZone: string;
  readonly asked: { readonly filter: RecordFilter | null; readonly q: string | null };
  /** A string is encrypted, because it contains a password. */
  readonly act: Act | string;
  /** Excludes records created later. */
  readonly until: string;
  /** For a change: values that others have changed since are skipped. Missing in jobs of earlier releases. */
  readonly seenAt?: string;
  readonly batchId: string;
};
type State = { readonly after: string | null; readonly seen: number; readonly failed: number };
const sealPurpose = 'bulkAct';
const storedAction = (ctx: Pick<Context, 'secrets'>, { table }: TableContext, act: Act): Act | string =>
  act.kind === 'change' && Object.keys(act.values).some((name) => table.byName.get(name)?.type === 'password')
    ? ctx.secrets.seal(sealPurpose, JSON.stringify(act))
    : act;
function actIn(ctx: Pick<Context, 'secrets'>, input: Input): Act {
  const act = typeof input.act === 'string' ? (JSON.parse(ctx.secrets.open(sealPurpose, input.act)) as Act) : input.act;
  // An earlier release may have queued the job with another name for the language.
  return act.kind === 'change' && act.locale !== undefined ? { ...act, locale: canonicalLanguage(act.locale) } : act;
}
const begun: State = { after: null, seen: 0, failed: 0 };

/** Queues an action on more records than one call may write, in the transaction of the call, so that a repeated call creates no second job. */
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
    storesFiles: reader.storesFiles === true,
    timeZone: context.timeZone,
    asked: { filter: selection.filter, q: selection.q ?? null },
    act: storedAction(w.ctx, context, act),
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
 * Applies one action to every record that matches a filter: five hundred per transaction, all in one batch, ordered by id. Progress is stored in the
 * job's row in the same transaction as the records, so after a crash the job continues behind the last written record and repeats nothing. Records on
 * which the action is impossible (a unique value is taken, other records link to it, somebody has changed it since) are skipped; `done` stays below
 * `total` by their number.
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
    const reader = { role, userId: input.userId, storesFiles: input.storesFiles === true && mayOnSite(role, 'resources.write') };
    const context = { model, table: tableOf(model, input.tableId), reader, timeZone: input.timeZone };
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

/** The next records; null at the end. */
async function chunk(ctx: Context, job: RunningJob, context: TableContext, { input, act, selection, state }: At): Promise<State | null> {
  const window = { after: state.after, until: new Date(input.until), most: atOnce };
  const ids = await idsOf(ctx, ctx.postgres.db, context, actionOf(act), selection, window, 'ids');
  const values = await valuesFor(context, act, ids);
  const write = (some: readonly string[], from: State): Promise<State> =>
    inWrite(ctx, null, async (w) => {
      const revisions = input.seenAt === undefined ? null : await revisionsAt(w.tx, context.model.siteId, context.table.id, some, new Date(input.seenAt));
      const changes = await changesOf(w, context, act, some, values, revisions);
      const { results } = await writeBatch(w, context, changes, {
        origin: originOf(act, input.viaToken),
        errors: 'collect',
        batchId: input.batchId,
        ...(act.kind === 'change' ? { locale: act.locale } : {}),
      });
      return moveOn(w, job, from, some, new Set(results.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)).size);
    });
  /** If one record makes the whole set fail, halves are tried until it is alone and skipped. */
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

/** Stores the job's progress, if it is at the expected position: a run that has unknowingly lost its lease writes nothing. */
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
