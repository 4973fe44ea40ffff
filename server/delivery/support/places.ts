import type { FastifyInstance, FastifyRequest } from 'fastify';
import { textAlong } from '../../../contract/languages/fallback';
import { preferredLanguage } from '../../../contract/languages/tags';
import { isOpen } from '../../../contract/sites/terms';
import { parseUrl } from '../../../contract/parseUrl';
import { isSiteId, openSiteIndex } from '../../areas/sites';
import type { IndexedSite } from '../../areas/sites';
import type { Context } from '../../context';
import { fitsHost } from '../../net/hostPattern';
import type { Services } from '../services';
import { arrivalOf } from '../step';
import { state } from '../steps/state';
import { registerVisitorCalls } from './index';

const siteIdOf = (request: FastifyRequest): string => {
  const value = (request.query as Readonly<Record<string, unknown>>)['s'];
  return typeof value === 'string' ? value : '';
};
const hostOf = (origin: string): string | null => {
  const url = parseUrl(origin);
  return url !== null && /^https?:$/.test(url.protocol) ? url.host : null;
};

/** On delivered sites: pages of the same host, for visitors who may enter. */
export const registerDeliveredSupport = (app: FastifyInstance, ctx: Context, { releases }: Pick<Services, 'releases'>): Promise<void> =>
  registerVisitorCalls(app, ctx, {
    isElsewhere: false,
    async siteOf(request) {
      const site = request.deliveredSite;
      if (site === null || (siteIdOf(request) !== site.id && !request.url.startsWith('/_cs/files/'))) return null;
      return (await state(arrivalOf(ctx, site, request))) === null ? site : null;
    },
    admits: (request, _site, origin) => hostOf(origin) === request.host,
    async pageOf(site, language) {
      const release = await releases.live(site.id);
      const own = release === null ? null : preferredLanguage(language, release.languages);
      const chain = [language, ...((own === null ? undefined : release?.chains.get(own)) ?? [site.defaultLang])] as const;
      return { chain, title: (release && textAlong(release.settings.title, chain)) ?? site.name };
    },
  });

/** For sites elsewhere, on the origin of the collector: pages on their hostnames, and on the origins that their settings list. */
export async function registerSupportElsewhere(app: FastifyInstance, ctx: Context): Promise<void> {
  const sites = await openSiteIndex(ctx);
  app.addHook('onClose', () => sites.close());
  const isOwn = ({ hosts }: IndexedSite, origin: string): boolean => {
    const host = hostOf(origin);
    return host !== null && fitsHost(new URL(origin).hostname, hosts);
  };
  await registerVisitorCalls(app, ctx, {
    isElsewhere: true,
    async siteOf(request) {
      const id = siteIdOf(request);
      const site = isSiteId(id) ? await sites.find(id) : null;
      return site !== null && isOpen(site.state) && site.visibility === 'public' ? site : null;
    },
    admits: async (_request, site, origin, settings) => isOwn(site, origin) || (await settings.of(site.id)).settings.origins.includes(origin),
    // The pages are no release, so that their languages fall back to the one of the site.
    pageOf: async (site, language) => ({ chain: [language, site.defaultLang], title: site.name }),
  });
}
