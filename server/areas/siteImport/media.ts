import { resourceKinds } from '../../../contract/resources/kinds';
import { siteImportLimits as limits } from '../../../contract/siteImport/terms';
import type { Context } from '../../context';
import { Failure } from '../../http/failure';
import { ConnectRefused } from '../../net/publicAddress';
import { sha256Of } from '../../kit/sha256';
import { addFromAddress, bringResource, folderAt } from '../resources';
import { idOf } from '../tables';
import { Readable } from 'node:stream';
import type { RunningJob } from '../../worker';
import * as queries from './queries';
import type { ImportRow, ItemRow } from './queries';
import type { Receiver } from './target';
import { SourceStop } from './zip';
import type { Archive } from './zip';

const atOnce = 50;
type Placed = { readonly resourceId: string; readonly outcome: 'created' | 'unchanged'; readonly hash: string };

const nameIn = (source: string): string => {
  const last = new URL(source).pathname.split('/').findLast((part) => part !== '') ?? 'file';
  try {
    // oxlint-disable-next-line no-control-regex
    return (
      decodeURIComponent(last)
        .normalize('NFC')
        .replaceAll(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069/\\]/g, '_')
        .slice(0, 200)
        .trim() || 'file'
    );
  } catch {
    return 'file';
  }
};

/** A file of an uploaded archive. One that the site has already is used instead. */
async function fromArchive(ctx: Context, row: ImportRow, by: Receiver, item: ItemRow, archive: Archive | null, folderId: string | null): Promise<Placed> {
  const name = decodeURI(new URL(item.source).pathname.slice(1));
  if (!archive?.has(name)) throw new SourceStop('missing');
  const content = await archive.read(name, limits.mediaBytes);
  const sha256 = await sha256Of(Readable.from([content]));
  const lang = by.site.defaultLang;
  const carried = {
    id: idOf(row.id, item.source),
    name: nameIn(item.source),
    sha256,
    bytes: content.length,
    title: {},
    alt: item.data.alt ? { [lang]: item.data.alt.slice(0, 500) } : {},
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
  const brought = await bringResource(
    ctx,
    { siteId: by.site.id, createdBy: by.userId, uploadId: idOf(row.id, 'upload', item.source), folderId },
    carried,
    Readable.from([content]),
  );
  if (!brought) throw new SourceStop('missing');
  return { resourceId: brought.id, outcome: brought.isNew ? 'created' : 'unchanged', hash: sha256 };
}

async function fromAddress(ctx: Context, by: Receiver, item: ItemRow, folderId: string | null): Promise<Placed> {
  const id = await addFromAddress(ctx, { siteId: by.site.id, url: item.source, name: nameIn(item.source), folderId, createdBy: by.userId }, resourceKinds);
  if (id === null) throw new SourceStop('not_a_file');
  return { resourceId: id, outcome: 'created', hash: '' };
}

const reasonFor = (error: unknown): string | null => {
  if (error instanceof SourceStop) return error.code;
  if (error instanceof ConnectRefused) return error.detail === 'too large' ? 'too_large' : error.code;
  if (error instanceof Failure && error.status < 500) return error.code === 'too_large' ? 'too_large' : 'not_a_file';
  return null;
};

/** Stores pictures and files as resources, each once. What cannot be fetched is reported and stays where it is. */
export async function localiseMedia(ctx: Context, job: RunningJob, row: ImportRow, by: Receiver, archive: Archive | null, total: number): Promise<void> {
  const { db } = ctx.postgres;
  const folderId = await folderAt(ctx, by.site.id, [by.locale === 'zh-CN' ? '导入' : 'Imported']);
  for (let done = 0; ;) {
    const some = await queries.pendingItems(db, row.id, 'media', null, atOnce);
    if (some.length === 0) return;
    const earlier = new Map(
      (
        await queries.earlierItems(
          db,
          by.site.id,
          row.id,
          'media',
          some.map(({ source }) => source),
        )
      )
        .map((one) => [one.source, one.resourceId] as const)
        .reverse(),
    );
    for (const item of some) {
      await job.progress(done, total);
      done += 1;
      const known = earlier.get(item.source);
      try {
        if (known) {
          await queries.changeItem(db, item, { outcome: 'unchanged', resourceId: known });
          continue;
        }
        const placed = item.source.startsWith('file:') ? await fromArchive(ctx, row, by, item, archive, folderId) : await fromAddress(ctx, by, item, folderId);
        await queries.changeItem(db, item, { ...placed, reason: null });
      } catch (error) {
        const reason = reasonFor(error);
        if (reason === null) throw error;
        await queries.changeItem(db, item, { outcome: 'failed', reason });
      }
    }
  }
}
