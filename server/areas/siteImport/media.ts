import { Readable } from 'node:stream';
import { resourceLimits } from '../../../contract/resources/terms';
import { siteImportLimits as limits } from '../../../contract/siteImport/terms';
import type { Context } from '../../context';
import { Failure } from '../../http/failure';
import { sha256Of } from '../../kit/sha256';
import { ConnectRefused } from '../../net/publicAddress';
import type { RunningJob } from '../../worker';
import { bringResource, folderAt } from '../resources';
import { idOf } from '../tables';
import { fileAt } from './content/paths';
import { textOf } from './content/values';
import { fetched } from './fetched';
import { mediaIn } from './mapping';
import { messageOf } from './messages';
import { isFileSource, mediaRows } from './planning';
import * as queries from './queries';
import type { ImportRow, ItemRow } from './queries';
import type { ChosenCollection, ImportTables } from './structure';
import type { Receiver } from './target';
import { SourceStop } from './zip';
import type { Archive } from './zip';

const atOnce = 50;
const fileMs = 60_000;

function nameIn(source: string): string {
  const last = new URL(source).pathname.split('/').findLast((part) => part !== '') ?? 'file';
  try {
    const name = decodeURIComponent(last).normalize('NFC');
    // oxlint-disable-next-line no-control-regex
    return (
      name
        .replaceAll(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069/\\]/g, '_')
        .slice(0, 200)
        .trim() || 'file'
    );
  } catch {
    // Not percent-encoded UTF-8.
    return 'file';
  }
}

async function contentOf(ctx: Context, { source }: ItemRow, archive: Archive | null, signal: AbortSignal): Promise<Buffer> {
  const url = new URL(source);
  if (url.protocol === 'file:') {
    const name = fileAt(url);
    if (!archive?.has(name)) throw new SourceStop('missing');
    return archive.read(name, limits.mediaBytes);
  }
  const { status, type, body } = await fetched(ctx, url, { most: limits.mediaBytes, ms: fileMs, signal });
  if (status !== 200) throw new SourceStop('missing');
  // A page that says that the file is gone.
  if (/^text\/html\b/i.test(type)) throw new SourceStop('not_a_file');
  return body;
}

/** Stores a file as a resource. One that the site has already, or a content that it has, is used instead. */
async function bring(ctx: Context, row: ImportRow, by: Receiver, item: ItemRow, content: Buffer, folderId: string | null): Promise<Partial<ItemRow>> {
  const sha256 = await sha256Of(Readable.from([content]));
  const { alt = '' } = item.data;
  const carried = {
    id: idOf(row.id, item.source),
    name: nameIn(item.source),
    sha256,
    bytes: content.length,
    title: {},
    alt: alt === '' ? {} : { [by.site.defaultLang]: textOf(alt, resourceLimits.text) },
    caption: {},
    tags: [],
    visibility: 'public' as const,
    focalX: 0.5,
    focalY: 0.5,
    rotation: 0,
    crop: null,
    poster: null,
    captions: [],
  };
  const carrying = { siteId: by.site.id, createdBy: by.userId, uploadId: idOf(row.id, 'upload', item.source), folderId };
  const brought = await bringResource(ctx, carrying, carried, Readable.from([content]));
  if (!brought) throw new SourceStop('missing');
  return { resourceId: brought.id, outcome: brought.isNew ? 'created' : 'unchanged', hash: sha256, reason: null };
}

const reasonFor = (error: unknown): string | null => {
  if (error instanceof SourceStop) return error.code;
  if (error instanceof ConnectRefused) return error.code;
  if (error instanceof Failure && error.status < 500) return error.code === 'too_large' ? 'too_large' : 'not_a_file';
  return null;
};

/**
 * Decides which files come along where a person has changed the plan: those of fields that became rich texts or pictures are added, those that only something
 * left out uses are skipped.
 */
export async function chooseMedia(ctx: Context, row: ImportRow, collections: readonly ChosenCollection[], tables: ImportTables): Promise<void> {
  if (row.mapping?.collections.every(({ include, fields = [] }) => include && fields.length === 0) ?? true) return;
  const { db } = ctx.postgres;
  const chosen = new Set(collections.map(({ key }) => key));
  const used = new Map<string, string>();
  for (let after = { n: -1, source: '' }; ;) {
    const items = await queries.itemsAfter(db, row.id, after, atOnce);
    for (const item of items) {
      const targets = chosen.has(item.collection) ? tables.get(item.collection)?.targets : undefined;
      if (targets) for (const { source, alt } of mediaIn(item, targets)) if (isFileSource(source) && used.size < limits.media) used.set(source, alt);
    }
    const last = items.at(-1);
    if (!last || items.length < atOnce) break;
    after = { n: last.n, source: last.source };
  }
  await queries.skipMedia(db, row.id, [...used.keys()]);
  const sources = [...used.keys()];
  for (let at = 0; at < sources.length; at += 500) {
    const some = sources.slice(at, at + 500);
    const known = new Set((await queries.placedItems(db, row.id, 'media', some)).map(({ source }) => source));
    const added = some.filter((source) => !known.has(source)).map((source) => [source, used.get(source) ?? ''] as const);
    await queries.putItems(db, mediaRows(row.id, added, limits.media + at));
  }
}

/** Stores pictures and files as resources, each content once. What cannot be fetched is reported and stays where it is. */
export async function localiseMedia(ctx: Context, job: RunningJob, row: ImportRow, by: Receiver, archive: Archive | null, total: number): Promise<void> {
  const { db } = ctx.postgres;
  const folderId = await folderAt(ctx, by.site.id, [messageOf(by.locale, 'folder') ?? '']);
  for (let done = 0; ;) {
    const some = await queries.pendingItems(db, row.id, 'media', null, atOnce);
    if (some.length === 0) return;
    const sources = some.map(({ source }) => source);
    const earlier = new Map(
      (await queries.earlierItems(db, by.site.id, row.id, 'media', sources)).map((one) => [one.source, one.resourceId] as const).reverse(),
    );
    for (const item of some) {
      await job.progress(done, total);
      done += 1;
      const known = earlier.get(item.source) ?? null;
      try {
        const change: Partial<ItemRow> =
          known === null
            ? await bring(ctx, row, by, item, await contentOf(ctx, item, archive, job.signal), folderId)
            : { outcome: 'unchanged', resourceId: known };
        await queries.changeItem(db, item, change);
      } catch (error) {
        // An interrupted download says nothing about the file.
        const reason = job.cancelled ? null : reasonFor(error);
        if (reason === null && job.cancelled) await job.progress(done, total);
        if (reason === null) throw error;
        await queries.changeItem(db, item, { outcome: 'failed', reason });
      }
    }
  }
}
