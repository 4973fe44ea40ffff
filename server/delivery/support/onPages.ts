import { createHash } from 'node:crypto';
import { readSettingsForVisitors } from '../../areas/support';
import type { StoredSupportSettings } from '../../../contract/support/settings';
import type { Context } from '../../context';
import type { PageFacts } from '../content/pageData';
import type { PageContext } from '../edition';
import { canonicalAddress } from '../paths';
import { openSiteCache } from '../siteCache';
import type { SiteCache } from '../siteCache';
import { isIncluded } from './config';

/** What customer service adds to delivered pages. */
export type SupportOnPages = Pick<StoredSupportSettings, 'mode' | 'externalCode' | 'pages' | 'languages'> & {
  /** Changes with what pages contain; short, for keys of caches. */
  readonly version: string;
};
export const noSupport: SupportOnPages = { mode: 'off', externalCode: '', pages: { include: [], exclude: [] }, languages: [], version: '' };

type Place = Pick<PageFacts, 'path' | 'language'>;

const mostSites = 20_000;

function onPages({ mode, externalCode, pages, languages }: StoredSupportSettings): SupportOnPages {
  if (mode === 'off' || (mode === 'external' && externalCode === '')) return noSupport;
  const content = { mode, externalCode: mode === 'external' ? externalCode : '', pages, languages };
  return { ...content, version: createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 12) };
}

/** At once while the settings in memory are current. If they cannot be read, those before stay in use. */
export const openSupportOnPages = (ctx: Context): SiteCache<SupportOnPages> =>
  openSiteCache(ctx, {
    name: 'support',
    event: 'supportSettings',
    mostSites,
    read: async (siteId) => onPages((await readSettingsForVisitors(ctx, siteId)).settings),
    fallback: noSupport,
  });

/**
 * The element that loads the widget, or the code of an external service, where the page is one that the site chose. Nothing in previews: they are not for visitors.
 * The widget needs no exception from the policy of pages: script, calls and pictures come from the same host, and its styles are constructed.
 */
export function supportTag(context: PageContext, { path, language }: Place): string {
  const { support = noSupport, preview, site } = context;
  if (support.mode === 'off' || preview) return '';
  const { pathname } = new URL(canonicalAddress(context, path, language));
  if (!isIncluded(support, pathname, language)) return '';
  return support.mode === 'external' ? support.externalCode : `<script defer src="/_cs/w.js" data-site="${site.id}"></script>`;
}

/** Whether code of an external service is on the page, which needs a policy that lets it load what it wants. */
export const hasExternalSupport = (context: PageContext, place: Place): boolean => context.support?.mode === 'external' && supportTag(context, place) !== '';
