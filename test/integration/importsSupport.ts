import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Import } from '../../contract/imports/schemas';
import { jobHandlers } from '../../server/areas';
import { findImport } from '../../server/areas/imports/queries';
import { stateOf } from '../../server/areas/imports/responses';
import type { FileStore } from '../../server/stores/files/types';
import { startWorker } from '../../server/worker';
import { makeTestApp } from '../support/app';
import type { Person, TestApp } from '../support/app';
import { until } from '../support/until';
import { sendChunk } from '../support/sendChunk';

export type Bench = {
  readonly t: TestApp;
  readonly owner: Person;
  readonly newSite: () => Promise<string>;
  readonly run: (siteId: string, files: readonly { name: string; content: Buffer }[], body?: object, within?: number) => Promise<Import>;
  readonly get: <T>(url: string) => Promise<T>;
  readonly close: () => Promise<void>;
};

/** The app with a worker, and the steps of an import from its files to its end. `store`: where files are stored, if not in a folder. */
export async function openBench(store?: FileStore): Promise<Bench> {
  const t = await makeTestApp({ ...(store === undefined ? {} : { files: store }), config: { dataDir: await mkdtemp(path.join(os.tmpdir(), 'imports-')) } });
  const owner = await t.signUpOwner();
  const worker = startWorker(t.ctx, jobHandlers, [], { pollEvery: 50 });
  const get = async <T>(url: string): Promise<T> => (await owner.get(url)).json<{ data: T }>().data;
  return {
    t,
    owner,
    get,
    newSite: async () => (await t.makeSite(owner, { purpose: 'external', url: 'https://tea.example/', timeZone: 'UTC' })).id,
    async run(siteId, files, body = { mode: 'count' }, within = 120_000) {
      const base = `/api/site/${siteId}/als/imports`;
      const { id } = (await owner.send('POST', base, { files: files.map(({ name, content }) => ({ name, size: content.length })) })).json<{ data: Import }>()
        .data;
      for (const [index, { content }] of files.entries()) {
        const sent = await sendChunk(owner, `${base}/${id}/files/${index}`, 0, content);
        if (sent.statusCode !== 204) throw new Error(sent.body);
      }
      const started = await owner.send('POST', `${base}/${id}/start`, body);
      if (started.statusCode !== 200) throw new Error(started.body);
      await until(async () => {
        const found = await findImport(t.ctx.postgres.db, siteId, id);
        return found !== null && ['done', 'failed', 'cancelled'].includes(stateOf(found));
      }, within);
      return get<Import>(`${base}/${id}`);
    },
    async close() {
      await worker.close();
      await t.close();
    },
  };
}
