import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { openTestStores } from '../test/support/stores';
import type { TestStores } from '../test/support/stores';
import { createSecrets, openSecrets, sameSecret } from './secrets';
import { StartFailure } from './terminalTexts';

const key = Buffer.alloc(32, 1);

test('a sealed value opens only with its purpose and key', () => {
  const secrets = createSecrets(key);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const sealed = secrets.seal('totp', text);
      expect(secrets.open('totp', sealed)).toBe(text);
      expect(() => secrets.open('webhook', sealed)).toThrow();
      expect(() => createSecrets(Buffer.alloc(32, 2)).open('totp', sealed)).toThrow();
    }),
  );
});

test('a modified sealed value does not open', () => {
  const secrets = createSecrets(key);
  const sealed = secrets.seal('totp', 'JBSWY3DPEHPK3PXP');
  const parts = sealed.split('.');
  for (const at of [0, 1, 2, 3]) {
    const changed = parts.map((part, i) => (i === at ? (part.startsWith('A') ? `B${part.slice(1)}` : `A${part.slice(1)}`) : part)).join('.');
    expect(() => secrets.open('totp', changed)).toThrow();
  }
  expect(() => secrets.open('totp', 'v1...')).toThrow();
  expect(() => secrets.open('totp', parts.slice(0, 3).join('.'))).toThrow();
});

it('compares secrets of any length and alphabet', () => {
  expect([sameSecret('abc', 'abc'), sameSecret('abc', 'abd'), sameSecret('abc', 'ab'), sameSecret('abc', 'abé'), sameSecret('', '')]).toEqual([
    true,
    false,
    false,
    false,
    true,
  ]);
});

describe('the key of an installation', () => {
  let stores: TestStores;
  let dataDir: string;
  beforeAll(async () => {
    stores = await openTestStores();
    dataDir = mkdtempSync(path.join(os.tmpdir(), 'secrets-'));
  });
  afterAll(async () => {
    await stores.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('is created once, readable only by its owner, and then reused', async () => {
    const sealed = (await openSecrets({ dataDir, secretKey: null }, stores.postgres)).seal('totp', 'text');
    expect(statSync(path.join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
    expect((await openSecrets({ dataDir, secretKey: null }, stores.postgres)).open('totp', sealed)).toBe('text');
  });

  it('stops a process whose key differs before it writes', async () => {
    await expect(openSecrets({ dataDir, secretKey: 'another key, long enough to be taken' }, stores.postgres)).rejects.toThrow(StartFailure);
    const other = mkdtempSync(path.join(os.tmpdir(), 'secrets-'));
    await expect(openSecrets({ dataDir: other, secretKey: null }, stores.postgres)).rejects.toThrow(StartFailure);
    writeFileSync(path.join(other, 'secret.key'), 'short');
    await expect(openSecrets({ dataDir: other, secretKey: null }, stores.postgres)).rejects.toThrow(/32 bytes/);
    rmSync(other, { recursive: true, force: true });
  });
});
