import { createPublicKey, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** Distinguished Encoding Rules (X.690): tag, length, content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x1_00 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const set = (...parts: readonly Buffer[]): Buffer => der(0x31, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));

/** 1.2.840.113549.1.9.14 */
const extensionRequest = oid('2a864886f70d01090e');
/** 2.5.29.17 */
const subjectAltName = oid('551d11');
/** 1.2.840.10045.4.3.2 */
const ecdsaWithSha256 = oid('2a8648ce3d040302');

/** A certificate request (PKCS #10, RFC 2986) in DER for one hostname, with an empty subject, signed by a key on P-256. */
export function certificateRequest(host: string, key: KeyObject): Buffer {
  const names = sequence(der(0x82, Buffer.from(host, 'latin1')));
  const extensions = sequence(sequence(subjectAltName, der(0x04, names)));
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const version = der(0x02, Buffer.from([0]));
  const info = sequence(version, sequence(), publicKey, der(0xa0, sequence(extensionRequest, set(extensions))));
  return sequence(info, sequence(ecdsaWithSha256), der(0x03, Buffer.from([0]), sign('sha256', info, key)));
}
