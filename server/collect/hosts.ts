/** Whether a site takes hits from a host (with or without port): every host where its settings list none, otherwise its own and those. */
export function hostAllowed(
  host: string,
  site: { readonly servedHost: string | null; readonly hosts: readonly string[]; readonly measuring: { readonly hosts: readonly string[] } },
): boolean {
  if (site.measuring.hosts.length === 0) return true;
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return site.hosts.some((pattern) => (pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern));
}
