import type { FastifyInstance, FastifyRequest } from 'fastify';
import { tableEndpoints as endpoints } from '../../../../contract/tableCalls';
import type { ContentTable } from '../../../../contract/tables';
import type { Context } from '../../../context';
import type { Locale, SessionInfo, SiteAccess } from '../../../http/access';
import { route } from '../../../http/route';
import { actorOf } from '../../audit';
import { requireGrant } from '../access';
import type { Reader } from '../access';
import { siteModel, tableOf } from '../model';
import { designing } from './design';
import type { Design, Designer } from './design';
import { addField } from './fields';
import { shownTable, shownTables } from './shown';
import { addTable } from './tables';

type Call = { readonly session: SessionInfo; readonly site: SiteAccess; readonly request: FastifyRequest; readonly locale: Locale };
const readerOf = ({ session, site }: Pick<Call, 'session' | 'site'>): Reader => ({ role: site.role, userId: session.userId });
const designerOf = (call: Call): Designer => ({
  siteId: call.site.id,
  lang: call.site.row.defaultLang,
  actor: actorOf(call),
  userId: call.session.userId,
  reader: readerOf(call),
  locale: call.locale,
});
/** Calls that only add or take away may say which revision they have read, and are then held to it. */
const revisionGiven = (call: { readonly request: FastifyRequest; readonly ifMatch: () => number }): number | null =>
  call.request.headers['if-match'] === undefined ? null : call.ifMatch();

export function registerDesign(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  const shown = async (call: Call, id: string): Promise<ContentTable> => {
    const model = await siteModel(ctx, call.site.id);
    const table = tableOf(model, id);
    return shownTable(db, model, table, readerOf(call));
  };
  const change = async (call: Call, work: (design: Design) => Promise<string>): Promise<ContentTable> =>
    shown(call, await designing(ctx, designerOf(call), work));

  route(app, ctx, endpoints.tables, async (call) => {
    const model = await siteModel(ctx, call.site.id);
    return shownTables(db, model, call.query.deleted ? model.deletedTables : model.tables, readerOf(call));
  });
  route(app, ctx, endpoints.table, async (call) => {
    const model = await siteModel(ctx, call.site.id);
    const table = tableOf(model, call.params.table);
    requireGrant(table, readerOf(call), 'read');
    return shownTable(db, model, table, readerOf(call));
  });
  route(app, ctx, endpoints.addTable, (call) => change(call, (design) => addTable(design, call.body)));
  route(app, ctx, endpoints.addField, (call) =>
    change(call, async (design) => {
      const table = await design.table(call.params.table, revisionGiven(call));
      await addField(design, table, call.body);
      return table.id;
    }),
  );
}
