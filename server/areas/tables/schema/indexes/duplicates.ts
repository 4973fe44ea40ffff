import type { Duplicates } from '../../../../../contract/tables/indexes';
import { canBeUnique, columnOf } from '../../../../../contract/tables/terms';
import type { Context } from '../../../../context';
import { failField } from '../../../../http/failure';
import { columnName } from '../../core/ids';
import { fieldOf } from '../../core/model';
import { labelAt } from '../../core/read/label';
import { addNames, addPeople, noLabels } from '../../core/read/labels';
import { linkEnds } from '../../core/read/links';
import { readContextFor, whereSql } from '../../core/read/list';
import { askingLong } from '../../core/read/run';
import { fromTable } from '../../core/read/readContext';
import type { TableContext } from '../../core/tableContext';
import { readValue } from '../../core/read/values';

/** Records listed per value. */
const named = 5;

/**
 * Values of a field that several records share (outside the bin), most frequent first, compared as the unique index would; among records that the reader
 * may read. Throws `invalid_fields` if the field cannot be unique, `too_slow` if counting takes more than fifteen seconds.
 */
export async function findDuplicates(ctx: Context, context: TableContext, name: string, limit: number): Promise<Duplicates> {
  const field = fieldOf(context.table, name);
  if (!canBeUnique(field.type)) return failField('field', 'wrong_type');
  const ask = askingLong(ctx);
  const kind = columnOf[field.type];
  const counted = await readContextFor(ctx, context, {});
  const value = `${counted.row}.${columnName(field.id)}`;
  const found = await ask(
    `WITH d AS (SELECT ${value} AS v, count(*) AS c FROM ${fromTable(counted)} WHERE ${whereSql(counted, {})} AND ${value} IS NOT NULL GROUP BY 1 HAVING count(*) > 1)
     SELECT v::text, c, (SELECT count(*) FROM d), (SELECT sum(c) FROM d) FROM d ORDER BY c DESC, v LIMIT ${counted.params.bind(limit, 'bigint')}`,
    counted.params.values,
  );
  const texts = found.flatMap(([text]) => text ?? []);
  const [, , total, records] = found[0] ?? [];
  const labels = noLabels();
  const lists = texts.map((): { id: string; label: string }[] => []);
  if (texts.length > 0) {
    const scope = await readContextFor(ctx, context, {});
    const own = `${scope.row}.${columnName(field.id)}`;
    const label = labelAt(scope);
    const all = scope.params.bind(texts, `${kind}[]`);
    const rows = await ask(
      `SELECT place, id, label FROM (
         SELECT array_position(${all}, ${own}) AS place, ${scope.row}.id AS id, ${label.sql} AS label,
           row_number() OVER (PARTITION BY ${own} ORDER BY ${scope.row}.ord, ${scope.row}.id) AS nth
         FROM ${fromTable(scope)} WHERE ${whereSql(scope, {})} AND ${own} = ANY(${all})) x
       WHERE nth <= ${named} ORDER BY place, nth`,
      scope.params.values,
    );
    for (const [place, id, labelValue] of rows) if (id) lists[Number(place) - 1]?.push({ id, label: label.show(labelValue ?? null) });
    const ends = field.type === 'relation' ? linkEnds(scope, field) : null;
    if (ends) await addNames(ask, scope, ends.table, texts, labels);
    if (field.type === 'user') await addPeople(ask, labels, new Set(texts));
  }
  return {
    total: Number(total ?? 0),
    records: Number(records ?? 0),
    values: found.map(([text = null, count], at) => ({ value: readValue(kind, text), count: Number(count), records: lists[at] ?? [] })),
    labels,
  };
}
