import type { FastifyInstance } from 'fastify';
import { recordEndpoints as endpoints } from '../../../../contract/tables/recordEndpoints';
import type { Conflict } from '../../../../contract/tables/records';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import { newRecordId } from '../core/ids';
import { written } from '../core/write/answers';
import { inWrite } from '../core/write/call';
import { writeBatch } from '../core/write/engine';
import { Clashed } from '../core/write/merge';
import type { Clash } from '../core/write/merge';
import { peopleNames, shownValue } from '../core/write/past';
import { withHashes } from '../core/write/passwords';
import { doorAt, contextOf } from '../core/write/callContext';
import type { TableContext } from '../core/tableContext';
import type { BatchResult, Change, WriteOptions, WriteTx } from '../core/write/types';
import { upserts } from '../core/write/upsert';
import { shownRecord } from './shown';

/** Writing of records: making and changing them. */
export function registerWriting(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;

  /** Both sides of a clash, by the names that the writer used. */
  async function conflictOf(context: TableContext, clash: Clash, values: Readonly<Record<string, unknown>>, names: 'key' | 'id'): Promise<Conflict> {
    const record = await shownRecord(ctx, context, clash.id, names);
    const by = (await peopleNames(db, [clash.by])).get(clash.by ?? '') ?? null;
    const fields = Array.from(clash.keys, ([key, sides]) => {
      const field = context.table.byName.get(key.split('@')[0] ?? '');
      const name = Object.keys(values).find((one) => context.table.byName.get(one)?.id === field?.id) ?? key;
      return [name, { base: shownValue(field, sides.base), theirs: shownValue(field, sides.theirs), yours: shownValue(field, sides.yours) }] as const;
    });
    return { revision: record.revision, record, fields: Object.fromEntries(fields), by };
  }
  const mostConflicts = 20;

  route(app, ctx, endpoints.addRecords, async (call) => {
    const context = await contextOf(ctx, call);
    const { locale, upsertOn, publish } = call.body;
    const records = await withHashes(context, 'create', call.body.records);
    return inWrite(ctx, call, async (w) => {
      const makes: Change[] = records.map((values) => ({ kind: 'create', values, id: newRecordId(w.now.getTime()) }));
      const changes = upsertOn === undefined ? makes : await upserts(w, context, records, upsertOn);
      const made = await writeAll(w, context, changes, { door: doorAt(call.session, 'console'), locale }, publish && context.table.drafts);
      return written(made, records.length);
    });
  });

  route(app, ctx, endpoints.changeRecords, async (call) => {
    const context = await contextOf(ctx, call);
    const { changes, locale, door } = call.body;
    const options: WriteOptions = { door: doorAt(call.session, door ?? 'console'), locale, path: (at) => `changes.${at}` };
    const hashed = await withHashes(
      context,
      'update',
      changes.map(({ values }) => values),
    );
    try {
      return await inWrite(ctx, call, async (w) =>
        written(
          await writeBatch(
            w,
            context,
            changes.map(({ id, values, revision }, at): Change => ({
              kind: 'update',
              id,
              values: hashed[at] ?? values,
              ...(revision === undefined ? {} : { revision }),
            })),
            options,
          ),
        ),
      );
    } catch (error) {
      if (!(error instanceof Clashed)) throw error;
      const shown = error.clashes.slice(0, mostConflicts);
      const names = changes.some(({ values }) => Object.keys(values).some((name) => name.startsWith('f_'))) ? 'id' : 'key';
      return fail('stale_revision', { current: await Promise.all(shown.map((clash) => conflictOf(context, clash, changes[clash.at]?.values ?? {}, names))) });
    }
  });

  route(app, ctx, endpoints.changeRecord, async (call) => {
    const context = await contextOf(ctx, call);
    const { id } = call.params;
    const { values, locale } = call.body;
    const revision = call.ifMatch();
    const [hashed = values] = await withHashes(context, 'update', [values]);
    try {
      await inWrite(ctx, call, async (w) =>
        written(
          await writeBatch(w, context, [{ kind: 'update', id, values: hashed, revision }], { door: doorAt(call.session, 'console'), locale, path: () => '' }),
        ),
      );
    } catch (error) {
      const [clash] = error instanceof Clashed ? error.clashes : [];
      if (!clash) throw error;
      return fail('stale_revision', { current: await conflictOf(context, clash, values, call.query.names) });
    }
    return shownRecord(ctx, context, id, call.query.names);
  });
}

/** Changes, and where asked for the publishing of what they made, as one batch. */
function writeAll(w: WriteTx, context: TableContext, changes: readonly Change[], options: WriteOptions, publish: boolean): Promise<BatchResult> {
  const published = publish ? changes.flatMap((change): Change[] => (change.id === undefined ? [] : [{ kind: 'publish', id: change.id }])) : [];
  return writeBatch(w, context, [...changes, ...published], { ...options, path: (at) => `records.${at % changes.length}` });
}
