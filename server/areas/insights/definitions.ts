import type { FastifyInstance } from 'fastify';
import { insightEndpoints as endpoints, mostOf } from '../../../contract/insights/schemas';
import type { Annotation, Funnel, Goal, Segment } from '../../../contract/insights/schemas';
import type { AuditAction } from '../../../contract/audit/schemas';
import type { Context } from '../../context';
import { fail } from '../../http/failure';
import { route } from '../../http/route';
import { violatedConstraint } from '../../stores/postgres/conflict';
import { compileFilters, goalSql, parseFilter, rangeOf } from '../analytics';
import { actorOf, difference, record } from '../audit';
import type { Actor } from '../audit';
import { annotate } from './annotate';
import { firstHitOf } from './figures';
import * as queries from './queries';
import type { AnnotationRecord, Authored, FunnelRecord, GoalRecord, SegmentRecord } from './queries';

type StoredMeta = Pick<GoalRecord, 'id' | 'createdAt' | 'revision'>;
const metaOf = ({ id, createdAt, revision }: StoredMeta, author: string) => ({ id, createdAt: createdAt.toISOString(), revision, author });
const shownGoal = ({ row, author }: Authored<GoalRecord>): Goal => ({
  ...metaOf(row, author),
  name: row.name,
  condition: row.condition,
  worth: row.worth,
});
export const shownFunnel = ({ row, author }: Authored<FunnelRecord>): Funnel => ({
  ...metaOf(row, author),
  name: row.name,
  steps: row.steps,
  within: row.within,
  scope: row.scope,
});
const shownSegment = ({ row, author }: Authored<SegmentRecord>, userId: string): Segment => ({
  ...metaOf(row, author),
  name: row.name,
  filters: row.filters,
  shared: row.shared,
  own: row.author === userId,
});
const shownAnnotation = ({ row, author }: Authored<AnnotationRecord>): Annotation => ({
  ...metaOf(row, author),
  kind: row.kind,
  day: row.day,
  time: row.time,
  text: row.text,
  values: row.values,
});

const present = <T>(row: T | undefined): T => row ?? fail('not_found');

/** Two of a kind with one name could not be told apart in a menu. */
async function naming<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (violatedConstraint(error)?.endsWith('_name_key')) return fail('name_taken', { fields: { name: { code: 'taken' } } });
    throw error;
  }
}

/** Goals, funnels, segments and annotations: listed, made, replaced and removed. */
export function registerDefinitions(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  const now = () => new Date(ctx.now());

  async function checkLimit(kind: keyof typeof mostOf, siteId: string): Promise<void> {
    if ((await queries.countOf(db, kind, siteId)) >= mostOf[kind]) fail('conflict');
  }
  const log = (
    tx: Parameters<typeof record>[1],
    actor: Actor,
    action: AuditAction,
    row: { id: string; siteId: string; name: string },
    facts: { before?: Record<string, unknown>; after?: Record<string, unknown> },
  ) => record(ctx, tx, actor, { action, siteId: row.siteId, target: { kind: action.split('.')[0] ?? '', id: row.id, name: row.name }, ...facts });
  const noted = (tx: Parameters<typeof annotate>[1], kind: 'goal_added' | 'goal_changed' | 'goal_removed', row: GoalRecord, zone: string, author: string) =>
    annotate(ctx, tx, row.siteId, { kind, values: { name: row.name }, timeZone: zone, author });

  const goal = async (siteId: string, id: string): Promise<Goal> => shownGoal(present((await queries.goalsOf(db, siteId, id))[0]));
  route(app, ctx, endpoints.goals, async ({ site }) => (await queries.goalsOf(db, site.id)).map(shownGoal));
  route(app, ctx, endpoints.addGoal, async (call) => {
    const { site, session, body } = call;
    await checkLimit('goals', site.id);
    const row = await naming(() =>
      db.transaction(async (tx) => {
        const added = present(await queries.insertGoal(tx, { ...body, siteId: site.id, author: session.userId, createdAt: now() }));
        await log(tx, actorOf(call), 'goal.added', added, { after: body });
        await noted(tx, 'goal_added', added, site.row.timeZone, session.userId);
        return added;
      }),
    );
    return goal(site.id, row.id);
  });
  route(app, ctx, endpoints.changeGoal, async (call) => {
    const { site, session, params, body, ifMatch } = call;
    const before = await goal(site.id, params.id);
    const row = await naming(() =>
      db.transaction(async (tx) => {
        const changed = await queries.updateGoal(tx, site.id, params.id, ifMatch(), body);
        if (!changed) return null;
        const found = difference<Pick<Goal, 'name' | 'condition' | 'worth'>>(before, changed, ['name', 'condition', 'worth']);
        await log(tx, actorOf(call), 'goal.changed', changed, found);
        // Another name changes no figure.
        if ('condition' in found.after || 'worth' in found.after) await noted(tx, 'goal_changed', changed, site.row.timeZone, session.userId);
        return changed;
      }),
    );
    return row ? goal(site.id, params.id) : fail('stale_revision', { current: await goal(site.id, params.id) });
  });
  route(app, ctx, endpoints.removeGoal, async (call) => {
    const { site, session, params } = call;
    await db.transaction(async (tx) => {
      const row = present(await queries.deleteGoal(tx, site.id, params.id));
      await log(tx, actorOf(call), 'goal.removed', row, { before: { name: row.name, condition: row.condition, worth: row.worth } });
      await noted(tx, 'goal_removed', row, site.row.timeZone, session.userId);
    });
  });

  const funnel = async (siteId: string, id: string): Promise<Funnel> => shownFunnel(present((await queries.funnelsOf(db, siteId, id))[0]));
  route(app, ctx, endpoints.funnels, async ({ site }) => (await queries.funnelsOf(db, site.id)).map(shownFunnel));
  route(app, ctx, endpoints.addFunnel, async (call) => {
    const { site, session, body } = call;
    await checkLimit('funnels', site.id);
    const row = await naming(() =>
      db.transaction(async (tx) => {
        const added = present(await queries.insertFunnel(tx, { ...body, siteId: site.id, author: session.userId, createdAt: now() }));
        await log(tx, actorOf(call), 'funnel.added', added, { after: body });
        return added;
      }),
    );
    return funnel(site.id, row.id);
  });
  route(app, ctx, endpoints.changeFunnel, async (call) => {
    const { site, params, body, ifMatch } = call;
    const before = await funnel(site.id, params.id);
    const row = await naming(() =>
      db.transaction(async (tx) => {
        const changed = await queries.updateFunnel(tx, site.id, params.id, ifMatch(), body);
        if (!changed) return null;
        type AuditedFunnel = Pick<Funnel, 'name' | 'steps' | 'within' | 'scope'>;
        await log(tx, actorOf(call), 'funnel.changed', changed, difference<AuditedFunnel>(before, changed, ['name', 'steps', 'within', 'scope']));
        return changed;
      }),
    );
    return row ? funnel(site.id, params.id) : fail('stale_revision', { current: await funnel(site.id, params.id) });
  });
  route(app, ctx, endpoints.removeFunnel, async (call) => {
    const { site, params } = call;
    await db.transaction(async (tx) => {
      const row = present(await queries.deleteFunnel(tx, site.id, params.id));
      await log(tx, actorOf(call), 'funnel.removed', row, { before: { name: row.name, steps: row.steps, within: row.within, scope: row.scope } });
    });
  });

  const segment = async (siteId: string, userId: string, id: string): Promise<Segment> =>
    shownSegment(present((await queries.segmentsOf(db, siteId, userId, [id]))[0]), userId);
  route(app, ctx, endpoints.segments, async ({ site, session }) =>
    (await queries.segmentsOf(db, site.id, session.userId)).map((one) => shownSegment(one, session.userId)),
  );
  route(app, ctx, endpoints.addSegment, async ({ site, session, body }) => {
    checkFilters(body.filters);
    await checkLimit('segments', site.id);
    const row = await naming(() => queries.insertSegment(db, { ...body, siteId: site.id, author: session.userId, createdAt: now() }));
    return segment(site.id, session.userId, present(row).id);
  });
  route(app, ctx, endpoints.changeSegment, async ({ site, session, params, body, ifMatch }) => {
    checkFilters(body.filters);
    const before = await segment(site.id, session.userId, params.id);
    // Somebody else's would be gone for whoever takes it back.
    if (!body.shared && !before.own) fail('forbidden');
    const row = await naming(() => queries.updateSegment(db, site.id, params.id, ifMatch(), body));
    return row ? segment(site.id, session.userId, params.id) : fail('stale_revision', { current: await segment(site.id, session.userId, params.id) });
  });
  route(app, ctx, endpoints.removeSegment, async ({ site, session, params }) => {
    present(await queries.deleteSegment(db, site.id, session.userId, params.id));
  });

  const annotation = async (siteId: string, id: string): Promise<Annotation> => shownAnnotation(present(await queries.annotationById(db, siteId, id)));
  route(app, ctx, endpoints.annotations, async ({ site, query }) => {
    rangeOf(query.from, query.to, site.row.timeZone);
    await noteFirstHit(ctx, { id: site.id, timeZone: site.row.timeZone });
    return (await queries.annotationsOf(db, site.id, query.from, query.to)).map(shownAnnotation);
  });
  route(app, ctx, endpoints.addAnnotation, async ({ site, session, body }) => {
    await checkLimit('annotations', site.id);
    const row = present(await queries.insertAnnotation(db, { ...body, kind: 'note', siteId: site.id, author: session.userId, createdAt: now() }));
    return annotation(site.id, row.id);
  });
  route(app, ctx, endpoints.changeAnnotation, async ({ site, params, body, ifMatch }) => {
    const { kind } = await annotation(site.id, params.id);
    if (kind !== 'note') fail('immutable');
    const row = await queries.updateAnnotation(db, site.id, params.id, ifMatch(), body);
    return row ? annotation(site.id, params.id) : fail('stale_revision', { current: await annotation(site.id, params.id) });
  });
  route(app, ctx, endpoints.removeAnnotation, async ({ site, params }) => {
    const { kind } = await annotation(site.id, params.id);
    if (kind !== 'note') fail('immutable');
    if (!(await queries.deleteAnnotation(db, site.id, params.id))) fail('not_found');
  });
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

/** The first visit is found when annotations are first asked for after it; a store that is away keeps nobody from the others. */
async function noteFirstHit(ctx: Context, site: { readonly id: string; readonly timeZone: string }): Promise<void> {
  if (await queries.hasFirstHit(ctx.postgres.db, site.id)) return;
  const at = await firstHitOf(ctx.clickhouse, site.id).catch(() => null);
  if (at !== null) await annotate(ctx, ctx.postgres.db, site.id, { kind: 'first_hit', at, timeZone: site.timeZone });
}
