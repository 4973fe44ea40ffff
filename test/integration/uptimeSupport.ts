import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Site } from '../../contract/sites/schemas';
import type { UptimeIncident, UptimeInput, UptimeSettings, UptimeStatus } from '../../contract/uptime/schemas';
import { uptimeMonitors } from '../../server/areas/uptime/schema';
import { outbox } from '../../server/mail/schema';
import { dataOf } from '../support/app';
import type { Browser, Person, TestApp } from '../support/app';
import { addSubscriber } from '../support/subscribers';
import type { Subscriber } from '../support/subscribers';
import { until } from '../support/until';

export const minute = 60_000;
export type CheckedServer = Awaited<ReturnType<typeof openCheckedServer>>;
/** A web server to check. `answers` is replaced by what a test needs. */
export async function openCheckedServer() {
  const state: { requests: number; answers: RequestListener } = { requests: 0, answers: (_request, response) => response.end('Tea house') };
  const server = createServer((request, response) => {
    state.requests += 1;
    state.answers(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(state, {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  });
}

type QueuedNotice = { readonly kind: string; readonly subject: string; readonly facts?: { label: string; value: string }[]; readonly paragraphs: string[] };

/** Calls on the uptime of sites, and what they cause, in the current program. `put`: the current settings, switched on, with a change. */
export function uptimeCalls(current: () => { readonly t: TestApp; readonly owner: Person }) {
  const at = (site: Site, rest = ''): string => `/api/core/sites/${site.id}/uptime${rest}`;
  const settings = async (site: Site, by: Browser = current().owner) => dataOf<UptimeSettings>(await by.get(at(site, '/settings')));
  const status = async (site: Site, by: Browser = current().owner) => dataOf<UptimeStatus>(await by.get(at(site)));
  const incidents = async (site: Site) => dataOf<{ rows: UptimeIncident[]; next: string | null }>(await current().owner.get(at(site, '/incidents')));
  async function put(site: Site, change: Partial<UptimeInput> = {}, by: Browser = current().owner, revision?: number) {
    const { address: _address, recipients: _recipients, people: _people, mail: _mail, revision: latest, ...input } = await settings(site);
    return by.send('PUT', at(site, '/settings'), { ...input, enabled: true, ...change }, { 'if-match': `"${revision ?? latest}"` });
  }
  const monitor = async (site: Site) => (await current().t.ctx.postgres.db.select().from(uptimeMonitors)).find(({ siteId }) => siteId === site.id);
  /** Moves the clock to the next check of a site, and waits until it is done. */
  async function nextCheck(site: Site, by = 5 * minute): Promise<void> {
    const before = (await monitor(site))?.checkedAt?.getTime() ?? 0;
    current().t.pass(by);
    await until(async () => ((await monitor(site))?.checkedAt?.getTime() ?? 0) > before);
  }
  const subscribe = (subscriptions: Subscriber['subscriptions'], change: Partial<Subscriber> = {}) => addSubscriber(current().t.ctx, subscriptions, change);
  const queuedNotices = async (): Promise<QueuedNotice[]> =>
    (await current().t.ctx.postgres.db.select().from(outbox).orderBy(outbox.createdAt)).map(({ kind, message }) => ({
      kind,
      ...(JSON.parse(current().t.ctx.secrets.open('outbox', message)) as Omit<QueuedNotice, 'kind'>),
    }));
  return { at, settings, status, incidents, put, monitor, nextCheck, subscribe, queuedNotices };
}
