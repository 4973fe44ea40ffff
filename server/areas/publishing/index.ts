import type { FastifyInstance } from 'fastify';
import { publishingEndpoints as endpoints } from '../../../contract/publishing/schemas';
import type { Context } from '../../context';
import { DAY } from '../../zone';
import { route } from '../../http/route';
import type { Area } from '../area';
import { changePart, workingParts } from './parts';
import { systemHostOf } from '../sites';
import { registerThemes } from './themes';
import { sweepThemes } from './themes/store';
import { cancelRelease, createRelease, listReleases, previewRelease, rollBack } from './releases';

export { liveSite } from './releases';
export { readThemeFiles } from './themes/store';

function register(app: FastifyInstance, ctx: Context): void {
  route(app, ctx, endpoints.siteParts, ({ site }) => workingParts(ctx.postgres.db, { id: site.id, defaultLang: site.row.defaultLang }));
  route(app, ctx, endpoints.changeSitePart, (call) => changePart(ctx, call));
  route(app, ctx, endpoints.releases, (call) => listReleases(ctx, call));
  route(app, ctx, endpoints.unreleased, (call) => previewRelease(ctx, call));
  route(app, ctx, endpoints.createRelease, (call) => createRelease(ctx, call));
  route(app, ctx, endpoints.cancelRelease, (call) => cancelRelease(ctx, call));
  route(app, ctx, endpoints.rollBack, (call) => rollBack(ctx, call));
  registerThemes(app, ctx);
  const previewHosts = systemHostOf({ purpose: 'built', slug: '*' }, ctx.config.deliveryPort);
  if (previewHosts !== null) app.decorate('previewHosts', previewHosts);
}

export const area: Area = {
  register,
  siteTopics: [{ kind: 'publishing', action: 'site.read', events: ['publishing'] }],
  schedules: [{ name: 'publishing.themes', every: DAY, run: sweepThemes }],
};
