import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { ConversionInput } from '../../../../../contract/tables/conversion';
import { fail } from '../../../../http/failure';
import { insertJob } from '../../../../worker/queries';
import type { Design } from '../design';
import { setField } from '../queries';
import { makeColumnSpace } from '../columnSpace';
import { JobInput as IndexInput } from '../indexes/toggle';
import { openJobs } from '../indexes/queries';
import { newFieldId } from '../../core/ids';
import type { FieldModel, TableModel } from '../../core/model';
import type { ConversionProgress, ConversionSpec } from '../../core/schema';
import { specOf } from './plan';
import * as queries from './queries';
import type { ConversionRecord } from './queries';
import { namesRecords, partsNow, rightsBreak } from './uses';

export const begun: ConversionProgress = { stage: 'records', after: null, done: 0, total: 0, lossy: 0, emptied: 0, edited: 0 };

/** Throws `conflict` with the job that is already changing this field. */
async function refuseBusy(design: Design, field: FieldModel): Promise<void> {
  const running = await queries.runningOf(design.tx, field.id);
  if (running) fail('conflict', { current: { jobId: running.jobId } });
  for (const { id, input } of await openJobs(design.tx, design.siteId)) {
    const read = IndexInput.safeParse(input);
    if (read.success && read.data.fieldId === field.id) fail('conflict', { current: { jobId: id } });
  }
}

async function enqueue(
  design: Design,
  table: TableModel,
  field: FieldModel,
  spec: ConversionSpec,
  of: string | null,
  timeZone: string,
): Promise<ConversionRecord> {
  const { tx, siteId, reader, userId } = design;
  if (reader.role === 'public' || reader.userId === null) throw new Error('a conversion is somebody’s');
  // PostgreSQL limits the number of columns that a table can ever have.
  await makeColumnSpace(design, table.id, 4);
  const id = randomUUID();
  const job = await insertJob(tx, {
    kind: 'tables.convert',
    siteId,
    label: `${table.title} · ${field.title}`,
    input: { conversionId: id, timeZone, by: { lang: design.lang, actor: design.actor, userId, role: reader.role, locale: design.locale } },
    createdBy: userId,
    createdAt: design.at,
    runAfter: design.at,
  });
  const row = {
    id,
    siteId,
    tableId: table.id,
    fieldId: field.id,
    jobId: job.id,
    state: 'running' as const,
    of,
    spec,
    progress: begun,
    by: userId,
    at: design.at,
  };
  await queries.addConversion(tx, row);
  await setField(tx, field.id, { converting: { jobId: job.id, to: spec.to.type, column: spec.fresh } });
  design.forget();
  return (await queries.findConversion(tx, id)) ?? fail('internal');
}

/** Starts a type conversion. Throws `conflict` if one is already running, `invalid_fields` for an impossible target. */
export async function startConversion(
  design: Design,
  table: TableModel,
  field: FieldModel,
  request: z.output<typeof ConversionInput>,
  timeZone: string,
): Promise<ConversionRecord> {
  await refuseBusy(design, field);
  const model = await design.model();
  const spec = specOf({ model, table, field, timeZone }, request, request);
  const goal = { type: spec.to.type, options: spec.to.options };
  if (!namesRecords(table, field, goal)) fail('invalid_fields', { fields: { type: { code: 'reserved' } } });
  if (rightsBreak(model, table, field, goal)) fail('invalid_fields', { fields: { type: { code: 'reserved' } } });
  return enqueue(design, table, field, spec, null, timeZone);
}

/** Whether the field is unchanged since a conversion, and the old column still exists. */
export const isUndoable = (conversion: ConversionRecord, field: Pick<FieldModel, 'id' | 'type' | 'converting'> | undefined, now: number): boolean =>
  conversion.state === 'done' &&
  field?.id === conversion.fieldId &&
  field.converting === null &&
  field.type === conversion.spec.to.type &&
  conversion.keepUntil !== null &&
  conversion.keepUntil.getTime() > now;

/** Starts to undo a conversion, which is itself a conversion. Throws `bad_transition` if it cannot be undone (any more). */
export async function startUndo(
  design: Design,
  table: TableModel,
  field: FieldModel,
  conversion: ConversionRecord,
  timeZone: string,
): Promise<ConversionRecord> {
  await refuseBusy(design, field);
  if (!isUndoable(conversion, field, design.at.getTime())) return fail('bad_transition');
  const { spec: done } = conversion;
  const model = await design.model();
  const { to } = done.from.options;
  // The target table of the relation is gone.
  if (to !== undefined && !model.byName.has(to)) return fail('bad_transition');
  if (!namesRecords(table, field, done.from)) return fail('bad_transition');
  const spec: ConversionSpec = {
    fresh: newFieldId(),
    kept: newFieldId(),
    from: partsNow(field),
    to: done.from,
    misfits: 'empty',
    addChoices: true,
    keepUnique: true,
    translated: done.translated && field.localized,
    undoing: !done.undoing,
    mirrors: [],
    others: {},
  };
  return enqueue(design, table, field, spec, conversion.id, timeZone);
}
