import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { tableAccessEndpoints as endpoints } from '../../../../contract/tables/access';
import { tableAuditKinds } from '../../../../contract/tables/terms';
import type { Context } from '../../../context';
import { route } from '../../../http/route';
import { auditOfSite } from '../../audit';
import { readerOf } from '../core/access';
import { designerOf } from '../schema';
import { siteModel, tableOf } from '../core/model';
import { onTable } from '../core/read';
import { contentItem, contentPage } from './content';
import { siteDocument } from './document';
import { previewOf, rulesOf, setRules } from './rules';

export { openSiteContent } from './siteContent';
export { translatedRecords } from './translated';
export type { HasOneOf, PageLink, PageRecord, PageRequest, PageValue, SiteContent } from './siteContent';

const open: ReadonlySet<string> = new Set([endpoints.contentList.id, endpoints.contentItem.id]);
/** Readable by pages of any origin; the caller's session is ignored. */
const toEverybody = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, retry-after',
  'cross-origin-resource-policy': 'cross-origin',
};

/** Access rules, the public content API, and its OpenAPI document. */
export function registerContent(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.tableRules, async (call) => rulesOf(tableOf(await siteModel(ctx, call.site.id), call.params.table)));
  route(app, ctx, endpoints.setTableRules, (call) => setRules(ctx, designerOf(call), call.params.table, call.ifMatch(), call.body.rules));
  route(app, ctx, endpoints.previewRules, (call) =>
    onTable(ctx, { id: call.site.id, timeZone: call.site.row.timeZone }, call.params.table, readerOf(call), (context) =>
      previewOf(ctx, context, call.query.role, call.query.locale),
    ),
  );

  route(app, ctx, endpoints.tableAudit, (call) => {
    const { kind, before, size } = call.query;
    return auditOfSite(ctx, call, { siteId: call.site.id, kinds: kind === undefined ? tableAuditKinds : [kind], before, size });
  });

  // Before anything can refuse, so that pages of other origins can read the error.
  app.addHook('onRequest', async (request, reply) => {
    const { endpoint } = request.routeOptions.config;
    if (endpoint && open.has(endpoint.id)) void reply.headers(toEverybody);
  });
  route(app, ctx, endpoints.contentList, async (call) => tagged(call, await contentPage(ctx, call.params.siteId, call.params.table, call.query)));
  route(app, ctx, endpoints.contentItem, async (call) =>
    tagged(call, await contentItem(ctx, call.params.siteId, call.params.table, call.params.id, call.query)),
  );

  route(app, ctx, endpoints.siteOpenApi, async (call) =>
    call.reply.type('application/json; charset=utf-8').send(siteDocument(await siteModel(ctx, call.site.id), readerOf(call), call.site.row.name)),
  );
}

/** Caches may store the response but must revalidate it: unpublished content disappears at once. */
function tagged<T>({ request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply }, response: T): T {
  const tag = createHash('sha256').update(JSON.stringify(response)).digest('base64url').slice(0, 22);
  void reply.headers({ etag: `W/"${tag}"`, 'cache-control': 'public, max-age=0, must-revalidate' });
  const known = (request.headers['if-none-match'] ?? '').split(',').map((one) => one.trim());
  if (known.includes('*') || known.some((one) => one.replace(/^W\//, '') === `"${tag}"`)) void reply.code(304);
  return response;
}
