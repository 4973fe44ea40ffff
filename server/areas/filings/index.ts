import type { FastifyInstance } from 'fastify';
import { isNumbered } from '../../../contract/filings/states';
import { isShownOnPages } from '../../../contract/filings/terms';
import { filingEndpoints as endpoints } from '../../../contract/filings/schemas';
import type { Context } from '../../context';
import { route } from '../../http/route';
import type { CallOf } from '../../http/route';
import { MINUTE, HOUR } from '../../zone';
import type { Area } from '../area';
import {
  addFiling,
  changeFiling,
  changePeople,
  moveFiling,
  parseText,
  readEvents,
  readFiling,
  readPeople,
  readSnippet,
  removeFiling,
  restoreFiling,
} from './filings';
import { attachDocument, detachDocument, purgeDocuments, readChecklist, tickItem } from './documents';
import { checkDueFooters, checkFooters } from './footerCheck';
import * as queries from './queries';
import { listDeadlines, remindOfDeadlines } from './reminders';
import { listFilings } from './responses';
import { addSubject, changeSubject, listSubjects, removeSubject } from './subjects';

export { installFiling } from './filings';
export { concernsHost, footerHtml, footerNumbers, isInFooter } from './footer';

/** What delivered pages need of the filings of a site. */
export const filingRows = async (ctx: Pick<Context, 'postgres'>, siteId: string): Promise<queries.FilingRow[]> =>
  (await queries.filingsOf(ctx.postgres.db, [siteId])).map(({ row }) => row);

/** Whether the website has a filing that is valid. */
export const isFiled = async (ctx: Pick<Context, 'postgres'>, siteId: string): Promise<boolean> =>
  (await filingRows(ctx, siteId)).some(({ kind, state }) => isShownOnPages(kind) && isNumbered(state));

/** Filings of a site with their deadlines, as readers see them. */
export const listedFilings = (ctx: Context, site: { readonly id: string; readonly timeZone: string }): ReturnType<typeof listFilings> =>
  listFilings(ctx, ctx.postgres.db, site);

function register(app: FastifyInstance, ctx: Context): void {
  const { db } = ctx.postgres;
  async function checkNow({ site }: CallOf<typeof endpoints.checkFilingFooter>) {
    await checkFooters(ctx, site.id);
    return listFilings(ctx, db, site.row);
  }
  route(app, ctx, endpoints.filings, ({ site }) => listFilings(ctx, db, site.row));
  route(app, ctx, endpoints.addFiling, (call) => addFiling(ctx, call));
  route(app, ctx, endpoints.filing, ({ site, params }) => readFiling(ctx, site, params.id));
  route(app, ctx, endpoints.changeFiling, (call) => changeFiling(ctx, call));
  route(app, ctx, endpoints.removeFiling, (call) => removeFiling(ctx, call));
  route(app, ctx, endpoints.restoreFiling, (call) => restoreFiling(ctx, call));
  route(app, ctx, endpoints.moveFiling, (call) => moveFiling(ctx, call));
  route(app, ctx, endpoints.filingPeople, (call) => readPeople(ctx, call));
  route(app, ctx, endpoints.changeFilingPeople, (call) => changePeople(ctx, call));
  route(app, ctx, endpoints.filingChecklist, (call) => readChecklist(ctx, call));
  route(app, ctx, endpoints.changeFilingChecklist, (call) => tickItem(ctx, call));
  route(app, ctx, endpoints.attachFilingDocument, (call) => attachDocument(ctx, call));
  route(app, ctx, endpoints.detachFilingDocument, (call) => detachDocument(ctx, call));
  route(app, ctx, endpoints.filingEvents, (call) => readEvents(ctx, call));
  route(app, ctx, endpoints.findFilingNumbers, (call) => parseText(ctx, call));
  route(app, ctx, endpoints.filingSnippet, (call) => readSnippet(ctx, call));
  route(app, ctx, endpoints.checkFilingFooter, (call) => checkNow(call));
  route(app, ctx, endpoints.filingSubjects, (call) => listSubjects(ctx, call));
  route(app, ctx, endpoints.addFilingSubject, (call) => addSubject(ctx, call));
  route(app, ctx, endpoints.changeFilingSubject, (call) => changeSubject(ctx, call));
  route(app, ctx, endpoints.removeFilingSubject, (call) => removeSubject(ctx, call));
  route(app, ctx, endpoints.filingDeadlines, (call) => listDeadlines(ctx, call));
}

/** After a release, and other changes of a site, its pages are checked soon. */
function watchSites(ctx: Context): { readonly close: () => Promise<void> } {
  const stop = ctx.live.subscribe((event) => {
    if (event.type !== 'site' || event.change !== 'changed') return;
    queries
      .scheduleChecks(ctx.postgres.db, event.siteId, new Date(ctx.now() + MINUTE))
      .catch((error: unknown) => ctx.log.warn('The check of a site for its filings could not be scheduled', { siteId: event.siteId, error }));
  });
  return {
    close: async () => stop(),
  };
}

export const area: Area = {
  register,
  schedules: [
    { name: 'filings.remind', every: HOUR, run: remindOfDeadlines },
    { name: 'filings.purgeDocuments', every: HOUR, run: purgeDocuments },
    { name: 'filings.checkFooter', every: 5 * MINUTE, run: checkDueFooters },
  ],
  services: [watchSites],
  siteTopics: [{ kind: 'filings', action: 'site.read', events: ['filings'] }],
};
