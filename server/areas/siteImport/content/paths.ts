import { publishingLimits } from '../../../../contract/publishing/terms';
import { readablePath } from '../../../../contract/publishing/redirects';
import { parseUrl } from '../../../../contract/parseUrl';
import { slugOf } from '../../tables';

/** Addresses of a source, as they are compared: decoded, without what leads to the same page. */
export function normalPath(path: string): string {
  const [plain = '', query = ''] = path.split('#', 1)[0]?.split('?') ?? [];
  const decoded = readablePath(plain) ?? plain;
  const short = decoded.replace(/\/index\.(?:html?|php)$/i, '/').replace(/(?<=.)\/+$/, '');
  return `${short === '' ? '/' : short}${query === '' ? '' : `?${query}`}`;
}

/** The path of an address as it is compared; null if it is none. */
export function pathOf(address: string): string | null {
  const url = parseUrl(address);
  return url === null ? null : normalPath(url.pathname + url.search);
}

/** The address by which the pages of an archive refer to one of its files. */
export const fileAddress = (name: string): string => `file:///${encodeURI(name).replaceAll('?', '%3F').replaceAll('#', '%23')}`;
/** The name of the file at such an address; a path that is not percent-encoded UTF-8 is the name unchanged. */
export function fileAt({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname.slice(1));
  } catch {
    return pathname.slice(1);
  }
}

export const extension = /\.(?:html?|php|aspx?|jsp|md)$/i;

/** The name of a page in its address: of its path, or else of its title. */
export function slugFor(path: string | null, slug: string | null, title: string): string {
  const last =
    (path ?? '')
      .split('?', 1)[0]
      ?.split('/')
      .findLast((part) => part !== '') ?? '';
  return slugOf((slug ?? '') || last.replace(extension, '') || title) || 'page';
}

/** Characters that `PathText` allows in a segment. */
const plainSegment = /^[^\s/?#%{}\\]+$/u;

/** The folder in which most of the addresses are, such as `/blog`; null if there is none that fits a route. */
export function commonFolder(paths: readonly (string | null)[]): string | null {
  const counts = new Map<string, number>();
  for (const path of paths) {
    if (path === null || path.includes('?')) continue;
    const folder = path.slice(0, path.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const [best] = [...counts].sort(([, a], [, b]) => b - a);
  // Folders of years and months continue with the next one.
  if (!best || best[0] === '' || /\/\d+(?:\/|$)/.test(best[0]) || best[1] * 5 < paths.length * 3) return null;
  return best[0]
    .split('/')
    .slice(1)
    .every((part) => plainSegment.test(part)) && best[0].length < publishingLimits.path - 50
    ? best[0]
    : null;
}

/** Whether a redirect can begin at a path: a rule compares paths without queries. */
export const mayRedirect = (path: string): boolean => path.startsWith('/') && path !== '/' && !path.includes('?') && path.length <= publishingLimits.path;
