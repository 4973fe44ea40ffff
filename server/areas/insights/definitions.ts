import type { FastifyInstance } from 'fastify';
import { insightEndpoints as endpoints, mostOf } from '../../../contract/insights/schemas';
import type { Annotation, Funnel, Goal, Segment } from '../../../contract/insights/schemas';
import type { AuditAction } from '../../../contract/audit/schemas';
import type { Context } from '../../context';
import type { SessionInfo, SiteAccess } from '../../http/access';
import { fail } from '../../http/failure';
import { route } from '../../http/route';
import type { CallOf } from '../../http/route';
import { violatedConstraint } from '../../stores/postgres/conflict';
import { compileFilters, goalSql, parseFilter, rangeOf } from '../analytics';
import { actorOf, difference, record } from '../audit';
import type { Actor } from '../audit';
import { annotate } from './annotate';
import { firstHitOf } from './figures';
import * as queries from './queries';
import type { AnnotationRecord, Authored, FunnelRecord, GoalRecord, SegmentRecord } from './queries';

/** Who defines something, and for which site. */
export type Author = { readonly siteId: string; /** IANA zone of the site. */ readonly timeZone: string; readonly userId: string; readonly actor: Actor };
const authorOf = (call: Parameters<typeof actorOf>[0] & { readonly site: SiteAccess; readonly session: SessionInfo }): Author => ({
  siteId: call.site.id,
  timeZone: call.site.row.timeZone,
  userId: call.session.userId,
  actor: actorOf(call),
});

type StoredMeta = Pick<GoalRecord, 'id' | 'createdAt' | 'revision'>;
const metaOf = ({ id, createdAt, revision }: StoredMeta, author: string) => ({ id, createdAt: createdAt.toISOString(), revision, author });
const goalResponse = ({ row, author }: Authored<GoalRecord>): Goal => ({
  ...metaOf(row, author),
  name: row.name,
  condition: row.condition,
  worth: row.worth,
});
export const funnelResponse = ({ row, author }: Authored<FunnelRecord>): Funnel => ({
  ...metaOf(row, author),
  name: row.name,
  steps: row.steps,
  within: row.within,
  scope: row.scope,
});
const segmentResponse = ({ row, author }: Authored<SegmentRecord>, userId: string): Segment => ({
  ...metaOf(row, author),
  name: row.name,
  filters: row.filters,
  shared: row.shared,
  own: row.author === userId,
});
const annotationResponse = ({ row, author }: Authored<AnnotationRecord>): Annotation => ({
  ...metaOf(row, author),
  kind: row.kind,
  day: row.day,
  time: row.time,
  text: row.text,
  values: row.values,
});

const present = <T>(row: T | undefined): T => row ?? fail('not_found');

/** Two definitions of a kind with the same name could not be distinguished in a menu. */
async function naming<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (violatedConstraint(error)?.endsWith('_name_key')) return fail('name_taken', { fields: { name: { code: 'taken' } } });
    throw error;
  }
}

const now = (ctx: Context) => new Date(ctx.now());

async function checkLimit(ctx: Context, kind: keyof typeof mostOf, siteId: string): Promise<void> {
  if ((await queries.countOf(ctx.postgres.db, kind, siteId)) >= mostOf[kind]) fail('conflict');
}

type Tx = Parameters<Parameters<Context['postgres']['db']['transaction']>[0]>[0];
/** Restores a removed definition; `complete` runs in the same transaction. Throws `conflict` when the site has the maximum number of its kind. */
async function restoreDefinition(
  ctx: Context,
  kind: keyof typeof mostOf,
  target: { readonly siteId: string; readonly id: string; readonly by: string },
  complete: (tx: Tx) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await checkLimit(ctx, kind, target.siteId);
  await ctx.postgres.db.transaction(async (tx) => {
    await queries.removals[kind].restore(ctx, tx, target);
    await complete(tx);
  });
}

const log = (
  ctx: Context,
  tx: Parameters<typeof record>[1],
  actor: Actor,
  action: AuditAction,
  row: { id: string; siteId: string; name: string },
  facts: { before?: Record<string, unknown>; after?: Record<string, unknown> },
) => record(ctx, tx, actor, { action, siteId: row.siteId, target: { kind: action.split('.')[0] ?? '', id: row.id, name: row.name }, ...facts });

const annotateGoal = (ctx: Context, tx: Parameters<typeof annotate>[1], kind: 'goal_added' | 'goal_changed', row: GoalRecord, zone: string, author: string) =>
  annotate(ctx, tx, row.siteId, { kind, values: { name: row.name }, timeZone: zone, author });

const goalFacts = ({ name, condition, worth }: GoalRecord) => ({ name, condition, worth });
const goal = async (ctx: Context, siteId: string, id: string): Promise<Goal> => goalResponse(present((await queries.goalsOf(ctx.postgres.db, siteId, id))[0]));

/** Throws `name_taken`, and `conflict` when the site has the maximum number of goals. */
export async function createGoal(ctx: Context, by: Author, input: CallOf<typeof endpoints.addGoal>['body']): Promise<GoalRecord> {
  const { siteId, timeZone, userId, actor } = by;
  await checkLimit(ctx, 'goals', siteId);
  return naming(() =>
    ctx.postgres.db.transaction(async (tx) => {
      const added = present(await queries.insertGoal(tx, { ...input, siteId, author: userId, createdAt: now(ctx) }));
      await log(ctx, tx, actor, 'goal.added', added, { after: input });
      await annotateGoal(ctx, tx, 'goal_added', added, timeZone, userId);
      return added;
    }),
  );
}

async function changeGoal(ctx: Context, call: CallOf<typeof endpoints.changeGoal>): Promise<Goal> {
  const { site, session, params, body, ifMatch } = call;
  const before = await goal(ctx, site.id, params.id);
  const row = await naming(() =>
    ctx.postgres.db.transaction(async (tx) => {
      const changed = await queries.updateGoal(tx, site.id, params.id, ifMatch(), body);
      if (!changed) return null;
      const found = difference<Pick<Goal, 'name' | 'condition' | 'worth'>>(before, changed, ['name', 'condition', 'worth']);
      await log(ctx, tx, actorOf(call), 'goal.changed', changed, found);
      // Another name changes no figure.
      if ('condition' in found.after || 'worth' in found.after) await annotateGoal(ctx, tx, 'goal_changed', changed, site.row.timeZone, session.userId);
      return changed;
    }),
  );
  return row ? goal(ctx, site.id, params.id) : fail('stale_revision', { current: await goal(ctx, site.id, params.id) });
}

async function removeGoal(ctx: Context, call: CallOf<typeof endpoints.removeGoal>): Promise<void> {
  const { site, session, params } = call;
  await ctx.postgres.db.transaction(async (tx) => {
    await queries.removals.goals.store(ctx, tx, { siteId: site.id, id: params.id, by: call.session.userId });
    const row = present(await queries.deleteGoal(tx, site.id, params.id));
    await log(ctx, tx, actorOf(call), 'goal.removed', row, { before: goalFacts(row) });
    // The id finds the annotation when the goal is restored.
    const values = { name: row.name, goal: row.id };
    await annotate(ctx, tx, site.id, { kind: 'goal_removed', values, timeZone: site.row.timeZone, author: session.userId });
  });
}

/** The goal is as if it had never been removed: the annotation of its removal goes, too. */
async function restoreGoal(ctx: Context, call: CallOf<typeof endpoints.restoreGoal>): Promise<Goal> {
  const { site, params } = call;
  await restoreDefinition(ctx, 'goals', { siteId: site.id, id: params.id, by: call.session.userId }, async (tx) => {
    const { row } = present((await queries.goalsOf(tx, site.id, params.id))[0]);
    await log(ctx, tx, actorOf(call), 'goal.restored', row, { after: goalFacts(row) });
    await queries.deleteGoalRemovalNotes(tx, site.id, row.id);
  });
  return goal(ctx, site.id, params.id);
}

const funnelFacts = ({ name, steps, within, scope }: FunnelRecord) => ({ name, steps, within, scope });
const funnel = async (ctx: Context, siteId: string, id: string): Promise<Funnel> =>
  funnelResponse(present((await queries.funnelsOf(ctx.postgres.db, siteId, id))[0]));

/** Throws `name_taken`, and `conflict` when the site has the maximum number of funnels. */
export async function createFunnel(ctx: Context, by: Author, input: CallOf<typeof endpoints.addFunnel>['body']): Promise<FunnelRecord> {
  const { siteId, userId, actor } = by;
  await checkLimit(ctx, 'funnels', siteId);
  return naming(() =>
    ctx.postgres.db.transaction(async (tx) => {
      const added = present(await queries.insertFunnel(tx, { ...input, siteId, author: userId, createdAt: now(ctx) }));
      await log(ctx, tx, actor, 'funnel.added', added, { after: input });
      return added;
    }),
  );
}

async function changeFunnel(ctx: Context, call: CallOf<typeof endpoints.changeFunnel>): Promise<Funnel> {
  const { site, params, body, ifMatch } = call;
  const before = await funnel(ctx, site.id, params.id);
  const row = await naming(() =>
    ctx.postgres.db.transaction(async (tx) => {
      const changed = await queries.updateFunnel(tx, site.id, params.id, ifMatch(), body);
      if (!changed) return null;
      type AuditedFunnel = Pick<Funnel, 'name' | 'steps' | 'within' | 'scope'>;
      await log(ctx, tx, actorOf(call), 'funnel.changed', changed, difference<AuditedFunnel>(before, changed, ['name', 'steps', 'within', 'scope']));
      return changed;
    }),
  );
  return row ? funnel(ctx, site.id, params.id) : fail('stale_revision', { current: await funnel(ctx, site.id, params.id) });
}

async function removeFunnel(ctx: Context, call: CallOf<typeof endpoints.removeFunnel>): Promise<void> {
  const { site, params } = call;
  await ctx.postgres.db.transaction(async (tx) => {
    await queries.removals.funnels.store(ctx, tx, { siteId: site.id, id: params.id, by: call.session.userId });
    const row = present(await queries.deleteFunnel(tx, site.id, params.id));
    await log(ctx, tx, actorOf(call), 'funnel.removed', row, { before: funnelFacts(row) });
  });
}

async function restoreFunnel(ctx: Context, call: CallOf<typeof endpoints.restoreFunnel>): Promise<Funnel> {
  const { site, params } = call;
  await restoreDefinition(ctx, 'funnels', { siteId: site.id, id: params.id, by: call.session.userId }, async (tx) => {
    const { row } = present((await queries.funnelsOf(tx, site.id, params.id))[0]);
    await log(ctx, tx, actorOf(call), 'funnel.restored', row, { after: funnelFacts(row) });
  });
  return funnel(ctx, site.id, params.id);
}

const segment = async (ctx: Context, siteId: string, userId: string, id: string): Promise<Segment> =>
  segmentResponse(present((await queries.segmentsOf(ctx.postgres.db, siteId, userId, [id]))[0]), userId);

/** Throws `name_taken`, `invalid_fields` for a filter without meaning, and `conflict` when the site has the maximum number of segments. */
export async function createSegment(
  ctx: Context,
  { siteId, userId }: Pick<Author, 'siteId' | 'userId'>,
  input: CallOf<typeof endpoints.addSegment>['body'],
): Promise<SegmentRecord> {
  checkFilters(input.filters);
  await checkLimit(ctx, 'segments', siteId);
  return present(await naming(() => queries.insertSegment(ctx.postgres.db, { ...input, siteId, author: userId, createdAt: now(ctx) })));
}

async function changeSegment(ctx: Context, { site, session, params, body, ifMatch }: CallOf<typeof endpoints.changeSegment>): Promise<Segment> {
  checkFilters(body.filters);
  const before = await segment(ctx, site.id, session.userId, params.id);
  // Somebody else's would be gone for whoever takes it back.
  if (!body.shared && !before.own) fail('forbidden');
  const row = await naming(() => queries.updateSegment(ctx.postgres.db, site.id, params.id, ifMatch(), body));
  return row ? segment(ctx, site.id, session.userId, params.id) : fail('stale_revision', { current: await segment(ctx, site.id, session.userId, params.id) });
}

async function removeSegment(ctx: Context, { site, session, params }: CallOf<typeof endpoints.removeSegment>): Promise<void> {
  await ctx.postgres.db.transaction(async (tx) => {
    await queries.removals.segments.store(ctx, tx, { siteId: site.id, id: params.id, by: session.userId });
    present(await queries.deleteSegment(tx, site.id, session.userId, params.id));
  });
}

async function restoreSegment(ctx: Context, { site, session, params }: CallOf<typeof endpoints.restoreSegment>): Promise<Segment> {
  await restoreDefinition(ctx, 'segments', { siteId: site.id, id: params.id, by: session.userId }, async (tx) => {
    // Somebody else's private segment does not exist for this person.
    present((await queries.segmentsOf(tx, site.id, session.userId, [params.id]))[0]);
  });
  return segment(ctx, site.id, session.userId, params.id);
}

const annotation = async (ctx: Context, siteId: string, id: string): Promise<Annotation> =>
  annotationResponse(present(await queries.annotationById(ctx.postgres.db, siteId, id)));

async function listAnnotations(ctx: Context, { site, query }: CallOf<typeof endpoints.annotations>): Promise<Annotation[]> {
  rangeOf(query.from, query.to, site.row.timeZone);
  await noteFirstHit(ctx, { id: site.id, timeZone: site.row.timeZone });
  return (await queries.annotationsOf(ctx.postgres.db, site.id, query.from, query.to)).map(annotationResponse);
}

/** A person's note on the charts. Throws `conflict` when the site has the maximum number of annotations. */
export async function createNote(
  ctx: Context,
  { siteId, userId }: Pick<Author, 'siteId' | 'userId'>,
  input: CallOf<typeof endpoints.addAnnotation>['body'],
): Promise<AnnotationRecord> {
  await checkLimit(ctx, 'annotations', siteId);
  return present(await queries.insertAnnotation(ctx.postgres.db, { ...input, kind: 'note', siteId, author: userId, createdAt: now(ctx) }));
}

async function changeAnnotation(ctx: Context, { site, params, body, ifMatch }: CallOf<typeof endpoints.changeAnnotation>): Promise<Annotation> {
  const { kind } = await annotation(ctx, site.id, params.id);
  if (kind !== 'note') fail('immutable');
  const row = await queries.updateAnnotation(ctx.postgres.db, site.id, params.id, ifMatch(), body);
  return row ? annotation(ctx, site.id, params.id) : fail('stale_revision', { current: await annotation(ctx, site.id, params.id) });
}

async function removeAnnotation(ctx: Context, { site, session, params }: CallOf<typeof endpoints.removeAnnotation>): Promise<void> {
  const { kind } = await annotation(ctx, site.id, params.id);
  if (kind !== 'note') fail('immutable');
  await ctx.postgres.db.transaction(async (tx) => {
    await queries.removals.annotations.store(ctx, tx, { siteId: site.id, id: params.id, by: session.userId });
    if (!(await queries.deleteAnnotation(tx, site.id, params.id))) fail('not_found');
  });
}

async function restoreAnnotation(ctx: Context, { site, session, params }: CallOf<typeof endpoints.restoreAnnotation>): Promise<Annotation> {
  await restoreDefinition(ctx, 'annotations', { siteId: site.id, id: params.id, by: session.userId });
  return annotation(ctx, site.id, params.id);
}

/** Goals, funnels, segments and annotations: listed, made, replaced and removed. */
export function registerDefinitions(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  route(app, ctx, endpoints.goals, async ({ site }) => (await queries.goalsOf(db, site.id)).map(goalResponse));
  route(app, ctx, endpoints.addGoal, async (call) => goal(ctx, call.site.id, (await createGoal(ctx, authorOf(call), call.body)).id));
  route(app, ctx, endpoints.changeGoal, (call) => changeGoal(ctx, call));
  route(app, ctx, endpoints.removeGoal, (call) => removeGoal(ctx, call));
  route(app, ctx, endpoints.restoreGoal, (call) => restoreGoal(ctx, call));
  route(app, ctx, endpoints.funnels, async ({ site }) => (await queries.funnelsOf(db, site.id)).map(funnelResponse));
  route(app, ctx, endpoints.addFunnel, async (call) => funnel(ctx, call.site.id, (await createFunnel(ctx, authorOf(call), call.body)).id));
  route(app, ctx, endpoints.changeFunnel, (call) => changeFunnel(ctx, call));
  route(app, ctx, endpoints.removeFunnel, (call) => removeFunnel(ctx, call));
  route(app, ctx, endpoints.restoreFunnel, (call) => restoreFunnel(ctx, call));
  route(app, ctx, endpoints.segments, async ({ site, session }) =>
    (await queries.segmentsOf(db, site.id, session.userId)).map((one) => segmentResponse(one, session.userId)),
  );
  route(app, ctx, endpoints.addSegment, async (call) => {
    const { siteId, userId } = authorOf(call);
    return segment(ctx, siteId, userId, (await createSegment(ctx, { siteId, userId }, call.body)).id);
  });
  route(app, ctx, endpoints.changeSegment, (call) => changeSegment(ctx, call));
  route(app, ctx, endpoints.removeSegment, (call) => removeSegment(ctx, call));
  route(app, ctx, endpoints.restoreSegment, (call) => restoreSegment(ctx, call));
  route(app, ctx, endpoints.annotations, (call) => listAnnotations(ctx, call));
  route(app, ctx, endpoints.addAnnotation, async (call) => annotation(ctx, call.site.id, (await createNote(ctx, authorOf(call), call.body)).id));
  route(app, ctx, endpoints.changeAnnotation, (call) => changeAnnotation(ctx, call));
  route(app, ctx, endpoints.removeAnnotation, (call) => removeAnnotation(ctx, call));
  route(app, ctx, endpoints.restoreAnnotation, (call) => restoreAnnotation(ctx, call));
}

const noGoals = goalSql([], undefined);
/** A filter that means nothing would fail every report that the segment is in. */
function checkFilters(filters: readonly string[]): void {
  try {
    compileFilters(filters.map(parseFilter), noGoals);
  } catch (cause) {
    fail('invalid_fields', { fields: { filters: { code: 'pattern' } }, cause });
  }
}

/** The first visit is looked up when annotations are first read after it; if the store is unavailable, the other annotations are still returned. */
async function noteFirstHit(ctx: Context, site: { readonly id: string; readonly timeZone: string }): Promise<void> {
  if (await queries.hasFirstHit(ctx.postgres.db, site.id)) return;
  const at = await firstHitOf(ctx.clickhouse, site.id).catch(() => null);
  if (at !== null) await annotate(ctx, ctx.postgres.db, site.id, { kind: 'first_hit', at, timeZone: site.timeZone });
}
