import type { SiteParts } from '@contract/publishing/schemas';
import { destinationsOf } from '../../addresses/routeList';

/** Paths of a site that need no record: pages of their own and lists, the home page first. */
export function previewPaths({ routes }: Pick<SiteParts, 'routes'>): string[] {
  return [...new Set(destinationsOf(routes.content).paths)].toSorted((a, b) => Number(b === '/') - Number(a === '/'));
}

/** Beginning of the paths of a language in a preview, which is on one host: `/en`. */
export function previewPrefix({ languages }: Pick<SiteParts, 'languages'>, tag: string): string {
  const path = languages.content.languages.find((one) => one.tag === tag)?.path;
  return path === undefined ? '' : `/${path}`;
}

/** What somebody typed as a path of the site: an address of the site itself loses its host. */
export function typedPath(text: string): string {
  const trimmed = text.trim();
  const path = /^https?:\/\/[^/]+(\/.*)?$/i.exec(trimmed)?.[1] ?? (/^https?:\/\//i.test(trimmed) ? '/' : trimmed);
  return path.startsWith('/') ? path.replace(/^\/+/, '/') : `/${path}`;
}
