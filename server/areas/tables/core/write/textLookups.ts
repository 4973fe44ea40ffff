import { splitList } from '../../../../../contract/tables/fieldText';
import type { TextLookup } from '../../../../../contract/tables/fieldText';
import { grantOf } from '../access';
import type { FieldModel } from '../model';
import { labelAt } from '../read/label';
import { mayRead } from '../read/links';
import { fromTable, isLive } from '../read/readContext';
import { asSql, newScope } from '../read/statement';
import { peopleCalled } from './lookups';
import type { TableContext } from '../tableContext';
import type { WriteTx } from './types';
import { leadsTo } from '../viewQuery';

/** What texts of cells of one field stand for; `ambiguous`: titles that several have, and that so stand for none. */
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

/** Ids that the texts of a field's cells stand for: of records by their names, of people by theirs; one question for all cells. Of what the writer may see, and, with `until`, of records that were there by then. */
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
  const scope = await newScope(w.ctx, { ...context, table });
  const { sql: label, show } = labelAt(scope);
  // What a name is made of in the database: of most it is the name itself; of a selection the choice, of numbers the number without what stands before it.
  const primary = table.fields.find((one) => one.id === table.primaryField);
  const raw = (title: string): string[] => {
    const choices = primary?.type === 'select' ? (primary.options.choices ?? []).filter((choice) => choice.title === title).map((choice) => choice.id) : [];
    const [number] = /\d+$/.exec(title) ?? [];
    return [title, ...choices, ...(number === undefined ? [] : [String(Number(number))])];
  };
  const wanted = scope.params.bind([...new Set(titles.flatMap(raw))], 'text[]');
  const inTime = until === undefined ? '' : ` AND ${scope.row}.created_at <= ${scope.params.bind(until.toISOString(), 'timestamptz')}`;
  // Two of a name are enough to know that it stands for none, however many there are.
  const text = `SELECT l.label, min(l.id) AS first, max(l.id) AS last FROM (SELECT ${scope.row}.id::text AS id, ${label} AS label FROM ${fromTable(scope)}
    WHERE ${isLive(scope)} AND ${mayRead(scope)}${inTime}) l WHERE l.label = ANY(${wanted}) GROUP BY l.label`;
  const found = (await w.tx.execute(asSql(text, scope.params.values))).rows as { label: string | null; first: string; last: string }[];
  return found.flatMap(({ label: name, first, last }) => [first, last].map((id) => ({ id, title: show(name) })));
}
