import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { ResourceLabel } from '../../../../contract/resources/labels';
import { resourceRoot } from '../../../../contract/resources/alias';
import type { Context } from '../../../context';
import { contentFile } from '../../resources';
import type { ExportPage } from '../core/read/pages';

/** Files in one archive; their records are all in its table. */
const mostFiles = 50_000;
export type ExportedFiles = Map<string, ResourceLabel>;

/** The same pages; the resources that their records use are added to `files`. */
export async function* withFilesNoted(pages: AsyncIterable<ExportPage>, files: ExportedFiles): AsyncGenerator<ExportPage> {
  for await (const page of pages) {
    for (const label of Object.values(page.labels.resources ?? {})) if (files.size < mostFiles) files.set(label.id, label);
    yield page;
  }
}

/** The beginning of the address by which the table names a file, and its name without what file systems refuse. */
function pathOf({ id, name }: ResourceLabel): string {
  // oxlint-disable-next-line no-control-regex
  const safe = name.replaceAll(/[\u0000-\u001f\u007f/\\:*?"<>|]/g, '_').replace(/^\.+$/, '_');
  return `${resourceRoot.slice(1)}/${id}/${safe}`;
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
    for (const label of files.values()) {
      if (out.destroyed) return;
      const file = await contentFile(ctx, siteId, label);
      if (!file) continue;
      // Most files are compressed already.
      zip.addReadStreamLazy(pathOf(label), { compress: false }, (ready) => {
        reading = file.read();
        ready(null, reading);
      });
    }
    zip.end();
  };
  out.once('close', () => {
    rows.destroy();
    reading?.destroy();
  });
  feed().catch(fail);
  return out;
}
