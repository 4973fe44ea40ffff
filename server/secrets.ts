import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import type { Config } from './config';
import { instanceSettings } from './areas/session/schema';
import type { Postgres } from './stores/postgres/types';
import { StartFailure } from './terminalTexts';

/**
 * Cryptography with the installation's key. Each purpose has its own key, derived by HKDF-SHA-256 (RFC 5869), so that text encrypted for one purpose cannot be
 * decrypted for another.
 */
export type Secrets = {
  /** AES-256-GCM: `v1.<nonce>.<text>.<tag>` in base64url. */
  readonly seal: (purpose: string, text: string) => string;
  /** Throws if `sealed` was modified, or encrypted for another purpose or with another key. */
  readonly open: (purpose: string, sealed: string) => string;
  /** HMAC-SHA-256 in base64url. */
  readonly mac: (purpose: string, text: string) => string;
};

export function createSecrets(key: Buffer): Secrets {
  const keyFor = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', key, '', `sitewright ${purpose}`, 32));
  return {
    seal(purpose, text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), nonce);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return ['v1', nonce.toString('base64url'), sealed.toString('base64url'), cipher.getAuthTag().toString('base64url')].join('.');
    },
    open(purpose, sealed) {
      const [version, nonce = '', text = '', tag = ''] = sealed.split('.');
      if (version !== 'v1') throw new Error('sealed by an unknown version');
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), Buffer.from(nonce, 'base64url'), { authTagLength: 16 });
      decipher.setAuthTag(Buffer.from(tag, 'base64url'));
      return Buffer.concat([decipher.update(Buffer.from(text, 'base64url')), decipher.final()]).toString('utf8');
    },
    mac: (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest('base64url'),
  };
}

const fileName = 'secret.key';
const settingName = 'secret_key_check';

/**
 * The key: `SECRET_KEY`, else the file `secret.key` in the data folder, created at the first start. The database stores a check value of the key, so that a
 * process with another key stops at once instead of failing to decrypt existing data.
 */
export async function openSecrets(config: Pick<Config, 'dataDir' | 'secretKey'>, postgres: Postgres): Promise<Secrets> {
  return postgres.withLock('secret-key', async () => {
    const [row] = await postgres.db.select({ value: instanceSettings.value }).from(instanceSettings).where(eq(instanceSettings.name, settingName));
    const file = path.join(config.dataDir, fileName);
    if (config.secretKey === null && row && !existsSync(file)) missing(file);
    const secrets = createSecrets(config.secretKey === null ? keyOfFile(file) : Buffer.from(hkdfSync('sha256', config.secretKey, '', 'SECRET_KEY', 32)));
    const check = secrets.mac('check', 'sitewright');
    if (!row) await postgres.db.insert(instanceSettings).values({ name: settingName, value: check, updatedAt: new Date() });
    else if (typeof row.value !== 'string' || !sameSecret(row.value, check)) missing(config.secretKey === null ? file : 'SECRET_KEY');
    return secrets;
  });
}

/** Whether two secrets, hashes or signatures are equal, in constant time. */
export function sameSecret(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function keyOfFile(file: string): Buffer {
  if (!existsSync(file)) writeKey(file);
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64url');
  if (key.length !== 32) throw new StartFailure({ en: `${file} does not hold a key of 32 bytes.`, zh: `${file} 中没有 32 字节的密钥。` });
  return key;
}

/** Written atomically and flushed to disk: the database is about to store its check value, and a truncated key would stop every later start. */
function writeKey(file: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  renameSync(draft, file);
}

function missing(where: string): never {
  throw new StartFailure({
    en: `The database was written with another key than the one in ${where}. Give this process the same SECRET_KEY or secret.key as the others.`,
    zh: `数据库使用的密钥与 ${where} 不一致。请为本进程提供与其他进程相同的 SECRET_KEY 或 secret.key。`,
  });
}
