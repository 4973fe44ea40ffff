import type { FastifyInstance } from 'fastify';
import { previewEndpoints } from '../../../contract/publishing/preview';
import { publishingEndpoints as endpoints } from '../../../contract/publishing/schemas';
import type { Context } from '../../context';
import { DAY } from '../../zone';
import { fail } from '../../http/failure';
import { route } from '../../http/route';
import type { Area } from '../area';
import { actorOf } from '../audit';
import { readIndexedSite, systemHostFor } from '../sites';
import { listThemeFailures } from './failures';
import { changePart } from './changePart';
import { changeLanguages } from './languages/change';
import { planLanguages } from './languages/plan';
import { listRemoved } from './languages/removed';
import { restoreLanguage } from './languages/restore';
import { workingParts } from './parts';
import { endPreviews, previewSite } from './preview';
import { publishDueReleases } from './schedule';
import { deliveredDays } from './requests';
import { registerThemes } from './themes';
import { sweepThemes } from './themes/store';
import { cancelRelease, createRelease, listReleases, previewRelease, rollBack } from './releases';

export { recordThemeFailure } from './failures';
export { findPageCopy, removePageCopies, storePageCopy } from './pageCopies';
export { beginPurge, dueLanguages, endPurge, purgePartTexts } from './languages/removed';
export { addressRulesOf, languageHosts } from './languages/rules';
export { putPart, unedited, workingParts } from './parts';
export type { PartAuthor } from './parts';
export { isPreviewToken, previewAddress, workingSite } from './preview';
export type { WorkingSite } from './preview';
export { redirectSince, releasedAt } from './queries';
export { redirectSiteOf } from './redirectCheck';
export { installRelease, liveSite, publishParts } from './releases';
export { manifestOf } from './themes/check';
export { plainTheme } from './themes/plain';
export { checkSettingValues } from './themes/values';
export { currentManifest } from './themes/view';
export { shippedManifest } from './themes/shipped';
export { changeTheme, currentTheme, defaultTheme, ensureTheme, installShippedTheme, readThemeFile, readThemeFiles, themeFileStream } from './themes/store';
export type { ThemeChange } from './themes/store';
export { crawlersSince, failuresSince, storeRequests } from './requests';
export { buildState, contentState, failedRelease } from './siteState';
export { listThemeFailures };
export type { DeliveredRequest } from './requests';

function register(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.siteParts, ({ site }) => workingParts(ctx.postgres.db, { id: site.id, defaultLang: site.row.defaultLang }));
  route(app, ctx, endpoints.changeSitePart, (call) => changePart(ctx, call));
  route(app, ctx, endpoints.planLanguages, async ({ site, body }) =>
    planLanguages(ctx, (await readIndexedSite(ctx, site.id)) ?? fail('not_found'), await workingParts(ctx.postgres.db, site.row), body.content),
  );
  route(app, ctx, endpoints.changeLanguages, (call) =>
    changeLanguages(ctx, { site: call.site.row, userId: call.session.userId, actor: actorOf(call) }, call.body, call.ifMatch()),
  );
  route(app, ctx, endpoints.languageRemovals, async ({ site }) => ({ rows: await listRemoved(ctx.postgres.db, site.id) }));
  route(app, ctx, endpoints.restoreLanguage, (call) =>
    restoreLanguage(ctx, { site: call.site.row, userId: call.session.userId, actor: actorOf(call) }, call.params.tag),
  );
  route(app, ctx, endpoints.releases, (call) => listReleases(ctx, call));
  route(app, ctx, endpoints.unreleased, (call) => previewRelease(ctx, call));
  route(app, ctx, endpoints.createRelease, (call) => createRelease(ctx, call));
  route(app, ctx, endpoints.cancelRelease, (call) => cancelRelease(ctx, call));
  route(app, ctx, endpoints.rollBack, (call) => rollBack(ctx, call));
  route(app, ctx, previewEndpoints.previewSite, (call) => previewSite(ctx, call));
  route(app, ctx, previewEndpoints.endPreviews, (call) => endPreviews(ctx, call));
  route(app, ctx, previewEndpoints.deliveredDays, (call) => deliveredDays(ctx, call));
  route(app, ctx, previewEndpoints.themeFailures, ({ site }) => listThemeFailures(ctx, site.id));
  registerThemes(app, ctx);
  app.decorate('previewHosts', systemHostFor('*', ctx.config));
}

export const area: Area = {
  register,
  siteTopics: [{ kind: 'publishing', action: 'site.read', events: ['publishing'] }],
  schedules: [
    { name: 'releases.due', every: 15_000, run: publishDueReleases },
    { name: 'publishing.themes', every: DAY, run: sweepThemes },
  ],
};
