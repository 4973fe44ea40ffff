/** The address of a resource that needs no more than its id, in a module of its own: content tables build and read it wherever they show a value. */

/** First segment of the path of all delivered resources. */
export const resourceRoot = '/_r';

/** `origin`: where the site delivers its resources, without a slash at the end; empty for addresses within the site. */
export type Named = { readonly origin?: string; readonly id: string; readonly name: string };

/**
 * A file name as the last segment of a path. It only informs people: the server ignores it. Slashes, which proxies treat differently when they are encoded,
 * become `_`; a name of dots, which browsers resolve as a folder, becomes `file`.
 */
export function nameInAddress(name: string): string {
  const safe = name.replaceAll(/[/\\]|\p{Surrogate}/gu, '_');
  if (/^\.{0,2}$/.test(safe)) return 'file';
  return encodeURIComponent(safe).replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** An address that shows the current version; caches revalidate it each time. */
export const aliasAddress = ({ origin = '', id, name }: Named): string => `${origin}${resourceRoot}/${id}/${nameInAddress(name)}`;
