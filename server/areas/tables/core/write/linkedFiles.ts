import { fileItemsOf, isFileLink } from '../../../../../contract/tables/fieldTypes/fileValues';
import type { BatchOrigin } from '../../../../../contract/tables/terms';
import type { Context } from '../../../../context';
import { enqueue } from '../../../../worker';
import type { TableContext } from '../tableContext';
import { isFileField } from './fileReferences';
import type { Change, WriteTx } from './types';

/** Which records the job `tables.files` looks at: those named, those that a batch changed, or all (null); of one table, or of all tables of the site. */
export type LinkedFilesInput = { readonly tableId: string | null; readonly recordIds: readonly string[] | null; readonly batchId: string | null };

/** Queues the job that stores the files behind addresses in records. */
export async function queueLinkedFiles(
  ctx: Context,
  siteId: string,
  input: LinkedFilesInput,
  { label, createdBy = null }: { readonly label: string; readonly createdBy?: string | null },
): Promise<string> {
  return (await enqueue(ctx, 'tables.files', { siteId, label, input, createdBy })).id;
}

/** Writes whose addresses are fetched at once. An import queues one job at its end; what the program writes has no addresses of people. */
const fetching: ReadonlySet<BatchOrigin> = new Set(['console', 'paste', 'bulk', 'api']);
/** An address that can be fetched; a path of the site cannot. */
export const isFetchable = (item: unknown): boolean => isFileLink(item) && /^https?:\/\//i.test(item.url);

/** After the commit: queues the job for files whose addresses were written by somebody who may add resources. Addresses written by others stay. */
export function fetchLinkedFiles(
  w: WriteTx,
  { model: { siteId, tables }, reader }: Pick<TableContext, 'model' | 'reader'>,
  touched: ReadonlyMap<string, ReadonlySet<string>>,
  changes: readonly Change[],
  origin: BatchOrigin,
): void {
  if (!fetching.has(origin) || reader.storesFiles !== true) return;
  if (!changes.some((change) => 'values' in change && Object.values(change.values).some((value) => fileItemsOf(value).some(isFetchable)))) return;
  for (const { id, title, fields } of tables) {
    const ids = touched.get(id);
    if (!ids || !fields.some(isFileField)) continue;
    w.after(() => {
      queueLinkedFiles(w.ctx, siteId, { tableId: id, recordIds: [...ids], batchId: null }, { label: title }).catch((error: unknown) =>
        w.ctx.log.error('a job for linked files could not be queued', { siteId, error }),
      );
    });
  }
}
