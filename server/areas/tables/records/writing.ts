import type { FastifyInstance } from 'fastify';
import { recordEndpoints as endpoints } from '../../../../contract/tables/recordEndpoints';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import { route } from '../../../http/route';
import { writeContextOf, originAt } from '../core/write/call';
import { addRecords, changeRecords } from '../core/write/commands';
import { Clashed } from '../core/write/merge';
import { conflictOf } from './conflicts';
import { recordResponse } from './responses';

/** Maximum number of conflicts in a response. */
const mostConflicts = 20;

export function registerWriting(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.addRecords, async (call) =>
    addRecords(ctx, call, await writeContextOf(ctx, call), { ...call.body, origin: originAt(call.session, 'console') }),
  );

  route(app, ctx, endpoints.changeRecords, async (call) => {
    const context = await writeContextOf(ctx, call);
    const { changes, locale, origin } = call.body;
    try {
      return await changeRecords(ctx, call, context, { changes, locale, origin: originAt(call.session, origin ?? 'console'), path: (at) => `changes.${at}` });
    } catch (error) {
      if (!(error instanceof Clashed)) throw error;
      const reportedClashes = error.clashes.slice(0, mostConflicts);
      const names = changes.some(({ values }) => Object.keys(values).some((name) => name.startsWith('f_'))) ? 'id' : 'key';
      const current = await Promise.all(reportedClashes.map((clash) => conflictOf(ctx, context, clash, changes[clash.at]?.values ?? {}, names)));
      return fail('stale_revision', { current });
    }
  });

  route(app, ctx, endpoints.changeRecord, async (call) => {
    const context = await writeContextOf(ctx, call);
    const { id } = call.params;
    const { values, locale } = call.body;
    const changes = [{ id, values, revision: call.ifMatch() }];
    try {
      await changeRecords(ctx, call, context, { changes, locale, origin: originAt(call.session, 'console'), path: () => '' });
    } catch (error) {
      const [clash] = error instanceof Clashed ? error.clashes : [];
      if (!clash) throw error;
      return fail('stale_revision', { current: await conflictOf(ctx, context, clash, values, call.query.names) });
    }
    return recordResponse(ctx, context, id, call.query.names);
  });
}
