import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Certificate } from '../../../../contract/hostnames/schemas';
import { failField } from '../../../http/failure';

/** A chain and its key after the checks, and what people see of the certificate. */
export type CheckedPem = { readonly chain: string; readonly key: string; readonly certificate: Certificate };

const block = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

function certificatesIn(text: string): X509Certificate[] {
  try {
    const blocks = text.match(block) ?? [];
    return blocks.length === 0 || text.replaceAll(block, '').trim() !== '' ? failField('chain', 'not_pem') : blocks.map((one) => new X509Certificate(one));
  } catch {
    return failField('chain', 'not_pem');
  }
}

function keyIn(text: string) {
  try {
    return createPrivateKey(text);
  } catch {
    return failField('key', 'not_pem');
  }
}

/** Checks that a chain and a key can serve a host now. Throws `invalid_fields` with the reason. */
export function checkPem(input: { readonly chain: string; readonly key: string }, host: string, now: Date): CheckedPem {
  const [leaf, ...rest] = certificatesIn(input.chain);
  if (leaf === undefined) return failField('chain', 'not_pem');
  const key = keyIn(input.key);
  if (!leaf.checkPrivateKey(key)) failField('key', 'key_mismatch');
  const links = [leaf, ...rest];
  if (!rest.every((issuer, at) => links[at]?.checkIssued(issuer) === true && links[at]?.verify(issuer.publicKey))) failField('chain', 'chain_order');
  const certificate = certificateOf(leaf) ?? failField('chain', 'not_pem');
  if (now < new Date(leaf.validFrom) || now > new Date(leaf.validTo)) failField('chain', 'certificate_expired');
  if (leaf.checkHost(host, { subject: 'never' }) === undefined) failField('chain', 'other_name');
  return { chain: `${links.map((one) => one.toString().trim()).join('\n')}\n`, key: String(key.export({ type: 'pkcs8', format: 'pem' })), certificate };
}

/** Names that are listed of a certificate. */
const mostNames = 100;

/** What people see of a certificate; null if its times cannot be read. */
export function certificateOf(leaf: X509Certificate): Certificate | null {
  const [notBefore, notAfter] = [new Date(leaf.validFrom), new Date(leaf.validTo)];
  if (Number.isNaN(notBefore.getTime()) || Number.isNaN(notAfter.getTime())) return null;
  const names = (leaf.subjectAltName ?? '').split(', ').flatMap((one) => (one.startsWith('DNS:') ? [one.slice(4)] : []));
  const issuer = new Map(leaf.issuer.split('\n').map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]));
  return {
    notBefore: notBefore.toISOString(),
    notAfter: notAfter.toISOString(),
    issuer: issuer.get('O') ?? issuer.get('CN') ?? '',
    names: names.slice(0, mostNames),
    serial: leaf.serialNumber,
  };
}
