import type { FastifyInstance } from 'fastify';
import { tableShareEndpoints as endpoints } from '../../../../contract/tableShares';
import type { ViewShare } from '../../../../contract/tableShares';
import type { Context } from '../../../context';
import { fail, failField } from '../../../http/failure';
import { route } from '../../../http/route';
import { actorOf, record } from '../../audit';
import { checkEnd, linkChange, newLink } from '../../session';
import { siteModel, tableOf } from '../model';
import { registerOpenViews } from './open';
import * as queries from './queries';
import type { ListedShare, ShareRecord } from './queries';

const mostShares = 200;

/** What the log keeps of a link: never its secret. */
const facts = ({ name, drafts, download, expiresAt, passwordHash }: ShareRecord, view: { readonly title: string }) => ({
  name,
  view: view.title,
  drafts,
  download,
  expiresAt: expiresAt?.toISOString() ?? null,
  locked: passwordHash !== null,
});
const targetOf = ({ id, title }: ListedShare['table']) => ({ kind: 'table', id, name: title });

/** Read-only links to saved views: made, changed and ended by who designs the tables. */
export function registerShares(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;

  const shown = ({ share, view, table, by }: ListedShare): ViewShare => ({
    id: share.id,
    name: share.name,
    url: `${ctx.config.publicUrl}/view/${ctx.secrets.open('share', share.tokenSealed)}`,
    tableId: table.id,
    tableTitle: table.title,
    viewId: view.id,
    viewTitle: view.title,
    kind: view.kind,
    hasPassword: share.passwordHash !== null,
    drafts: share.drafts,
    download: share.download,
    expiresAt: share.expiresAt?.toISOString() ?? null,
    createdAt: share.createdAt.toISOString(),
    createdBy: by ?? '',
    lastUsedAt: share.lastUsedAt?.toISOString() ?? null,
    opened: share.opened,
    revision: share.revision,
  });

  route(app, ctx, endpoints.viewShares, async ({ site }) => (await queries.sharesOf(db, site.id)).map(shown));

  route(app, ctx, endpoints.addViewShare, async (call) => {
    const { session, site, body, params } = call;
    checkEnd(ctx, body.expiresAt);
    const table = tableOf(await siteModel(ctx, site.id), params.table);
    const link = await newLink(ctx, body, session.userId);
    const made = await db.transaction(async (tx) => {
      const view = (await queries.findView(tx, table.id, params.view, session.userId)) ?? fail('not_found');
      // A form shows no records: what it would be for is to fill it in.
      if (view.kind === 'form') failField('view', 'wrong_type');
      if ((await queries.countShares(tx, site.id)) >= mostShares) fail('conflict');
      const share = await queries.insertShare(tx, {
        siteId: site.id,
        viewId: view.id,
        name: body.name,
        ...link,
        drafts: body.drafts,
        download: body.download,
      });
      await record(ctx, tx, actorOf(call), { action: 'table.shared', target: targetOf(table), siteId: site.id, after: facts(share, view) });
      return share;
    });
    return shown((await queries.findShare(db, site.id, made.id)) ?? fail('not_found'));
  });

  route(app, ctx, endpoints.changeViewShare, async (call) => {
    const { site, params, body, ifMatch } = call;
    const revision = ifMatch();
    checkEnd(ctx, body.expiresAt);
    const before = (await queries.findShare(db, site.id, params.id)) ?? fail('not_found');
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
    if (share) return shown({ ...before, share });
    const now = (await queries.findShare(db, site.id, params.id)) ?? fail('not_found');
    return fail('stale_revision', { current: shown(now) });
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
}
