import type { FastifyInstance } from 'fastify';
import type { LinkStop } from '../../../../contract/links';
import { FormOptions } from '../../../../contract/tables/forms';
import { tableShareEndpoints as endpoints } from '../../../../contract/tables/shares';
import type { ViewShare } from '../../../../contract/tables/shares';
import type { Context } from '../../../context';
import { fail, failField } from '../../../http/failure';
import { route } from '../../../http/route';
import { actorOf, record } from '../../audit';
import { checkEnd, linkChange, newLink } from '../../session';
import { siteModel, tableOf } from '../core/model';
import { standingOf, stopOf } from './form';
import { registerOpenViews } from './open';
import { registerOpenForms } from './openForm';
import * as queries from './queries';
import type { ListedShare, ShareRecord } from './queries';

export { isShared } from './queries';

const mostShares = 200;

/** What the log keeps of a link: never its secret. */
const facts = ({ name, drafts, download, expiresAt, passwordHash, form }: ShareRecord, view: { readonly title: string }) => ({
  name,
  view: view.title,
  drafts,
  download,
  expiresAt: expiresAt?.toISOString() ?? null,
  locked: passwordHash !== null,
  ...(form === null ? {} : { form }),
});
const targetOf = ({ id, title }: ListedShare['table']) => ({ kind: 'table', id, name: title });

/** Links to saved views: made, changed and ended by who designs the tables. */
export function registerShares(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;

  const shown = ({ share, view, table, by }: ListedShare, form: ViewShare['form'], stopped: LinkStop | null): ViewShare => ({
    id: share.id,
    name: share.name,
    url: `${ctx.config.publicUrl}/${share.form === null ? 'view' : 'form'}/${ctx.secrets.open('share', share.tokenSealed)}`,
    tableId: table.id,
    tableTitle: table.title,
    viewId: view.id,
    viewTitle: view.title,
    kind: view.kind,
    hasPassword: share.passwordHash !== null,
    drafts: share.drafts,
    download: share.download,
    form,
    expiresAt: share.expiresAt?.toISOString() ?? null,
    createdAt: share.createdAt.toISOString(),
    createdBy: by ?? '',
    stopped,
    lastUsedAt: share.lastUsedAt?.toISOString() ?? null,
    opened: share.opened,
    revision: share.revision,
  });

  /** With how links stand now. */
  async function told(siteId: string, all: readonly ListedShare[]): Promise<ViewShare[]> {
    const model = all.length > 0 ? await siteModel(ctx, siteId) : null;
    const stops = new Map<string, Promise<LinkStop | null>>();
    return Promise.all(
      all.map(async (one) => {
        const { share, view } = one;
        const table = model?.byName.get(view.tableId);
        if (!table) return shown(one, null, null);
        const who = `${share.createdBy ?? ''} ${table.id} ${share.form === null}`;
        const stop = stops.get(who) ?? stopOf(db, share, table);
        stops.set(who, stop);
        const stopped = await stop;
        if (share.form === null) return shown(one, null, stopped);
        return shown(
          one,
          { ...share.form, answers: share.answers, refused: share.refused, standing: standingOf(share, view, table, stopped === null) },
          stopped,
        );
      }),
    );
  }
  const toldOne = async (siteId: string, one: ListedShare): Promise<ViewShare> => (await told(siteId, [one]))[0] ?? fail('not_found');

  route(app, ctx, endpoints.viewShares, async ({ site }) => told(site.id, await queries.sharesOf(db, site.id)));

  route(app, ctx, endpoints.addViewShare, async (call) => {
    const { session, site, body, params } = call;
    checkEnd(ctx, body.expiresAt);
    const table = tableOf(await siteModel(ctx, site.id), params.table);
    const link = await newLink(ctx, body, session.userId);
    const made = await db.transaction(async (tx) => {
      const view = (await queries.findView(tx, table.id, params.view, session.userId)) ?? fail('not_found');
      const form = view.kind === 'form' ? (body.form ?? FormOptions.parse({})) : null;
      if (form === null && body.form !== undefined) failField('form', 'wrong_type');
      // Nobody could send it: a required field is not among those that the public fills in.
      if (form && standingOf({ form, answers: 0 }, view, table, true) === 'unfit') failField('view', 'in_use');
      // A link that its maker may not make would be stopped from the start.
      if ((await stopOf(tx, { siteId: site.id, createdBy: session.userId, form }, table)) !== null) fail('forbidden');
      if ((await queries.countShares(tx, site.id)) >= mostShares) fail('conflict');
      const share = await queries.insertShare(tx, {
        siteId: site.id,
        viewId: view.id,
        name: body.name,
        ...link,
        // A form shows no records.
        drafts: body.drafts && form === null,
        download: body.download && form === null,
        form,
      });
      await record(ctx, tx, actorOf(call), { action: 'table.shared', target: targetOf(table), siteId: site.id, after: facts(share, view) });
      return share;
    });
    return toldOne(site.id, (await queries.findShare(db, site.id, made.id)) ?? fail('not_found'));
  });

  route(app, ctx, endpoints.changeViewShare, async (call) => {
    const { site, params, body, ifMatch } = call;
    const revision = ifMatch();
    checkEnd(ctx, body.expiresAt);
    const before = (await queries.findShare(db, site.id, params.id)) ?? fail('not_found');
    // What it opens is as it was made.
    if (body.form !== undefined && before.share.form === null) failField('form', 'wrong_type');
    // As when it is made: not into one that nobody could send.
    if (body.form !== undefined) {
      const table = tableOf(await siteModel(ctx, site.id), before.view.tableId);
      const isUnfit = (form: ShareRecord['form']): boolean => standingOf({ form, answers: 0 }, before.view, table, true) === 'unfit';
      if (isUnfit(body.form) && !isUnfit(before.share.form)) failField('form.publish', 'in_use');
    }
    const change = await linkChange(body);
    const share = await db.transaction(async (tx) => {
      const changed = await queries.changeShare(tx, site.id, params.id, revision, change);
      if (!changed) return null;
      await record(ctx, tx, actorOf(call), {
        action: 'table.share_changed',
        target: targetOf(before.table),
        siteId: site.id,
        before: facts(before.share, before.view),
        after: facts(changed, before.view),
      });
      return changed;
    });
    if (share) return toldOne(site.id, { ...before, share });
    const now = (await queries.findShare(db, site.id, params.id)) ?? fail('not_found');
    return fail('stale_revision', { current: await toldOne(site.id, now) });
  });

  route(app, ctx, endpoints.takeOverViewShare, async (call) => {
    const { site, params, session } = call;
    const model = await siteModel(ctx, site.id);
    await db.transaction(async (tx) => {
      const before = (await queries.findShare(tx, site.id, params.id)) ?? fail('not_found');
      const table = tableOf(model, before.view.tableId);
      if ((await stopOf(tx, before.share, table)) === null) fail('conflict');
      // Nobody takes over a link to records that they may not read, or to a form of records that they may not make.
      if ((await stopOf(tx, { ...before.share, createdBy: session.userId }, table)) !== null) fail('forbidden');
      if (!(await queries.changeShare(tx, site.id, params.id, before.share.revision, { createdBy: session.userId }))) fail('conflict');
      await record(ctx, tx, actorOf(call), {
        action: 'table.share_taken_over',
        target: targetOf(before.table),
        siteId: site.id,
        before: { name: before.share.name, madeBy: before.by ?? '' },
        after: { name: before.share.name, madeBy: session.displayName },
      });
    });
    return toldOne(site.id, (await queries.findShare(db, site.id, params.id)) ?? fail('not_found'));
  });

  route(app, ctx, endpoints.removeViewShare, async (call) => {
    const { site, params } = call;
    await db.transaction(async (tx) => {
      const gone = (await queries.findShare(tx, site.id, params.id)) ?? fail('not_found');
      await queries.removeShare(tx, site.id, params.id);
      await record(ctx, tx, actorOf(call), {
        action: 'table.unshared',
        target: targetOf(gone.table),
        siteId: site.id,
        before: facts(gone.share, gone.view),
      });
    });
  });

  registerOpenViews(app, ctx);
  registerOpenForms(app, ctx);
}
