import type { Context } from '../../../../context';
import { fail } from '../../../../http/failure';
import { labelAt } from './label';
import { afresh, pointing } from './labels';
import { mayRead } from './links';
import { readContextFor, whereSql } from './list';
import { asking } from './run';
import { fromTable, isLive, isReadable, readGrant } from './readContext';
import type { TableContext } from '../tableContext';

/** Maximum number of records listed per field; thousands may link to a page of a site. */
const mostOfField = 100;

type Link = {
  readonly tableId: string;
  readonly tableTitle: string;
  readonly fieldId: string;
  readonly fieldTitle: string;
  readonly recordId: string;
  readonly label: string;
};

/** Records of any table that link to a given one, limited to those that the reader may see. Throws `not_found` if the reader may not see that record. */
export async function linksTo(ctx: Context, context: TableContext, id: string): Promise<Link[]> {
  const ask = asking(ctx);
  const scope = await readContextFor(ctx, context, {});
  const [found] = await ask(`SELECT 1 FROM ${fromTable(scope)} WHERE ${whereSql(scope, { ids: [id] })}`, scope.params.values);
  if (!found) return fail('not_found');
  const fields = context.model.tables.flatMap((table) =>
    table.fields
      .filter((field) => (field.type === 'relation' || field.type === 'relations') && field.options.to === context.table.id)
      .map((field) => ({ table, field })),
  );
  const lists = await Promise.all(
    fields.map(async ({ table, field }) => {
      const there = afresh(scope, table);
      if (!readGrant(there).allowed || !isReadable(there, field)) return [];
      const { from, points } = pointing(there, field);
      const label = labelAt(there);
      const rows = await ask(
        `SELECT ${there.row}.id, ${label.sql} FROM ${from} WHERE ${points(there.params.bind(id, 'uuid'))} AND ${isLive(there)} AND ${mayRead(there)}
         ORDER BY ${there.row}.ord, ${there.row}.id LIMIT ${there.params.bind(mostOfField, 'bigint')}`,
        there.params.values,
      );
      return rows.map(([recordId, name]): Link => ({
        tableId: table.id,
        tableTitle: table.title,
        fieldId: field.id,
        fieldTitle: field.title,
        recordId: recordId ?? '',
        label: label.show(name ?? null),
      }));
    }),
  );
  return lists.flat();
}
