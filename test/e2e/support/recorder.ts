import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { CollectBody, Hit } from '../../../contract/collect/schemas';

export type Recorder = {
  readonly origin: string;
  readonly bodies: CollectBody[];
  /** Statuses of the next responses; 202 when empty. 0 closes the connection. */
  answers: number[];
  /** While true, every connection is closed. */
  down: boolean;
  readonly hits: () => Hit[];
  readonly views: () => string[];
  readonly tag: (attributes?: string, script?: 't.js' | 't.more.js') => string;
  readonly close: () => Promise<void>;
};

export const siteId = 'abcdefgh2345';
const folder = path.join(import.meta.dirname, '../../../dist/tracker');

/** Serves the built tracker and records what it sends, like a collector with configurable responses. */
export async function startRecorder(): Promise<Recorder> {
  const scripts = new Map<string, Buffer>(
    await Promise.all(['t.js', 't.more.js'].map(async (name) => [`/${name}`, await readFile(path.join(folder, name))] as const)),
  );
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    const script = scripts.get(request.url ?? '');
    if (script) return response.setHeader('content-type', 'text/javascript').end(script);
    if (recorder.down) return request.socket.destroy();
    // The script of web vitals, which this site has switched off.
    if (request.method === 'GET') return response.writeHead(204).end();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const status = recorder.answers.shift() ?? 202;
      if (status === 0) return request.socket.destroy();
      if (status === 202) recorder.bodies.push(JSON.parse(Buffer.concat(chunks).toString('utf8')) as CollectBody);
      return response.writeHead(status).end();
    });
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const recorder: Recorder = {
    origin,
    bodies: [],
    answers: [],
    down: false,
    // A repeated hit is recorded once, as in the real collector.
    hits: () => [...new Map(recorder.bodies.flatMap((body) => body.h).map((hit) => [`${hit.p}:${hit.q}`, hit])).values()],
    views: () =>
      recorder
        .hits()
        .filter((hit) => hit.k === 'v')
        .map((hit) => new URL(hit.l))
        .map((url) => url.pathname + url.hash),
    tag: (attributes = '', name = 't.js') => `<script defer src="${origin}/${name}" data-site="${siteId}" ${attributes}></script>`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return recorder;
}
