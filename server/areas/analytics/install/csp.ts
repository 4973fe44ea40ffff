/**
 * Whether a page's Content-Security-Policy allows the tracker to load and send hits. Implements the parts of CSP Level 3 (W3C) that apply to external scripts
 * and connections: directive fallback, host and scheme sources, nonces, 'strict-dynamic'.
 */

type Policy = ReadonlyMap<string, readonly string[]>;

/** One header may contain several policies, separated by commas; all of them must allow a request. */
export function parsePolicies(headers: readonly string[]): Policy[] {
  return headers
    .flatMap((header) => header.split(','))
    .map((text) => {
      const policy = new Map<string, readonly string[]>();
      for (const directive of text.split(';')) {
        const [name = '', ...sources] = directive.trim().split(/\s+/);
        const key = name.toLowerCase();
        // The first of two directives with the same name applies.
        if (key !== '' && !policy.has(key)) policy.set(key, sources);
      }
      return policy;
    })
    .filter((policy) => policy.size > 0);
}

const sourcesFor = (policy: Policy, names: readonly string[]): readonly string[] | null => {
  for (const name of names) {
    const found = policy.get(name);
    if (found) return found;
  }
  return null;
};

export type ScriptTag = { readonly url: URL; readonly nonce: string; readonly integrity: string };

export const allowsScript = (policies: readonly Policy[], page: URL, script: ScriptTag): boolean =>
  policies.every((policy) => {
    const sources = sourcesFor(policy, ['script-src-elem', 'script-src', 'default-src']);
    if (!sources) return true;
    if (script.nonce !== '' && sources.includes(`'nonce-${script.nonce}'`)) return true;
    const hashes = sources.filter((source) => /^'sha(256|384|512)-/i.test(source)).map((source) => source.slice(1, -1));
    if (script.integrity !== '' && script.integrity.split(/\s+/).every((hash) => hashes.includes(hash))) return true;
    // With 'strict-dynamic' host and scheme sources are ignored: only scripts with a nonce, and scripts loaded by those, are allowed.
    if (sources.some((source) => source.toLowerCase() === "'strict-dynamic'")) return false;
    return sources.some((source) => matches(source, page, script.url));
  });

export const allowsConnect = (policies: readonly Policy[], page: URL, target: URL): boolean =>
  policies.every((policy) => sourcesFor(policy, ['connect-src', 'default-src'])?.some((source) => matches(source, page, target)) ?? true);

const defaultPort = (scheme: string): string => (scheme === 'https:' ? '443' : '80');
/** http in a policy also allows https. */
const schemeMatches = (allowed: string, actual: string): boolean => allowed === actual || (allowed === 'http:' && actual === 'https:');

function matches(source: string, page: URL, target: URL): boolean {
  const lower = source.toLowerCase();
  if (lower === "'self'") return target.host === page.host && schemeMatches(page.protocol, target.protocol);
  if (lower.startsWith("'")) return false;
  if (lower === '*') return true;
  if (/^[a-z][a-z0-9+.-]*:$/.test(lower)) return schemeMatches(lower, target.protocol);
  const parsed = /^(?:([a-z][a-z0-9+.-]*:)\/\/)?(\*|(?:\*\.)?[^:/*]+)(?::(\d+|\*))?(\/.*)?$/i.exec(source);
  if (!parsed) return false;
  const [, scheme, host = '', port, path] = parsed;
  if (!schemeMatches((scheme ?? page.protocol).toLowerCase(), target.protocol)) return false;
  if (!hostMatches(host.toLowerCase(), target.hostname.toLowerCase())) return false;
  const targetPort = target.port || defaultPort(target.protocol);
  if (port !== '*' && targetPort !== (port ?? defaultPort(target.protocol))) return false;
  if (!path || path === '/') return true;
  return path.endsWith('/') ? target.pathname.startsWith(path) : target.pathname === path;
}

function hostMatches(pattern: string, host: string): boolean {
  if (pattern === '*') return true;
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : pattern === host;
}
