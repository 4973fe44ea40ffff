import type { z } from 'zod';
import { recordActions, ruleRoles } from '../../../../contract/tables/terms';
import type { RecordAction, RuleRole } from '../../../../contract/tables/terms';
import type { RuleInput, RulesPreview, TableRule, TableRules } from '../../../../contract/tables/access';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { grantOf } from '../core/access';
import type { Reader } from '../core/access';
import { designing } from '../schema';
import type { Designer } from '../schema';
import { applyRights } from '../schema';
import type { TableModel } from '../core/model';
import { listRecords } from '../core/read';
import type { TableContext } from '../core/tableContext';

type Input = z.output<typeof RuleInput>;

/** Every place of the matrix that there is: what is not published is nobody's but those of the site. */
const places: readonly (readonly [RuleRole, RecordAction])[] = ruleRoles.flatMap((role) =>
  recordActions.filter((action) => role !== 'public' || action === 'read').map((action) => [role, action] as const),
);

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

/**
 * Replaces the rules of a table that still has `revision`. They hold from the next question on, in every process: the revision of the site's
 * definitions grows. Nothing happens, and nobody is told, where nothing differs.
 */
export async function setRules(ctx: Context, designer: Designer, name: string, revision: number, given: readonly Input[]): Promise<TableRules> {
  const done = await designing(ctx, designer, async (design) => {
    const table = await design.table(name);
    if (table.revision !== revision) fail('stale_revision', { current: rulesOf(table) });
    await applyRights(design, table, given, (i) => `rules.${i}.`);
    return design.table(table.id);
  });
  return rulesOf(done);
}

const shownRows = 20;

/** A table as one role has it; `$user` of its rules is whoever looks. The public sees what is published. */
export async function previewOf(ctx: Context, context: TableContext, role: RuleRole, locale: string | undefined): Promise<RulesPreview> {
  const reader: Reader = { role, userId: role === 'public' ? null : context.reader.userId };
  const { table } = context;
  const read = grantOf(table, reader, 'read');
  const may = recordActions.flatMap((action) => {
    const grant = grantOf(table, reader, action);
    if (!grant.allowed || !read.allowed) return [];
    // What one may not see one may not write either, whatever the rule of writing says.
    const fields = table.fields.filter((field) => read.covers(field) && grant.covers(field)).map((field) => field.id);
    return [{ action, fields, limited: grant.filter !== null }];
  });
  if (may.length === 0) return { role, may, page: { rows: [], labels: { records: {}, people: {} }, total: 0, more: false } };
  const page = await listRecords(ctx, { ...context, reader }, { limit: shownRows, count: 'capped', names: 'id', published: role === 'public', locale });
  return { role, may, page };
}
