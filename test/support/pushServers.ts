import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Reply = { readonly status: number; readonly body?: object; readonly headers?: Readonly<Record<string, string>> };
export type PushServer = { readonly url: string; readonly close: () => Promise<void> };

async function serve(answer: (url: URL, type: string, body: string) => Promise<Reply>): Promise<PushServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      void answer(url, request.headers['content-type'] ?? '', Buffer.concat(chunks).toString('utf8')).then(({ status, body, headers }) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(body === undefined ? '' : JSON.stringify(body));
      });
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

export type IndexNowServer = PushServer & { readonly received: string[]; /** Calls that are answered with 429 before the next ones. */ busyFor: number };

/** IndexNow as its documentation describes it. `readKey`: requests the key file, as a search engine does. */
export async function startIndexNow(readKey: (url: URL) => Promise<string>): Promise<IndexNowServer> {
  const state = { received: [] as string[], busyFor: 0 };
  const server = await serve(async (_url, type, text) => {
    if (state.busyFor > 0) {
      state.busyFor -= 1;
      return { status: 429, headers: { 'retry-after': '120' } };
    }
    if (!type.startsWith('application/json')) return { status: 400 };
    const { host, key, keyLocation, urlList } = JSON.parse(text) as { host: string; key: string; keyLocation: string; urlList: string[] };
    if (urlList.length > 10_000 || urlList.some((one) => !URL.canParse(one))) return { status: 400 };
    const location = new URL(keyLocation);
    if (!/^[\da-zA-Z-]{8,128}$/.test(key) || (await readKey(location)) !== key) return { status: 403 };
    if (location.host !== host || urlList.some((one) => new URL(one).host !== host)) return { status: 422 };
    state.received.push(...urlList);
    return { status: 202 };
  });
  return Object.assign(state, server);
}

export type BaiduServer = PushServer & { readonly received: string[]; quota: number };

/** Baidu's interface as its documentation describes it: `token` and `site` in the query, an address in each line. */
export async function startBaidu({ site, token }: { readonly site: string; readonly token: string }): Promise<BaiduServer> {
  const state = { received: [] as string[], quota: 10 };
  const server = await serve(async (url, type, text) => {
    const refused = (error: number, message: string): Reply => ({ status: error, body: { error, message } });
    if (url.searchParams.get('token') !== token) return refused(401, 'token is not valid');
    if (url.searchParams.get('site') !== site) return refused(400, 'site error');
    if (type !== 'text/plain' || text === '') return refused(400, 'empty content');
    const lines = text.split('\n');
    if (lines.length > 2000) return refused(400, 'only 2000 urls are allowed once');
    if (lines.length > state.quota) return refused(400, 'over quota');
    const own = lines.filter((line) => new URL(line).hostname === site);
    const others = lines.filter((line) => new URL(line).hostname !== site);
    state.quota -= own.length;
    state.received.push(...own);
    return { status: 200, body: { remain: state.quota, success: own.length, ...(others.length === 0 ? {} : { not_same_site: others }) } };
  });
  return Object.assign(state, server);
}
