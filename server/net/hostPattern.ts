/** Whether a host name (with or without port) matches one of the patterns: `example.com`, or `*.example.com` for all subdomains. */
export function fitsHost(host: string, patterns: readonly string[]): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return patterns.some((pattern) => (pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern));
}
