import { splitList } from '../../../../../contract/tables/fieldText';
import type { TextLookup } from '../../../../../contract/tables/fieldText';
import { grantOf } from '../access';
import type { FieldModel } from '../model';
import { labelAt } from '../read/label';
import { mayRead } from '../read/links';
import { fromTable, isLive } from '../read/readContext';
import { asSql, newReadContext } from '../read/statement';
import { peopleCalled } from './lookups';
import type { TableContext } from '../tableContext';
import type { WriteTx } from './types';
import { leadsTo } from '../viewQuery';

/** Results of text lookups for one field; `ambiguous`: names shared by several targets, which therefore match none. */
export type Found = { readonly find: TextLookup; readonly ambiguous: ReadonlySet<string> };
const nothing: Found = { find: () => null, ambiguous: new Set() };

function foundIn(pairs: readonly { readonly title: string; readonly id: string }[]): Found {
  const ids = new Map<string, string>();
  const ambiguous = new Set<string>();
  for (const { title, id } of pairs) {
    if (ids.has(title) && ids.get(title) !== id) ambiguous.add(title);
    ids.set(title, id);
  }
  return { find: (title) => (ambiguous.has(title) ? null : (ids.get(title) ?? null)), ambiguous };
}
const isLink = (field: FieldModel): boolean => field.type === 'relation' || field.type === 'relations' || field.type === 'inverse';

/**
 * Ids for the texts of a field's cells: of records or people, by name; one query for all cells. Limited to what the writer may see and, with `until`, to
 * records that existed then.
 */
export async function lookupFor(w: WriteTx, context: TableContext, field: FieldModel, texts: ReadonlySet<string>, until?: Date): Promise<Found> {
  const titles = [...new Set([...texts].flatMap((text) => [text.trim(), ...splitList(text)]))].filter((title) => title !== '');
  if (titles.length === 0) return nothing;
  if (field.type === 'user') return foundIn(await peopleCalled(w.tx, context.model.siteId, titles));
  return isLink(field) ? foundIn(await records(w, context, field, titles, until)) : nothing;
}

async function records(
  w: WriteTx,
  context: TableContext,
  field: FieldModel,
  titles: readonly string[],
  until?: Date,
): Promise<{ title: string; id: string }[]> {
  const table = leadsTo(context.model, field);
  if (!table || !grantOf(table, context.reader, 'read').allowed) return [];
  const scope = await newReadContext(w.ctx, { ...context, table });
  const { sql: label, show } = labelAt(scope);
  // The stored value behind a name: usually the name itself; for a selection the choice, for a number the number without its prefix.
  const primary = table.fields.find((one) => one.id === table.primaryField);
  const raw = (title: string): string[] => {
    const choices = primary?.type === 'select' ? (primary.options.choices ?? []).filter((choice) => choice.title === title).map((choice) => choice.id) : [];
    const [number] = /\d+$/.exec(title) ?? [];
    return [title, ...choices, ...(number === undefined ? [] : [String(Number(number))])];
  };
  const boundTitles = scope.params.bind([...new Set(titles.flatMap(raw))], 'text[]');
  const inTime = until === undefined ? '' : ` AND ${scope.row}.created_at <= ${scope.params.bind(until.toISOString(), 'timestamptz')}`;
  // Two matches are enough to know that a name is ambiguous.
  const text = `SELECT l.label, min(l.id) AS first, max(l.id) AS last FROM (SELECT ${scope.row}.id::text AS id, ${label} AS label FROM ${fromTable(scope)}
    WHERE ${isLive(scope)} AND ${mayRead(scope)}${inTime}) l WHERE l.label = ANY(${boundTitles}) GROUP BY l.label`;
  const found = (await w.tx.execute(asSql(text, scope.params.values))).rows as { label: string | null; first: string; last: string }[];
  return found.flatMap(({ label: name, first, last }) => [first, last].map((id) => ({ id, title: show(name) })));
}
