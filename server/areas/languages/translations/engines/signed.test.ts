import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { acs3Authorization, tc3Authorization } from './signatures';
import { accessKeyOf, signedEngine } from './signed';

const key = { id: 'id', secret: 'secret' };
const now = Date.UTC(2026, 10, 26, 12);

/** Whether the headers that a request names as signed have that signature. */
function isSigned({ headers }: IncomingMessage, body: string): boolean {
  const authorization = headers.authorization ?? '';
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? [];
  const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
  const seconds = Number(headers['x-tc-timestamp']);
  return (
    authorization ===
    (authorization.startsWith('ACS3')
      ? acs3Authorization(key, { headers: signed, body })
      : tc3Authorization(key, { service: 'tmt', headers: signed, body, seconds }))
  );
}
const capital = (text: string): string => text.toUpperCase();

/** Servers of both services, which refuse wrong signatures, too many and too long texts, and write texts in capitals. */
function answer(request: IncomingMessage, body: string): unknown {
  const isAliyun = request.headers['x-acs-action'] === 'GetBatchTranslate';
  if (!isSigned(request, body)) return isAliyun ? { Code: 'SignatureDoesNotMatch' } : { Response: { Error: { Code: 'AuthFailure.SignatureFailure' } } };
  if (!isAliyun) {
    const { SourceTextList: texts } = JSON.parse(body) as { SourceTextList: string[] };
    const isLong = texts.join('').length >= 6000;
    return { Response: isLong ? { Error: { Code: 'UnsupportedOperation.TextTooLong' } } : { TargetTextList: texts.map(capital) } };
  }
  const texts = Object.entries(JSON.parse(new URLSearchParams(body).get('SourceText') ?? '{}') as Record<string, string>);
  if (texts.length > 50 || texts.some(([, text]) => text.length > 1000)) return { Code: '10013' };
  return { Code: '200', TranslatedList: texts.toReversed().map(([index, text]) => ({ index, translated: capital(text) })) };
}

let server: Server;
let url: string;
let calls = 0;
let busy = false;
beforeAll(async () => {
  server = createServer((request, response) => {
    void readText(request).then((body) => {
      calls += 1;
      response.end(JSON.stringify(busy ? { Code: 'Throttling.User', Response: { Error: { Code: 'RequestLimitExceeded' } } } : answer(request, body)));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(() => void server.close());
beforeEach(() => {
  calls = 0;
  busy = false;
});

const engineOf = (kind: 'aliyun' | 'tencent', secret = key.secret) => signedEngine(kind, { url, key: { ...key, secret }, allowNear: true, now: () => now });
const translate = (kind: 'aliyun' | 'tencent', texts: readonly string[], format: 'text' | 'html' = 'text', secret?: string) =>
  engineOf(kind, secret).translate({ from: 'zh-Hans', to: 'en', format, texts, signal: new AbortController().signal });

describe.each(['aliyun', 'tencent'] as const)('%s', (kind) => {
  test('takes signed requests and translates in order', async () => {
    expect(await translate(kind, ['tea & {name}', ' a\n', ''])).toEqual(['TEA & {NAME}', ' A\n', '']);
    expect(calls).toBe(1);
  });

  test('gets long texts in sections, which are joined again', async () => {
    const sentence = 'a sentence that ends here. ';
    const texts = Array.from({ length: 60 }, (_, at) => (at === 0 ? sentence.repeat(300) : `t${String(at)}`));
    expect(await translate(kind, texts)).toEqual(texts.map(capital));
    expect(await translate(kind, ['\u{1F375}'.repeat(1500)])).toEqual(['\u{1F375}'.repeat(1500)]);
  });

  test('never gets tags', async () => {
    expect(await translate(kind, ['<p class="x">a <b>b</b> c</p>'], 'html')).toEqual(['<p class="x">A <b>B</b> C</p>']);
  });

  test('refuses a wrong key for good, and a full quota for a while', async () => {
    await expect(translate(kind, ['a'], 'text', 'wrong')).rejects.toMatchObject({ code: 'engine_refused' });
    busy = true;
    await expect(translate(kind, ['a'])).rejects.toMatchObject({ code: 'engine_unreachable' });
  });
});

test.each(['secret', 'id:', ':secret', 'id:se cret', 'id:secret:more'])('%j is no access key', (text) => {
  expect(accessKeyOf(text)).toBeNull();
});
