import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { InstanceRole, SiteRole } from '../../contract/permissions';
import type { SiteInput, Site } from '../../contract/sites/schemas';
import { users } from '../../server/areas/account/schema';
import { ensureSetUpToken } from '../../server/areas/session';
import { siteGrants } from '../../server/areas/sites/schema';
import { openCountries } from '../../server/collect/classify';
import { readConfig } from '../../server/config';
import type { Config } from '../../server/config';
import type { Context } from '../../server/context';
import { createApp } from '../../server/http/app';
import type { AppOptions } from '../../server/http/app';
import { openLiveBus } from '../../server/http/live';
import { createLog } from '../../server/log';
import { createSecrets } from '../../server/secrets';
import { imageProcess } from '../../server/kit/images/imageProcess';
import { folderStore } from '../../server/stores/files/folder';
import { s3Store } from '../../server/stores/files/s3';
import type { FileStore, S3Location } from '../../server/stores/files/types';
import { openTestStores } from './stores';
import type { TestStores } from './stores';
import { hashPassword } from '../../server/kit/passwords';

export const ownerPassword = 'correct horse battery staple';
/** Everybody has the same password: hashing is slow on purpose, so it is done once. */
let ownerHash: Promise<string> | null = null;

/** A test client: keeps cookies and sends the headers that the console sends with writes. */
export type Browser = {
  readonly cookies: Map<string, string>;
  readonly get: (url: string, headers?: Record<string, string>) => Promise<LightMyRequestResponse>;
  readonly head: (url: string, headers?: Record<string, string>) => Promise<LightMyRequestResponse>;
  readonly send: (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, body?: object, headers?: Record<string, string>) => Promise<LightMyRequestResponse>;
};

export type Person = Browser & { readonly userId: string; readonly loginName: string };

export type TestApp = {
  readonly app: FastifyInstance;
  readonly ctx: Context;
  readonly stores: TestStores;
  /** Advances the server's clock. */
  readonly pass: (ms: number) => void;
  readonly browser: () => Browser;
  /** Signs up through the set-up link, as the first person does. */
  readonly signUpOwner: () => Promise<Person>;
  /** Inserts another person into the database and signs them in. */
  readonly makePerson: (role: InstanceRole, loginName?: string) => Promise<Person>;
  readonly makeSite: (by: Browser, input?: Partial<SiteInput>) => Promise<Site>;
  readonly grant: (siteId: string, userId: string, role: SiteRole) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type TestAppOptions = AppOptions & {
  readonly config?: Partial<Config>;
  /** Instead of the data folder. */ readonly files?: FileStore;
  /** The current time, if not the real one (epoch ms). */ readonly now?: () => number;
  /** Registers more routes before the app is ready. */ readonly prepare?: (app: FastifyInstance, ctx: Context) => void;
};

/** Files in the folder, or with `TEST_FILES=s3` (`npm run test:s3`) in the bucket that `startStores.ts` has started. */
function openTestFiles(dataDir: string): FileStore {
  const bucket = process.env['TEST_S3'];
  return bucket === undefined ? folderStore(dataDir) : s3Store({ ...(JSON.parse(bucket) as S3Location), prefix: `${randomUUID()}/` });
}

/** The real app on fresh databases, without a listening port. */
export async function makeTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const stores = await openTestStores();
  const log = createLog('silent');
  const live = await openLiveBus(stores.postgres, log);
  let ahead = 0;
  // Not as in production: exact responses are compared with their contract.
  const config = { ...readConfig({ NODE_ENV: 'test' }, []), production: false, ...options.config };
  const images = imageProcess();
  const files = options.files ?? openTestFiles(config.dataDir);
  const now = (): number => (options.now ?? Date.now)() + ahead;
  const ctx: Context = {
    config,
    postgres: stores.postgres,
    clickhouse: stores.clickhouse,
    files,
    images,
    live,
    secrets: createSecrets(Buffer.alloc(32, 7)),
    countries: await openCountries({ config, files, live, log, now }),
    log,
    now,
  };
  const app = await createApp(ctx, {
    ...(options.consoleDir === undefined ? {} : { consoleDir: options.consoleDir }),
    ...(options.areas === undefined ? {} : { areas: options.areas }),
  });
  options.prepare?.(app, ctx);
  await app.ready();

  function browser(): Browser {
    const cookies = new Map<string, string>();
    async function call(request: InjectOptions): Promise<LightMyRequestResponse> {
      const answer = await app.inject({ ...request, cookies: Object.fromEntries(cookies) });
      for (const cookie of answer.cookies) {
        if (cookie.value === '' || cookie.maxAge === 0) cookies.delete(cookie.name);
        else cookies.set(cookie.name, cookie.value);
      }
      return answer;
    }
    return {
      cookies,
      get: (url, headers = {}) => call({ method: 'GET', url, headers }),
      head: (url, headers = {}) => call({ method: 'HEAD', url, headers }),
      send: (method, url, body, headers = {}) =>
        call({ method, url, headers: { 'sec-fetch-site': 'same-origin', 'x-requested-with': 'console', ...headers }, ...(body ? { payload: body } : {}) }),
    };
  }

  async function signIn(loginName: string): Promise<Person> {
    const person = browser();
    const answer = await person.send('POST', '/api/acc/sign/in', { login: loginName, password: ownerPassword });
    if (answer.statusCode !== 200) throw new Error(`could not sign in: ${answer.body}`);
    const { data } = (await person.get('/api/acc/token/session')).json<{ data: { userId: string } }>();
    return { ...person, userId: data.userId, loginName };
  }

  return {
    app,
    ctx,
    stores,
    pass: (ms) => void (ahead += ms),
    browser,
    async signUpOwner() {
      const token = await ensureSetUpToken(ctx);
      const person = browser();
      const answer = await person.send('POST', '/api/acc/sign/setup', { token, loginName: 'lin.owner', displayName: '林', password: ownerPassword });
      if (answer.statusCode !== 200) throw new Error(`could not set up: ${answer.body}`);
      const { data } = (await person.get('/api/acc/token/session')).json<{ data: { userId: string } }>();
      return { ...person, userId: data.userId, loginName: 'lin.owner' };
    },
    async makePerson(role, loginName = `p-${randomUUID().slice(0, 8)}`) {
      await ctx.postgres.db
        .insert(users)
        .values({ loginName, displayName: loginName, passwordHash: await (ownerHash ??= hashPassword(ownerPassword)), role, createdAt: new Date(ctx.now()) });
      return signIn(loginName);
    },
    async makeSite(by, input = {}) {
      const answer = await by.send('POST', '/api/core/sites', { name: 'Tea house', purpose: 'built', ...input });
      if (answer.statusCode !== 200) throw new Error(`could not make a site: ${answer.body}`);
      return answer.json<{ data: Site }>().data;
    },
    grant: async (siteId, userId, role) => void (await ctx.postgres.db.insert(siteGrants).values({ siteId, userId, role, createdAt: new Date(ctx.now()) })),
    async close() {
      images.close();
      await app.close();
      await live.close();
      await stores.close();
    },
  };
}

/** The same with a data folder of its own, which is deleted when the app is closed. */
export async function makeTestAppWithFolder(options: TestAppOptions = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'sitewright-test-'));
  const t = await makeTestApp({ ...options, config: { ...options.config, dataDir } });
  return {
    ...t,
    async close() {
      await t.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** The data of a response, with the caller's type. */
// oxlint-disable-next-line no-unnecessary-type-parameters -- the caller knows what the call answers
export const dataOf = <T>(answer: { json: () => unknown }): T => (answer.json() as { data: T }).data;
