import type { FastifyInstance } from 'fastify';
import { measuringEndpoints as endpoints } from '../../../contract/measuring/schemas';
import type { EraseWhat } from '../../../contract/measuring/schemas';
import { JournalFull } from '../../collect/journal';
import type { Context } from '../../context';
import { fail, failField } from '../../http/failure';
import { requireProof, route } from '../../http/route';
import { enqueue } from '../../worker';
import { actorOf, record } from '../audit';
import { jobView } from '../jobs';
import { eraseJob, previewErase, rebuildJob, sweepRetention } from './erase';
import { completenessOf } from './completeness';
import { changeSettings, previewRules, settingsOf } from './settings';
import * as queries from './queries';
import type { Area } from '../area';

const checkRange = (what: EraseWhat): void => {
  if (what.kind === 'range' && what.to < what.from) failField('what.to', 'out_of_range');
};

function register(app: FastifyInstance, ctx: Context): void {
  const named = (site: { readonly id: string; readonly row: { readonly timeZone: string } }) => ({ id: site.id, timeZone: site.row.timeZone });

  route(app, ctx, endpoints.measuring, ({ site }) => settingsOf(ctx, site.row));

  route(app, ctx, endpoints.changeMeasuring, async (call) => {
    const { site, session, body } = call;
    const { retentionDays } = await settingsOf(ctx, site.row);
    // A shorter retention permanently erases older data, as `erase` does.
    if ((body.retentionDays ?? Infinity) < (retentionDays ?? Infinity)) requireProof(ctx, session);
    return changeSettings(ctx, site.row, call.ifMatch(), body, actorOf(call));
  });

  route(app, ctx, endpoints.previewBotRules, ({ site, body }) => previewRules(ctx, site.id, body));

  route(app, ctx, endpoints.completeness, ({ site, query }) => completenessOf(ctx, named(site), query.days));

  route(app, ctx, endpoints.previewErase, ({ site, body }) => {
    checkRange(body);
    return previewErase(ctx, named(site), body);
  });

  route(app, ctx, endpoints.eraseMeasured, async (call) => {
    const { site, body, session } = call;
    checkRange(body.what);
    if (body.confirm.normalize('NFC').trim() !== site.row.name) fail('confirm_mismatch');
    const { what } = body;
    await record(ctx, ctx.postgres.db, actorOf(call), {
      action: 'measuring.erase_asked',
      siteId: site.id,
      target: { kind: 'site', id: site.id, name: site.row.name },
      after: what.kind === 'range' ? { from: what.from, to: what.to } : { visitor: what.visitor },
    });
    const job = await enqueue(ctx, 'analytics.erase', { siteId: site.id, label: site.row.name, input: what, cancellable: false, createdBy: session.userId });
    return jobView(job, call.locale);
  });

  route(app, ctx, endpoints.serverHits, async ({ site, body }) => {
    const collector = app.arrivals;
    if (!collector?.acceptFromServer) return fail('unavailable');
    const result = await collector.acceptFromServer(site.id, body.hits).catch((error: unknown) => {
      if (error instanceof JournalFull) return fail('journal_full', { retryAfter: 10 });
      throw error;
    });
    return result ?? fail('bad_transition');
  });
}

/** Measuring settings as stored, by site; sites that never changed them are absent. */
export const settingsOfSites = async (ctx: Pick<Context, 'postgres'>, siteIds: readonly string[]): Promise<ReadonlyMap<string, queries.Stored>> =>
  new Map((await queries.settingsOf(ctx.postgres.db, siteIds)).map(({ siteId, settings }) => [siteId, settings]));

export const area: Area = {
  register,
  jobs: [eraseJob, rebuildJob],
  schedules: [{ name: 'measuring.retention', every: 6 * 3_600_000, run: sweepRetention }],
};
