import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { RecordFilter } from '../../../../contract/tables/recordFilter';
import type { RuleInput } from '../../../../contract/tables/access';
import type { RecordAction } from '../../../../contract/tables/terms';
import { Failure, fail } from '../../../http/failure';
import type { RuleRecord, SiteModel, TableModel } from '../core/model';
import { compileFilter } from '../core/read';
import { newScope } from '../core/read/statement';
import { contentRules } from '../core/schema';
import { canonical } from './canonical';
import type { Design } from './design';
import { Faults } from './faults';
import { filterByIds } from './filters';
import * as queries from './queries';
import type { ChangeRecord } from './queries';

type Input = z.output<typeof RuleInput>;
type Kept = Pick<RuleRecord, 'role' | 'action' | 'allowed' | 'fields' | 'filter'>;
type Given = Omit<Kept, 'role' | 'action'>;

const byFields: ReadonlySet<RecordAction> = new Set(['read', 'create', 'update']);
const placeOf = ({ role, action }: Pick<Kept, 'role' | 'action'>): string => `${role}.${action}`;

/** Rules as they are kept: fields by id, whatever name they were given by. Throws `invalid_fields` with everything that is wrong. */
async function prepared(design: Design, table: TableModel, given: readonly Input[], path: (i: number) => string): Promise<Kept[]> {
  const faults = new Faults();
  const seen = new Set<string>();
  const model = await design.model();
  const timeZone = await queries.timeZoneOf(design.tx, design.siteId);
  const scope = await newScope(design.ctx, { model, table, reader: { role: 'admin', userId: null }, timeZone });
  const rules = given.map((rule, i): Kept => {
    const { role, action, allowed } = rule;
    const here = faults.within(path(i));
    if (role === 'public' && action !== 'read') here.add('action', 'reserved');
    if (seen.has(placeOf(rule))) here.add('role', 'duplicate');
    seen.add(placeOf(rule));
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

const named = (rules: readonly Kept[]): Map<string, Given> =>
  new Map(rules.map((rule) => [placeOf(rule), { allowed: rule.allowed, fields: rule.fields, filter: rule.filter }]));

/** Rules that are different, by `role.action`; null: no rule. Null as a whole where nothing differs. */
export function differingRights(
  before: readonly Kept[],
  after: readonly Kept[],
): { readonly before: Record<string, Given | null>; readonly after: Record<string, Given | null> } | null {
  const [was, is] = [named(before), named(after)];
  const differing = [...new Set([...was.keys(), ...is.keys()])].filter((place) => canonical(was.get(place) ?? null) !== canonical(is.get(place) ?? null));
  const of = (all: typeof was) => Object.fromEntries(differing.map((place) => [place, all.get(place) ?? null]));
  return differing.length > 0 ? { before: of(was), after: of(is) } : null;
}

/**
 * Replaces the rules of a table, as a change of its history. They hold from the next question on, in every process: the revision of the site's
 * definitions grows. Nothing happens, and nobody is told, where nothing differs. `path`: where the i-th rule stands in what was sent.
 * `others`: rules that stand already and stay.
 */
export async function applyRights(
  design: Design,
  table: TableModel,
  given: readonly Input[],
  path: (i: number) => string,
  others: readonly Kept[] = [],
): Promise<void> {
  const rules = [...others, ...(await prepared(design, table, given, path))];
  const difference = differingRights(table.rules, rules);
  if (!difference) return;
  const own = { siteId: design.siteId, tableId: table.id };
  await design.tx.delete(contentRules).where(and(eq(contentRules.siteId, own.siteId), eq(contentRules.tableId, own.tableId)));
  if (rules.length > 0) await design.tx.insert(contentRules).values(rules.map((rule) => ({ ...own, ...rule })));
  await design.log({ tableId: table.id, op: 'rules_changed', name: table.title, ...difference }, 'table.rules_changed');
}

/**
 * Some places as they shall be (null: by default), all others as they are. Fields that are no more are left out of lists, which lets nobody see more.
 * Throws `invalid_fields` under `path` where a filter cannot be asked.
 */
export async function applyPlaces(design: Design, table: TableModel, places: Readonly<Record<string, Given | null>>, path: string): Promise<void> {
  const given = Object.entries(places).flatMap(([place, rule]): Input[] => {
    const [role, action] = place.split('.') as [Kept['role'], Kept['action']];
    const fields = rule?.fields?.filter((name) => table.byName.has(name)) ?? null;
    return rule === null ? [] : [{ role, action, allowed: rule.allowed, fields, filter: rule.filter }];
  });
  const others = table.rules.filter((rule) => !(placeOf(rule) in places));
  await applyRights(
    design,
    table,
    given,
    () => path,
    others.map(({ role, action, allowed, fields, filter }) => ({ role, action, allowed, fields, filter })),
  );
}

const placesIn = (parts: ChangeRecord['before']): Record<string, Given | null> => parts as Record<string, Given | null>;

/** Whether the filters of earlier rules can still be asked: a filter without its field would say something else. */
export const canTakeBackRights = (model: Pick<SiteModel, 'fieldById'>, change: Pick<ChangeRecord, 'before'>): boolean =>
  [...JSON.stringify(Object.values(placesIn(change.before)).map((rule) => rule?.filter ?? null)).matchAll(/f_[a-z2-7]{12}/g)].every(([id]) =>
    model.fieldById.has(id),
  );
/** Rules as they were before a change. Throws `bad_transition` where one cannot be asked any more. */
export async function takeBackRights(design: Design, table: TableModel, change: ChangeRecord): Promise<void> {
  if (!canTakeBackRights(await design.model(), change)) return fail('bad_transition');
  return applyPlaces(design, table, placesIn(change.before), 'rules.');
}
