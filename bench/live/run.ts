import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { SupportSettingsInput } from '../../contract/support/settings';
import { supportConversations, supportMessages, supportSettings, supportVisitors } from '../../server/areas/support/schema';
import { hashToken, makeToken } from '../../server/kit/tokens';
import { makeDeliveringProgram } from '../../test/support/deliveredSite';
import type { DeliveringProgram } from '../../test/support/deliveredSite';
import { startTestStores } from '../../test/support/testStores';
import { until } from '../../test/support/until';
import { residentBytes } from '../processes';
import { writeSection } from '../sections';

/**
 * `npm run bench:live`: visitors with an open stream each, and agents who answer them through the calls of the console. The delay of a message is the time from the agent's
 * request to the arrival at the visitor's end; clients are a process of their own. Numbers of visitors, agents and seconds may be given as arguments.
 */
const [visitors = 2000, agents = 50, seconds = 20] = process.argv.slice(2).map(Number);
/** Messages of one agent in a second: more than anybody writes. */
const perAgentAndSecond = 1;
const host = 'live.localhost';

const now = (): number => performance.timeOrigin + performance.now();
const quantile = (sorted: readonly number[], q: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? NaN;
const inBatches = async <T>(rows: readonly T[], work: (some: T[]) => Promise<unknown>): Promise<void> => {
  for (let at = 0; at < rows.length; at += 500) await work(rows.slice(at, at + 500));
};

/** Visitors with a conversation each. */
async function addVisitors({ ctx: { postgres } }: DeliveringProgram, siteId: string): Promise<{ readonly id: string; readonly token: string }[]> {
  const at = new Date();
  const rows = Array.from({ length: visitors }, (_, n) => ({ n, token: makeToken(), visitorId: crypto.randomUUID(), id: crypto.randomUUID() }));
  const source = { landing: '', referrer: '', campaign: '', medium: '', channel: 'direct' };
  const page = { url: '', title: '' };
  await inBatches(rows, (some) =>
    postgres.db
      .insert(supportVisitors)
      .values(some.map(({ token, visitorId }) => ({ id: visitorId, siteId, tokenHash: hashToken(token), source, page, firstSeenAt: at, lastSeenAt: at }))),
  );
  await inBatches(rows, (some) =>
    postgres.db.insert(supportConversations).values(
      some.map(({ n, id, visitorId }) => ({
        ...{ id, siteId, visitorId, clientId: `client-${String(n)}`, number: n + 1, kind: 'chat' as const, page, startedAt: at, lastMessageAt: at },
        ...{ version: 1, messages: 1 },
      })),
    ),
  );
  await inBatches(rows, (some) =>
    postgres.db
      .insert(supportMessages)
      .values(some.map(({ id }) => ({ conversationId: id, siteId, seq: 1, version: 1, author: 'visitor' as const, kind: 'text' as const, body: 'hello', at }))),
  );
  return rows;
}

const stores = await startTestStores();
process.env.TEST_STORES = JSON.stringify(stores.addresses);
const program = await makeDeliveringProgram({ config: { trustedProxies: ['loopback'] } });
const clients = fork(fileURLToPath(new URL('clients.mjs', import.meta.url)));
try {
  const { owner, delivery, app, ctx } = program;
  const site = await program.makeSite(owner, { name: 'Live', slug: 'live' });
  const { webhookSecret: _none, ...settings } = SupportSettingsInput.parse({ mode: 'builtin', hours: { timeZone: 'UTC' } });
  await ctx.postgres.db.insert(supportSettings).values({ siteId: site.id, settings });
  const conversations = await addVisitors(program, site.id);
  await until(async () => (await program.visit(host, '/robots.txt')).statusCode === 200);
  await delivery.listen({ host: '127.0.0.1', port: 0 });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = delivery.server.address() as AddressInfo;

  const delays: number[] = [];
  let closed = 0;
  clients.on('message', (message: { readonly delay?: number; readonly closed?: true }) => {
    if (message.delay !== undefined) delays.push(message.delay);
    if (message.closed) closed += 1;
  });
  globalThis.gc?.();
  const before = (await residentBytes(process.pid)) ?? NaN;
  const openedAt = now();
  clients.send(conversations.map(({ id, token }) => ({ port, host, site: site.id, id, token })));
  for (let opened = false; !opened;) {
    const [message] = (await once(clients, 'message')) as [{ readonly opened?: number }];
    opened = message.opened !== undefined;
  }
  const openingMs = now() - openedAt;
  await delay(3000);
  globalThis.gc?.();
  const perConnection = (((await residentBytes(process.pid)) ?? NaN) - before) / visitors;

  let sent = 0;
  const write = async (agent: number): Promise<void> => {
    for (let n = 0; n < seconds * perAgentAndSecond; n += 1) {
      const begun = now();
      const { id } = conversations[(agent + n * agents) % conversations.length] ?? { id: '' };
      const body = { clientId: `bench-${String(agent)}-${String(n)}`, body: `bench ${begun.toFixed(1)}` };
      const response = await owner.send('POST', `/api/site/${site.id}/cs/conversations/${id}/messages`, body, { 'x-forwarded-for': `10.1.0.${String(agent + 1)}` });
      if (response.statusCode !== 200) throw new Error(`an answer was refused: ${response.body}`);
      sent += 1;
      await delay(Math.max(0, 1000 / perAgentAndSecond - (now() - begun)));
    }
  };
  await Promise.all(Array.from({ length: agents }, async (_, agent) => delay(agent * (1000 / agents)).then(() => write(agent))));
  await until(() => delays.length >= sent, 20_000).catch(() => undefined);
  delays.sort((a, b) => a - b);
  const row = {
    sent,
    delivered: delays.length,
    lost: closed,
    p50: quantile(delays, 0.5),
    p99: quantile(delays, 0.99),
    most: delays.at(-1) ?? NaN,
    perConnection,
    openingMs,
  };
  console.log(row);
  const section = [
    '## Customer service, live',
    '',
    `\`npm run bench:live\`: ${String(visitors)} visitors with an open stream each, ${String(agents)} agents who write ${String(perAgentAndSecond)} message a second each for ${String(seconds)} s through the console's calls; clients, program and stores share one machine of two cores, which others used at the same time.`,
    '',
    '| messages | delivered | p50 | p99 | longest | streams lost | memory a stream | opening all |',
    '|---:|---:|---:|---:|---:|---:|---:|---:|',
    `| ${String(row.sent)} | ${String(row.delivered)} | ${row.p50.toFixed(0)} ms | ${row.p99.toFixed(0)} ms | ${row.most.toFixed(0)} ms | ${String(row.lost)} | ${(perConnection / 1000).toFixed(1)} kB | ${(openingMs / 1000).toFixed(1)} s |`,
  ];
  await writeSection('live', section.join('\n'));
} finally {
  clients.kill();
  await program.close();
  await stores.stop();
}
