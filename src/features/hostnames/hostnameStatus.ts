import type { Hostname, RecordCheck } from '@contract/hostnames/schemas';

export type Tone = 'good' | 'warning' | 'bad' | 'info';
/** A status in colour and, by the key, in a few words. */
export type Status<K extends string> = { readonly tone: Tone; readonly key: K };

export type ConnectionKey =
  | 'lapsed'
  | 'paused'
  | 'proof'
  | 'connected'
  | 'proxied'
  | 'conflict'
  | 'unchecked'
  | Exclude<Hostname['dns'], 'ok' | 'proxied' | 'conflict' | 'unknown'>;

/** Whether the hostname leads here: the first thing that stands in the way. */
export function connectionOf(row: Hostname): Status<ConnectionKey> {
  if (row.ownership === 'lapsed') return { tone: 'bad', key: 'lapsed' };
  if (row.checkedAt === null || row.dns === 'unknown') return { tone: 'info', key: 'unchecked' };
  if (row.dns === 'conflict') return { tone: 'warning', key: 'conflict' };
  const arrives = row.dns === 'ok' || row.dns === 'proxied';
  if (arrives && row.ownership === 'unverified') return { tone: 'warning', key: 'proof' };
  if (arrives) return { tone: 'good', key: row.dns === 'ok' ? 'connected' : 'proxied' };
  if (row.health === 'paused') return { tone: 'bad', key: 'paused' };
  const tone = row.dns === 'pending' || row.dns === 'unreachable' ? 'info' : row.served ? 'bad' : 'warning';
  return { tone, key: row.dns === 'ok' || row.dns === 'proxied' ? 'connected' : row.dns };
}

/** Days until a certificate expires, rounded down. */
export const daysLeft = ({ notAfter }: { readonly notAfter: string }, now: number): number => Math.floor((Date.parse(notAfter) - now) / 86_400_000);

export type CertificateKey = Hostname['tls'] | 'expiring' | 'untrustedProxy';

export function certificateStatusOf(row: Hostname, now: number): Status<CertificateKey> {
  if (row.tls === 'none') return { tone: 'info', key: 'none' };
  if (row.tls === 'failed' || row.tls === 'expired') return { tone: 'bad', key: row.tls };
  if (row.tls !== 'active') return { tone: 'info', key: row.tls };
  if (row.tlsError === 'scheme_lost') return { tone: 'warning', key: 'untrustedProxy' };
  return row.certificate !== null && daysLeft(row.certificate, now) <= 7 ? { tone: 'warning', key: 'expiring' } : { tone: 'good', key: 'active' };
}

export const recordTones: Readonly<Record<RecordCheck['state'], Tone | undefined>> = {
  fine: 'good',
  missing: 'warning',
  wrong: 'bad',
  conflict: 'bad',
  unreachable: 'info',
  optional: undefined,
};

/** The records that have to be created or that were found: an optional one that does not exist is left out, unless it is the only way. */
export const visibleRecords = (row: Hostname): readonly RecordCheck[] =>
  row.records.filter(({ state, type, found }) => state !== 'optional' || found.length > 0 || (type === 'TXT' && row.ownership === 'unverified'));
