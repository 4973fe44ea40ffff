import { createServer } from 'node:http';
import type { IncomingHttpHeaders, RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { queueWebhook, queueMail, sendNow, startMailer, sweepOutbox } from '../../server/mail';
import type { MailContent } from '../../server/mail';
import { signatureOf } from '../../server/kit/webhookSignature';
import { contactSecret, legacySignatureOf } from '../../server/mail/post';
import { nextTry } from '../../server/mail/mailer';
import * as queries from '../../server/mail/queries';
import { outbox } from '../../server/mail/schema';
import { makeTestApp } from '../support/app';
import type { TestApp } from '../support/app';
import { startMailServer } from '../support/mailServer';
import type { MailServer } from '../support/mailServer';
import { until } from '../support/until';

let t: TestApp;
let server: MailServer;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  server = await startMailServer();
  closing.push(() => server.stop());
  t = await makeTestApp({ config: { smtpUrl: server.url, mailFrom: '"青 舟" <console@example.com>', privateWebhooks: true } });
  closing.push(() => t.close());
});
afterEach(async () => {
  for (let close = closing.pop(); close; close = closing.pop()) await close();
});

const minute = 60_000;
const letter = (change: Partial<MailContent> = {}): MailContent => ({
  to: 'anna@example.com',
  locale: 'zh-CN',
  subject: '重设密码',
  paragraphs: ['你好。', '第二段'],
  ...change,
});
const queue = (change: Partial<MailContent> = {}, options: { notBefore?: Date } = {}) =>
  queueMail(t.ctx, t.ctx.postgres.db, letter(change), { kind: 'test', ...options });
const start = (options: Parameters<typeof startMailer>[1] = {}) => {
  const mailer = startMailer(t.ctx, { pollEvery: 100, ...options });
  let closed: Promise<void> | null = null;
  const close = () => (closed ??= mailer.close());
  closing.push(close);
  return close;
};
const rows = () => t.ctx.postgres.db.select().from(outbox).orderBy(outbox.createdAt);
const row = async () => (await rows())[0];
const tried = (times: number) => until(async () => ((await row())?.attempts ?? 0) >= times && ((await row())?.lastError ?? null) !== null);
const allProcessed = () => until(async () => (await rows()).every((one) => one.sentAt !== null || one.failedAt !== null));

describe('mail', () => {
  test('is sent at once when the transaction commits', async () => {
    start({ pollEvery: 600_000 });
    await t.ctx.postgres.db.transaction(async (tx) => {
      await queueMail(t.ctx, tx, letter(), { kind: 'test' });
    });
    const received = await server.waitFor('anna@example.com');
    expect(received).toMatchObject({ from: 'console@example.com', to: ['anna@example.com'], subject: '重设密码' });
    await allProcessed();
    expect(await row()).toMatchObject({ attempts: 1, lastError: null, message: '' });
  });
  test('of a rolled back transaction is never sent', async () => {
    start();
    await t.ctx.postgres.db
      .transaction(async (tx) => {
        await queueMail(t.ctx, tx, letter({ to: 'never@example.com' }), { kind: 'test' });
        throw new Error('taken back');
      })
      .catch(() => undefined);
    await queue();
    await server.waitFor('anna@example.com');
    expect(server.letters().map((one) => one.to[0])).toEqual(['anna@example.com']);
  });
  test('is not queued without a mail server', async () => {
    expect(await queueMail({ ...t.ctx, config: { ...t.ctx.config, smtpUrl: null } }, t.ctx.postgres.db, letter(), { kind: 'test' })).toBe(false);
    expect(await rows()).toEqual([]);
  });
  test('has escaped text and HTML and is marked as automatic', async () => {
    start();
    await queue({
      paragraphs: ['<script>alert(1)</script> & "x"'],
      facts: [{ label: '设备', value: '<b>Chrome</b>' }],
      action: { label: '打开', url: 'https://c.example/sign/reset#t=abc&x="' },
      footer: '因为 <你>',
      unsubscribeUrl: 'https://c.example/sign/contact#t=u.1',
    });
    const { html, text, headers, email, raw, links } = await server.waitFor('anna@example.com');
    expect(html).not.toMatch(/<script|<b>Chrome|因为 <你>|<img|src=/);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot;');
    expect(html).toContain('href="https://c.example/sign/reset#t=abc&amp;x=%22"');
    expect(text).toContain('<script>alert(1)</script> & "x"');
    expect(links).toEqual(['https://c.example/sign/reset#t=abc&x=%22', 'http://localhost:3000', 'https://c.example/sign/contact#t=u.1']);
    expect(headers).toMatchObject({ 'auto-submitted': 'auto-generated', 'list-unsubscribe': '<https://c.example/sign/contact#t=u.1>' });
    expect(headers['message-id']).toBe(`<${(await row())?.id ?? ''}@example.com>`);
    expect(email.from).toEqual({ name: '青 舟', address: 'console@example.com' });
    expect(raw).toMatch(/multipart\/alternative/);
  });
  test('has no headers injected by subject, address or link', async () => {
    start();
    await queue({ subject: 'a\r\nBcc: thief@example.com\r\n\r\nbody' });
    await queue({ to: 'anna@example.com\r\nBcc: thief@example.com' });
    await queue({ to: 'anna@example.com, thief@example.com' });
    await queue({ to: 'Anna <thief@example.com>' });
    await queue({ unsubscribeUrl: 'https://c.example/\r\nBcc: thief@example.com' });
    await queue({ action: { label: 'x', url: 'javascript:alert(1)' } });
    await until(() => server.letters().length === 2);
    await until(async () =>
      (await rows()).filter((one) => one.sentAt === null).every((one) => one.failedAt !== null || one.lastError !== null || one.attempts > 0),
    );
    expect(server.letters().map((one) => [one.to, one.headers.bcc])).toEqual([
      [['anna@example.com'], undefined],
      [['anna@example.com'], undefined],
    ]);
    expect(server.letters()[0]?.subject).toBe('a Bcc: thief@example.com body');
    expect((await rows()).filter((one) => one.failedAt !== null).map((one) => one.recipient)).toHaveLength(4);
  });
});

describe('failed sending', () => {
  test('retries with growing pauses until the server is back', async () => {
    await server.stop();
    const close = start();
    await queue();
    await tried(1);
    expect(((await row())?.leaseUntil?.getTime() ?? 0) - t.ctx.now()).toBeGreaterThan(0.8 * minute);
    await close();
    await server.start();
    t.pass(minute);
    start();
    await server.waitFor('anna@example.com');
    await allProcessed();
    expect(await row()).toMatchObject({ attempts: 2, lastError: null });
  });
  test('a temporary refusal is retried, a permanent one is not', async () => {
    server.refuse((to) =>
      to.startsWith('later') ? { code: 451, message: 'busy' } : { code: 550, message: 'no such mailbox https://x.example/sign/reset#t=secret' },
    );
    start();
    await queue({ to: 'later@example.com' });
    await queue({ to: 'never@example.com' });
    await until(async () => (await rows()).every((one) => one.lastError !== null));
    const [later, never] = (await rows()).sort((a, b) => (a.recipient < b.recipient ? -1 : 1));
    expect(later).toMatchObject({ failedAt: null, lastError: expect.stringContaining('451 busy') });
    expect(later?.message).not.toBe('');
    expect(never).toMatchObject({ failedAt: expect.any(Date), message: '', attempts: 1 });
    expect(never?.lastError).toMatch(/no such mailbox/);
    expect(never?.lastError).not.toMatch(/secret/);
  });
  test('a wrong mail server password delays the message', async () => {
    const closed = await startMailServer({ user: { name: 'console', password: 'right' } });
    closing.push(() => closed.stop());
    const ctx = { ...t.ctx, config: { ...t.ctx.config, smtpUrl: closed.url.replace('right', 'wr0ng-pass') } };
    const mailer = startMailer(ctx, { pollEvery: 100 });
    closing.push(() => mailer.close());
    await queue();
    await tried(1);
    expect(await row()).toMatchObject({ failedAt: null });
    expect((await row())?.lastError).not.toMatch(/wr0ng-pass/);
    await mailer.close();
    t.pass(minute);
    const right = startMailer({ ...ctx, config: { ...ctx.config, smtpUrl: closed.url } }, { pollEvery: 100 });
    closing.push(() => right.close());
    await closed.waitFor('anna@example.com');
  });
  test('retries become rarer and end after a day', () => {
    const tries = [0];
    for (let at: number | null = 0; at !== null;) {
      at = nextTry(tries.length, 0, at);
      if (at !== null) tries.push(at);
    }
    expect(tries.map((at) => at / minute)).toEqual([0, 1, 6, 36, 156, 516, 1236, 1440]);
  });
  test('after a day of retries the message fails and is erased', async () => {
    server.refuse(() => ({ code: 451, message: 'busy' }));
    await queue({}, { notBefore: new Date(t.ctx.now() - 24 * 60 * minute) });
    start();
    await allProcessed();
    expect(await row()).toMatchObject({ failedAt: expect.any(Date), attempts: 1, message: '', lastError: expect.stringContaining('451 busy') });
  });
  test('without a mail server messages fail and old ones are deleted', async () => {
    await queue();
    t.pass(26 * 60 * minute);
    await sweepOutbox(t.ctx);
    expect(await row()).toMatchObject({ failedAt: expect.any(Date), message: '', lastError: 'not sent within a day' });
    t.pass(31 * 24 * 60 * minute);
    await sweepOutbox(t.ctx);
    expect(await rows()).toEqual([]);
  });
});

describe('senders', () => {
  test('several processes send each message once', async () => {
    for (let i = 0; i < 20; i += 1) await queue({ to: `p${i}@example.com` });
    start();
    start();
    start();
    await allProcessed();
    const sent = server.letters().map((one) => one.to[0]);
    expect([sent.length, new Set(sent).size]).toEqual([20, 20]);
    expect((await rows()).every((one) => one.attempts === 1)).toBe(true);
  });
  test('another process resends a dead process’s message under its id', async () => {
    await queue();
    const now = new Date(t.ctx.now());
    const [leasedMessage] = await queries.takeDue(t.ctx.postgres.db, ['mail'], 5, now, new Date(now.getTime() + 2 * minute));
    start();
    await queue({ to: 'second@example.com' });
    await server.waitFor('second@example.com');
    expect(server.letters()).toHaveLength(1);
    t.pass(2 * minute);
    const { headers } = await server.waitFor('anna@example.com');
    expect(headers['message-id']).toContain(leasedMessage?.id ?? '-');
    await allProcessed();
    expect((await rows()).map((one) => [one.recipient, one.attempts])).toEqual([
      ['anna@example.com', 2],
      ['second@example.com', 1],
    ]);
  });
  test('a message waits for the end of quiet hours', async () => {
    start();
    await queue({ to: 'quiet@example.com' }, { notBefore: new Date(t.ctx.now() + 60 * minute) });
    await queue();
    await server.waitFor('anna@example.com');
    expect(server.letters()).toHaveLength(1);
    t.pass(60 * minute);
    await server.waitFor('quiet@example.com');
  });
  test('closing returns messages being sent', async () => {
    const hanging = createHanging();
    closing.push(hanging.stop);
    const url = await hanging.start();
    await queueWebhook(t.ctx, t.ctx.postgres.db, { url, secret: 's', topic: 'uptime', subject: 'x', text: 'y', site: null, link: null }, { kind: 'test' });
    const close = start({ sendWithin: 1000 });
    await until(() => hanging.requestCount() === 1);
    await close();
    expect(await row()).toMatchObject({ attempts: 0, leaseUntil: null, sentAt: null, failedAt: null });
  });
});

test('TLS is used if offered and requires a valid certificate', async () => {
  const secure = await startMailServer({ startTls: true });
  closing.push(() => secure.stop());
  const trial = (smtpUrl: string) => sendNow({ ...t.ctx, config: { ...t.ctx.config, smtpUrl } }, letter());
  expect(await trial(secure.url)).toMatchObject({ delivered: false, detail: expect.stringMatching(/certificate/i) });
  expect(await trial(`${secure.url}/?tls.rejectUnauthorized=false`)).toMatchObject({ delivered: true, detail: expect.stringMatching(/^250/) });
});

test('a message sent directly reports the server’s response', async () => {
  expect(await sendNow(t.ctx, letter())).toMatchObject({ delivered: true, detail: expect.stringMatching(/^250/) });
  server.refuse(() => ({ code: 550, message: 'unknown mailbox' }));
  expect(await sendNow(t.ctx, letter())).toEqual({ delivered: false, detail: '550 unknown mailbox' });
  await server.stop();
  expect(await sendNow(t.ctx, letter())).toMatchObject({ delivered: false, detail: expect.stringMatching(/ECONNREFUSED/) });
});

describe('webhooks', () => {
  type Heard = { readonly headers: IncomingHttpHeaders; readonly body: string; readonly url: string };
  const receivedRequests: Heard[] = [];
  let answer: RequestListener;
  let hook: string;
  beforeEach(async () => {
    receivedRequests.length = 0;
    answer = (_request, response) => void response.end('ok');
    const listening: Server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        receivedRequests.push({ headers: request.headers, body: Buffer.concat(parts).toString('utf8'), url: request.url ?? '' });
        answer(request, response);
      });
    });
    await new Promise<void>((resolve) => void listening.listen(0, '127.0.0.1', resolve));
    hook = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/hook`;
    closing.push(
      () =>
        new Promise((resolve) => {
          listening.closeAllConnections();
          listening.close(resolve);
        }),
    );
  });
  const tell = (change: { url?: string } = {}) =>
    queueWebhook(
      t.ctx,
      t.ctx.postgres.db,
      { url: hook, secret: 'key', topic: 'uptime', subject: '站点打不开', text: 'x', site: { id: 's', name: 'Tea' }, link: 'https://c.example/', ...change },
      { kind: 'contact.uptime' },
    );

  test('have a signed body, identical at every attempt', async () => {
    let fails = 1;
    answer = (_request, response) => void response.writeHead(fails-- > 0 ? 503 : 204).end();
    const close = start();
    await tell();
    await tried(1);
    await close();
    t.pass(minute);
    start();
    await allProcessed();
    const { id } = (await row()) ?? {};
    expect(receivedRequests).toHaveLength(2);
    expect(receivedRequests[1]?.body).toBe(receivedRequests[0]?.body);
    const body = JSON.parse(receivedRequests[0]?.body ?? '') as object;
    expect(body).toEqual({
      id,
      topic: 'uptime',
      subject: '站点打不开',
      text: 'x',
      site: { id: 's', name: 'Tea' },
      at: expect.any(String),
      url: 'https://c.example/',
    });
    const sent = receivedRequests[0]?.body ?? '';
    expect(receivedRequests[0]?.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'x-signature': legacySignatureOf('key', sent) });
    for (const { headers } of receivedRequests) {
      const timestamp = Number(headers['webhook-timestamp']);
      expect(headers).toMatchObject({ 'webhook-id': `msg_${id}`, 'webhook-signature': signatureOf(contactSecret('key'), `msg_${id}`, timestamp, sent) });
    }
    expect(await row()).toMatchObject({ sentAt: expect.any(Date), message: '' });
  });
  test('follow no redirects and read no endless response', async () => {
    answer = (_request, response) => void response.writeHead(302, { location: `${hook}/elsewhere` }).end();
    start();
    await tell();
    await tried(1);
    expect(receivedRequests.map((one) => one.url)).toEqual(['/hook']);
    expect(await row()).toMatchObject({ failedAt: null, lastError: expect.stringMatching(/HTTP 302/) });
    answer = (_request, response) => {
      response.writeHead(200);
      const more = () => void (response.destroyed || response.write('x'.repeat(16_384), () => setImmediate(more)));
      more();
    };
    await tell();
    await until(async () => (await rows()).some((one) => one.sentAt !== null));
  });
  test('end for good on 410', async () => {
    answer = (_request, response) => void response.writeHead(410).end('moved away');
    start();
    await tell();
    await allProcessed();
    expect(await row()).toMatchObject({ failedAt: expect.any(Date), attempts: 1, lastError: 'HTTP 410 Gone: moved away' });
  });
  test.each([
    'http://127.0.0.1:1/',
    'http://localhost:1/',
    'http://[::1]:1/',
    'http://10.0.0.8/',
    'http://169.254.169.254/latest/meta-data',
    'http://0x7f.1/',
    'http://user:pw@example.com/',
  ])('%s needs permission for private addresses, and metadata is always refused', async (url) => {
    const mailer = startMailer({ ...t.ctx, config: { ...t.ctx.config, privateWebhooks: false } }, { pollEvery: 100 });
    closing.push(() => mailer.close());
    await tell({ url });
    await allProcessed();
    expect(await row()).toMatchObject({ failedAt: expect.any(Date), lastError: expect.stringMatching(/^address_refused/) });
  });
});

/** A server that accepts requests and never answers them. */
function createHanging() {
  let count = 0;
  const listening = createServer(() => void (count += 1));
  return {
    requestCount: () => count,
    start: async () => {
      await new Promise<void>((resolve) => void listening.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(listening.address() as AddressInfo).port}/`;
    },
    stop: () =>
      new Promise((resolve) => {
        listening.closeAllConnections();
        listening.close(resolve);
      }),
  };
}
