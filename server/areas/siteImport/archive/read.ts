import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { GlossaryEntry } from '../../../../contract/languages/translations';
import { translationLimits } from '../../../../contract/languages/translationTerms';
import { seoLimits } from '../../../../contract/seo/terms';
import { siteImportLimits as limits } from '../../../../contract/siteImport/terms';
import type { ArchiveCounts, ImportPlan } from '../../../../contract/siteImport/schemas';
import { themeLimits } from '../../../../contract/publishing/theme';
import { isThemePath } from '../../../../contract/publishing/themePaths';
import type { Context } from '../../../context';
import type { SiteRole } from '../../../../contract/permissions';
import type { Locale } from '../../../http/access';
import { putGlossary } from '../../languages';
import { changeTheme, putPart, unedited, workingParts } from '../../publishing';
import type { PartAuthor, ThemeChange } from '../../publishing';
import { DamagedContent, bringResource, folderAt } from '../../resources';
import { installRobots } from '../../seo';
import { idOf, installTables, openRecordBringer } from '../../tables';
import type { TableInstaller } from '../../tables';
import { storable } from '../content/values';
import type { Written } from '../schema';
import { SourceStop, limitedTo } from '../zip';
import type { Archive } from '../zip';
import { ArchivedResource, Manifest, archivedParts, contentPath, glossaryPath, partPath, recordsPath, robotsPath, withIds, withResources } from './manifest';

const Tables = z.object({ tables: z.array(z.record(z.string(), z.unknown())).max(500) });
const lineBytes = 32 * 1024 ** 2;
/** Records that are written in one transaction. */
const atOnce = 500;

const damaged = (): never => {
  throw new SourceStop('damaged');
};
function json(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return damaged();
  }
}
function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value);
  return read.success ? read.data : damaged();
}

/** Lines of an entry. The size of each is limited while it is read, and so is that of all. */
async function* linesOf(stream: Readable): AsyncGenerator<string> {
  const input = stream.pipe(limitedTo(limits.unpackedBytes));
  stream.on('error', (error) => input.destroy(error));
  let parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of input as AsyncIterable<Buffer>) {
      let begin = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, begin)) {
        const line = Buffer.concat([...parts, chunk.subarray(begin, end)]).toString('utf8');
        [parts, bytes, begin] = [[], 0, end + 1];
        if (line !== '') yield line;
      }
      parts.push(chunk.subarray(begin));
      bytes += chunk.length - begin;
      if (bytes > lineBytes) throw new SourceStop('too_large');
    }
    if (bytes > 0) yield Buffer.concat(parts).toString('utf8');
  } finally {
    stream.destroy();
  }
}

/** What an archive says of itself. Throws `SourceStop`. */
export async function readManifest(archive: Archive): Promise<Manifest> {
  if (!archive.has('site.json')) throw new SourceStop('not_recognised');
  const manifest = parsed(Manifest, json(await archive.read('site.json', 4 * 1024 ** 2)));
  for (const path of ['tables.json', 'resources.jsonl', ...archivedParts.map(partPath), ...manifest.tables.map(({ key }) => recordsPath(key))])
    if (!archive.has(path)) throw new SourceStop('damaged');
  return manifest;
}

/** The plan of an import of an archive. */
export async function planArchive(archive: Archive): Promise<ImportPlan> {
  const manifest = await readManifest(archive);
  const { tables } = parsed(Tables, json(await archive.read('tables.json', 64 * 1024 ** 2)));
  const collections = manifest.tables.map(({ key, records }) => {
    const table = tables.find((one) => one['key'] === key);
    const fields = Array.isArray(table?.['fields']) ? (table['fields'] as Record<string, unknown>[]) : [];
    return {
      key,
      title: typeof table?.['title'] === 'string' ? table['title'] : key,
      count: records,
      drafts: 0,
      table: key,
      path: null,
      moved: 0,
      fields: fields.map((field) => ({ key: String(field['key']), title: String(field['title']), type: String(field['type']) })),
      examples: [],
    };
  });
  const { name, defaultLang, timeZone } = manifest.site;
  return {
    site: { title: name, description: '', language: defaultLang, url: null, timeZone },
    collections,
    media: manifest.resources,
    redirects: 0,
    unsupported: [],
    problems: [],
    problemCount: 0,
  };
}

export type ArchiveInstaller = {
  readonly site: { readonly id: string; readonly name: string; readonly timeZone: string; readonly defaultLang: string };
  readonly userId: string;
  readonly role: SiteRole;
  readonly locale: Locale;
  readonly actor: PartAuthor['actor'];
  /** Of the import: a repeated call with the same one continues an interrupted one. */
  readonly importId: string;
};
/** Stores what was written, so that it can be undone; called as soon as it is, because the rest may fail. */
export type ArchiveNotes = {
  readonly resource: (id: string) => Promise<void>;
  /** Ids by key. */
  readonly tables: (ids: Readonly<Record<string, string>>) => Promise<void>;
  readonly parts: (parts: Written['parts']) => Promise<void>;
  readonly texts: (texts: NonNullable<Written['texts']>) => Promise<void>;
};
/** A part of an archive as the site gets it. */
export type PartChange = (part: (typeof archivedParts)[number], content: unknown) => unknown;
type Progress = (done: number) => Promise<void>;

async function bringResources(ctx: Context, archive: Archive, by: ArchiveInstaller, note: ArchiveNotes['resource'], step: () => Promise<void>) {
  const placed = new Map<string, string>();
  const folders = new Map<string, string | null>();
  for await (const line of linesOf(await archive.stream('resources.jsonl'))) {
    const carried = parsed(ArchivedResource, json(Buffer.from(line)));
    await step();
    const path = carried.folder.join('/');
    if (!folders.has(path)) folders.set(path, await folderAt(ctx, by.site.id, carried.folder));
    const content = archive.has(contentPath(carried.sha256)) ? await archive.stream(contentPath(carried.sha256)) : damaged();
    try {
      const carrying = { siteId: by.site.id, createdBy: by.userId, uploadId: idOf(by.importId, carried.id), folderId: folders.get(path) ?? null, beside: true };
      const brought = await bringResource(ctx, carrying, carried, content as AsyncIterable<Buffer>);
      if (!brought) continue;
      placed.set(carried.id, brought.id);
      await note(brought.id);
    } catch (error) {
      throw error instanceof DamagedContent ? new SourceStop('damaged') : error;
    } finally {
      content.destroy();
    }
  }
  return placed;
}

/** Ids of all records, so that links between tables need no order. */
async function recordIds(archive: Archive, { tables }: Manifest): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const { key } of tables)
    for await (const line of linesOf(await archive.stream(recordsPath(key)))) ids.add(/"id":"([0-9a-f-]{36})"/.exec(line)?.[1] ?? '');
  return ids;
}

async function bringRecords(
  ctx: Context,
  archive: Archive,
  by: TableInstaller,
  manifest: Manifest,
  placed: ReadonlyMap<string, string>,
  step: () => Promise<void>,
): Promise<number> {
  let count = 0;
  const carried = await recordIds(archive, manifest);
  for (const { key } of manifest.tables) {
    const bring = await openRecordBringer(ctx, by, key, { files: new Map(), carried });
    let some: unknown[] = [];
    let size = 0;
    const flush = async (): Promise<void> => {
      await step();
      if (some.length > 0)
        await bring(some).catch((error: unknown) => {
          throw error instanceof z.ZodError ? new SourceStop('damaged') : error;
        });
      [some, size] = [[], 0];
    };
    for await (const line of linesOf(await archive.stream(recordsPath(key)))) {
      count += 1;
      some.push(json(Buffer.from(withResources(line, placed))));
      size += line.length;
      if (some.length >= atOnce || size >= limits.itemBytes) await flush();
    }
    await flush();
  }
  return count;
}

async function installTheme(ctx: Context, archive: Archive, by: PartAuthor, { theme }: Manifest): Promise<void> {
  const files = new Map<string, NonNullable<ReturnType<ThemeChange['files']['get']>>>();
  let bytes = 0;
  for (const path of theme.files) {
    if (!isThemePath(path)) throw new SourceStop('unsafe_path');
    const content = await archive.read(`theme/${path}`, themeLimits.fileBytes);
    bytes += content.length;
    if (bytes > themeLimits.bytes) throw new SourceStop('too_large');
    files.set(path, { sha256: createHash('sha256').update(content).digest('hex'), bytes: content.length, content });
  }
  if (files.size > 0) await changeTheme(ctx, by, (current) => ({ kind: 'install', base: theme.base, files: current.last ? new Map() : files }));
}

const Robots = z.string().max(seoLimits.robots);
const Glossary = z.array(GlossaryEntry).max(translationLimits.glossary);
/** robots.txt and the glossary, which are not parts. Those that people have saved meanwhile stay. Archives of earlier versions have neither. */
async function installTexts(
  ctx: Context,
  archive: Archive,
  { site, userId }: ArchiveInstaller,
  note: ArchiveNotes['texts'],
): Promise<Pick<ArchiveCounts, 'robots' | 'terms'>> {
  const robots = archive.has(robotsPath) ? parsed(Robots, storable((await archive.read(robotsPath, 4 * seoLimits.robots)).toString('utf8'))) : null;
  const terms = archive.has(glossaryPath) ? parsed(Glossary, json(await archive.read(glossaryPath, 8 * 1024 ** 2))) : null;
  await note({ robots, terms });
  if (robots !== null) await installRobots(ctx, site.id, userId, robots);
  if (terms !== null) await putGlossary(ctx.postgres.db, site.id, terms, 0, userId, new Date(ctx.now()));
  return { robots: robots !== null, terms: terms?.length ?? 0 };
}

/**
 * Fills an empty site with what an archive contains. Everything has ids that follow from the import, and what exists stays, so that a repeated call continues an
 * interrupted one. Throws `SourceStop` for an archive that cannot be read.
 */
export async function installArchive(
  ctx: Context,
  archive: Archive,
  by: ArchiveInstaller,
  note: ArchiveNotes,
  progress: Progress,
  change: PartChange = (_part, content) => content,
): Promise<ArchiveCounts> {
  const manifest = await readManifest(archive);
  const siteId = by.site.id;
  let done = 0;
  const step = (): Promise<void> => progress((done += 1));
  const installer: TableInstaller = { siteId, lang: by.site.defaultLang, userId: by.userId, role: by.role, locale: by.locale, actor: by.actor };
  for (const path of manifest.folders) await folderAt(ctx, siteId, path);
  const placed = await bringResources(ctx, archive, by, note.resource, step);
  const ids = await installTables(
    ctx,
    installer,
    parsed(Tables, json(Buffer.from(withResources((await archive.read('tables.json', 64 * 1024 ** 2)).toString('utf8'), placed)))).tables,
  );
  await note.tables(Object.fromEntries(manifest.tables.flatMap(({ key }) => (ids.has(key) ? [[key, ids.get(key) ?? '']] : []))));
  const records = await bringRecords(ctx, archive, installer, manifest, placed, step);
  await step();
  await installTheme(ctx, archive, by, manifest);
  const before = await workingParts(ctx.postgres.db, by.site);
  const contents = new Map<(typeof archivedParts)[number], unknown>();
  for (const part of archivedParts) {
    const text = (await archive.read(partPath(part), 64 * 1024 ** 2)).toString('utf8');
    contents.set(part, change(part, json(Buffer.from(withResources(withIds(text, ids), placed)))));
  }
  const initial = unedited(by.site);
  // Routes go with their tables.
  await note.parts(Object.fromEntries([...contents].flatMap(([part, after]) => (part === 'routes' ? [] : [[part, { before: initial[part], after }]]))));
  for (const [part, content] of contents) if (before[part].revision === 0) await putPart(ctx, by, part, content, 0);
  const size = (part: (typeof archivedParts)[number]): number => Object.keys(contents.get(part) ?? {}).length;
  const { languages } = contents.get('languages') as { readonly languages?: readonly unknown[] };
  return {
    tables: manifest.tables.length,
    records,
    files: placed.size,
    archivedFiles: manifest.resources,
    pages: size('routes'),
    redirects: size('redirects'),
    menus: size('menus'),
    languages: languages?.length ?? 1,
    themeFiles: manifest.theme.files.length,
    ...(await installTexts(ctx, archive, by, note.texts)),
  };
}
