import { LanguagesPart } from '../../../../contract/languages/part';
import { tagsOf } from '../../../../contract/languages/tags';
import { releasedParts, storeContent, workingParts } from '../parts';
import type { PartDb, SiteLanguage } from '../parts';
import type { ReleaseRow } from '../queries';
import { storedRemovals } from './removed';
import { languagesWithout } from './rules';

/** A release that still has a language whose texts were deleted meanwhile. */

/**
 * What a release that was composed earlier shall publish now: without languages whose texts were deleted since, because their pages would be without the texts of records.
 * `gone`: those languages. The caller has locked the site, so that no deletion begins meanwhile.
 */
export async function withoutPurged(
  db: PartDb,
  site: SiteLanguage,
  parts: ReleaseRow['parts'],
): Promise<{ readonly parts: ReleaseRow['parts']; readonly gone: readonly string[] }> {
  const released = LanguagesPart.parse((await releasedParts(db, site.id, parts)).languages);
  const present = new Set([...tagsOf((await workingParts(db, site)).languages.content), ...(await storedRemovals(db, site.id))]);
  const gone = tagsOf(released).filter((tag) => !present.has(tag));
  if (gone.length === 0) return { parts, gone };
  const languages = await storeContent(db, site.id, languagesWithout(released, gone, site.defaultLang));
  return { parts: { ...parts, languages }, gone };
}
