import type { ReactElement } from 'react';
import { mayOnSite } from '@contract/permissions';
import { publishingLimits } from '@contract/publishing/terms';
import type { Site } from '@contract/sites/schemas';
import { useSitePartsQuery } from '@/features/publishing/publishingApi';
import { RedirectsEditor } from '@/features/publishing/redirects/RedirectsEditor';
import { text, useSearchState } from '@/lib/searchState';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { useRedirectUseQuery } from './redirectsApi';

/** What other screens fill in: a search, or the path that a new redirect leads away from. */
const address = { q: text(), from: text('', publishingLimits.path) };

/** Redirects of the working copy with their uses. */
export default function RedirectsTab({ site }: { readonly site: Site }): ReactElement {
  const [{ q, from }] = useSearchState(address);
  const result = useSitePartsQuery({ siteId: site.id });
  const use = useRedirectUseQuery({ siteId: site.id }, { refetchOnMountOrArgChange: true });
  return (
    <ResultState result={result} skeleton={<RowsSkeleton rows={6} />}>
      {(parts) => (
        <RedirectsEditor
          site={site}
          parts={parts}
          readOnly={!mayOnSite(site.role, 'site.compose')}
          {...(use.data ? { use: use.data } : {})}
          find={q}
          from={from}
        />
      )}
    </ResultState>
  );
}
