import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { RecordFilter } from '../../../../contract/recordFilter';
import { recordActions, ruleRoles } from '../../../../contract/tableTerms';
import type { RecordAction, RuleRole } from '../../../../contract/tableTerms';
import type { RuleInput, RulesPreview, TableRule, TableRules } from '../../../../contract/tableAccess';
import type { Context } from '../../../context';
import { Failure, fail } from '../../../http/failure';
import { record } from '../../audit';
import { grantOf } from '../access';
import type { Reader } from '../access';
import { canonical } from '../design/canonical';
import { designing } from '../design/design';
import type { Designer } from '../design/design';
import { Faults } from '../design/faults';
import { filterByIds } from '../design/filters';
import type { RuleRecord, SiteModel, TableModel } from '../model';
import { compileFilter, listRecords } from '../read';
import type { Scene } from '../read';
import { newScope } from '../read/statement';
import { contentRules, contentTables } from '../schema';

type Input = z.output<typeof RuleInput>;
type Kept = Pick<RuleRecord, 'role' | 'action' | 'allowed' | 'fields' | 'filter'>;

/** Every place of the matrix that there is: what is not published is nobody's but those of the site. */
const places: readonly (readonly [RuleRole, RecordAction])[] = ruleRoles.flatMap((role) =>
  recordActions.filter((action) => role !== 'public' || action === 'read').map((action) => [role, action] as const),
);
const byFields: ReadonlySet<RecordAction> = new Set(['read', 'create', 'update']);

/** The whole matrix; where no rule stands, the default. */
export function rulesOf(table: TableModel): TableRules {
  const rules = places.map(([role, action]): TableRule => {
    const rule = table.rules.find((one) => one.role === role && one.action === action);
    const live = rule?.fields?.filter((id) => table.fields.some((field) => field.id === id)) ?? null;
    return {
      role,
      action,
      allowed: rule?.allowed ?? grantOf(table, { role, userId: null }, action).allowed,
      fields: live,
      filter: rule?.filter ?? null,
      given: rule !== undefined,
    };
  });
  return { revision: table.revision, rules };
}

/** Rules as they are kept: fields by id, whatever name they were given by. Throws `invalid_fields` with everything that is wrong. */
async function prepared(ctx: Context, model: SiteModel, table: TableModel, given: readonly Input[], timeZone: string): Promise<Kept[]> {
  const faults = new Faults();
  const seen = new Set<string>();
  const scope = await newScope(ctx, { model, table, reader: { role: 'admin', userId: null }, timeZone });
  const rules = given.map((rule, i): Kept => {
    const { role, action, allowed } = rule;
    const here = faults.within(`rules.${i}.`);
    if (role === 'public' && action !== 'read') here.add('action', 'reserved');
    if (seen.has(`${role} ${action}`)) here.add('role', 'duplicate');
    seen.add(`${role} ${action}`);
    if (rule.fields && !byFields.has(action)) here.add('fields', 'wrong_type');
    const fields = rule.fields?.map((name) => table.byName.get(name)?.id ?? null) ?? null;
    if (fields?.includes(null)) here.add('fields', 'unknown');
    return { role, action, allowed, fields: fields && [...new Set(fields.filter((id) => id !== null))], filter: filterIn(rule.filter, here) };
  });
  function filterIn(filter: RecordFilter | null, here: Faults): RecordFilter | null {
    if (!filter) return null;
    const kept = filterByIds(model, table, filter, here);
    try {
      // What cannot be asked would let nothing pass, without a word.
      compileFilter({ ...scope, trusted: true }, kept);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      for (const { code } of Object.values(error.fields ?? {})) here.add('filter', code);
    }
    return kept;
  }
  faults.settle();
  return rules;
}

const named = (rules: readonly Kept[]): Map<string, Omit<Kept, 'role' | 'action'>> =>
  new Map(rules.map(({ role, action, allowed, fields, filter }) => [`${role}.${action}`, { allowed, fields, filter }]));

/** What is different, by `role.action`; null: no rule. */
function changed(before: readonly Kept[], after: readonly Kept[]): { before: Record<string, unknown>; after: Record<string, unknown> } | null {
  const [was, is] = [named(before), named(after)];
  const differing = [...new Set([...was.keys(), ...is.keys()])].filter((place) => canonical(was.get(place) ?? null) !== canonical(is.get(place) ?? null));
  const of = (all: typeof was) => Object.fromEntries(differing.map((place) => [place, all.get(place) ?? null]));
  return differing.length > 0 ? { before: of(was), after: of(is) } : null;
}

/**
 * Replaces the rules of a table that still has `revision`. They hold from the next question on, in every process: the revision of the site's
 * definitions grows. Nothing happens, and nobody is told, where nothing differs.
 */
export async function setRules(
  ctx: Context,
  designer: Designer,
  name: string,
  revision: number,
  given: readonly Input[],
  timeZone: string,
): Promise<TableRules> {
  const done = await designing(ctx, designer, async (design) => {
    const table = await design.table(name);
    if (table.revision !== revision) fail('stale_revision', { current: rulesOf(table) });
    const rules = await prepared(ctx, await design.model(), table, given, timeZone);
    const difference = changed(table.rules, rules);
    if (!difference) return { table, told: false };
    const own = { siteId: design.siteId, tableId: table.id };
    await design.tx.delete(contentRules).where(and(eq(contentRules.siteId, own.siteId), eq(contentRules.tableId, own.tableId)));
    if (rules.length > 0) await design.tx.insert(contentRules).values(rules.map((rule) => ({ ...own, ...rule })));
    await design.tx
      .update(contentTables)
      .set({ revision: sql`${contentTables.revision} + 1` })
      .where(eq(contentTables.id, table.id));
    const target = { kind: 'table', id: table.id, name: table.title };
    await record(ctx, design.tx, designer.actor, { action: 'table.rules_changed', siteId: design.siteId, target, ...difference });
    design.forget();
    return { table: await design.table(table.id), told: true };
  });
  if (done.told) ctx.live.publish({ type: 'tables', siteId: designer.siteId, tableId: done.table.id });
  return rulesOf(done.table);
}

const shownRows = 20;

/** A table as one role has it; `$user` of its rules is whoever looks. The public sees what is published. */
export async function previewOf(ctx: Context, scene: Scene, role: RuleRole, locale: string | undefined): Promise<RulesPreview> {
  const reader: Reader = { role, userId: role === 'public' ? null : scene.reader.userId };
  const { table } = scene;
  const read = grantOf(table, reader, 'read');
  const may = recordActions.flatMap((action) => {
    const grant = grantOf(table, reader, action);
    if (!grant.allowed || !read.allowed) return [];
    // What one may not see one may not write either, whatever the rule of writing says.
    const fields = table.fields.filter((field) => read.covers(field) && grant.covers(field)).map((field) => field.id);
    return [{ action, fields, limited: grant.filter !== null }];
  });
  if (may.length === 0) return { role, may, page: { rows: [], labels: { records: {}, people: {} }, total: 0, more: false } };
  const page = await listRecords(ctx, { ...scene, reader }, { limit: shownRows, count: 'capped', names: 'id', published: role === 'public', locale });
  return { role, may, page };
}
