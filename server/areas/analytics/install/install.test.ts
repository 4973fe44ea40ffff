import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { ConnectRefused, mayConnect } from '../../../net/publicAddress';
import { arrivalFindings, checkInstall, pageFindings, tagFor } from './check';
import { allowsConnect, allowsScript, parsePolicies } from './csp';
import { fetchPage } from './fetchPage';
import type { Page } from './fetchPage';
import { findScripts } from './tags';

const siteId = 'abcdefghij23';
const console0 = 'https://console.example';
const pageUrl = new URL('https://www.shop.example/');
const html = (body: string) => `<!doctype html><html><head>${body}</head><body></body></html>`;
const page = (text: string, extra: Partial<Page> = {}): Page => ({
  url: pageUrl,
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  policies: [],
  text,
  ...extra,
});
const codes = (found: Page, checkedUrl = pageUrl) => pageFindings(found, checkedUrl, siteId).map((finding) => finding.code);

describe('what a page reveals about the tag', () => {
  test('the generated tag is found', () => {
    expect(codes(page(html(tagFor(console0, siteId))))).toEqual(['tag_found']);
  });

  test.each([
    ['no tag', html(''), ['tag_missing']],
    ['one inside a comment', html(`<!-- ${tagFor(console0, siteId)} -->`), ['tag_missing']],
    ['one inside the text of another script', html(`<script>document.write('${tagFor(console0, siteId).replace('</script>', '')}')</script>`), ['tag_missing']],
    ['one inside noscript', html(`<noscript>${tagFor(console0, siteId)}</noscript>`), ['tag_missing']],
    ['two', html(tagFor(console0, siteId).repeat(2)), ['tag_found', 'tag_twice']],
    ['another site', html(tagFor(console0, 'zzzzzzzzzzzz')), ['wrong_site_id']],
    ['another and ours', html(tagFor(console0, 'zzzzzzzzzzzz') + tagFor(console0, siteId)), ['tag_found']],
    ['a script over http in an https page', html(tagFor('http://console.example', siteId)), ['tag_found', 'mixed_content']],
    ['letters that grow when lowered, before it', html(`<title>${'İ'.repeat(50)}</title>${tagFor(console0, siteId)}`), ['tag_found']],
    ['odd quoting', html(`<SCRIPT DEFER data-site=${siteId} src='${console0}/t.js'></SCRIPT>`), ['tag_found']],
    ['a > inside an attribute', html(`<script data-x="a>b" defer src="${console0}/t.js" data-site="${siteId}"></script>`), ['tag_found']],
  ])('%s', (_what, text, expected) => {
    expect(codes(page(text))).toEqual(expected);
  });

  test('status, type and host', () => {
    expect(codes(page(html(''), { status: 503 }))).toEqual(['bad_status', 'tag_missing']);
    expect(codes(page('{}', { headers: { 'content-type': 'application/json' } }))).toEqual(['not_html']);
    expect(codes(page(html(tagFor(console0, siteId)), { url: new URL('https://other.example/') }))).toEqual(['redirects_elsewhere', 'tag_found']);
    expect(codes(page(html(tagFor(console0, siteId))), new URL('http://shop.example/'))).toEqual(['tag_found']);
  });

  test('policies in headers and in the page both count', () => {
    const tag = tagFor(console0, siteId);
    expect(codes(page(html(tag), { policies: ["script-src 'self'"] }))).toEqual(['tag_found', 'csp_blocks_script']);
    expect(codes(page(html(`<meta http-equiv="Content-Security-Policy" content="connect-src 'self'">${tag}`)))).toEqual(['tag_found', 'csp_blocks_connect']);
    expect(codes(page(html(tag), { policies: [`default-src 'none'; script-src ${console0}; connect-src ${console0}`] }))).toEqual(['tag_found']);
  });

  test('a hostile page does not block the parser', () => {
    // A backtracking regular expression would need hours for these inputs, so the test would time out.
    for (const text of [
      '<script '.repeat(100_000),
      `<script ${'a="'.repeat(100_000)}`,
      '<!--'.repeat(200_000),
      '<script></scrip'.repeat(100_000),
      `<script ${"x='1' ".repeat(100_000)}>`,
    ])
      expect(findScripts(text)).toEqual([]);
  });
});

describe('content security policy', () => {
  const script = { url: new URL('https://console.example/t.js'), nonce: '', integrity: '' };
  test.each([
    ["script-src 'self'", false],
    ['script-src *', true],
    ['script-src https:', true],
    ['script-src http:', true],
    ['script-src console.example', true],
    ['script-src http://console.example', true],
    ['script-src *.example', true],
    ['script-src *.console.example', false],
    ['script-src https://console.example:8443', false],
    ['script-src https://console.example:*', true],
    ['script-src https://console.example/t.js', true],
    ['script-src https://console.example/js/', false],
    ["script-src 'nonce-abc' 'strict-dynamic' https:", false],
    ["default-src 'self'; script-src-elem https:", true],
    ["default-src 'self'; script-src-elem 'self'; script-src https:", false],
    ["script-src https:; script-src 'none'", true],
    ["script-src https:, script-src 'none'", false],
    ["img-src 'self'", true],
  ])('%s → %s', (policy, allowed) => {
    expect(allowsScript(parsePolicies([policy]), pageUrl, script)).toBe(allowed);
  });

  test('a nonce allows the tag and connections fall back to default-src', () => {
    expect(allowsScript(parsePolicies(["script-src 'nonce-abc' 'strict-dynamic'"]), pageUrl, { ...script, nonce: 'abc' })).toBe(true);
    expect(allowsConnect(parsePolicies(["default-src 'self'"]), pageUrl, new URL('https://console.example/collect'))).toBe(false);
    expect(allowsConnect(parsePolicies(["default-src 'self'"]), pageUrl, new URL('https://www.shop.example/_a/collect'))).toBe(true);
  });
});

describe('which addresses are fetched', () => {
  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::7f00:1',
    'fd00::1%eth0',
    '0:0:0:0:0:ffff:c0a8:101',
  ])('%s only when the program runs locally', (address) => {
    expect([mayConnect(address, false), mayConnect(address, true)]).toEqual([false, true]);
  });
  test.each([
    '0.0.0.0',
    '169.254.169.254',
    '::ffff:169.254.169.254',
    'fe80::1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::a00:1',
    '64:ff9b:1::7f00:1',
    '::ffff:0:127.0.0.1',
    '::ffff:0:7f00:1',
    '::ffff:0:5db8:d70e',
    '::a00',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:2::1',
    '3fff::1',
    '4000::1',
    'fe80::1%eth0',
    '192.88.99.1',
    '2002:7f00:1::',
    'ff02::1',
    'localhost',
    '',
  ])('%s never', (address) => {
    expect(mayConnect(address, true)).toBe(false);
  });
  test.each(['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c', '::ffff:93.184.215.14'])('%s always', (address) => {
    expect(mayConnect(address, false)).toBe(true);
  });
});

describe('fetching', () => {
  let server: Server;
  let origin: string;
  let answer: RequestListener;
  beforeAll(async () => {
    server = createServer((request, response) => answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  const near = { allowNear: true };
  const refusal = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'fetched',
      (error: unknown) => (error instanceof ConnectRefused ? `${error.code} ${error.detail}` : String(error)),
    );

  test('a page is fetched through redirects and decompressed', async () => {
    answer = (request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/home' }).end();
      else
        response
          .setHeader('content-security-policy', ["script-src 'self'", "connect-src 'self'"])
          .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
          .end(gzipSync(html('茶')));
    };
    const found = await fetchPage(new URL(origin), near);
    expect([found.url.pathname, found.text, found.policies]).toEqual(['/home', html('茶'), ["script-src 'self'", "connect-src 'self'"]]);
  });

  test('an endless body is cut, compressed or not', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(20_000_000, 'a')));
    };
    const found = await fetchPage(new URL(origin), near);
    expect(found.text.length).toBeGreaterThanOrEqual(2 * 1024 * 1024);
    expect(found.text.length).toBeLessThan(3 * 1024 * 1024);
  });

  test('a name is resolved once and checked before the request', async () => {
    let requestCount = 0;
    answer = (_request, response) => void ((requestCount += 1), response.end('secret'));
    const resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    expect(await refusal(fetchPage(new URL(origin.replace('127.0.0.1', 'shop.example')), { allowNear: false, resolve }))).toBe('address_refused shop.example');
    expect(await refusal(fetchPage(new URL(origin), { allowNear: false }))).toBe('address_refused 127.0.0.1');
    const mixed = () =>
      Promise.resolve([
        { address: '93.184.215.14', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]);
    expect(await refusal(fetchPage(new URL('http://shop.example/'), { allowNear: false, resolve: mixed }))).toBe('address_refused shop.example');
    expect(requestCount).toBe(0);
  });

  test.each(['http://169.254.169.254/latest/meta-data', 'http://2130706433.0/', 'file:///etc/passwd', 'http://user:pw@127.0.0.1/'])(
    'a redirect to %s is not followed',
    async (location) => {
      answer = (_request, response) => void response.writeHead(302, { location }).end();
      expect(await refusal(fetchPage(new URL(origin), near))).toMatch(/^(address_refused|not_reachable)/);
    },
  );

  test('redirect loops and ports without a server are unreachable', async () => {
    answer = (_request, response) => void response.writeHead(302, { location: '/' }).end();
    expect(await refusal(fetchPage(new URL(origin), near))).toBe('not_reachable too many redirects');
    expect(await refusal(fetchPage(new URL('http://127.0.0.1:1/'), near))).toBe('not_reachable ECONNREFUSED');
  });
});

describe('the whole check', () => {
  const nothing = { hits: false, scriptLoads: 0, refusals: [] };
  test('puts the most severe problem first', async () => {
    const check = await checkInstall({
      siteId,
      url: pageUrl,
      signs: nothing,
      now: 5,
      fetch: () => Promise.resolve(page(html(tagFor(console0, siteId)), { policies: ["script-src 'self'"] })),
    });
    expect(check.findings.map((finding) => finding.code)).toEqual(['csp_blocks_script', 'script_not_loaded', 'tag_found']);
    expect(check).toMatchObject({ url: 'https://www.shop.example/', at: 5 });
  });

  test('reports an unreachable page and a site without an address', async () => {
    const failed = await checkInstall({
      siteId,
      url: pageUrl,
      signs: nothing,
      now: 5,
      fetch: () => Promise.reject(new ConnectRefused('not_reachable', 'ENOTFOUND')),
    });
    expect(failed.findings).toEqual([{ code: 'not_reachable', level: 'bad', detail: 'ENOTFOUND' }]);
    const none = await checkInstall({ siteId, url: null, signs: nothing, now: 5, fetch: () => Promise.reject(new Error('must not be called')) });
    expect(none.findings.map((finding) => finding.code)).toEqual(['no_url']);
  });

  test('reports which hits arrived and which did not', () => {
    const refused = { ...nothing, refusals: [{ code: 'wrong_host', count: 3 }] };
    expect(arrivalFindings(refused, true).map(({ code, level }) => `${code} ${level}`)).toEqual(['hits_refused bad', 'script_not_loaded warning']);
    expect(arrivalFindings({ ...nothing, scriptLoads: 2 }, true)).toEqual([{ code: 'script_loaded_no_hit', level: 'warning', detail: '2' }]);
    expect(arrivalFindings({ ...nothing, hits: true, scriptLoads: 2 }, true)).toEqual([]);
  });
});
