import type { Context } from '../../../../context';
import { Failure, fail } from '../../../../http/failure';
import { forgetNames, statementName } from '../../../../stores/postgres/names';
import { isRedefined, sqlState } from '../../../../stores/postgres/sqlState';
import { siteModel, tableOf } from '../model';
import type { Reader } from '../access';
import type { TableContext } from '../tableContext';
import type { Raw } from './values';

/** Runs one statement and returns its rows in PostgreSQL's text format. */
export type Ask = (text: string, values: readonly unknown[]) => Promise<Raw[]>;

/** PostgreSQL must know the type of every parameter, so those that the text does not use are removed. */
export function compact(text: string, values: readonly unknown[]): { readonly text: string; readonly values: unknown[] } {
  const numbers = new Map<string, number>();
  const usedValues: unknown[] = [];
  const renumbered = text.replaceAll(/\$(\d+)/g, (_, number: string) => {
    let own = numbers.get(number);
    if (own === undefined) numbers.set(number, (own = usedValues.push(values[Number(number) - 1])));
    return `$${own}`;
  });
  return { text: renumbered, values: usedValues };
}

export const raw = { getTypeParser: () => (text: string) => text };

/** Separator between columns and marker for null; neither occurs in stored text (`isKeepable`). */
const [between, nothing] = ['\u0001', '\u0002'];
/** PostgreSQL allows at most 100 function arguments. */
const mostArguments = 90;

function packed(columns: readonly string[]): string {
  const parts = columns.map((column) => `coalesce((${column})::text, E'\\x02')`);
  const join = (some: readonly string[]): string => `concat_ws(E'\\x01', ${some.join(', ')})`;
  if (parts.length <= mostArguments) return join(parts);
  return join(Array.from({ length: Math.ceil(parts.length / mostArguments) }, (_, n) => join(parts.slice(n * mostArguments, (n + 1) * mostArguments))));
}

/**
 * Packs each row into one text, which is split here: for fifty rows of thirty columns, a driver that decodes value by value takes longer than PostgreSQL
 * takes for the query. `textOf` builds the statement around the selected columns. If a value contains the separator anyway, the rows are queried
 * unpacked; so are `few` rows, for which packing does not pay off.
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

/** SQLSTATE of a query that was cancelled by the statement timeout. */
const tooLong = '57014';

/**
 * Uses the read pool, where a statement may take five seconds. Throws `too_slow`. With `revision`, the revision of the site's definitions, repeated
 * texts become prepared statements, which are still planned for each set of values. Throws `conflict` if the definitions have changed (`inContext`).
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

/** For figures over all records, which a person waits for: fifteen seconds. */
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

/** Runs `work` on a table of a site, and repeats it once with fresh definitions if they changed meanwhile. */
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
 * Reads with the definitions of `context`, and repeats once with fresh ones if they changed meanwhile. If they did not, a statement that PostgreSQL
 * rejects is a programming error and is thrown as such.
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
