import type { Context } from '../../../context';
import { MINUTE, DAY } from '../../../zone';
import { announce } from '../hostnames';
import * as queries from '../queries';
import type { HostnameRow } from '../queries';
import { acmeAccount, readDirectory, requestCertificate } from './acmeClient';
import type { AcmeOptions } from './acmeClient';
import { keyPurpose } from './listener';
import { checkPem } from './pem';
import { certificateId, momentWithin, readRenewalInfo } from './renewalInfo';

export type IssuerOptions = Partial<Pick<AcmeOptions, 'authorities' | 'pollEvery'>> & { readonly lookEvery?: number };

/** After the n-th failure in a row; fewer than five in an hour, which is what Let's Encrypt allows for a hostname. */
const retryIn = (failures: number): number => Math.min(15 * MINUTE * 2 ** (failures - 1), DAY);

/** Stores a new certificate, or why there is none and when the next attempt is. */
async function issue(ctx: Context, row: HostnameRow, options: IssuerOptions, signal: AbortSignal): Promise<void> {
  const { db } = ctx.postgres;
  const { acmeDirectory } = ctx.config;
  const isRenewal = row.tls === 'active' || row.tls === 'renewing';
  await queries.updateIssuing(db, row.id, { tls: isRenewal ? 'renewing' : 'issuing' });
  announce(ctx, row.siteId);
  try {
    const account = acmeAccount(ctx.secrets, acmeDirectory);
    const before = await queries.certificateOf(db, row.host);
    const replaces = before?.source === 'issued' ? certificateId(before.chain) : null;
    const issued = await requestCertificate(row.host, { directory: acmeDirectory, account, signal, ...options }, replaces);
    const now = new Date(ctx.now());
    const { chain, key, certificate } = checkPem(issued, row.host, now);
    const times = { notBefore: new Date(certificate.notBefore), notAfter: new Date(certificate.notAfter), updatedAt: now };
    await db.transaction(async (tx) => {
      const issuedRow = { hostnameId: row.id, source: 'issued' as const, chain, sealedKey: ctx.secrets.seal(keyPurpose, key), ...times };
      if (!(await queries.putCertificate(tx, issuedRow))) return;
      await queries.updateHostname(tx, row.id, { certificate, tls: 'active', tlsError: '', tlsFailures: 0, tlsNextAt: null });
    });
  } catch (error) {
    if (signal.aborted) {
      await queries.updateIssuing(db, row.id, { tls: row.tls });
      return;
    }
    const reason = error instanceof Error ? error.message : 'unknown';
    ctx.log.warn('A certificate could not be requested', { host: row.host, error });
    const tlsFailures = row.tlsFailures + 1;
    const tlsNextAt = new Date(ctx.now() + retryIn(tlsFailures));
    await queries.updateIssuing(db, row.id, { tls: isRenewal ? 'active' : 'failed', tlsError: reason.slice(0, 300), tlsFailures, tlsNextAt });
  }
  announce(ctx, row.siteId);
}

/** Certificates whose renewal information is read in one pass. */
const mostWindows = 50;
/** After a failure. Until the authority answers, a certificate is renewed at the time that was planned before, or else after two thirds of its life. */
const askAgainIn = 30 * MINUTE;

/** Asks the authority when certificates are to be renewed, which may be much earlier than planned if it has to revoke them. */
async function readWindows(ctx: Context, options: IssuerOptions, signal: AbortSignal): Promise<void> {
  const { db } = ctx.postgres;
  const due = await queries.dueWindows(db, new Date(ctx.now()), mostWindows);
  if (due.length === 0) return;
  const request = { ...options, directory: ctx.config.acmeDirectory, signal };
  const directory = await readDirectory(request).catch(() => null);
  for (const row of due) {
    if (signal.aborted) return;
    const now = ctx.now();
    const info =
      directory &&
      (await readRenewalInfo(directory, row.chain, now, request).catch((error: unknown) => {
        ctx.log.info('An authority did not say when a certificate is to be renewed', { hostnameId: row.hostnameId, error });
        return undefined;
      }));
    if (!info) {
      const hasNone = directory !== null && info === null;
      await queries.setRenewal(db, row, { renewAt: hasNone ? null : row.renewAt, windowReadAt: new Date(now + (hasNone ? DAY : askAgainIn)) });
      continue;
    }
    const renewAt = momentWithin(info, row.renewAt);
    if (info.explanation !== '' && renewAt.getTime() !== row.renewAt?.getTime())
      ctx.log.info('An authority explains when a certificate is to be renewed', { hostnameId: row.hostnameId, renewAt, explanation: info.explanation });
    await queries.setRenewal(db, row, { renewAt, windowReadAt: new Date(now + info.askIn) });
  }
}

/**
 * Requests certificates of served hostnames that have none, and renews them when their authority suggests, else after two thirds of their life, one at a time in the whole installation. Sites that are
 * suspended, archived or deleted have no visitors and get none. Does nothing unless this program requests certificates.
 */
export function startIssuer(ctx: Context, { lookEvery = 10_000, ...options }: IssuerOptions = {}): { readonly close: () => Promise<void> } {
  if (ctx.config.tlsMode !== 'acme') return { close: () => Promise.resolve() };
  const stop = new AbortController();
  let pass: Promise<void> | null = null;

  async function issueAll(): Promise<void> {
    const { db } = ctx.postgres;
    const now = new Date(ctx.now());
    if ((await queries.nextToIssue(db, now)) === null && (await queries.dueWindows(db, now, 1)).length === 0) return;
    await ctx.postgres.withLock('hostname-certificates', async () => {
      await readWindows(ctx, options, stop.signal);
      for (;;) {
        const due = stop.signal.aborted ? null : await queries.nextToIssue(ctx.postgres.db, new Date(ctx.now()));
        if (due === null) return;
        await issue(ctx, due, options, stop.signal);
      }
    });
  }
  const timer = setInterval(() => {
    pass ??= issueAll()
      .catch((error: unknown) => ctx.log.warn('Hostnames that need a certificate could not be looked up', { error }))
      .finally(() => {
        pass = null;
      });
  }, lookEvery);
  return {
    async close() {
      stop.abort();
      clearInterval(timer);
      await pass;
    },
  };
}
