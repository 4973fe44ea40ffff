import { fitsHost } from '../net/hostPattern';

/** Whether a site accepts hits from a host (with or without port): any host if its settings list none, otherwise its own and the listed ones. */
export const hostAllowed = (
  host: string,
  site: { readonly servedHost: string | null; readonly hosts: readonly string[]; readonly measuring: { readonly hosts: readonly string[] } },
): boolean => site.measuring.hosts.length === 0 || fitsHost(host, site.hosts);
