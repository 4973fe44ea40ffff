import type { FastifyInstance } from 'fastify';
import { areas, jobHandlers, schedules } from './areas';
import { rescue } from './areas/account';
import { demoVisits, startDemo } from './areas/demo';
import { ensureSetUpToken } from './areas/session';
import { registerCollect, startCollector } from './collect';
import type { Collector } from './collect';
import { openCountries } from './collect/classify';
import { createCollectApp } from './collect/listener';
import type { Config } from './config';
import type { Context } from './context';
import { lockDataFolder, openDataFolder } from './dataFolder';
import { createTlsListener, servesTls } from './areas/hostnames';
import { createDelivery, pushJob, registerSupportElsewhere } from './delivery';
import { createApp } from './http/app';
import { startMailer } from './mail';
import { openSecrets } from './secrets';
import { openLiveBus } from './http/live';
import { checkPort, listen } from './listen';
import type { Listening, PortSetting } from './listen';
import type { Log } from './log';
import { clickhouseMigrations } from './migrations';
import { migrateClickHouse } from './stores/clickhouse/migrate';
import { openClickHouse } from './stores/clickhouse/open';
import { imageProcess } from './kit/images/imageProcess';
import { openFileStore } from './stores/files/open';
import { migratePostgres } from './stores/postgres/migrate';
import { openPostgres } from './stores/postgres/open';
import { startWorker } from './worker';

export type Program = {
  /** The console's URL. */
  readonly url: string;
  /** The one-time link that creates the first owner; null if there already is one. */
  readonly setUpUrl: string | null;
  /** The one-time link requested by `RESET_LINK`. */
  readonly resetUrl: string | null;
  /** Stops everything in order: listeners, collector, stores. May be called repeatedly. */
  readonly stop: () => Promise<void>;
};

type Undo = () => Promise<void> | void;

/** The composition root: opens what the roles of this process need, in order, and closes it in reverse order. */
export async function startProgram(config: Config, log: Log): Promise<Program> {
  const undo: Undo[] = [];
  let stopped: Promise<void> | null = null;
  const stop = (): Promise<void> => (stopped ??= unwind(undo, log));
  try {
    openDataFolder(config.dataDir);
    // Before checking the ports: a second start must report that the program is already running, not that a port is in use.
    undo.push(await lockDataFolder(config.dataDir, log));
    for (const port of portsOf(config)) await checkPort(config.host, port.port, port.setting);

    const ctx = await openContext(config, log, undo);
    const collector = await openCollector(ctx, undo);
    if (config.demo && config.demoVisits && collector) {
      const visits = startWorker(ctx, [], [demoVisits(collector)]);
      undo.push(() => visits.close());
    }
    const apps = await openListeners(ctx, collector, undo);
    if (config.roles.has('worker')) {
      const worker = startWorker(ctx, [...jobHandlers, pushJob], schedules);
      undo.push(() => worker.close());
      const mailer = startMailer(ctx);
      undo.push(() => mailer.close());
      for (const start of areas.flatMap(({ services }) => services ?? [])) {
        const service = start(ctx);
        undo.push(() => service.close());
      }
      if (config.demo) await startDemo(ctx);
    }
    const resetUrl = await rescue(ctx, config);
    for (const { app, port, setting } of apps) await listen(app, config.host, port, setting);
    const token = config.roles.has('web') ? await ensureSetUpToken(ctx) : null;
    return { url: config.publicUrl, setUpUrl: token === null ? null : `${config.publicUrl}/sign/setup#t=${token}`, resetUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openContext(config: Config, log: Log, undo: Undo[]): Promise<Context> {
  // First, because a bucket that does not answer is found before the databases have been started.
  const files = await openFileStore(config);
  const opening = [
    openPostgres(config, log).then((postgres) => {
      undo.push(() => postgres.close());
      return postgres;
    }),
    openClickHouse(config, log).then((clickhouse) => {
      undo.push(() => clickhouse.close());
      return clickhouse;
    }),
  ] as const;
  // Both are awaited before a failure is thrown, so that nothing is left running.
  await Promise.allSettled(opening);
  const [postgres, clickhouse] = await Promise.all(opening);
  await migratePostgres(postgres);
  await migrateClickHouse(clickhouse, clickhouseMigrations, postgres.withLock);
  const images = imageProcess();
  undo.push(async () => images.close());
  const secrets = await openSecrets(config, postgres);
  const live = await openLiveBus(postgres, log);
  undo.push(() => live.close());
  const countries = await openCountries({ config, files, live, log, now: Date.now });
  return { config, postgres, clickhouse, files, images, live, secrets, countries, log, now: Date.now };
}

type Listener = { readonly app: Listening; readonly port: number; readonly setting: PortSetting };

function portsOf(config: Config): { port: number; setting: Listener['setting'] }[] {
  const { roles, port, deliveryPort, tlsPort } = config;
  return [
    ...(roles.has('web') || roles.has('collect') ? [{ port, setting: 'PORT' as const }] : []),
    ...(roles.has('delivery') ? [{ port: deliveryPort, setting: 'DELIVERY_PORT' as const }] : []),
    ...(roles.has('delivery') && servesTls(config) ? [{ port: tlsPort, setting: 'TLS_PORT' as const }] : []),
  ];
}

/** Delivered sites collect their own hits, so a process with the delivery role also needs a collector. */
async function openCollector(ctx: Context, undo: Undo[]): Promise<Collector | null> {
  if (!ctx.config.roles.has('collect') && !ctx.config.roles.has('delivery')) return null;
  const collector = await startCollector(ctx);
  undo.push(() => collector.close());
  return collector;
}

async function openListeners(ctx: Context, collector: Collector | null, undo: Undo[]): Promise<Listener[]> {
  const { roles, port, deliveryPort } = ctx.config;
  const listeners: Listener[] = [];
  const add = (app: FastifyInstance, at: number, setting: Listener['setting']): void => {
    undo.push(() => app.close());
    listeners.push({ app, port: at, setting });
  };
  if (roles.has('web')) {
    const app = await createApp(ctx);
    if (collector) {
      await registerCollect(app, ctx, collector, '');
      await registerSupportElsewhere(app, ctx);
    }
    add(app, port, 'PORT');
  } else if (collector && roles.has('collect')) {
    const app = await createCollectApp(ctx, collector);
    await registerSupportElsewhere(app, ctx);
    add(app, port, 'PORT');
  }
  if (collector && roles.has('delivery')) {
    const app = await createDelivery(ctx, collector);
    add(app, deliveryPort, 'DELIVERY_PORT');
    if (servesTls(ctx.config)) {
      const tls = createTlsListener(ctx, app);
      undo.push(() => tls.close());
      listeners.push({ app: tls, port: ctx.config.tlsPort, setting: 'TLS_PORT' });
    }
  }
  return listeners;
}

/** A failing step does not prevent the others from being closed. */
async function unwind(undo: Undo[], log: Log): Promise<void> {
  for (let step = undo.pop(); step !== undefined; step = undo.pop()) {
    try {
      await step();
    } catch (error) {
      log.error('a part did not close', { error });
    }
  }
}
