import { PlainFailure } from '@/ui/PlainFailure';
import { lazyPart } from '@/ui/lazyPart';

/** Shown at unknown addresses and when a page breaks: one part, prefetched by the frame's background. */
export const errorPages = () => import(/* webpackChunkName: "error-pages" */ './ErrorPages');

/** Rendered inside the frame: the navigation stays usable. */
export const RouteError = lazyPart(() => errorPages().then((pages) => pages.RouteError), PlainFailure);
export const NotFound = lazyPart(() => errorPages().then((pages) => pages.NotFound), PlainFailure);
export const NoSuchSite = lazyPart(() => errorPages().then((pages) => pages.NoSuchSite), PlainFailure);

/** Rendered outside the frame: the frame itself failed. */
export const AppError = () => (
  <main style={{ maxWidth: 720, margin: '48px auto', padding: '0 24px' }}>
    <RouteError />
  </main>
);
