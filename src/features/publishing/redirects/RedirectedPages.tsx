import { useMemo } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { createRedirects } from '@contract/publishing/redirects';
import { followRedirects } from '@contract/seo/redirectGraph';
import type { RedirectSite } from '@contract/seo/redirectGraph';
import { useLivePagesQuery } from '@/features/seo/seoApi';
import type { RedirectList } from './redirectRules';

/** Pages that a sentence names. */
const named = 5;

/** Published pages that visitors would no longer reach with the redirects as they are edited, as by a pattern that matches too much. */
export function RedirectedPages({
  siteId,
  redirects,
  site,
  today,
}: {
  readonly siteId: string;
  readonly redirects: RedirectList;
  readonly site: RedirectSite;
  /** In the time zone of the site. */
  readonly today: string;
}): ReactElement | null {
  const { t } = useTranslation('publishing');
  const { data } = useLivePagesQuery({ siteId });
  const { moved, lost } = useMemo(() => {
    const rules = createRedirects(redirects.filter(({ expiresOn }) => expiresOn === null || today <= expiresOn));
    const trails = (data?.rows ?? []).map(({ address }) => ({ address, ...followRedirects(rules, site, encodeURI(address)) }));
    const isLoop = ({ end }: (typeof trails)[number]): boolean => end === 'loop' || end === 'endless';
    return { moved: trails.filter((one) => one.hops.length > 0 && !isLoop(one)), lost: trails.filter(isLoop) };
  }, [data, redirects, site, today]);
  const list = (some: typeof moved): string =>
    some
      .slice(0, named)
      .map(({ address }) => address)
      .join(', ') + (some.length > named ? ' …' : '');
  if (moved.length + lost.length === 0) return null;
  return (
    <div role="status">
      {lost.length > 0 && <p className="publishing-failure">{t('redirect.lostPages', { count: lost.length, list: list(lost) })}</p>}
      {moved.length > 0 && <p className="publishing-quiet">{t('redirect.movedPages', { count: moved.length, list: list(moved) })}</p>}
    </div>
  );
}
