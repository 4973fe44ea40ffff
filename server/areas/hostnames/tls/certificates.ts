import type { z } from 'zod';
import type { Hostname, hostnameEndpoints as endpoints } from '../../../../contract/hostnames/schemas';
import type { Context } from '../../../context';
import { fail } from '../../../http/failure';
import type { CallOf } from '../../../http/route';
import { actorOf, record } from '../../audit';
import { about, announce, readOne } from '../hostnames';
import * as queries from '../queries';
import { checkPem } from './pem';
import { keyPurpose } from './listener';

/** Whether this program serves HTTPS itself, so that it needs certificates. */
export const servesTls = ({ tlsMode }: Pick<Context['config'], 'tlsMode'>): boolean => tlsMode === 'manual' || tlsMode === 'acme';

/** Stores a certificate that somebody uploaded, its key sealed. Throws `tls_elsewhere` and `invalid_fields`. */
export async function uploadCertificate(ctx: Context, call: CallOf<typeof endpoints.uploadCertificate>): Promise<z.input<typeof Hostname>> {
  const { site, params, body } = call;
  if (!servesTls(ctx.config)) fail('tls_elsewhere');
  const now = new Date(ctx.now());
  await ctx.postgres.db.transaction(async (tx) => {
    const { row } = (await queries.findHostname(tx, site.id, params.id)) ?? fail('not_found');
    const { chain, key, certificate } = checkPem(body, row.host, now);
    await queries.putCertificate(tx, {
      hostnameId: row.id,
      source: 'uploaded',
      chain,
      sealedKey: ctx.secrets.seal(keyPurpose, key),
      notBefore: new Date(certificate.notBefore),
      notAfter: new Date(certificate.notAfter),
      updatedAt: now,
    });
    await queries.updateHostname(tx, row.id, { certificate, tls: 'active', tlsError: '' });
    await record(ctx, tx, actorOf(call), {
      action: 'hostname.changed',
      ...about(row),
      after: { certificate: certificate.serial, expiresAt: certificate.notAfter },
    });
  });
  announce(ctx, site.id);
  return readOne(ctx, site.id, params.id);
}

export async function removeCertificate(ctx: Context, call: CallOf<typeof endpoints.removeCertificate>): Promise<z.input<typeof Hostname>> {
  const { site, params } = call;
  await ctx.postgres.db.transaction(async (tx) => {
    const { row, uploaded } = (await queries.findHostname(tx, site.id, params.id)) ?? fail('not_found');
    if (!uploaded) return;
    await queries.deleteCertificate(tx, row.id);
    await queries.updateHostname(tx, row.id, { certificate: null, tls: 'none', tlsError: '' });
    await record(ctx, tx, actorOf(call), {
      action: 'hostname.changed',
      ...about(row),
      before: { certificate: row.certificate?.serial ?? '' },
    });
  });
  announce(ctx, site.id);
  return readOne(ctx, site.id, params.id);
}
