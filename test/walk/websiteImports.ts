import type { BrowserContext } from '@playwright/test';
import type { SiteExport, SiteImport } from '../../contract/siteImport/schemas';
import { csvText, staticFiles, zipOf } from '../support/siteArchives';

type Call = <T>(method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<T>;
const api = '/api/core/imports';

export type WebsiteImports = { readonly planned: string; readonly ended: string; readonly archive: string };

/** Imports of websites: one that is to be decided, one that has run with a failure, and one of the archive of a site. */
export async function addWebsiteImports(context: BrowserContext, call: Call, siteId: string): Promise<WebsiteImports> {
  const until = async (id: string, state: readonly SiteImport['state'][]): Promise<SiteImport> => {
    const now = await call<SiteImport>('GET', `${api}/${id}`);
    return state.includes(now.state) ? now : until(id, state);
  };
  async function read(name: string, content: Buffer): Promise<SiteImport> {
    const { id } = await call<SiteImport>('POST', api, { name, size: content.length });
    const headers = {
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      'x-requested-with': 'console',
      'sec-fetch-site': 'same-origin',
    };
    const sent = await context.request.patch(`${api}/${id}/file`, { data: content, headers });
    if (!sent.ok()) throw new Error(await sent.text());
    await call('POST', `${api}/${id}/detect`);
    return until(id, ['planned', 'failed']);
  }
  async function archiveOf(id: string): Promise<Buffer> {
    const exported = await call<SiteExport>('POST', `${api}/exports/${id}`);
    for (;;) {
      const now = (await call<readonly SiteExport[]>('GET', `${api}/exports/${id}`)).find((one) => one.id === exported.id);
      if (now?.state === 'done') return (await context.request.get(`${api}/exports/${id}/${exported.id}/file`)).body();
      if (now?.state !== 'running') throw new Error(`the export ended as ${String(now?.state)}`);
    }
  }
  async function run({ id, plan }: SiteImport, name: string): Promise<void> {
    const collections = (plan?.collections ?? []).map(({ key, title }) => ({ key, title, include: true }));
    await call('PUT', `${api}/${id}/mapping`, { mapping: { collections }, target: { name } });
    await call('POST', `${api}/${id}/run`);
    await until(id, ['done', 'incomplete', 'failed']);
  }
  const planned = await read('茶具目录.csv', Buffer.from(csvText));
  const ended = await read('tea-house.zip', await zipOf(await staticFiles()));
  await run(ended, '茶舍旧站');
  const archive = await read('mountain-notes.site.zip', await archiveOf(siteId));
  await run(archive, '山间笔记副本');
  return { planned: planned.id, ended: ended.id, archive: archive.id };
}
