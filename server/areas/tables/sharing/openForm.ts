import { eq } from 'drizzle-orm';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { tableFormEndpoints as endpoints } from '../../../../contract/tables/forms';
import type { FormOptions, FormTaken } from '../../../../contract/tables/forms';
import type { Context } from '../../../context';
import { addressGroup, clientAddress } from '../../../http/address';
import { Failure, fail, failField } from '../../../http/failure';
import type { FieldFault } from '../../../http/failure';
import { isUnlocked } from '../../../http/linkPass';
import { route } from '../../../http/route';
import { createThrottle, hashToken } from '../../session';
import { newRecordId } from '../core/ids';
import { siteModel, tableOf } from '../core/model';
import type { SiteModel, TableModel } from '../core/model';
import { contentSites } from '../core/schema';
import { inWrite, writeBatch } from '../core/write';
import type { Change } from '../core/write';
import { describedForm, formOf, readerOfForm, standingOf, stopOf } from './form';
import { findLink } from './found';
import * as queries from './queries';
import type { FoundShare } from './queries';
import { checkStamp, makeStamp, sendsOfStamp } from './stamp';

/** Forms sent by one link: by one network (a school or an office is behind one address), and by everybody. Faults and repetitions count. */
const ofNetwork = { points: 300, seconds: 3600 } as const;
const ofAll = { points: 6000, seconds: 3600 } as const;

type Found = FoundShare & { readonly options: FormOptions; readonly model: SiteModel; readonly table: TableModel };

/**
 * What somebody with a link to a form gets: the form, and a record for what they send. The record is written by a reader who has the form's fields of new records and
 * nothing else, and the history names the link.
 */
export function registerOpenForms(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  const throttle = createThrottle(ctx);
  app.decorate('formEmbeds', (token: string) => queries.embedsOf(db, hashToken(token)));

  /** A link that is not over, of a form that is there. It ends with the right of who made it. */
  async function found(request: FastifyRequest): Promise<Found> {
    const one = await findLink(ctx, request);
    const { share, view } = one;
    if (share.form === null || view.kind !== 'form') return fail('not_found');
    const model = await siteModel(ctx, share.siteId);
    const table = tableOf(model, view.tableId);
    return (await stopOf(db, share, table)) === null ? { ...one, options: share.form, model, table } : fail('link_ended');
  }

  route(app, ctx, endpoints.sharedForm, async ({ request, reply }) => {
    void reply.header('x-robots-tag', 'noindex');
    const { share, view, site, options, table } = await found(request);
    const closed = { closedText: '', once: false, timeZone: 'UTC', style: 'groups' as const, sections: [], stamp: '', note: '' };
    if (!isUnlocked(ctx, request, share)) return { ...closed, needsPassword: true, standing: 'open' as const, title: '' };
    const { formTitle, formNote } = view.query;
    const title = formTitle === '' ? table.title : formTitle;
    const standing = standingOf(share, view, table, true);
    await queries.countOpening(db, share.id, new Date(ctx.now()));
    if (standing === 'full' || standing === 'unfit')
      return { ...closed, needsPassword: false, standing, title, closedText: standing === 'full' ? options.closedText : '' };
    return {
      needsPassword: false,
      standing: 'open' as const,
      title,
      note: formNote,
      closedText: '',
      once: options.once,
      timeZone: site.timeZone,
      ...describedForm(table, formOf(table, view), { now: new Date(ctx.now()), timeZone: site.timeZone }),
      stamp: makeStamp(ctx, share.id),
    };
  });

  route(app, ctx, endpoints.sendForm, async ({ request, body }) => {
    const one = await found(request);
    const { share, view, options } = one;
    if (!isUnlocked(ctx, request, share)) return fail('unauthorized');
    // What costs nothing first: who never opened the form uses up nobody's share.
    const stamp = checkStamp(ctx, share.id, body.stamp);
    await throttle.limit(`form ${share.id} ${addressGroup(clientAddress(request))}`, ofNetwork.points, ofNetwork.seconds);
    if ((await throttle.count(`form stamp ${stamp}`, sendsOfStamp.seconds)) > sendsOfStamp.points) failField('stamp', 'unknown');
    await throttle.limit(`form ${share.id}`, ofAll.points, ofAll.seconds);
    const taken: FormTaken = { thanks: view.query.formThanks, redirect: options.redirect };
    // No person sees this field. A program that hears of a refusal tries another way, so it hears of none; who made the link sees how many there were.
    if (body.trap !== '') {
      await queries.countRefused(db, share.id);
      return taken;
    }
    try {
      return await sent(one, request, body.values, taken);
    } catch (error) {
      // The form has changed since it was looked up, a moment ago: by what it is now.
      if (!(error instanceof Failure) || error.code !== 'conflict') throw error;
      return sent(await found(request), request, body.values, taken);
    }
  });

  async function sent(one: Found, request: FastifyRequest, values: Readonly<Record<string, unknown>>, taken: FormTaken): Promise<FormTaken> {
    const { share, view, site, options, model, table } = one;
    if (standingOf({ ...share, answers: 0 }, view, table, true) === 'unfit') return fail('link_ended');
    const form = formOf(table, view);
    const context = { model, table, reader: readerOfForm(table, form), timeZone: site.timeZone };
    const publishes = table.drafts && options.publish;
    try {
      return await inWrite(ctx, { site: { id: share.siteId }, link: share.id, request, asks: values }, async (w) => {
        // Held until the end: a field that is hidden meanwhile is not written any more.
        const [held] = await w.tx.select({ revision: contentSites.revision }).from(contentSites).where(eq(contentSites.siteId, share.siteId)).for('share');
        if (held?.revision !== model.revision) fail('conflict');
        const id = newRecordId(w.now.getTime());
        const changes: readonly Change[] = [{ kind: 'create', values, id }, ...(publishes ? [{ kind: 'publish' as const, id, system: true }] : [])];
        await writeBatch(w, context, changes, {
          door: 'form',
          source: share.name,
          path: () => '',
          ...(publishes ? { complete: true } : { completeIn: new Set(form.laid.fields.map((field) => field.id)) }),
        });
        // Last, so that answers wait for each other no longer than they must: of those that are sent at once no more than the limit is kept.
        if (!(await queries.countAnswer(w.tx, share.id, w.now))) fail('link_ended');
        return taken;
      });
    } catch (error) {
      throw told(error, table, new Set(form.laid.fields.map((field) => field.id)), values);
    }
  }
}

/** What is wrong with fields of the form, and nothing of others: `forbidden` where only these stand in the way, for no visitor could mend it. */
function told(error: unknown, table: TableModel, shown: ReadonlySet<string>, values: Readonly<Record<string, unknown>>): unknown {
  if (!(error instanceof Failure) || error.code !== 'invalid_fields' || !error.fields) return error;
  const fields: Record<string, FieldFault> = {};
  for (const [path, fault] of Object.entries(error.fields)) {
    const [name = ''] = path.split('.');
    const field = table.byName.get(name);
    if (field && shown.has(field.id)) fields[`values.${field.id}`] ??= fault;
    else if (Object.hasOwn(values, name)) fields[`values.${name}`] = { code: 'unknown_field' };
  }
  return new Failure(Object.keys(fields).length === 0 ? 'forbidden' : 'invalid_fields', Object.keys(fields).length === 0 ? { cause: error } : { fields });
}
