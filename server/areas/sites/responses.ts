import type { Site } from '../../../contract/sites/schemas';
import type { SeenSite } from './queries';

/** The URL of a slug on this machine's delivery listener. */
export const systemHostFor = (slug: string, deliveryPort: number): string => `http://${slug}.localhost:${deliveryPort}`;

/** The URL of a site delivered by this program; null if its pages are hosted elsewhere. */
export const systemHostOf = (site: Pick<Site, 'purpose' | 'slug'>, deliveryPort: number): string | null =>
  site.purpose === 'built' ? systemHostFor(site.slug, deliveryPort) : null;

export function siteResponse({ site, role, pinned }: SeenSite, deliveryPort: number): Site {
  return {
    id: site.id,
    name: site.name,
    slug: site.slug,
    purpose: site.purpose,
    url: site.url,
    systemHost: systemHostOf(site, deliveryPort),
    state: site.state,
    visibility: site.visibility,
    defaultLang: site.defaultLang,
    timeZone: site.timeZone,
    identity: site.identity,
    demo: site.demo,
    role,
    pinned,
    createdAt: site.createdAt.toISOString(),
    archivedAt: site.archivedAt?.toISOString() ?? null,
    deletedAt: site.deletedAt?.toISOString() ?? null,
    revision: site.revision,
  };
}
