import type { Context } from '../../../context';
import type { Extraction, RowValues, Source } from './extract';
import { oneOffProcess } from './oneOffProcess';

const extract = oneOffProcess('extracted', { places: 4, longest: 10_000 });

/** The rows that an extraction finds in a page, in a process of its own: selectors such as `a ~ b ~ c` take quadratic time, and the program has other requests to answer. Throws what `oneOffProcess` does. */
export async function extractOnce(ctx: Context, page: Source, extraction: Extraction): Promise<readonly RowValues[]> {
  const { rows } = await extract(ctx, { type: 'extract', page, extraction });
  return rows;
}
