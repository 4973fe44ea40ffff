import { checkLanguageTag, tagsOf } from '../../../../contract/languages/tags';
import type { LanguagesPart } from '../../../../contract/languages/part';
import type { FieldCode } from '../../../../contract/errors';
import type { RoutesPart } from '../../../../contract/publishing/parts';
import type { SiteParts } from '../../../../contract/publishing/schemas';
import { publishingLimits } from '../../../../contract/publishing/terms';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { readIndexedSite } from '../../sites';
import type { IndexedSite } from '../../sites';
import { followLanguages } from '../../tables';
import { workingParts, writePart } from '../parts';
import type { PartAuthor, SiteLanguage } from '../parts';
import { collisionsOf, hasTexts, redirectsAfter, textsIn } from './plan';
import { noteRemoved } from './removed';
import { addressRulesOf, languageHosts, primaryHostOf } from './rules';

type Problem = readonly [path: string, code: FieldCode];

const refuse = (problems: readonly Problem[]): void => {
  if (problems.length > 0) fail('invalid_fields', { fields: Object.fromEntries(problems.map(([path, code]) => [path, { code }])) });
};

/** Refuses routes of pages that the address of a language would hide. */
export async function refuseLanguagePaths(ctx: Context, site: SiteLanguage, routes: RoutesPart): Promise<void> {
  const { languages } = await workingParts(ctx.postgres.db, site);
  const hidden = new Set(collisionsOf(languages.content, routes).map(({ path }) => path));
  const isHidden = (route: RoutesPart[number]): boolean =>
    (route.kind === 'template' ? [route.path] : [route.listPath, route.recordPath]).some((path) => path !== null && hidden.has(path));
  refuse(routes.flatMap((route, at): Problem[] => (isHidden(route) ? [[String(at), 'reserved']] : [])));
}

/** Whether a language may have a hostname: one that shows the site, with `subdomain` of the domain of the main one. */
function isPossibleHostname(site: IndexedSite, { strategy }: LanguagesPart, id: string): boolean {
  const found = languageHosts(site).find((one) => one.id === id);
  const primary = site.hostnames.get(primaryHostOf(site));
  return found !== undefined && (strategy !== 'subdomain' || primary === undefined || found.apex === primary.apex);
}

function problemsOf(site: IndexedSite, content: LanguagesPart, before: LanguagesPart, routes: RoutesPart): Problem[] {
  const collisions = collisionsOf(content, routes);
  return content.languages.flatMap(({ tag, hostname }, at): Problem[] => [
    ...(!tagsOf(before).includes(tag) && checkLanguageTag(tag).tag !== tag ? [[`languages.${at}.tag`, 'unknown'] as const] : []),
    ...(collisions.some((one) => one.tag === tag) ? [[`languages.${at}.path`, 'reserved'] as const] : []),
    ...(hostname !== null && !isPossibleHostname(site, content, hostname) ? [[`languages.${at}.hostname`, 'unknown'] as const] : []),
  ]);
}

/** Refuses to remove languages that have texts, unless their tags are in `confirm`; null: the caller cannot confirm. */
async function refuseRemoval(ctx: Context, siteId: string, parts: SiteParts, removed: readonly string[], confirm: readonly string[] | null): Promise<void> {
  for (const tag of removed) {
    if (confirm?.includes(tag) === true || !hasTexts(await textsIn(ctx, siteId, parts, tag))) continue;
    if (confirm === null) refuse([['languages', 'in_use']]);
    fail('confirm_mismatch');
  }
}

/**
 * Changes the languages of the working copy, and its redirects as the new addresses need them. `days`: how long texts of removed languages are stored. Throws `invalid_fields`, `confirm_mismatch`, `conflict` or `stale_revision`.
 */
export async function changeLanguages(
  ctx: Context,
  author: PartAuthor,
  { content, confirm, days }: { readonly content: LanguagesPart; readonly confirm: readonly string[] | null; readonly days: number },
  expected: number,
): Promise<{ revision: number }> {
  const { db } = ctx.postgres;
  const site = (await readIndexedSite(ctx, author.site.id)) ?? fail('not_found');
  const working = await workingParts(db, site);
  const before = working.languages.content;
  const stale = (revision: number): never => fail('stale_revision', { current: { revision } });
  if (working.languages.revision !== expected) return stale(working.languages.revision);
  refuse(problemsOf(site, content, before, working.routes.content));
  const removed = tagsOf(before).filter((tag) => !tagsOf(content).includes(tag));
  await refuseRemoval(ctx, site.id, working, removed, confirm);
  const {
    redirects,
    removed: obsolete,
    content: after,
  } = redirectsAfter(addressRulesOf(site, before), addressRulesOf(site, content), working.redirects.content);
  if (after.length > publishingLimits.redirects) refuse([['redirects', 'too_long']]);
  // Before the part is written: if that fails, tables have an extra language, which appears nowhere.
  if (author.userId !== null)
    await followLanguages(ctx, site.id, { lang: site.defaultLang, userId: author.userId, actor: author.actor }, tagsOf(before), tagsOf(content));
  const written = await db.transaction(async (tx) => {
    if (!(await writePart(ctx, tx, author, 'languages', content, expected))) return false;
    await noteRemoved(ctx, tx, author, { before, after: content, days });
    if (redirects.length === 0 && obsolete.length === 0) return true;
    // Redirects that somebody has changed meanwhile are not overwritten: the whole change fails.
    if (await writePart(ctx, tx, author, 'redirects', after, working.redirects.revision)) return true;
    return stale(expected);
  });
  if (!written) return stale((await workingParts(db, site)).languages.revision);
  ctx.live.publish({ type: 'publishing', siteId: site.id });
  return { revision: expected + 1 };
}
