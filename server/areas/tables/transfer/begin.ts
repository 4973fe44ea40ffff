import { transferLimits } from '../../../../contract/tables/transfers';
import type { Context } from '../../../context';
import type { Locale } from '../../../http/access';
import { fail } from '../../../http/failure';
import { checkSpace } from '../../../kit/uploads';
import type { Caller } from '../core/access';
import { stopFailure } from './messages';
import * as queries from './queries';
import type { ImportRow } from './queries';
import { ReadStop } from './read/source';

/** Adds an import that waits for its file, of `size` bytes. Throws `too_large`, and `conflict` if too many are unfinished. */
export async function addImport(
  ctx: Context,
  { site, session, locale }: Caller & { readonly locale: Locale },
  { tableId, name, size }: Pick<ImportRow, 'tableId' | 'name' | 'size'>,
): Promise<ImportRow> {
  if (size > transferLimits.fileBytes || (/\.xlsx$/i.test(name) && size > transferLimits.xlsxBytes)) fail('too_large');
  await checkSpace(ctx, size, ctx.config.importMaxBytes);
  const createdBy = session.userId;
  return ctx.postgres.withLock(`table imports of ${site.id}`, async () => {
    const { own, all } = await queries.countUnfinished(ctx.postgres.db, site.id, createdBy);
    // Limits per person, so that nobody blocks the others.
    if (own >= transferLimits.own) throw stopFailure(new ReadStop('too_many_own', { max: transferLimits.own }), locale);
    if (all >= transferLimits.files) throw stopFailure(new ReadStop('too_many_here', { max: transferLimits.files }), locale);
    return queries.addImport(ctx.postgres.db, { siteId: site.id, tableId, name, size, createdBy, createdAt: new Date(ctx.now()) });
  });
}
