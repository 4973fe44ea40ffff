import type { SiteLanguage as LanguageSettings } from '../../../../contract/languages/part';
import { tagsOf } from '../../../../contract/languages/tags';
import { languageLimits } from '../../../../contract/languages/terms';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { workingParts } from '../parts';
import type { PartAuthor, SiteLanguage } from '../parts';
import { changeLanguages } from './change';
import { findRemoved } from './removed';

/** Adds a removed language again, the last of the list, as it was. Throws `not_found`, `conflict` once its texts are being deleted, or what saving throws. */
export async function restoreLanguage(ctx: Context, author: PartAuthor & { readonly site: SiteLanguage }, tag: string): Promise<{ revision: number }> {
  const { db } = ctx.postgres;
  const row = await findRemoved(db, author.site.id, tag);
  if (!row) return fail('not_found');
  if (row.purging) return fail('conflict');
  const { content, revision } = (await workingParts(db, author.site)).languages;
  const tags = tagsOf(content);
  const hostnames = new Set(content.languages.map(({ hostname }) => hostname));
  const settings: LanguageSettings = {
    ...row.settings,
    fallback: row.settings.fallback.filter((one) => tags.includes(one)),
    hostname: hostnames.has(row.settings.hostname) ? null : row.settings.hostname,
  };
  return changeLanguages(
    ctx,
    author,
    { content: { ...content, languages: [...content.languages, settings] }, confirm: [], days: languageLimits.removedDays },
    revision,
  );
}
