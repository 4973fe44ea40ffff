import type { Context } from '../../../context';
import type { Extraction, RowValues, Source } from './extract';
import { oneOffProcess } from './oneOffProcess';

const extract = oneOffProcess('extracted', { places: 4, longest: 10_000 });

/** Extracts rows from a page in a separate process, because selectors such as `a ~ b ~ c` take quadratic time and would block other requests. Throws the same errors as `oneOffProcess`. */
export async function extractOnce(ctx: Context, page: Source, extraction: Extraction): Promise<readonly RowValues[]> {
  const { rows } = await extract(ctx, { type: 'extract', page, extraction });
  return rows;
}
