import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { ResourceLabel } from '../../../../contract/resources/labels';
import type { Context } from '../../../context';
import { archive } from './zipFile';

async function* noRows(): AsyncGenerator<string> {
  yield await Promise.resolve('name\n');
}

test('an archive of many files listens once for its end', async () => {
  const streams: Readable[] = [];
  const files = {
    stat: () => Promise.resolve({ size: 3, modifiedAt: 0 }),
    read: () => {
      const stream = Readable.from([Buffer.from('tea')]);
      streams.push(stream);
      return stream;
    },
  };
  const labels = Array.from(
    { length: 30 },
    (_, n) => [String(n), { id: String(n), name: `${n}.txt`, kind: 'attachment', sha256: 'a' } as ResourceLabel] as const,
  );
  // Every content is an attachment that nobody blocked.
  const blob = { sha256: 'a', kind: 'attachment', scan: null };
  const details = { where: () => ({ orderBy: () => Promise.resolve([]) }) };
  const db = { select: () => ({ from: () => ({ where: () => Promise.resolve([blob]), innerJoin: () => details }) }) };
  const out = archive({ files, postgres: { db } } as unknown as Context, 'site', 'table.csv', noRows(), new Map(labels));
  const before = out.listenerCount('close');
  let most = before;
  out.on('data', () => (most = Math.max(most, out.listenerCount('close'))));
  await once(out, 'end');
  expect([streams.length, most < before + 5]).toEqual([30, true]);
});
