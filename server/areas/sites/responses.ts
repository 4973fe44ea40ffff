import type { Site } from '../../../contract/sites/schemas';
import type { Config } from '../../config';
import type { SeenSite } from './queries';

type Addresses = Pick<Config, 'deliveryPort' | 'sitesUrl'>;

/** The URL of a slug: below the operator's domain, else on this machine's delivery listener. */
export function systemHostFor(slug: string, { deliveryPort, sitesUrl }: Addresses): string {
  if (sitesUrl === null) return `http://${slug}.localhost:${deliveryPort}`;
  const { protocol, host } = new URL(sitesUrl);
  return `${protocol}//${slug}.${host}`;
}

/** The URL of a site delivered by this program; null if its pages are hosted elsewhere. */
export const systemHostOf = (site: Pick<Site, 'purpose' | 'slug'>, config: Addresses): string | null =>
  site.purpose === 'built' ? systemHostFor(site.slug, config) : null;

export function siteResponse({ site, role, pinned, support }: SeenSite, config: Addresses): Site {
  return {
    id: site.id,
    name: site.name,
    slug: site.slug,
    purpose: site.purpose,
    url: site.url,
    systemHost: systemHostOf(site, config),
    state: site.state,
    visibility: site.visibility,
    defaultLang: site.defaultLang,
    timeZone: site.timeZone,
    identity: site.identity,
    demo: site.demo,
    support,
    role,
    pinned,
    tags: [...site.tags],
    createdAt: site.createdAt.toISOString(),
    archivedAt: site.archivedAt?.toISOString() ?? null,
    deletedAt: site.deletedAt?.toISOString() ?? null,
    suspendedReason: role === 'admin' ? site.suspendedReason : null,
    revision: site.revision,
  };
}
