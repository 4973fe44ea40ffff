import { and, asc, eq, inArray, lte } from 'drizzle-orm';
import type { LanguagesPart } from '../../../../contract/languages/part';
import { tagsOf } from '../../../../contract/languages/tags';
import type { RemovedLanguage } from '../../../../contract/publishing/schemas';
import { canonical } from '../../../kit/canonical';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { DAY } from '../../../zone';
import { users } from '../../account/schema';
import { record, systemActor } from '../../audit';
import { lockSite } from '../../sites';
import { changeTheme, currentTheme } from '../themes/store';
import { readPart, releasedParts, workingParts, writePart } from '../parts';
import type { PartAuthor, SiteLanguage } from '../parts';
import * as queries from '../queries';
import { removedLanguages } from '../schema';
import { mapTexts, partsWithTexts, withoutLanguage } from './texts';

/** Languages that a site no longer has, whose texts are still stored. */

type Db = Pick<Context['postgres']['db'], 'select' | 'insert' | 'update' | 'delete'>;
export type RemovedRow = typeof removedLanguages.$inferSelect;

/** Notes which languages a change removes, in its transaction, and forgets those that it adds again. Throws `conflict` while texts of one of these are being deleted. */
export async function noteRemoved(
  ctx: Context,
  tx: Db,
  { site, userId }: Pick<PartAuthor, 'site' | 'userId'>,
  { before, after, days }: { readonly before: LanguagesPart; readonly after: LanguagesPart; readonly days: number },
): Promise<void> {
  const added = await tx
    .delete(removedLanguages)
    .where(and(eq(removedLanguages.siteId, site.id), inArray(removedLanguages.language, tagsOf(after))))
    .returning({ purging: removedLanguages.purging });
  if (added.some(({ purging }) => purging)) fail('conflict');
  const gone = before.languages.filter(({ tag }) => !tagsOf(after).includes(tag));
  const now = ctx.now();
  for (const settings of gone) {
    const values = { settings, removedBy: userId, removedAt: new Date(now), purgeAt: new Date(now + days * DAY), purging: false };
    await tx
      .insert(removedLanguages)
      .values({ siteId: site.id, language: settings.tag, ...values })
      .onConflictDoUpdate({ target: [removedLanguages.siteId, removedLanguages.language], set: values });
  }
}

export async function listRemoved(db: Db, siteId: string): Promise<RemovedLanguage[]> {
  const rows = await db
    .select({ row: removedLanguages, by: users.displayName })
    .from(removedLanguages)
    .leftJoin(users, eq(users.id, removedLanguages.removedBy))
    .where(eq(removedLanguages.siteId, siteId))
    .orderBy(asc(removedLanguages.purgeAt), asc(removedLanguages.language));
  return rows.map(({ row: { language, removedAt, purgeAt, purging }, by }) => ({
    tag: language,
    removedAt: removedAt.toISOString(),
    purgeAt: purgeAt.toISOString(),
    purging,
    by,
  }));
}

/** A language that was removed from a site; null if it has it, or never had. */
export async function findRemoved(db: Db, siteId: string, tag: string): Promise<RemovedRow | null> {
  const [row] = await db
    .select()
    .from(removedLanguages)
    .where(and(eq(removedLanguages.siteId, siteId), eq(removedLanguages.language, tag)));
  return row ?? null;
}

/** Removed languages of a site whose texts are still there. */
export const storedRemovals = async (db: Pick<Db, 'select'>, siteId: string): Promise<string[]> =>
  (
    await db
      .select({ language: removedLanguages.language })
      .from(removedLanguages)
      .where(and(eq(removedLanguages.siteId, siteId), eq(removedLanguages.purging, false)))
  ).map(({ language }) => language);

/** Removed languages whose texts are to be deleted. */
export const dueLanguages = (db: Db, now: Date, siteId?: string): Promise<RemovedRow[]> =>
  db
    .select()
    .from(removedLanguages)
    .where(and(lte(removedLanguages.purgeAt, now), siteId === undefined ? undefined : eq(removedLanguages.siteId, siteId)))
    .limit(100);

/**
 * Begins to delete the texts of a language: from now on it cannot be restored. Null if there is nothing to delete: it was restored, or it is still needed, because
 * nothing has been released since or it has become the default language of the site; then it is due again a day later.
 */
export async function beginPurge(ctx: Context, site: SiteLanguage, tag: string): Promise<RemovedRow | null> {
  const row = await ctx.postgres.db.transaction(async (tx) => {
    // Releases lock the site too, so none goes live with the language while this decides that nobody has it.
    const current = await lockSite(tx, site.id);
    const live = await queries.liveRelease(tx, site.id);
    const isLive = live !== null && tagsOf(readPart('languages', (await releasedParts(tx, site.id, live.parts)).languages)).includes(tag);
    const change = isLive || tag === current?.defaultLang ? { purgeAt: new Date(ctx.now() + DAY) } : { purging: true };
    const [changed] = await tx
      .update(removedLanguages)
      .set(change)
      .where(and(eq(removedLanguages.siteId, site.id), eq(removedLanguages.language, tag), lte(removedLanguages.purgeAt, new Date(ctx.now()))))
      .returning();
    return changed;
  });
  return row?.purging === true ? row : null;
}

/** How often parts are read again after somebody else has changed them at the same moment. */
const tries = 5;

/** Deletes the texts of a language from menus, titles and settings of the working copy, and from its theme. */
export async function purgePartTexts(ctx: Context, author: PartAuthor & { readonly site: SiteLanguage }, tag: string): Promise<void> {
  const { db } = ctx.postgres;
  for (let attempt = 0; ; attempt++) {
    const parts = await workingParts(db, author.site);
    const before = { settings: parts.settings.content, menus: parts.menus.content, routes: parts.routes.content, seo: parts.seo.content };
    const after = mapTexts(before, (texts) => withoutLanguage(texts, tag));
    const changed = partsWithTexts.filter((part) => canonical(before[part]) !== canonical(after[part]));
    const written: boolean[] = [];
    await db.transaction(async (tx) => {
      for (const part of changed) written.push(await writePart(ctx, tx, author, part, after[part], parts[part].revision));
    });
    if (!written.includes(false)) break;
    if (attempt >= tries) fail('conflict');
  }
  const path = `texts/${tag}.json`;
  const isThere = (files: ReadonlyMap<string, unknown>): boolean => files.has(path);
  if (isThere((await currentTheme(ctx, author.site.id)).files))
    await changeTheme(ctx, author, async (current) => ({
      kind: 'edit',
      base: current.last?.base ?? null,
      files: isThere(current.files) ? new Map([[path, null]]) : new Map(),
    }));
}

/** Forgets a language whose texts are deleted. */
export async function endPurge(ctx: Context, site: PartAuthor['site'], tag: string): Promise<void> {
  await ctx.postgres.db.transaction(async (tx) => {
    await tx.delete(removedLanguages).where(and(eq(removedLanguages.siteId, site.id), eq(removedLanguages.language, tag), eq(removedLanguages.purging, true)));
    await record(ctx, tx, systemActor, {
      action: 'languages.purged',
      siteId: site.id,
      target: { kind: 'site', id: site.id, name: site.name },
      before: { language: tag },
    });
  });
  ctx.live.publish({ type: 'publishing', siteId: site.id });
}
