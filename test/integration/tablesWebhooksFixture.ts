import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Webhook, WebhookDelivery, NewWebhook, CreatedWebhook } from '../../contract/tables/webhooks';
import { startWebhookSender } from '../../server/areas/tables/webhooks';
import type { WebhookSender, WebhookSenderOptions } from '../../server/areas/tables/webhooks/sender';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { addTestTable, makeTabled } from '../support/tables';
import type { MadeTable, Tabled } from '../support/tables';

export type MessageRecord = {
  readonly id: string;
  readonly n: number;
  readonly revision: number;
  readonly values: Record<string, unknown>;
  readonly translations: Record<string, Record<string, unknown>>;
  readonly changes: Record<string, { before: unknown; after: unknown }>;
  readonly omitted?: true;
};
export type Message = {
  readonly id: string;
  readonly event: string;
  readonly table: { readonly id: string; readonly key: string } | null;
  readonly actor: { readonly name: string } | null;
  readonly batch: { readonly door: string } | null;
  readonly records: MessageRecord[];
  readonly labels: { readonly records: Record<string, string>; readonly people: Record<string, string> };
};
export type Received = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly text: string; readonly body: Message };

/** A receiver: responds 200 unless configured otherwise by path. */
export const got: Received[] = [];
export const answers = new Map<string, (response: ServerResponse, received: Received) => void>();
export let receiver: Server;
export let origin: string;
export const at = (path: string): Received[] => got.filter((one) => one.path === path);
export const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end('said');

export let program: TestApp;
export let main: Tabled;
export let people: MadeTable;
export let owner: Person;
export let base: string;
export let sender: WebhookSender | null = null;
beforeAll(async () => {
  receiver = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      const received = { path: request.url ?? '', headers: request.headers, text, body: JSON.parse(text) as Message };
      got.push(received);
      (answers.get(received.path) ?? status(200))(response, received);
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  program = await makeTestApp({ config: { privateWebhooks: true } });
  main = await makeTabled(
    program,
    [
      { key: 'title', type: 'text', localized: true },
      { key: 'price', type: 'currency', options: { currency: 'CNY', decimals: 2 } },
      { key: 'phone', type: 'phone', sensitive: true },
      { key: 'pin', type: 'password' },
      { key: 'tail', type: 'formula', options: { formula: 'right({phone}, 4)' } },
      { key: 'double', type: 'formula', options: { formula: '{price} * 2' } },
    ],
    { key: 'articles', drafts: true, locales: ['zh-Hans', 'en'] },
  );
  ({ owner } = main);
  base = `/api/site/${main.site.id}/table/hooks`;
  people = await addTestTable(owner, main.site.id, [{ key: 'name', type: 'text' }], { key: 'people' });
  const added = await owner.send('POST', `${main.path}/fields`, { title: '作者', key: 'author', type: 'relation', options: { to: people.table.id } });
  const linked = await owner.send('POST', `${main.path}/fields`, { title: '编辑', key: 'editors', type: 'relations', options: { to: people.table.id } });
  expect([added.statusCode, linked.statusCode]).toEqual([200, 200]);
});
afterAll(async () => {
  await program.close();
  receiver.closeAllConnections();
  receiver.close();
});
afterEach(async () => {
  await sender?.close();
  sender = null;
  answers.clear();
  for (const hook of await listWebhooks()) await owner.send('DELETE', `${base}/${hook.id}`);
});

export const send = (options: WebhookSenderOptions = {}, ctx = program.ctx): void =>
  void (sender = startWebhookSender(ctx, { pollEvery: 30, graceFor: 50, ...options }));
export async function call<T>(method: 'POST' | 'PATCH' | 'GET', url: string, body?: object, headers: Record<string, string> = {}): Promise<T> {
  const answer = method === 'GET' ? await owner.get(url) : await owner.send(method, url, body ?? {}, headers);
  if (answer.statusCode !== 200) throw new Error(`${method} ${url}: ${answer.body}`);
  return answer.json<{ data: T }>().data;
}
export const listWebhooks = (): Promise<Webhook[]> => call('GET', base);
let paths = 0;
/** Adds a webhook with a path of its own. */
export async function addWebhook(input: Partial<NewWebhook> = {}): Promise<CreatedWebhook & { path: string; url: string }> {
  const path = `/hook-${paths++}`;
  const created = await call<CreatedWebhook>('POST', base, { name: '同步', url: `${origin}${path}`, events: ['record.created', 'record.updated'], ...input });
  return { ...created, path, url: `${base}/${created.hook.id}` };
}
export type Rows = { records: { id: string; revision: number }[]; batchId: string };
export const create = async (table: MadeTable, ...records: object[]): Promise<string[]> =>
  (await call<Rows>('POST', `${table.path}/records`, { records })).records.map(({ id }) => id);
export const change = (table: MadeTable, id: string, values: object): Promise<Rows> => call('PATCH', `${table.path}/records`, { changes: [{ id, values }] });
export const deliveries = async (url: string, query = ''): Promise<WebhookDelivery[]> =>
  (await call<{ rows: WebhookDelivery[] }>('GET', `${url}/deliveries${query}`)).rows;
/** Whether the oldest delivery has recorded this many failed attempts. */
export async function hasFailed(url: string, attempts: number): Promise<boolean> {
  const oldest = (await deliveries(url)).at(-1);
  return oldest?.attempts === attempts && oldest.nextAt !== null && Date.parse(oldest.nextAt) > program.ctx.now();
}
/** As documented: `v1,` and Base64 of the HMAC of id, time and body with the secret without its prefix. */
export const signed = (secret: string, { headers, text }: Received): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`)
    .digest('base64')}`;
