import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { archiveFormat } from '../../../../contract/siteImport/terms';
import type { Context } from '../../../context';
import { canonical } from '../../../kit/canonical';
import { currentTheme, themeFileStream, workingParts } from '../../publishing';
import { glossaryOf } from '../../languages';
import { allResources, contentOfResource, folderPaths, mediaOfResource } from '../../resources';
import type { UsedResource } from '../../resources';
import { robotsTextOf } from '../../seo';
import { carriedRecords, carriedTables, idOf } from '../../tables';
import type { SiteRecord } from '../../sites/queries';
import { archivedParts, contentPath, glossaryPath, partPath, recordsPath, robotsPath, withNames, withResources } from './manifest';
import type { ArchivedResource, Manifest } from './manifest';

/** Of all entries, so that equal sites have equal archives. */
const mtime = new Date(Date.UTC(2000, 0, 1));
type Step = () => Promise<void>;
type Folders = ReadonlyMap<string, readonly string[]>;
/** A resource and the id that it has in the archive. */
type Named = { readonly row: UsedResource; readonly id: string };

/** What a resource is, with its poster and captions. */
async function described(ctx: Context, siteId: string, folders: Folders, row: UsedResource): Promise<Omit<ArchivedResource, 'id'>> {
  const { id: _id, posterSha256: _poster, folderId, ...details } = row;
  const { poster, captions } = await mediaOfResource(ctx, siteId, row);
  const folder = [...(folders.get(folderId ?? '') ?? [])];
  return { ...details, tags: [...details.tags], poster, captions: captions.map((one) => ({ ...one })), folder } as Omit<ArchivedResource, 'id'>;
}

/** Resources with ids made of what they are. Only the ids stay in memory: a poster can have megabytes. */
async function namedResources(ctx: Context, siteId: string, folders: Folders): Promise<Named[]> {
  const copies = new Map<string, number>();
  const all: Named[] = [];
  for (const row of await allResources(ctx, siteId)) {
    const content = idOf('site archive', canonical(await described(ctx, siteId, folders, row)));
    const nth = copies.get(content) ?? 0;
    copies.set(content, nth + 1);
    all.push({ row, id: idOf(content, String(nth)) });
  }
  return all.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Entries of an archive that are added one after the other, each when the one before has been read. */
function openZipWriter(step: Step) {
  const zip = new ZipFile();
  const out = new PassThrough();
  let reading: Readable | null = null;
  const fail = (error: unknown): void => void out.destroy(error instanceof Error ? error : new Error(String(error)));
  zip.on('error', fail);
  zip.outputStream.pipe(out);
  out.once('close', () => reading?.destroy());
  const add = (path: string, open: () => Readable, compress = true): void =>
    zip.addReadStreamLazy(path, { mtime, compress }, (ready) => {
      step().then(() => {
        // yazl does not listen to errors of a file.
        reading = open().once('error', fail);
        ready(null, reading);
      }, fail);
    });
  return { out, add, end: () => zip.end() };
}

/** Bytes of the files of a site, which are most of its archive. */
export async function archivedBytes(ctx: Context, siteId: string): Promise<number> {
  const contents = new Map((await allResources(ctx, siteId)).map(({ sha256, bytes }) => [sha256, bytes]));
  return [...contents.values()].reduce((sum, bytes) => sum + bytes, 0);
}

export type WrittenArchive = { readonly stream: Readable; /** Entries that `step` is called for. */ readonly entries: number };

/** The archive of a site as a stream. `step` is called before each entry and may throw, which ends the stream. */
export async function writeArchive(
  ctx: Context,
  site: Pick<SiteRecord, 'id' | 'name' | 'defaultLang' | 'timeZone'>,
  step: Step,
  signal: AbortSignal,
): Promise<WrittenArchive> {
  const siteId = site.id;
  const [{ tables, keys }, parts, theme, folders, robots, { rows: glossary }] = await Promise.all([
    carriedTables(ctx, siteId),
    workingParts(ctx.postgres.db, site),
    currentTheme(ctx, siteId),
    folderPaths(ctx, siteId),
    robotsTextOf(ctx, siteId),
    glossaryOf(ctx.postgres.db, siteId),
  ]);
  const resources = await namedResources(ctx, siteId, folders);
  const ids = new Map(resources.map(({ row, id }) => [row.id, id]));
  const counts = new Map<string, number>();
  async function* recordLines(key: string): AsyncGenerator<string> {
    counts.set(key, 0);
    for await (const record of carriedRecords(ctx, siteId, key, signal)) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      yield `${withResources(canonical(record), ids)}\n`;
    }
  }
  async function* resourceLines(): AsyncGenerator<string> {
    for (const { row, id } of resources) yield `${canonical({ id, ...(await described(ctx, siteId, folders, row)) })}\n`;
  }
  const files = [...theme.files].sort(([a], [b]) => (a < b ? -1 : 1));
  const manifest = (): Manifest => ({
    format: archiveFormat,
    version: 1,
    site: { name: site.name, defaultLang: site.defaultLang, timeZone: site.timeZone },
    theme: { base: theme.last?.base ?? null, files: files.map(([path]) => path) },
    tables: tables.map(({ key }) => ({ key, records: counts.get(key) ?? 0 })),
    resources: resources.length,
    folders: [...folders.values()].map((path) => [...path]).sort((a, b) => (a.join('/') < b.join('/') ? -1 : 1)),
  });
  const { out, add, end } = openZipWriter(step);
  const addText = (path: string, text: () => string): void => add(path, () => Readable.from([text()], { objectMode: false }));
  const addLines = (path: string, lines: () => AsyncGenerator<string>): void => add(path, () => Readable.from(lines(), { objectMode: false }));
  addText('tables.json', () => canonical({ tables }));
  for (const { key } of tables) addLines(recordsPath(key), () => recordLines(key));
  addLines('resources.jsonl', resourceLines);
  const contents = new Map(resources.map(({ row }) => [row.sha256, row] as const));
  // Most files are compressed already.
  for (const [sha256, row] of [...contents].sort(([a], [b]) => (a < b ? -1 : 1)))
    add(contentPath(sha256), () => contentOfResource(ctx, siteId, row).read(), false);
  for (const part of archivedParts)
    addText(partPath(part), () => {
      const { content } = parts[part];
      // Hostnames belong to the installation.
      const carried =
        part === 'languages'
          ? { ...parts.languages.content, languages: parts.languages.content.languages.map((one) => ({ ...one, hostname: null })) }
          : content;
      return withResources(withNames(canonical(carried), keys), ids);
    });
  for (const [path, { sha256 }] of files) add(`theme/${path}`, () => themeFileStream(ctx, siteId, sha256));
  const single = [
    [robotsPath, robots],
    [glossaryPath, glossary.length === 0 ? '' : canonical(glossary)],
  ].filter(([, text]) => text !== '') as [string, string][];
  for (const [path, text] of single) addText(path, () => text);
  // The last entry, because it counts the records.
  addText('site.json', () => canonical(manifest()));
  end();
  return { stream: out, entries: tables.length + contents.size + archivedParts.length + files.length + single.length + 3 };
}
