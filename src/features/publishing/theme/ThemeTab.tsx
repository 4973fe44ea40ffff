import { Suspense } from 'react';
import type { ReactElement } from 'react';
import type { Site } from '@contract/sites/schemas';
import { lazyWithRetry } from '@/ui/lazyWithRetry';
import { RowsSkeleton } from '@/ui/skeletons';

const LazyThemePage = lazyWithRetry(async () => {
  const { ThemePage } = await import(/* webpackChunkName: "site-theme" */ './ThemePage');
  return { default: ThemePage };
});

/** The theme of a site: its settings and its files. Its code loads with the tab. */
export const ThemeTab = ({ site }: { readonly site: Site }): ReactElement => (
  <Suspense fallback={<RowsSkeleton rows={10} />}>
    <LazyThemePage site={site} />
  </Suspense>
);
