import { createHash } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { editedParts } from '../../../contract/publishing/schemas';
import type { EditedPart, SiteParts } from '../../../contract/publishing/schemas';
import type { ThemePart } from '../../../contract/publishing/parts';
import { partNames } from '../../../contract/publishing/terms';
import type { PartName } from '../../../contract/publishing/terms';
import type { Context } from '../../context';
import { fail, fieldsOf } from '../../http/failure';
import { canonical } from '../../kit/canonical';
import { record } from '../audit';
import type { Actor } from '../audit';
import { partContents, siteParts } from './schema';
import { refuseLoops } from './redirectCheck';
import { defaultTheme } from './themes/store';
import { filesOf, latestChange } from './themes/queries';

/** A transaction. */
type Tx = Parameters<Parameters<Context['postgres']['db']['transaction']>[0]>[0];
export type PartDb = Pick<Context['postgres']['db'], 'select' | 'selectDistinctOn' | 'insert' | 'delete' | 'execute'>;
/** A site, as far as its parts depend on it. */
export type SiteLanguage = { readonly id: string; readonly defaultLang: string };

/** Parts of a site that were never edited. */
const initialParts = ({ defaultLang }: SiteLanguage): { readonly [P in EditedPart]: unknown } => ({
  settings: {},
  menus: {},
  routes: [],
  redirects: [],
  languages: { languages: [defaultLang] },
  seo: {},
});

/** Contents of the parts of a site before anybody has edited them. */
export const unedited = (site: SiteLanguage): { readonly [P in EditedPart]: SiteParts[P]['content'] } => {
  const initial = initialParts(site);
  return {
    settings: editedParts.settings.parse(initial.settings),
    menus: editedParts.menus.parse(initial.menus),
    routes: editedParts.routes.parse(initial.routes),
    redirects: editedParts.redirects.parse(initial.redirects),
    languages: editedParts.languages.parse(initial.languages),
    seo: editedParts.seo.parse(initial.seo),
  };
};

/** The working copy without the theme. Contents of older versions get the defaults of values that did not exist then. */
export async function workingParts(db: PartDb, site: SiteLanguage): Promise<SiteParts> {
  const rows = await db.select().from(siteParts).where(eq(siteParts.siteId, site.id));
  const initial = initialParts(site);
  const part = (name: EditedPart) => {
    const row = rows.find((one) => one.part === name);
    return { content: editedParts[name].parse(row?.content ?? initial[name]), revision: row?.revision ?? 0 };
  };
  return {
    settings: part('settings'),
    menus: part('menus'),
    routes: part('routes'),
    redirects: part('redirects'),
    languages: part('languages'),
    seo: part('seo'),
  } as SiteParts;
}

/** Who changes a part of which site. */
export type PartAuthor = { readonly site: { readonly id: string; readonly name: string }; readonly userId: string | null; readonly actor: Actor };

/** A part as the contract reads it. Throws `invalid_fields`. */
export function readPart<P extends EditedPart>(part: P, input: unknown): SiteParts[P]['content'] {
  const read = editedParts[part].safeParse(input);
  return read.success ? read.data : fail('invalid_fields', { fields: fieldsOf(read.error, input) });
}

/** Writes a part in a transaction of the caller, who publishes the change; false if it has another revision by now. */
export async function writePart(
  ctx: Context,
  tx: Tx,
  { site, userId, actor }: PartAuthor,
  part: EditedPart,
  content: SiteParts[EditedPart]['content'],
  expected: number,
): Promise<boolean> {
  const values = { content, revision: expected + 1, updatedBy: userId, updatedAt: new Date(ctx.now()) };
  const [stored] =
    expected === 0
      ? await tx
          .insert(siteParts)
          .values({ siteId: site.id, part, ...values })
          .onConflictDoNothing()
          .returning({ revision: siteParts.revision })
      : await tx
          .update(siteParts)
          .set(values)
          .where(and(eq(siteParts.siteId, site.id), eq(siteParts.part, part), eq(siteParts.revision, expected)))
          .returning({ revision: siteParts.revision });
  if (!stored) return false;
  await record(ctx, tx, actor, {
    action: 'publishing.part_changed',
    siteId: site.id,
    target: { kind: 'site', id: site.id, name: site.name },
    after: { part, revision: expected + 1 },
  });
  return true;
}

/** Writes a part that has the revision `expected` (0: it was never edited); false if it has another one by now. Throws `invalid_fields`. */
export async function putPart(ctx: Context, author: PartAuthor, part: EditedPart, input: unknown, expected: number): Promise<boolean> {
  const { site } = author;
  const content = readPart(part, input);
  if (part === 'redirects') await refuseLoops(ctx, site.id, editedParts.redirects.parse(content));
  const written = await ctx.postgres.db.transaction((tx) => writePart(ctx, tx, author, part, content, expected));
  if (written) ctx.live.publish({ type: 'publishing', siteId: site.id });
  return written;
}

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

export type ComposedParts = { readonly contents: { readonly [P in PartName]: unknown }; readonly hashes: { readonly [P in PartName]: string } };

/** The theme as a release stores it. A site that has none yet gets the default one with its first release. */
async function composeTheme(db: PartDb, siteId: string): Promise<ThemePart> {
  const files = await filesOf(db, siteId);
  if (files.length === 0) return defaultTheme();
  return { base: (await latestChange(db, siteId))?.base ?? null, files: Object.fromEntries(files.map(({ path, sha256 }) => [path, sha256])) };
}

/** Everything that a release of the working copy would contain. Equal working copies have equal hashes. */
export async function composeParts(db: PartDb, site: SiteLanguage): Promise<ComposedParts> {
  const working = await workingParts(db, site);
  const contents = {
    settings: working.settings.content,
    menus: working.menus.content,
    routes: working.routes.content,
    redirects: working.redirects.content,
    languages: working.languages.content,
    seo: working.seo.content,
    theme: await composeTheme(db, site.id),
  };
  const hashes = Object.fromEntries(partNames.map((name) => [name, sha256Of(canonical(contents[name]))])) as ComposedParts['hashes'];
  return { contents, hashes };
}

/** One name for the hashes of some parts, by which a person says which working copy a release shall publish. */
export const workingName = (hashes: ComposedParts['hashes'], names: readonly PartName[] = partNames): string =>
  sha256Of(partNames.map((name) => (names.includes(name) ? hashes[name] : '')).join()).slice(0, 32);

/** Stores contents that no release of the site has had yet. */
export async function storeParts(db: PartDb, siteId: string, { contents, hashes }: ComposedParts): Promise<void> {
  await db
    .insert(partContents)
    .values(partNames.map((name) => ({ siteId, sha256: hashes[name], content: contents[name] })))
    .onConflictDoNothing();
}

/** Stores a content for a release that was composed before; its hash. */
export async function storeContent(db: PartDb, siteId: string, content: unknown): Promise<string> {
  const sha256 = sha256Of(canonical(content));
  await db.insert(partContents).values({ siteId, sha256, content }).onConflictDoNothing();
  return sha256;
}

type StoredHashes = Partial<ComposedParts['hashes']>;
/** Parts that releases of earlier versions lack, as they begin. */
const laterParts: Partial<ComposedParts['contents']> = { seo: editedParts.seo.parse({}) };
const hashOf = (hashes: StoredHashes, name: PartName): string => hashes[name] ?? sha256Of(canonical(laterParts[name]));

/** Contents of a release's parts. */
export async function releasedParts(db: PartDb, siteId: string, hashes: StoredHashes): Promise<ComposedParts['contents']> {
  const rows = await db
    .select({ sha256: partContents.sha256, content: partContents.content })
    .from(partContents)
    .where(and(eq(partContents.siteId, siteId), sql`${partContents.sha256} = ANY(${sql.param(Object.values(hashes))}::text[])`));
  const byHash = new Map(rows.map(({ sha256, content }) => [sha256, content]));
  return Object.fromEntries(partNames.map((name) => [name, byHash.get(hashes[name] ?? '') ?? laterParts[name]])) as ComposedParts['contents'];
}

/** Some parts of the working copy, and all others as a release has them. */
export async function mixedParts(
  db: PartDb,
  siteId: string,
  working: ComposedParts,
  released: StoredHashes,
  names: readonly PartName[],
): Promise<ComposedParts> {
  const stored = await releasedParts(db, siteId, released);
  const mixed = <T>(ofWorking: (name: PartName) => T, ofRelease: (name: PartName) => T) =>
    Object.fromEntries(partNames.map((name) => [name, names.includes(name) ? ofWorking(name) : ofRelease(name)])) as { [P in PartName]: T };
  return {
    contents: mixed(
      (name) => working.contents[name],
      (name) => stored[name],
    ),
    hashes: mixed(
      (name) => working.hashes[name],
      (name) => hashOf(released, name),
    ),
  };
}

/** Parts whose content differs. */
export const changedParts = (a: StoredHashes | null, b: StoredHashes): PartName[] =>
  partNames.filter((name) => a === null || hashOf(a, name) !== hashOf(b, name));
