import type { z } from 'zod';
import type { Hostname } from '../../../contract/hostnames/schemas';
import type { HealthState } from '../../../contract/hostnames/terms';
import { hostnameLimits } from '../../../contract/hostnames/terms';
import { looksLikeAnother, unicodeOf } from './input';
import type { HostnameRow, ListedHostname } from './queries';

/** What a list shows of a hostname: the worst of its states. */
export function healthOf(row: Pick<HostnameRow, 'activeAt' | 'ownership' | 'dns' | 'tls' | 'forceHttps' | 'wrongAnswers' | 'nextAt'>): HealthState {
  if (row.ownership === 'lapsed') return 'error';
  if (row.activeAt === null) return row.nextAt === null ? 'paused' : 'setting_up';
  if (row.forceHttps && (row.tls === 'failed' || row.tls === 'expired')) return 'error';
  return row.wrongAnswers >= hostnameLimits.wrongAnswers || row.dns === 'conflict' || row.tls === 'failed' || row.tls === 'expired' ? 'attention' : 'active';
}

export const isServed = (row: Pick<HostnameRow, 'activeAt' | 'ownership'>): boolean => row.activeAt !== null && row.ownership === 'verified';

export const hostnameResponse = ({ row, uploaded }: ListedHostname): z.input<typeof Hostname> => ({
  id: row.id,
  host: row.host,
  unicode: unicodeOf(row.host),
  apex: row.apex,
  role: row.role,
  redirectCode: row.redirectCode,
  keepPath: row.keepPath,
  redirectTo: row.redirectTo,
  forceHttps: row.forceHttps,
  hsts: row.hsts,
  ownership: row.ownership,
  dns: row.dns,
  tls: row.tls,
  health: healthOf(row),
  served: isServed(row),
  contested: row.contested,
  lookAlike: looksLikeAnother(row.host),
  records: [...row.records],
  probe: row.probe,
  certificate: row.certificate,
  tlsError: row.tlsError,
  uploaded,
  checkedAt: row.checkedAt?.toISOString() ?? null,
  nextCheckAt: row.nextAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  revision: row.revision,
});
