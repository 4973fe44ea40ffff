import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readConfig } from '../../server/config';
import { helpText } from '../../server/help';
import { settings } from '../../server/settings';

const bucket = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };

describe('settings', () => {
  it('default to one machine, loopback and embedded stores', () => {
    expect(readConfig({}, [])).toMatchObject({
      dataDir: path.resolve('data'),
      host: 'localhost',
      port: 3000,
      deliveryPort: 3001,
      publicUrl: 'http://localhost:3000',
      databaseUrl: null,
      clickhouseUrl: null,
      trustedProxies: [],
      allowHttp: false,
      ack: 'journal',
      journalMaxBytes: 2 ** 30,
      importMaxBytes: 50 * 2 ** 30,
      roles: new Set(['web', 'collect', 'delivery', 'worker']),
      demo: false,
      demoVisits: true,
      production: true,
    });
  });

  it('are taken from the command line before the environment', () => {
    const env = { PORT: '4000', ROLES: 'web, worker', JOURNAL_MAX_BYTES: '500M', PUBLIC_URL: 'https://console.example.com/' };
    expect(readConfig(env, ['--port', '5000', '--demo', '--host=0.0.0.0'])).toMatchObject({
      port: 5000,
      demo: true,
      host: '0.0.0.0',
      roles: new Set(['web', 'worker']),
      journalMaxBytes: 500 * 2 ** 20,
      publicUrl: 'https://console.example.com',
    });
  });

  it.each([
    [{ PORT: '70000' }, 'PORT=70000'],
    [{ JOURNAL_MAX_BYTES: 'much' }, 'JOURNAL_MAX_BYTES=much'],
    [{ ACK: 'never' }, 'ACK=never'],
    [{ ROLES: 'web,cook' }, 'ROLES=cook'],
    [{ ALLOW_HTTP: 'perhaps' }, 'ALLOW_HTTP=perhaps'],
    [{ PUBLIC_URL: 'https://example.com/console' }, 'PUBLIC_URL=https://example.com/console'],
    [{ PUBLIC_URL: 'http://192.168.1.5:3000' }, 'PUBLIC_URL=http://192.168.1.5:3000'],
    [{ TRUSTED_PROXIES: '10.0.0.0/40' }, 'TRUSTED_PROXIES=10.0.0.0/40'],
    [{ S3_BUCKET: 'files', S3_SECRET_ACCESS_KEY: 's' }, 'S3_ACCESS_KEY_ID'],
    [{ S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id' }, 'S3_SECRET_ACCESS_KEY'],
    [{ ...bucket, S3_SECRET_ACCESS_KEY_FILE: '/nowhere' }, 'S3_SECRET_ACCESS_KEY_FILE=/nowhere'],
    [{ ...bucket, S3_PREFIX: '../x' }, 'S3_PREFIX=../x'],
    [{ ...bucket, S3_ENDPOINT: 's3.example.com' }, 'S3_ENDPOINT'],
  ])('%j is refused by name', (env, named) => {
    expect(() => readConfig(env, [])).toThrow(named);
  });

  it('describe a bucket, whose secret may be in a file', () => {
    expect(readConfig({}, []).s3).toBeNull();
    const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'config-')), 'secret');
    writeFileSync(file, 'from a file\n');
    expect(readConfig({ ...bucket, S3_PREFIX: '/sitewright/files/', S3_SECRET_ACCESS_KEY_FILE: file }, []).s3).toEqual({
      kind: 's3',
      endpoint: null,
      region: 'us-east-1',
      bucket: 'files',
      prefix: 'sitewright/files/',
      accessKeyId: 'id',
      secretAccessKey: 'from a file',
      pathStyle: false,
    });
    rmSync(path.dirname(file), { recursive: true });
  });

  it('allow plain http on this machine, and elsewhere on request', () => {
    for (const PUBLIC_URL of ['http://127.0.0.1:3000', 'http://[::1]:3000', 'http://console.localhost'])
      expect(readConfig({ PUBLIC_URL }, [])).toMatchObject({ publicUrl: PUBLIC_URL });
    expect(readConfig({ PUBLIC_URL: 'http://192.168.1.5:3000', ALLOW_HTTP: '1' }, [])).toMatchObject({ allowHttp: true });
  });

  it('that contain passwords are not repeated in error messages', () => {
    expect(() => readConfig({ DATABASE_URL: 'mysql://root:secret@db/x' }, [])).toThrow(/DATABASE_URL/);
    expect(() => readConfig({ DATABASE_URL: 'mysql://root:secret@db/x' }, [])).not.toThrow(/secret/);
  });

  it('are all in the help, in both languages', () => {
    for (const { name, meaning } of settings) {
      expect(helpText({})).toContain(meaning.en);
      expect(helpText({ LANG: 'zh_CN.UTF-8' })).toContain(meaning.zh);
      expect(helpText({})).toContain(name);
    }
  });
});
