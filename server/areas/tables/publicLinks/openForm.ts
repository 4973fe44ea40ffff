import { eq } from 'drizzle-orm';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { tableFormEndpoints as endpoints } from '../../../../contract/tables/forms';
import type { FormOptions, FormResult } from '../../../../contract/tables/forms';
import type { Context } from '../../../context';
import { addressGroup, clientAddress } from '../../../http/address';
import { Failure, fail, failField } from '../../../http/failure';
import type { FieldError } from '../../../http/failure';
import { route } from '../../../http/route';
import type { ResponseOf, CallOf } from '../../../http/route';
import { newRecordId } from '../core/ids';
import { siteModel, tableOf } from '../core/model';
import type { SiteModel, TableModel } from '../core/model';
import { contentSites } from '../core/schema';
import { inWrite, writeBatch } from '../core/write';
import type { Change } from '../core/write';
import { describedForm, formOf, readerOfForm, statusOf, stopOf } from './form';
import { findLink } from './found';
import { addFormFile, withFormFiles } from './formFiles';
import * as queries from './queries';
import type { FoundPublicLink } from './queries';
import { checkStamp, makeStamp, sendsOfStamp } from './stamp';
import { isUnlocked } from '../../../kit/publicLinks';
import { createThrottle } from '../../../kit/throttle';
import { hashToken } from '../../../kit/tokens';

/** Submissions through one link: per network (a school or office may share one address), and in total. Errors and repetitions count. */
const ofNetwork = { points: 300, seconds: 3600 } as const;
const ofAll = { points: 6000, seconds: 3600 } as const;

export type FoundForm = FoundPublicLink & { readonly options: FormOptions; readonly model: SiteModel; readonly table: TableModel };

/**
 * What a visitor with a form link gets: the form, and a record for each submission. The writer is limited to the form's fields on new records, and the
 * history names the link.
 */
export function registerOpenForms(app: FastifyInstance, ctx: Context): void {
  const throttle = createThrottle(ctx);
  app.decorate('formEmbeds', (token: string) => queries.embedsOf(ctx.postgres.db, hashToken(token)));
  route(app, ctx, endpoints.openForm, (call) => openForm(ctx, call));
  route(app, ctx, endpoints.sendForm, (call) => sendForm(ctx, call, throttle));
  route(app, ctx, endpoints.addFormFile, async (call) => addFormFile(ctx, call, await findForm(ctx, call.request), throttle));
}

/** An active link to an existing form. It stops when its creator loses the permission. */
export async function findForm(ctx: Context, request: FastifyRequest): Promise<FoundForm> {
  const one = await findLink(ctx, request);
  const { publicLink, view } = one;
  if (publicLink.form === null || view.kind !== 'form') return fail('not_found');
  const model = await siteModel(ctx, publicLink.siteId);
  const table = tableOf(model, view.tableId);
  return (await stopOf(ctx.postgres.db, publicLink, table)) === null ? { ...one, options: publicLink.form, model, table } : fail('link_ended');
}

/** The form, or why it cannot be filled in; counts the visit. */
async function openForm(ctx: Context, { request, reply }: CallOf<typeof endpoints.openForm>): Promise<ResponseOf<typeof endpoints.openForm>> {
  void reply.header('x-robots-tag', 'noindex');
  const { publicLink, view, site, options, table } = await findForm(ctx, request);
  const closed = { closedText: '', once: false, timeZone: 'UTC', style: 'groups' as const, sections: [], stamp: '', note: '' };
  if (!isUnlocked(ctx, request, publicLink)) return { ...closed, needsPassword: true, status: 'open' as const, title: '' };
  const { formTitle, formNote } = view.query;
  const title = formTitle === '' ? table.title : formTitle;
  const formStatus = statusOf(publicLink, view, table, true);
  await queries.countOpening(ctx.postgres.db, publicLink.id, new Date(ctx.now()));
  if (formStatus === 'full' || formStatus === 'unfit')
    return { ...closed, needsPassword: false, status: formStatus, title, closedText: formStatus === 'full' ? options.closedText : '' };
  return {
    needsPassword: false,
    status: 'open' as const,
    title,
    note: formNote,
    closedText: '',
    once: options.once,
    timeZone: site.timeZone,
    ...describedForm(table, formOf(table, view, options), options, { now: new Date(ctx.now()), timeZone: site.timeZone }),
    stamp: makeStamp(ctx, publicLink.id),
  };
}

/** Accepts a submission. If the form has changed since it was opened, its current version applies. */
async function sendForm(ctx: Context, { request, body }: CallOf<typeof endpoints.sendForm>, throttle: ReturnType<typeof createThrottle>): Promise<FormResult> {
  const one = await findForm(ctx, request);
  const { publicLink, view, options } = one;
  if (!isUnlocked(ctx, request, publicLink)) return fail('unauthorized');
  // The cheap check first: requests that never opened the form do not use up the limits of others.
  const stamp = checkStamp(ctx, publicLink.id, body.stamp);
  await throttle.limit(`form ${publicLink.id} ${addressGroup(clientAddress(request))}`, ofNetwork.points, ofNetwork.seconds);
  if ((await throttle.count(`form stamp ${stamp}`, sendsOfStamp.seconds)) > sendsOfStamp.points) failField('stamp', 'unknown');
  await throttle.limit(`form ${publicLink.id}`, ofAll.points, ofAll.seconds);
  const response: FormResult = { thanks: view.query.formThanks, redirect: options.redirect };
  // This field is invisible to people. A bot that notices a refusal tries another way, so it gets a success; the link's creator sees the number.
  if (body.trap !== '') {
    await queries.countRefused(ctx.postgres.db, publicLink.id);
    return response;
  }
  try {
    return await store(ctx, one, request, body.values, response);
  } catch (error) {
    // The form changed a moment ago, after it was loaded.
    if (!(error instanceof Failure) || error.code !== 'conflict') throw error;
    return store(ctx, await findForm(ctx, request), request, body.values, response);
  }
}

/** Writes a submission as a record of the table and returns `response`. Throws `link_ended` once the link has its maximum number of answers. */
async function store(
  ctx: Context,
  one: FoundForm,
  request: FastifyRequest,
  values: Readonly<Record<string, unknown>>,
  response: FormResult,
): Promise<FormResult> {
  const { publicLink, view, site, options, model, table } = one;
  if (statusOf({ ...publicLink, answers: 0 }, view, table, true) === 'unfit') return fail('link_ended');
  const form = formOf(table, view, options);
  const context = { model, table, reader: readerOfForm(table, form), timeZone: site.timeZone };
  const publishes = table.drafts && options.publish;
  try {
    return await inWrite(ctx, { site: { id: publicLink.siteId }, link: publicLink.id, request, asks: values }, async (w) => {
      // Locked until the end: a field that is hidden meanwhile is no longer written.
      const [held] = await w.tx.select({ revision: contentSites.revision }).from(contentSites).where(eq(contentSites.siteId, publicLink.siteId)).for('share');
      if (held?.revision !== model.revision) fail('conflict');
      const id = newRecordId(w.now.getTime());
      const submitted = await withFormFiles(w, one, form, values);
      const changes: readonly Change[] = [{ kind: 'create', values: submitted, id }, ...(publishes ? [{ kind: 'publish' as const, id, system: true }] : [])];
      await writeBatch(w, context, changes, {
        origin: 'form',
        source: publicLink.name,
        path: () => '',
        ...(publishes ? { complete: true } : { completeIn: new Set(form.laid.fields.map((field) => field.id)) }),
      });
      // Last, so that submissions lock each other for the shortest time; concurrent ones cannot exceed the limit.
      if (!(await queries.countAnswer(w.tx, publicLink.id, w.now))) fail('link_ended');
      return response;
    });
  } catch (error) {
    throw errorOfForm(error, table, new Set(form.laid.fields.map((field) => field.id)), values);
  }
}

/** Errors of the form's fields only: `forbidden` if other fields are the sole problem, which no visitor could fix. */
function errorOfForm(error: unknown, table: TableModel, visibleIds: ReadonlySet<string>, values: Readonly<Record<string, unknown>>): unknown {
  if (!(error instanceof Failure) || error.code !== 'invalid_fields' || !error.fields) return error;
  const fields: Record<string, FieldError> = {};
  for (const [path, fieldError] of Object.entries(error.fields)) {
    const [name = ''] = path.split('.');
    const field = table.byName.get(name);
    if (field && visibleIds.has(field.id)) fields[`values.${field.id}`] ??= fieldError;
    else if (Object.hasOwn(values, name)) fields[`values.${name}`] = { code: 'unknown_field' };
  }
  return new Failure(Object.keys(fields).length === 0 ? 'forbidden' : 'invalid_fields', Object.keys(fields).length === 0 ? { cause: error } : { fields });
}
