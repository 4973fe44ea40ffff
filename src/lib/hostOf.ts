/** Short form of a site's address: its host; '' if it has none yet. */
export function hostOf(site: { readonly url: string | null; readonly systemHost: string | null }): string {
  const address = site.url ?? site.systemHost;
  if (address === null) return '';
  try {
    return new URL(address.includes('://') ? address : `http://${address}`).host;
  } catch {
    return '';
  }
}
