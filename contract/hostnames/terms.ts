/** Hostnames of delivered sites. */

/** What visitors of a hostname get: the site, as its main address; the site; or a redirect to another of its hostnames. */
export const hostnameRoles = ['primary', 'serve', 'redirect'] as const;
export type HostnameRole = (typeof hostnameRoles)[number];

export const redirectCodes = [301, 302, 307, 308] as const;
export type RedirectCode = (typeof redirectCodes)[number];

/** Seconds for which browsers insist on HTTPS (`Strict-Transport-Security`); 0: the header is not sent. */
export const hstsSteps = [0, 300, 86_400, 31_536_000] as const;
export type HstsSeconds = (typeof hstsSteps)[number];
export type Hsts = { readonly maxAge: HstsSeconds; readonly subdomains: boolean; readonly preload: boolean };
/** Preload lists accept nothing shorter (hstspreload.org). */
export const preloadSeconds = 31_536_000;

/** lapsed: the DNS pointed elsewhere for 30 days. */
export const ownershipStates = ['unverified', 'verified', 'lapsed'] as const;
export type OwnershipState = (typeof ownershipStates)[number];

/**
 * What resolvers say about a hostname.
 *
 * unknown      not checked yet
 * pending      the name has none of the records yet
 * ok           the records are right
 * proxied      the records lead elsewhere, and from there traffic arrives here
 * mismatch     the records lead elsewhere
 * conflict     some records are right, others lead elsewhere
 * nxdomain     the name does not exist
 * servfail     the name servers of the domain fail
 * unreachable  no resolver answered
 */
export const dnsStates = ['unknown', 'pending', 'ok', 'proxied', 'mismatch', 'conflict', 'nxdomain', 'servfail', 'unreachable'] as const;
export type DnsState = (typeof dnsStates)[number];

/** `none`: no connection on port 443, or not looked at yet. `issuing` and `renewing` occur only where this program requests certificates. */
export const tlsStates = ['none', 'issuing', 'renewing', 'active', 'failed', 'expired'] as const;
export type TlsState = (typeof tlsStates)[number];

/** paused: automatic checks have stopped, because the hostname was not connected within a week. */
export const healthStates = ['setting_up', 'active', 'attention', 'error', 'paused'] as const;
export type HealthState = (typeof healthStates)[number];

export const recordTypes = ['A', 'AAAA', 'CNAME', 'TXT', 'CAA'] as const;
/** `fine`: nothing to do. `conflict`: some values have to be deleted. `optional`: not needed as things are. */
export const recordStates = ['fine', 'missing', 'wrong', 'conflict', 'unreachable', 'optional'] as const;
export type RecordState = (typeof recordStates)[number];

/** Where TLS connections of visitors end. */
export const tlsModes = ['proxy', 'caddy', 'acme', 'manual'] as const;
export type TlsMode = (typeof tlsModes)[number];

export const hostnameLimits = {
  perSite: 200,
  /** Days for which a hostname that is not proven blocks other sites. */
  claimDays: 7,
  /** Days for which a removed hostname needs the TXT record before another site can use it. */
  quarantineDays: 90,
  /** Days of wrong answers after which ownership lapses. */
  lapseDays: 30,
  /** Consecutive wrong answers that are reported. */
  wrongAnswers: 3,
  /** Seconds between two manual checks of a hostname. */
  checkEvery: 10,
  /** Bytes of a certificate chain, and of a key. */
  pemBytes: 64 * 1024,
  /** Warnings are sent this many days before a certificate expires. */
  expiryDays: [7, 3, 1],
} as const;
