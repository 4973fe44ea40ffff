/** Prefetching limits of the specification. */
export const discoveryLimits = { urlLength: 7680, paths: 1000, debounceMs: 100 } as const;

/** Paths that were requested already: beyond a thousand the oldest is removed. */
export function makeMemory(most: number = discoveryLimits.paths) {
  const known = new Set<string>();
  return {
    /** Returns those of `paths` that are new and remembers them. */
    fresh(paths: Iterable<string>): string[] {
      const out: string[] = [];
      for (const path of paths) {
        if (known.has(path)) continue;
        if (known.size >= most) known.delete(known.values().next().value as string);
        known.add(path);
        out.push(path);
      }
      return out;
    },
    size: () => known.size,
  };
}

/** The addresses of `GET /__manifest` for these paths, split so that each stays within the length limit. */
export function manifestAddresses(paths: readonly string[], version: string, origin: string): string[] {
  const tail = `version=${encodeURIComponent(version)}`;
  const out: string[] = [];
  let query = '';
  for (const path of paths) {
    const part = `p=${encodeURIComponent(path)}&`;
    const length = (text: string) => `${origin}/__manifest?${text}${tail}`.length;
    if (length(part) > discoveryLimits.urlLength) continue;
    if (query !== '' && length(query + part) > discoveryLimits.urlLength) {
      out.push(`/__manifest?${query}${tail}`);
      query = '';
    }
    query += part;
  }
  if (query !== '') out.push(`/__manifest?${query}${tail}`);
  return out;
}

/** The path of a link inside the console; null for other origins, downloads, the API and the sign page. */
export function consolePath(link: Pick<HTMLAnchorElement, 'href' | 'target'> & { download?: string }, origin: string): string | null {
  if ((link.target !== '' && link.target !== '_self') || (link.download ?? '') !== '') return null;
  try {
    const url = new URL(link.href);
    return url.origin === origin && !/^\/(api|sign|assets|t\.js|collect|frame)(\/|$)/.test(url.pathname) ? url.pathname : null;
  } catch {
    return null;
  }
}
