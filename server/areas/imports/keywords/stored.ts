import type { Context } from '../../../context';
import { visibleKeywords } from '../queries';
import { effectiveParts, replacedBy } from './periods';
import type { KeywordPart } from './periods';

export type KeywordImport = KeywordPart & { readonly id: string; readonly name: string };

/** The keyword imports that reports read, the latest first. */
export const keywordImportsOf = async (ctx: Context, siteId: string): Promise<KeywordImport[]> =>
  (await visibleKeywords(ctx.postgres.db, siteId)).flatMap(({ id, number, files, keywords }) =>
    keywords === null ? [] : [{ ...keywords, id, number, name: files[0]?.name ?? '' }],
  );

/** Whether later imports replace the one with this number, wholly or in part. */
export function replacedAmong(imports: readonly KeywordImport[], number: number): 'no' | 'partly' | 'wholly' {
  const own = imports.find((one) => one.number === number);
  return own === undefined ? 'no' : replacedBy(effectiveParts(imports), own);
}
