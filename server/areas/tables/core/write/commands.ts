import type { Written } from '../../../../../contract/tables/records';
import type { BatchDoor } from '../../../../../contract/tables/terms';
import type { Context } from '../../../../context';
import { newRecordId } from '../ids';
import type { TableContext } from '../tableContext';
import { written } from './answers';
import { inWrite } from './call';
import type { WriteCaller } from './call';
import { writeBatch } from './engine';
import { withHashes } from './passwords';
import { pastValues } from './revert';
import type { Change, WriteOptions } from './types';
import { upserts } from './upsert';

/** By id, key or alias of a field; passwords as they were typed. */
type Values = Readonly<Record<string, unknown>>;

export type NewRecords = {
  readonly records: readonly Values[];
  /** Localized fields are written in this language. Default: the table's first. */
  readonly locale?: string | undefined;
  /** A unique or indexed field: where a record has the same value in it, that one is changed instead. */
  readonly upsertOn?: string | undefined;
  /** Publishes what is made or changed in the same batch, where the table has drafts. */
  readonly publish: boolean;
  /** What they come through, as history tells it. */
  readonly door: BatchDoor;
};
/** Makes records as one batch, or changes those that are there (`upsertOn`). Faults are named by `records.<at>`. */
export async function addRecords(ctx: Context, caller: WriteCaller, context: TableContext, given: NewRecords): Promise<Written> {
  const { locale, upsertOn, door } = given;
  const records = await withHashes(context, 'create', given.records);
  return inWrite(ctx, caller, async (w) => {
    const makes: Change[] = records.map((values) => ({ kind: 'create', values, id: newRecordId(w.now.getTime()) }));
    const changes = upsertOn === undefined ? makes : await upserts(w, context, records, upsertOn);
    const published = given.publish && context.table.drafts ? changes.flatMap(({ id }): Change[] => (id === undefined ? [] : [{ kind: 'publish', id }])) : [];
    const path = (at: number): string => `records.${at % changes.length}`;
    return written(await writeBatch(w, context, [...changes, ...published], { door, locale, path }), records.length);
  });
}

export type RecordChanges = {
  /** Each record its own way. `revision`: as the writer has read it; what others changed since in other fields stays. */
  readonly changes: readonly { readonly id: string; readonly values: Values; readonly revision?: number | undefined }[];
  /** Localized fields are written in this language. Default: the table's first. */
  readonly locale?: string | undefined;
  /** What they come through, as history tells it. */
  readonly door: BatchDoor;
  /** Where faults of change `at` stand in the caller's body. */
  readonly path: (at: number) => string;
};
/** Changes records as one batch. Throws `Clashed` where others have changed the same fields since. */
export async function changeRecords(ctx: Context, caller: WriteCaller, context: TableContext, { changes, ...options }: RecordChanges): Promise<Written> {
  const hashed = await withHashes(
    context,
    'update',
    changes.map(({ values }) => values),
  );
  const updates = changes.map(({ id, values, revision }, at): Change => ({
    kind: 'update',
    id,
    values: hashed[at] ?? values,
    ...(revision === undefined ? {} : { revision }),
  }));
  return inWrite(ctx, caller, async (w) => written(await writeBatch(w, context, updates, options)));
}

export type Reversal = {
  readonly id: string;
  /** The record gets the values that it had after this revision. */
  readonly revision: number;
  /** Names of fields; `<name>@<locale>` of a translation. */
  readonly fields: readonly string[];
  /** What it comes through, as history tells it. */
  readonly door: BatchDoor;
};
/** Gives fields of a record the values that they had, as one batch. */
export async function revertRecord(ctx: Context, caller: WriteCaller, context: TableContext, { id, door, ...wanted }: Reversal): Promise<void> {
  await inWrite(ctx, caller, async (w) => {
    let batchId: string | null = null;
    for (const [locale, values] of await pastValues(w, context, id, wanted)) {
      const options: WriteOptions = { door, path: () => '', ...(locale === '' ? {} : { locale }), ...(batchId === null ? {} : { batchId }) };
      batchId = (await writeBatch(w, context, [{ kind: 'update', id, values }], options)).batchId ?? batchId;
    }
    return null;
  });
}
