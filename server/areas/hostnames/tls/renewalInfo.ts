import { X509Certificate } from 'node:crypto';
import { DAY, HOUR, MINUTE } from '../../../zone';
import { AcmeFailure, bodyOf, send } from './acmeClient';
import type { AcmeOptions, Directory } from './acmeClient';

/** When the authority wants a certificate to be renewed (RFC 9773), and when to ask again. `explanation`: an address about it; may be empty. */
export type RenewalInfo = { readonly start: Date; readonly end: Date; readonly explanation: string; readonly askIn: number };

type Element = { readonly tag: number; readonly content: Buffer };
/** Elements of Distinguished Encoding Rules (X.690) one after the other. */
function elementsOf(bytes: Buffer): Element[] {
  const found: Element[] = [];
  for (let at = 0; at + 1 < bytes.length;) {
    const [tag = 0, first = 0] = bytes.subarray(at, at + 2);
    const digits = first < 0x80 ? 0 : first & 0x7f;
    const length = digits === 0 ? first : bytes.readUIntBE(at + 2, digits);
    const begin = at + 2 + digits;
    found.push({ tag, content: bytes.subarray(begin, begin + length) });
    at = begin + length;
  }
  return found;
}

const authorityKeyIdentifier = Buffer.from('551d23', 'hex');

/** The id of a certificate: the key of its issuer and its serial number (RFC 9773, 4.1); null if it does not name that key. `chain`: PEM. */
export function certificateId(chain: string): string | null {
  const [certificate] = elementsOf(Buffer.from(new X509Certificate(chain).raw));
  const [signed] = elementsOf(certificate?.content ?? Buffer.alloc(0));
  const fields = elementsOf(signed?.content ?? Buffer.alloc(0));
  const serial = fields.find(({ tag }) => tag === 0x02)?.content;
  const extensions = elementsOf(fields.find(({ tag }) => tag === 0xa3)?.content ?? Buffer.alloc(0)).flatMap(({ content }) => elementsOf(content));
  const extension = extensions.map(({ content }) => elementsOf(content)).find(([oid]) => oid?.content.equals(authorityKeyIdentifier));
  const [identifier] = elementsOf(extension?.at(-1)?.content ?? Buffer.alloc(0));
  const key = elementsOf(identifier?.content ?? Buffer.alloc(0)).find(({ tag }) => tag === 0x80)?.content;
  return key === undefined || serial === undefined ? null : `${key.toString('base64url')}.${serial.toString('base64url')}`;
}

/** What the authority says about the time until the next question, within bounds (RFC 9773, 4.3). */
function askIn(header: string, now: number): number {
  const requested = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(requested) ? 6 * HOUR : Math.min(DAY, Math.max(MINUTE, requested));
}

/** Asks for the window in which a certificate is to be renewed; null if the authority has none. Throws `AcmeFailure`. */
export async function readRenewalInfo(
  { renewalInfo }: Pick<Directory, 'renewalInfo'>,
  chain: string,
  now: number,
  options: Pick<AcmeOptions, 'signal' | 'authorities'>,
): Promise<RenewalInfo | null> {
  const id = renewalInfo === undefined ? null : certificateId(chain);
  if (id === null) return null;
  const answer = await send(`${String(renewalInfo).replace(/\/$/, '')}/${id}`, null, options);
  if (answer.status === 404) return null;
  const { suggestedWindow, explanationURL } = bodyOf(answer) as { suggestedWindow?: { start?: unknown; end?: unknown }; explanationURL?: unknown };
  const [start, end] = [new Date(String(suggestedWindow?.start)), new Date(String(suggestedWindow?.end))];
  if (answer.status >= 400 || !(start < end)) throw new AcmeFailure('malformed', `no window in the renewal information (status ${String(answer.status)})`);
  return {
    start,
    end,
    explanation: typeof explanationURL === 'string' ? explanationURL.slice(0, 300) : '',
    askIn: askIn(String(answer.headers['retry-after'] ?? ''), now),
  };
}

/** A random moment within a window, so that clients do not come all at once. One that was chosen before remains if the window contains it. */
export const momentWithin = ({ start, end }: Pick<RenewalInfo, 'start' | 'end'>, chosen: Date | null, random = Math.random): Date =>
  chosen !== null && chosen >= start && chosen <= end ? chosen : new Date(start.getTime() + random() * (end.getTime() - start.getTime()));
