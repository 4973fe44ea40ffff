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

/** Every combination of role and action; the public only has actions on published records. */
const places: readonly (readonly [RuleRole, RecordAction])[] = ruleRoles.flatMap((role) =>
  recordActions.filter((action) => role !== 'public' || action === 'read').map((action) => [role, action] as const),
);

/** All combinations, with the default where there is no rule. */
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
      explicit: rule !== undefined,
    };
  });
  return { revision: table.revision, rules };
}

/**
 * Replaces the rules of a table that is still at `revision`. They apply from the next query, in every process, because the revision of the site's
 * definitions increases. If nothing differs, nothing is changed and no notice is sent.
 */
export async function setRules(ctx: Context, designer: Designer, name: string, revision: number, newRules: readonly Input[]): Promise<TableRules> {
  const done = await designing(ctx, designer, async (design) => {
    const table = await design.table(name);
    if (table.revision !== revision) fail('stale_revision', { current: rulesOf(table) });
    await applyRights(design, table, newRules, (i) => `rules.${i}.`);
    return design.table(table.id);
  });
  return rulesOf(done);
}

const shownRows = 20;

/** A table as one role sees it; `$user` in rules is the caller. The public sees published records. */
export async function previewOf(ctx: Context, context: TableContext, role: RuleRole, locale: string | undefined): Promise<RulesPreview> {
  const reader: Reader = { role, userId: role === 'public' ? null : context.reader.userId };
  const { table } = context;
  const read = grantOf(table, reader, 'read');
  const may = recordActions.flatMap((action) => {
    const grant = grantOf(table, reader, action);
    if (!grant.allowed || !read.allowed) return [];
    // A field that is hidden from a role is not writable either, whatever the rule for writing says.
    const fields = table.fields.filter((field) => read.covers(field) && grant.covers(field)).map((field) => field.id);
    return [{ action, fields, limited: grant.filter !== null }];
  });
  if (may.length === 0) return { role, may, page: { rows: [], labels: { records: {}, people: {} }, total: 0, more: false } };
  const page = await listRecords(ctx, { ...context, reader }, { limit: shownRows, count: 'capped', names: 'id', published: role === 'public', locale });
  return { role, may, page };
}
