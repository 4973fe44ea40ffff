import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** CBOR (RFC 8949) for the types in attestation objects and COSE keys. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, n: number): Buffer => {
    if (n < 24) return Buffer.from([(major << 5) | n]);
    if (n < 256) return Buffer.from([(major << 5) | 24, n]);
    return Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([k, v]) => [cbor(k), cbor(v as Parameters<typeof cbor>[0])]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();
const base64url = (data: Buffer | string): string => Buffer.from(data).toString('base64url');

/** How a response differs from a valid one. */
export type Tampering = { readonly origin?: string; readonly verified?: boolean; readonly counter?: number; readonly userHandle?: string | null };
type Options = Readonly<Record<string, unknown>>;
export type Credential = { readonly id: Buffer; readonly key: KeyObject; userHandle: string };

/**
 * A software authenticator: creates ES256 credentials with attestation `none` and signs assertions (W3C WebAuthn 3 §6), in the JSON that browsers
 * send. `tampering` makes its responses invalid.
 */
export function makeAuthenticator(origin: string, rpId = new URL(origin).hostname) {
  const credentials: Credential[] = [];
  let signCount = 0;

  const clientData = (type: string, challenge: unknown, { origin: claimed = origin }: Tampering): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: claimed, crossOrigin: false }));

  /** §6.1: hash of the relying party id, flags (UP, UV, AT), counter. */
  const authenticatorData = (flags: number, { verified = true, counter }: Tampering, rest: readonly Buffer[] = []): Buffer => {
    const count = Buffer.alloc(4);
    signCount = counter ?? signCount + 1;
    count.writeUInt32BE(signCount);
    return Buffer.concat([sha256(rpId), Buffer.from([flags | 0x01 | (verified ? 0x04 : 0)]), count, ...rest]);
  };

  return {
    credentials,
    /** The result of `navigator.credentials.create()`. */
    create(options: Options, tampering: Tampering = {}) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const jwk = publicKey.export({ format: 'jwk' });
      const cose = cbor(
        new Map<number, unknown>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(jwk.x ?? '', 'base64url')],
          [-3, Buffer.from(jwk.y ?? '', 'base64url')],
        ]),
      );
      const id = randomBytes(32);
      credentials.push({ id, key: privateKey, userHandle: (options['user'] as { id: string }).id });
      const length = Buffer.from([id.length >> 8, id.length & 255]);
      const authData = authenticatorData(0x40, tampering, [Buffer.alloc(16), length, id, cose]);
      return {
        id: base64url(id),
        rawId: base64url(id),
        type: 'public-key',
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', options['challenge'], tampering)),
          attestationObject: base64url(
            cbor(
              new Map<string, unknown>([
                ['fmt', 'none'],
                ['attStmt', new Map()],
                ['authData', authData],
              ]),
            ),
          ),
          transports: ['internal'],
        },
        clientExtensionResults: {},
      };
    },
    /** The result of `navigator.credentials.get()`, with the newest credential unless another is named. */
    get(options: Options, tampering: Tampering = {}, credential: Credential | undefined = credentials.at(-1)) {
      if (!credential) throw new Error('this authenticator has no credential');
      const client = clientData('webauthn.get', options['challenge'], tampering);
      const data = authenticatorData(0, tampering);
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(credential.key);
      return {
        id: base64url(credential.id),
        rawId: base64url(credential.id),
        type: 'public-key',
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(signature),
          userHandle: tampering.userHandle === undefined ? credential.userHandle : tampering.userHandle,
        },
        clientExtensionResults: {},
      };
    },
  };
}

export type Authenticator = ReturnType<typeof makeAuthenticator>;
