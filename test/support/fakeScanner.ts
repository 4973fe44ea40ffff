import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** What the scanner does with a content: a word that it contains is a threat; `limit` in bytes; `behaviour` of its connections. */
export type FakeScanner = {
  readonly address: { readonly host: string; readonly port: number };
  behaviour: 'answer' | 'disconnect' | 'silent';
  limit: number;
  /** Contents that were received completely. */
  readonly scanned: Buffer[];
  readonly close: () => Promise<void>;
};

export const threat = 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE';

/** Reads the parts of INSTREAM from what has arrived: the content so far, and whether it has ended. */
function contentIn(received: Buffer): { content: Buffer; ended: boolean } {
  const parts: Buffer[] = [];
  let at = 'zINSTREAM\0'.length;
  while (at + 4 <= received.length) {
    const length = received.readUInt32BE(at);
    if (length === 0) return { content: Buffer.concat(parts), ended: true };
    parts.push(received.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return { content: Buffer.concat(parts), ended: false };
}

/** A scanner that speaks the part of clamd's protocol that is used, as clamd 1.4 does. */
export async function startFakeScanner(): Promise<FakeScanner> {
  const sockets = new Set<Socket>();
  const fake = { behaviour: 'answer' as FakeScanner['behaviour'], limit: 2 ** 30, scanned: [] as Buffer[] };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    let received = Buffer.alloc(0);
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
      if (fake.behaviour === 'disconnect' && received.length > 20) return void socket.destroy();
      if (fake.behaviour === 'silent') return undefined;
      if (received.length >= 10 && received.toString('latin1', 0, 10) !== 'zINSTREAM\0') return void socket.end('UNKNOWN COMMAND\0');
      const { content, ended } = contentIn(received);
      if (content.length > fake.limit) return void socket.end('INSTREAM size limit exceeded. ERROR\0');
      if (!ended) return undefined;
      fake.scanned.push(content);
      return void socket.end(content.includes(threat) ? 'stream: Win.Test.EICAR_HDB-1 FOUND\0' : 'stream: OK\0');
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return Object.assign(fake, {
    address: { host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  });
}
