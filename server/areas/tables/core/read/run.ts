import type { Context } from '../../../../context';
import { Failure, fail } from '../../../../http/failure';
import { forgetNames, statementName } from '../../../../stores/postgres/names';
import { isRedefined, sqlState } from '../../../../stores/postgres/sqlState';
import { siteModel, tableOf } from '../model';
import type { Reader } from '../access';
import type { TableContext } from '../tableContext';
import type { Raw } from './values';

/** One statement: its rows as PostgreSQL writes them. */
export type Ask = (text: string, values: readonly unknown[]) => Promise<Raw[]>;

/** PostgreSQL wants to know the type of every value that it is given: those that a text does not name are left out. */
export function compact(text: string, values: readonly unknown[]): { readonly text: string; readonly values: unknown[] } {
  const numbers = new Map<string, number>();
  const kept: unknown[] = [];
  const renumbered = text.replaceAll(/\$(\d+)/g, (_, number: string) => {
    let own = numbers.get(number);
    if (own === undefined) numbers.set(number, (own = kept.push(values[Number(number) - 1])));
    return `$${own}`;
  });
  return { text: renumbered, values: kept };
}

export const raw = { getTypeParser: () => (text: string) => text };

/** Stand in no text that is kept (`isKeepable`): between columns, and for nothing. */
const [between, nothing] = ['\u0001', '\u0002'];
/** PostgreSQL takes no more arguments than 100. */
const mostArguments = 90;

function packed(columns: readonly string[]): string {
  const parts = columns.map((column) => `coalesce((${column})::text, E'\\x02')`);
  const join = (some: readonly string[]): string => `concat_ws(E'\\x01', ${some.join(', ')})`;
  if (parts.length <= mostArguments) return join(parts);
  return join(Array.from({ length: Math.ceil(parts.length / mostArguments) }, (_, n) => join(parts.slice(n * mostArguments, (n + 1) * mostArguments))));
}

/**
 * Columns of rows as one text a row, which is taken apart here: a driver that reads fifty rows of thirty columns one value at a time takes longer over it than
 * PostgreSQL over the question. `textOf` makes the statement around what is selected. Should a value hold what stands between columns all the same, the rows
 * are asked for as they are; so are `few` rows, for which it is not worth it.
 */
export async function askPacked(
  ask: Ask,
  columns: readonly string[],
  textOf: (selected: string) => string,
  values: readonly unknown[],
  { few = false }: { readonly few?: boolean } = {},
): Promise<Raw[]> {
  const plain = (): Promise<Raw[]> => ask(textOf(columns.join(', ')), values);
  if (few) return plain();
  const rows: Raw[] = [];
  for (const [text] of await ask(textOf(packed(columns)), values)) {
    const parts: (string | null)[] = text?.split(between) ?? [];
    if (parts.length !== columns.length) return plain();
    for (let at = 0; at < parts.length; at += 1) if (parts[at] === nothing) parts[at] = null;
    rows.push(parts);
  }
  return rows;
}

/** SQLSTATE of a statement that ran too long. */
const tooLong = '57014';

/**
 * On the connections for reading, which give a statement five seconds. Throws `too_slow`. With `revision`, that of the site's definitions, a text that comes
 * again is prepared; it is planned anew for its values each time. Throws `conflict` where the definitions have changed (`inContext`).
 */
export const asking =
  (ctx: Context, revision?: number): Ask =>
  async (text, values) => {
    const { reads } = ctx.postgres;
    const question = compact(text, values);
    const name = revision === undefined ? undefined : statementName(reads, question.text, revision);
    try {
      return await answered(reads.query({ ...question, ...(name === undefined ? {} : { name }), rowMode: 'array', types: raw }));
    } catch (error) {
      if (isRedefined(error)) forgetNames(reads);
      throw error;
    }
  };

/** For figures about everything, which somebody waits for: fifteen seconds. */
export const askingLong =
  (ctx: Context): Ask =>
  async (text, values) => {
    const client = await ctx.postgres.reads.connect();
    let broken = false;
    try {
      await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = '15s'`);
      const rows = await answered(client.query({ ...compact(text, values), rowMode: 'array', types: raw }));
      await client.query('COMMIT');
      return rows;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => (broken = true));
      throw error;
    } finally {
      client.release(broken);
    }
  };

export async function answered(result: Promise<{ rows: unknown[] }>): Promise<Raw[]> {
  try {
    return (await result).rows as Raw[];
  } catch (error) {
    if (sqlState(error) === tooLong) return fail('too_slow', { cause: error });
    if (isRedefined(error)) return fail('conflict', { cause: error });
    throw error;
  }
}

/** Runs `work` on a table of a site; once more with fresh definitions where a change of them came in between. */
export async function onTable<T>(
  ctx: Context,
  site: { readonly id: string; readonly timeZone: string; readonly contentRevision?: number | undefined },
  table: string,
  reader: Reader,
  work: (context: TableContext) => Promise<T>,
): Promise<T> {
  const model = await siteModel(ctx, site.id, site.contentRevision);
  return inContext(ctx, { model, table: tableOf(model, table), reader, timeZone: site.timeZone }, work);
}

/**
 * Reads with the definitions of `context`; again with fresh ones where they changed meanwhile. Where they did not, what PostgreSQL does not understand is a fault of
 * the statement, and thrown as such.
 */
export async function inContext<T>(ctx: Context, context: TableContext, work: (context: TableContext) => Promise<T>, again = 2): Promise<T> {
  try {
    return await work(context);
  } catch (error) {
    if (!isRedefined(error) || again === 0) throw error;
    const model = await siteModel(ctx, context.model.siteId);
    if (model.revision === context.model.revision) throw error instanceof Failure ? error.cause : error;
    return inContext(ctx, { ...context, model, table: tableOf(model, context.table.id) }, work, again - 1);
  }
}
