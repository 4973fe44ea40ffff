const bytes = new Uint8Array([1, 2, 3]).buffer;

type Credentials = Partial<Pick<CredentialsContainer, 'get' | 'create'>>;

/** A browser's response for a passkey: sufficient for the package that parses it. */
const assertion = {
  id: 'credential',
  rawId: bytes,
  type: 'public-key',
  response: { authenticatorData: bytes, clientDataJSON: bytes, signature: bytes, userHandle: bytes },
  getClientExtensionResults: () => ({}),
  authenticatorAttachment: 'platform',
};
const attestation = {
  ...assertion,
  response: { attestationObject: bytes, clientDataJSON: bytes, getTransports: () => ['internal'] },
};

/** Gives the test browser passkeys, on a secure page. Returns a function that restores it. `conditional`: whether fields may offer them. */
export function givePasskeys({ conditional = false, ...credentials }: Credentials & { conditional?: boolean } = {}): () => void {
  const before = {
    key: Object.getOwnPropertyDescriptor(globalThis, 'PublicKeyCredential'),
    secure: Object.getOwnPropertyDescriptor(globalThis, 'isSecureContext'),
    credentials: Object.getOwnPropertyDescriptor(navigator, 'credentials'),
  };
  const put = (on: object, name: string, value: unknown) => Object.defineProperty(on, name, { value, configurable: true, writable: true });
  put(
    globalThis,
    'PublicKeyCredential',
    Object.assign(() => undefined, { isConditionalMediationAvailable: () => Promise.resolve(conditional) }),
  );
  put(globalThis, 'isSecureContext', true);
  put(navigator, 'credentials', {
    get: () => Promise.resolve(assertion),
    create: () => Promise.resolve(attestation),
    ...credentials,
  });
  const back = (on: object, name: string, was: PropertyDescriptor | undefined) => {
    if (was) Object.defineProperty(on, name, was);
    else Reflect.deleteProperty(on, name);
  };
  return () => {
    back(globalThis, 'PublicKeyCredential', before.key);
    back(globalThis, 'isSecureContext', before.secure);
    back(navigator, 'credentials', before.credentials);
  };
}
