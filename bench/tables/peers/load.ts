import type pg from 'pg';

const piece = 5000;

/** Fills a peer's table by SQL with the same values that our table receives over the API. */
export async function loadRows(
  client: pg.Client,
  table: string,
  columns: readonly { readonly name: string; readonly type: string }[],
  count: number,
  rowOf: (n: number) => Readonly<Record<string, unknown>>,
): Promise<void> {
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  const typed = columns.map(({ name, type }) => `"${name}" ${type}`).join(', ');
  for (let from = 0; from < count; from += piece) {
    const some = Array.from({ length: Math.min(piece, count - from) }, (_, i) => rowOf(from + i));
    await client.query(`INSERT INTO "${table}" (${names}) SELECT ${names} FROM json_to_recordset($1::json) AS x(${typed})`, [JSON.stringify(some)]);
  }
}
