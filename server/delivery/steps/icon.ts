import { openSiteContent } from '../../areas/tables';
import { plainResponse } from '../response';
import type { EditionStep } from '../step';

/** `/favicon.ico`, which browsers request by themselves, leads to the icon of the settings. */
export const icon: EditionStep = async ({ ctx, path }, { site, release, preview }) => {
  const { icon: id } = release.settings;
  if (path !== '/favicon.ico' || id === null) return null;
  const content = await openSiteContent(ctx, { id: site.id, timeZone: site.timeZone, working: preview });
  const label = (await content.resources([id]))[id];
  return label ? plainResponse(302, '', { location: label.url, 'cache-control': 'public, max-age=3600' }) : null;
};
