import type { Context } from '../../../../context';
import { fail } from '../../../../http/failure';
import { JobInterrupted, defineJob } from '../../../../worker';
import type { RunningJob } from '../../../../worker';
import { tableLimits } from '../../../../../contract/tables/terms';
import type { FieldIndex } from '../../core/ddl';
import { designing } from '../design';
import type { Design } from '../design';
import { storedField } from '../kinds';
import { markReverted } from '../queries';
import { readModel } from '../../core/model';
import type { FieldModel, SiteModel, TableModel } from '../../core/model';
import { designerBy } from '../designer';
import { starterNow } from '../../core/starter';
import { alone, build, clear, indexesOf, missing } from './build';
import { brokenTables, endedJobs, isConverting } from './queries';
import { JobInput, checkIndexFlags, indexCount, withFlags, writeFlags } from './toggle';

/** Polling interval while another build on the table runs, ms. */
const askAgain = 500;
/** Jobs that failed within this time are checked for remains, ms. */
const lookBack = 24 * 3_600_000;

type Goal = { readonly table: TableModel; readonly field: FieldModel; readonly indexes: readonly FieldIndex[] };
/** The job's target in the current definitions. Throws if the field is gone or has changed. */
function goalOf(model: SiteModel, input: JobInput): Goal {
  const table = model.tables.find((one) => one.id === input.tableId) ?? fail('not_found');
  const field = table.fields.find((one) => one.id === input.fieldId) ?? fail('not_found');
  if (field.type !== input.type) fail('conflict');
  checkIndexFlags(field, input);
  const next = withFlags(field, { ...(input.unique ? { unique: true } : {}), ...(input.indexed ? { indexed: true } : {}) });
  return { table, field, indexes: indexesOf(model.siteId, table, next) };
}

/** Stores in the definition that the field has its indexes; false if one is missing because the table has changed meanwhile. */
async function settle(ctx: Context, design: Design, input: JobInput): Promise<boolean> {
  const { table, field, indexes } = goalOf(await design.model(), input);
  if ((await missing(ctx.postgres.pool, design.siteId, indexes)).length > 0) return false;
  const added = Number(input.unique && !field.isUnique) + Number(input.indexed && !field.indexed);
  if (added > 0 && indexCount(table) + added > tableLimits.indexes) fail('conflict');
  await writeFlags(design, table, field, { unique: field.isUnique || input.unique, indexed: field.indexed || input.indexed });
  if (input.reverts !== null && added > 0) await markReverted(design.tx, input.reverts, design.siteId);
  return true;
}

async function run(ctx: Context, job: RunningJob, siteId: string, input: JobInput): Promise<void> {
  const designerNow = async () => designerBy(siteId, input.by, await starterNow(ctx.postgres.db, siteId, input.by.userId, 'tables.design'));
  for (;;) {
    await designerNow();
    const done = await alone(ctx, input.tableId, async (client) => {
      for (;;) {
        const { indexes } = goalOf(await readModel(ctx.postgres.db, siteId, 0), input);
        await build(ctx, job, client, siteId, await missing(client, siteId, indexes));
        await job.progress(100, 100);
        if (await designing(ctx, await designerNow(), (design) => settle(ctx, design, input))) return true;
      }
    });
    if (done) return;
    await job.progress(0, 100);
    await new Promise((resolve) => setTimeout(resolve, askAgain));
  }
}

/** Names of the indexes that a table's fields need, including fields in the bin. */
const wantedNames = (ctx: Context, siteId: string, tableId: string) => async (): Promise<ReadonlySet<string>> => {
  const model = await readModel(ctx.postgres.db, siteId, 0);
  const table = [...model.tables, ...model.deletedTables].find((one) => one.id === tableId);
  if (!table) return new Set();
  return new Set([...table.fields, ...table.deletedFields].flatMap((field) => indexesOf(siteId, table, storedField(field)).map((index) => index.name)));
};
const clearTable = (ctx: Context, siteId: string, tableId: string): Promise<void> => clear(ctx, siteId, tableId, wantedNames(ctx, siteId, tableId));

/**
 * Builds the indexes enabled for a field, then updates its definition, all at once. On failure or cancellation it drops what it built; after a crash,
 * the next run or `tendIndexes` does.
 */
export const indexJob = defineJob('tables.index', async (job, ctx) => {
  const { siteId } = job;
  if (siteId === null) return;
  const input = JobInput.parse(job.input);
  try {
    await run(ctx, job, siteId, input);
  } catch (error) {
    if (!(error instanceof JobInterrupted)) ctx.log.info('an index was not built', { tableId: input.tableId, fieldId: input.fieldId, error });
    await clearTable(ctx, siteId, input.tableId).catch((failure: unknown) =>
      ctx.log.warn('what a build of an index left stays for a while', { error: failure }),
    );
    throw error;
  }
});

/** Drops the remains of builds that were killed or cancelled. Runs on a schedule. */
export async function tendIndexes(ctx: Context): Promise<void> {
  const { db } = ctx.postgres;
  const ended = (await endedJobs(db, new Date(ctx.now() - lookBack))).flatMap(({ siteId, input }) => {
    const read = JobInput.safeParse(input);
    return read.success && siteId !== null ? [{ siteId, tableId: read.data.tableId }] : [];
  });
  const all = new Map([...(await brokenTables(db)), ...ended].map((one) => [one.tableId, one]));
  for (const { siteId, tableId } of all.values()) {
    // A conversion is building indexes of its own.
    if (await isConverting(db, siteId)) continue;
    await clearTable(ctx, siteId, tableId).catch((error: unknown) => ctx.log.warn('what a build of an index left stays for a while', { tableId, error }));
  }
}
