import { z } from 'zod';
import { publishingLimits } from '../publishing/terms';
import { SiteId } from '../sites/schemas';

/** What the schemas of search engines have in common. */

export const Path = z.string().max(publishingLimits.path).startsWith('/');
export const SiteParams = z.object({ siteId: SiteId });

export const read = { access: { site: 'site.read' }, token: 'publishing:read' } as const;
export const figures = { access: { site: 'analytics.read' }, token: 'analytics:read' } as const;
export const edit = { access: { site: 'site.publish' }, token: 'publishing:write' } as const;
/** What acts at once. */
export const operate = { access: { site: 'site.compose' }, token: 'publishing:write' } as const;
