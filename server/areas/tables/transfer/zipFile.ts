import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { ResourceLabel } from '../../../../contract/resources/labels';
import { transferLimits } from '../../../../contract/tables/transfers';
import type { Context } from '../../../context';
import { carriedDetails, contentFile } from '../../resources';
import type { ExportPage } from '../core/read/pages';
import { archivedName, detailsName } from './archive';

/** Files whose details are read at once. */
const atOnce = 500;
export type ExportedFiles = Map<string, ResourceLabel>;

/** The same pages; the resources that their records use are added to `files`. */
export async function* withFilesNoted(pages: AsyncIterable<ExportPage>, files: ExportedFiles): AsyncGenerator<ExportPage> {
  for await (const page of pages) {
    for (const label of Object.values(page.labels.resources ?? {})) if (files.size < transferLimits.archivedFiles) files.set(label.id, label);
    yield page;
  }
}

/** Where a file is in an archive: the address by which the table names it, with its name without what file systems refuse. */
function pathOf({ id, name }: ResourceLabel): string {
  // oxlint-disable-next-line no-control-regex
  const safe = name.replaceAll(/[\u0000-\u001f\u007f/\\:*?"<>|]/g, '_').replace(/^\.+$/, '_');
  return archivedName(id, safe);
}

/** What is known of files, one line of JSON for each, for whoever imports the archive. */
async function* detailLines(ctx: Context, siteId: string, ids: readonly string[]): AsyncGenerator<string> {
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = ids.slice(at, at + atOnce);
    const details = await carriedDetails(ctx, siteId, some);
    yield some.flatMap((id) => (details.has(id) ? `${JSON.stringify(details.get(id))}\n` : [])).join('');
  }
}

/**
 * A ZIP archive of a table and the files in it, streamed: the files are read one after the other when the table is complete. `files`: filled by reading `table`.
 */
export function archive(ctx: Context, siteId: string, name: string, table: AsyncIterable<string>, files: ExportedFiles): Readable {
  const zip = new ZipFile();
  const out = new PassThrough();
  const rows = new PassThrough();
  let reading: Readable | null = null;
  const fail = (error: unknown): void => void out.destroy(error instanceof Error ? error : new Error(String(error)));
  zip.on('error', fail);
  zip.outputStream.pipe(out);
  zip.addReadStream(rows, name);
  const feed = async (): Promise<void> => {
    for await (const text of table) {
      if (out.destroyed) return;
      if (!rows.write(text)) await new Promise<void>((resolve) => rows.once('drain', resolve).once('close', resolve));
    }
    rows.end();
    const archived: string[] = [];
    for (const label of files.values()) {
      if (out.destroyed) return;
      const file = await contentFile(ctx, siteId, label);
      if (!file) continue;
      archived.push(label.id);
      // Most files are compressed already.
      zip.addReadStreamLazy(pathOf(label), { compress: false }, (ready) => {
        reading = file.read();
        ready(null, reading);
      });
    }
    if (archived.length > 0) zip.addReadStream(Readable.from(detailLines(ctx, siteId, archived)), detailsName);
    zip.end();
  };
  out.once('close', () => {
    rows.destroy();
    reading?.destroy();
  });
  feed().catch(fail);
  return out;
}
