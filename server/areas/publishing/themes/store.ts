import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { themeLimits } from '../../../../contract/publishing/theme';
import { shippedThemes } from '../../../../contract/publishing/terms';
import type { ShippedTheme, ThemeChangeKind } from '../../../../contract/publishing/terms';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import type { FileKey } from '../../../stores/files/keys';
import { isMissing } from '../../../stores/files/types';
import { record } from '../../audit';
import type { Actor } from '../../audit';
import * as queries from './queries';
import type { ChangeRow, FileRow } from './queries';
import { shippedTheme } from './shipped';

/** The site whose theme changes, and by whom; null: by the program. */
export type ThemeOwner = { readonly site: { readonly id: string; readonly name: string }; readonly userId: string | null; readonly actor: Actor };
/** The theme of a site before a change. `last`: null if the site has no theme yet. */
export type CurrentTheme = { readonly last: ChangeRow | null; readonly files: ReadonlyMap<string, FileRow> };
/** A file that a change writes; without `content`, the file store has it already. */
export type WrittenFile = { readonly sha256: string; readonly bytes: number; readonly content?: Buffer };
/** `files`: null removes one. `base`: the shipped theme that the files come from. */
export type ThemeChange = { readonly kind: ThemeChangeKind; readonly base: string | null; readonly files: ReadonlyMap<string, WrittenFile | null> };

const keyOf = (siteId: string, sha256: string): FileKey => `themes/${siteId}/${sha256}`;
const lockName = (siteId: string): string => `theme ${siteId}`;
/** Files that are written or read at once. */
const atOnce = 8;

async function eachOf<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const next = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, next));
}

/** Stores contents that the file store does not have yet. The lock of the theme keeps the sweep from removing them before a row names them. */
async function storeContents(ctx: Context, siteId: string, files: ThemeChange['files']): Promise<void> {
  const contents = new Map([...files.values()].flatMap((file) => (file?.content ? [[file.sha256, file.content] as const] : [])));
  await eachOf(contents, async ([sha256, content]) => {
    await ctx.files.put(keyOf(siteId, sha256), content).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  });
}

/** Throws `too_large` if the theme would have too many files or bytes. */
function checkLimits(current: CurrentTheme, files: ThemeChange['files']): void {
  const bytes = new Map([...current.files].map(([path, file]) => [path, file.bytes]));
  for (const [path, file] of files)
    if (file) bytes.set(path, file.bytes);
    else bytes.delete(path);
  const total = [...bytes.values()].reduce((sum, one) => sum + one, 0);
  if (bytes.size > themeLimits.files || total > themeLimits.bytes) fail('too_large');
}

async function writeChange(ctx: Context, { site, userId, actor }: ThemeOwner, current: CurrentTheme, change: ThemeChange): Promise<number> {
  const number = (current.last?.number ?? 0) + 1;
  const author = { updatedBy: userId, updatedAt: new Date(ctx.now()) };
  await ctx.postgres.db.transaction(async (tx) => {
    const last = await queries.lastRevisions(tx, site.id);
    const versions = [...change.files].map(([path, file]) => ({
      siteId: site.id,
      path,
      revision: (last.get(path) ?? 0) + 1,
      change: number,
      sha256: file?.sha256 ?? current.files.get(path)?.sha256 ?? '',
      bytes: file?.bytes ?? 0,
      removed: file === null,
      ...author,
    }));
    const written = versions.filter(({ removed }) => !removed);
    await queries.upsertFiles(
      tx,
      written.map(({ path, sha256, bytes, revision }) => ({ siteId: site.id, path, sha256, bytes, revision, ...author })),
    );
    await queries.deleteFiles(
      tx,
      site.id,
      versions.filter(({ removed }) => removed).map(({ path }) => path),
    );
    const only = versions.length === 1 ? (versions[0]?.path ?? null) : null;
    await queries.insertChange(tx, { siteId: site.id, number, kind: change.kind, base: change.base, files: versions.length, path: only, ...author }, versions);
    await record(ctx, tx, actor, {
      action: 'publishing.theme_changed',
      siteId: site.id,
      target: { kind: 'site', id: site.id, name: site.name },
      after: { change: change.kind, ...(change.base === null ? {} : { theme: change.base }), files: versions.length, ...(only === null ? {} : { file: only }) },
    });
  });
  ctx.live.publish({ type: 'publishing', siteId: site.id });
  return number;
}

/**
 * Changes the theme of a site in one transaction, one change at a time. `plan` decides what changes and may refuse by throwing. Files that have the content
 * already are left out; if nothing changes, there is no change. Returns the number of the latest change. Throws `too_large`.
 */
export function changeTheme(ctx: Context, owner: ThemeOwner, plan: (current: CurrentTheme) => Promise<ThemeChange> | ThemeChange): Promise<number> {
  const { id } = owner.site;
  return ctx.postgres.withLock(lockName(id), async () => {
    const current = await currentTheme(ctx, id);
    const change = await plan(current);
    const files = new Map([...change.files].filter(([path, file]) => (file?.sha256 ?? null) !== (current.files.get(path)?.sha256 ?? null)));
    if (files.size === 0 && current.last) return current.last.number;
    checkLimits(current, files);
    await storeContents(ctx, id, files);
    return writeChange(ctx, owner, current, { ...change, files });
  });
}

export async function currentTheme(ctx: Context, siteId: string): Promise<CurrentTheme> {
  const { db } = ctx.postgres;
  const rows = await queries.filesOf(db, siteId);
  return { last: await queries.latestChange(db, siteId), files: new Map(rows.map((row) => [row.path, row])) };
}

/** The change that replaces all files of a theme by others. */
export const replacing = (current: CurrentTheme, files: ReadonlyMap<string, WrittenFile>): ThemeChange['files'] =>
  new Map<string, WrittenFile | null>([...[...current.files.keys()].map((path) => [path, null] as const), ...files]);

export async function shippedFiles(name: ShippedTheme): Promise<Map<string, WrittenFile & { readonly content: Buffer }>> {
  return new Map([...(await shippedTheme(name))].map(([path, { sha256, content }]) => [path, { sha256, content, bytes: content.length }]));
}

/** Gives a site a copy of a shipped theme in place of its theme. `check` may refuse by the theme that it has now. Returns the number of the change. */
export async function installShippedTheme(
  ctx: Context,
  owner: ThemeOwner,
  name: ShippedTheme,
  check: (current: CurrentTheme) => void = () => undefined,
): Promise<number> {
  const files = await shippedFiles(name);
  return changeTheme(ctx, owner, (current) => {
    check(current);
    return { kind: 'install', base: name, files: replacing(current, files) };
  });
}

/** What a site without a theme gets: the files of the first shipped theme by path, and its name. */
export async function defaultTheme(): Promise<{ readonly base: ShippedTheme; readonly files: Readonly<Record<string, string>> }> {
  const [base] = shippedThemes;
  return { base, files: Object.fromEntries([...(await shippedTheme(base))].map(([path, { sha256 }]) => [path, sha256])) };
}

/** Gives a site without a theme the default one. */
export async function ensureTheme(ctx: Context, owner: ThemeOwner): Promise<void> {
  if ((await queries.latestChange(ctx.postgres.db, owner.site.id)) !== null) return;
  const files = await shippedFiles(shippedThemes[0]);
  await changeTheme(ctx, owner, (current) =>
    current.last ? { kind: 'edit', base: current.last.base, files: new Map() } : { kind: 'install', base: shippedThemes[0], files },
  );
}

/** Contents of the default theme, which a site shows before it has copies of them. */
async function defaultContent(sha256: string): Promise<Buffer | null> {
  for (const file of (await shippedTheme(shippedThemes[0])).values()) if (file.sha256 === sha256) return file.content;
  return null;
}

async function* contentParts(ctx: Pick<Context, 'files'>, siteId: string, sha256: string): AsyncGenerator<Buffer> {
  try {
    yield* ctx.files.read(keyOf(siteId, sha256)) as AsyncIterable<Buffer>;
  } catch (error) {
    const content = isMissing(error) ? await defaultContent(sha256) : null;
    if (!content) throw error;
    yield content;
  }
}

/** Streams the content of a file of a site's themes. Fails with the code ENOENT if there is no such content. */
export const themeFileStream = (ctx: Pick<Context, 'files'>, siteId: string, sha256: string): Readable =>
  Readable.from(contentParts(ctx, siteId, sha256), { objectMode: false });

/** The content of a file of a site's themes. Fails as `themeFileStream` does. */
export const readThemeFile = (ctx: Pick<Context, 'files'>, siteId: string, sha256: string): Promise<Buffer> => buffer(contentParts(ctx, siteId, sha256));

/**
 * Contents of theme files by hash, such as those of a release. Throws `RangeError` if they are larger together than a theme may be, ENOENT if one is not
 * stored.
 */
export async function readThemeFiles(ctx: Pick<Context, 'files'>, siteId: string, hashes: Iterable<string>): Promise<Map<string, Buffer>> {
  const contents = new Map<string, Buffer>();
  let bytes = 0;
  await eachOf(new Set(hashes), async (sha256) => {
    const content = await readThemeFile(ctx, siteId, sha256);
    bytes += content.length;
    if (bytes > themeLimits.bytes) throw new RangeError('the theme is too large');
    contents.set(sha256, content);
  });
  return contents;
}

/** Daily: forgets changes beyond the newest ones, and removes contents that nothing names any more, such as those of a change that was interrupted, and those of purged sites. */
export async function sweepThemes(ctx: Context): Promise<void> {
  for (const siteId of await ctx.files.folders('themes'))
    await ctx.postgres.withLock(lockName(siteId), async () => {
      await queries.forgetChanges(ctx.postgres.db, siteId, themeLimits.changes);
      const named = await queries.namedContents(ctx.postgres.db, siteId);
      for await (const { key } of ctx.files.list(`themes/${siteId}`)) if (!named.has(key.slice(key.lastIndexOf('/') + 1))) await ctx.files.remove(key);
    });
}
