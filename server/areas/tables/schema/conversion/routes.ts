import type { FastifyInstance } from 'fastify';
import { tableConvertEndpoints as endpoints } from '../../../../../contract/tables/conversion';
import type { Conversion } from '../../../../../contract/tables/conversion';
import type { Context } from '../../../../context';
import type { SessionInfo } from '../../../../http/access';
import { fail } from '../../../../http/failure';
import { route } from '../../../../http/route';
import { readerOf } from '../../core/access';
import { designing } from '../design';
import type { Design } from '../design';
import { designerOf } from '../designer';
import type { DesignCall } from '../designer';
import { fieldOf, siteModel, tableOf } from '../../core/model';
import type { FieldModel, TableModel } from '../../core/model';
import { tendConversions } from './job';
import { planOf } from './plan';
import * as queries from './queries';
import type { ConversionRecord } from './queries';
import { isUndoable, startConversion, startUndo } from './start';

type Call = DesignCall & { readonly params: { readonly table: string; readonly field: string } };

export function registerConvert(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  const found = async (call: Call): Promise<{ readonly table: TableModel; readonly field: FieldModel }> => {
    const table = tableOf(await siteModel(ctx, call.site.id), call.params.table);
    return { table, field: fieldOf(table, call.params.field) };
  };
  const toConversion = async (conversion: ConversionRecord, field: FieldModel): Promise<Conversion> => {
    const { spec, progress } = conversion;
    return {
      id: conversion.id,
      jobId: conversion.jobId,
      state: conversion.state,
      from: spec.from.type,
      to: spec.to.type,
      undoes: spec.undoing,
      at: conversion.at.toISOString(),
      by: await queries.makerOf(db, conversion.by),
      doneAt: conversion.doneAt?.toISOString() ?? null,
      done: progress.done,
      total: progress.total,
      lossy: progress.lossy,
      emptied: progress.emptied,
      edited: progress.edited,
      error: conversion.error,
      undoUntil: isUndoable(conversion, field, ctx.now()) && !spec.undoing ? (conversion.keepUntil?.toISOString() ?? null) : null,
    };
  };
  /** Starts a conversion and notifies the workers. */
  const begin = async (
    call: Call,
    revision: number | null,
    work: (design: Design, table: TableModel, field: FieldModel) => Promise<ConversionRecord>,
  ): Promise<Conversion> => {
    const { field: requestedField } = await found(call);
    // Columns of an abandoned conversion would be in the way.
    await tendConversions(ctx, requestedField.id);
    const startedConversion = await designing(ctx, designerOf(call), async (design) => {
      const table = await design.table(call.params.table, revision);
      return work(design, table, fieldOf(table, requestedField.id));
    });
    ctx.live.publish({ type: 'job', jobId: startedConversion.jobId });
    return toConversion(startedConversion, (await found(call)).field);
  };

  route(app, ctx, endpoints.fieldConversion, async (call) => {
    const { field } = await found(call);
    const all = await queries.conversionsOf(db, field.id);
    const last = all[0];
    const undoable = all.find((one) => !one.spec.undoing && isUndoable(one, field, ctx.now()));
    return { conversion: last ? await toConversion(last, field) : null, undoable: undoable ? await toConversion(undoable, field) : null };
  });
  /** Samples and new choices contain record values: tokens get them only with permission to read records. */
  const reads = ({ token }: SessionInfo): boolean => token === null || token.scopes.includes('tables:read');
  route(app, ctx, endpoints.planConversion, async (call) => {
    const model = await siteModel(ctx, call.site.id);
    const table = tableOf(model, call.params.table);
    const context = { model, table, field: fieldOf(table, call.params.field), timeZone: call.site.row.timeZone };
    const plan = await planOf(ctx, context, call.body, readerOf(call), call.locale);
    return reads(call.session) ? plan : { ...plan, samples: [], choices: [] };
  });
  route(app, ctx, endpoints.startConversion, (call) =>
    begin(call, call.ifMatch(), (design, table, field) => startConversion(design, table, field, call.body, call.site.row.timeZone)),
  );
  route(app, ctx, endpoints.undoConversion, (call) =>
    begin(call, null, async (design, table, field) => {
      const all = await queries.conversionsOf(design.tx, field.id);
      const running = all.find((one) => one.state === 'running');
      if (running) fail('conflict', { current: { jobId: running.jobId } });
      const undoableConversion = all.find((one) => !one.spec.undoing && isUndoable(one, field, ctx.now())) ?? fail('bad_transition');
      return startUndo(design, table, field, undoableConversion, call.site.row.timeZone);
    }),
  );
}
