import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { RecordFilter } from '../../../../contract/tables/recordFilter';
import type { RuleInput } from '../../../../contract/tables/access';
import type { RecordAction } from '../../../../contract/tables/terms';
import { Failure, fail } from '../../../http/failure';
import type { RuleRecord, SiteModel, TableModel } from '../core/model';
import { compileFilter } from '../core/read';
import { newReadContext } from '../core/read/statement';
import { contentRules } from '../core/schema';
import { canonical } from '../../../kit/canonical';
import type { Design } from './design';
import { DefinitionErrors } from './definitionErrors';
import { filterByIds } from './filters';
import * as queries from './queries';
import type { ChangeRecord } from './queries';

type Input = z.output<typeof RuleInput>;
type StoredRule = Pick<RuleRecord, 'role' | 'action' | 'allowed' | 'fields' | 'filter'>;
type RuleContent = Omit<StoredRule, 'role' | 'action'>;

const byFields: ReadonlySet<RecordAction> = new Set(['read', 'create', 'update']);
const placeOf = ({ role, action }: Pick<StoredRule, 'role' | 'action'>): string => `${role}.${action}`;

/** Rules as stored: fields by id, whatever name was given. Throws `invalid_fields` with all errors. */
async function prepared(design: Design, table: TableModel, inputs: readonly Input[], path: (i: number) => string): Promise<StoredRule[]> {
  const errors = new DefinitionErrors();
  const seenPlaces = new Set<string>();
  const model = await design.model();
  const timeZone = await queries.timeZoneOf(design.tx, design.siteId);
  const scope = await newReadContext(design.ctx, { model, table, reader: { role: 'admin', userId: null }, timeZone });
  const rules = inputs.map((rule, i): StoredRule => {
    const { role, action, allowed } = rule;
    const here = errors.within(path(i));
    if (role === 'public' && action !== 'read') here.add('action', 'reserved');
    if (seenPlaces.has(placeOf(rule))) here.add('role', 'duplicate');
    seenPlaces.add(placeOf(rule));
    if (rule.fields && !byFields.has(action)) here.add('fields', 'wrong_type');
    const fields = rule.fields?.map((name) => table.byName.get(name)?.id ?? null) ?? null;
    if (fields?.includes(null)) here.add('fields', 'unknown');
    return { role, action, allowed, fields: fields && [...new Set(fields.filter((id) => id !== null))], filter: filterIn(rule.filter, here) };
  });
  function filterIn(filter: RecordFilter | null, here: DefinitionErrors): RecordFilter | null {
    if (!filter) return null;
    const resolved = filterByIds(model, table, filter, here);
    try {
      // An invalid filter would silently match nothing.
      compileFilter({ ...scope, trusted: true }, resolved);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      for (const { code } of Object.values(error.fields ?? {})) here.add('filter', code);
    }
    return resolved;
  }
  errors.throwIfAny();
  return rules;
}

const named = (rules: readonly StoredRule[]): Map<string, RuleContent> =>
  new Map(rules.map((rule) => [placeOf(rule), { allowed: rule.allowed, fields: rule.fields, filter: rule.filter }]));

/** Rules that differ, by `role.action`; null: no rule. Null as a whole if nothing differs. */
export function differingRights(
  before: readonly StoredRule[],
  after: readonly StoredRule[],
): { readonly before: Record<string, RuleContent | null>; readonly after: Record<string, RuleContent | null> } | null {
  const [was, is] = [named(before), named(after)];
  const differing = [...new Set([...was.keys(), ...is.keys()])].filter((place) => canonical(was.get(place) ?? null) !== canonical(is.get(place) ?? null));
  const of = (all: typeof was) => Object.fromEntries(differing.map((place) => [place, all.get(place) ?? null]));
  return differing.length > 0 ? { before: of(was), after: of(is) } : null;
}

/**
 * Replaces the rules of a table, as a change in its history. They apply from the next query, in every process, because the revision of the site's
 * definitions increases. If nothing differs, nothing is changed and no notice is sent. `path`: path of the i-th rule in the input. `others`: existing
 * rules that stay.
 */
export async function applyRights(
  design: Design,
  table: TableModel,
  inputs: readonly Input[],
  path: (i: number) => string,
  others: readonly StoredRule[] = [],
): Promise<void> {
  const rules = [...others, ...(await prepared(design, table, inputs, path))];
  const difference = differingRights(table.rules, rules);
  if (!difference) return;
  const own = { siteId: design.siteId, tableId: table.id };
  await design.tx.delete(contentRules).where(and(eq(contentRules.siteId, own.siteId), eq(contentRules.tableId, own.tableId)));
  if (rules.length > 0) await design.tx.insert(contentRules).values(rules.map((rule) => ({ ...own, ...rule })));
  await design.log({ tableId: table.id, op: 'rules_changed', name: table.title, ...difference }, 'table.rules_changed');
}

/**
 * Sets some rules (null: the default) and leaves the others. Fields that no longer exist are dropped from lists, which exposes nothing. Throws
 * `invalid_fields` under `path` for an invalid filter.
 */
export async function applyPlaces(design: Design, table: TableModel, places: Readonly<Record<string, RuleContent | null>>, path: string): Promise<void> {
  const inputs = Object.entries(places).flatMap(([place, rule]): Input[] => {
    const [role, action] = place.split('.') as [StoredRule['role'], StoredRule['action']];
    const fields = rule?.fields?.filter((name) => table.byName.has(name)) ?? null;
    return rule === null ? [] : [{ role, action, allowed: rule.allowed, fields, filter: rule.filter }];
  });
  const others = table.rules.filter((rule) => !(placeOf(rule) in places));
  await applyRights(
    design,
    table,
    inputs,
    () => path,
    others.map(({ role, action, allowed, fields, filter }) => ({ role, action, allowed, fields, filter })),
  );
}

const placesIn = (parts: ChangeRecord['before']): Record<string, RuleContent | null> => parts as Record<string, RuleContent | null>;

/** Whether the filters of earlier rules are still valid: a filter without its field would have another meaning. */
export const canTakeBackRights = (model: Pick<SiteModel, 'fieldById'>, change: Pick<ChangeRecord, 'before'>): boolean =>
  [...JSON.stringify(Object.values(placesIn(change.before)).map((rule) => rule?.filter ?? null)).matchAll(/f_[a-z2-7]{12}/g)].every(([id]) =>
    model.fieldById.has(id),
  );
/** Restores earlier rules. Throws `bad_transition` if a filter is no longer valid. */
export async function takeBackRights(design: Design, table: TableModel, change: ChangeRecord): Promise<void> {
  if (!canTakeBackRights(await design.model(), change)) return fail('bad_transition');
  return applyPlaces(design, table, placesIn(change.before), 'rules.');
}
