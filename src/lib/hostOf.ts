/** Where a site's pages are, in short: the host of its address; '' when it has none yet. */
export function hostOf(site: { readonly url: string | null; readonly systemHost: string | null }): string {
  const address = site.url ?? site.systemHost;
  if (address === null) return '';
  try {
    return new URL(address.includes('://') ? address : `http://${address}`).host;
  } catch {
    return '';
  }
}
