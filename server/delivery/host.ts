/**
 * Normalizes a `Host` header for lookup: lower case, without port and trailing dot. `null` if it is not a host name (letters, digits and hyphens in labels of
 * at most 63, at most 253 in total), so that no other text reaches a cache key or a log.
 */
export const readHost = (header: string | undefined): string | null => {
  if (header === undefined || header.length > 260) return null;
  const host = header
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/\.$/, '');
  return host.length <= 253 && /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(host) ? host : null;
};
