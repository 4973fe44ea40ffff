import type { BrowserContext } from '@playwright/test';
import type { SiteImport } from '../../contract/siteImport/schemas';
import { csvText, staticFiles, zipOf } from '../support/siteArchives';

type Call = <T>(method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<T>;
const api = '/api/core/imports';

/** Imports of websites: one that is to be decided, and one that has run with a failure. */
export async function addWebsiteImports(context: BrowserContext, call: Call): Promise<{ readonly planned: string; readonly ended: string }> {
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
  const planned = await read('茶具目录.csv', Buffer.from(csvText));
  const ended = await read('tea-house.zip', await zipOf(await staticFiles()));
  const collections = (ended.plan?.collections ?? []).map(({ key, title }) => ({ key, title, include: true }));
  await call('PUT', `${api}/${ended.id}/mapping`, { mapping: { collections }, target: { name: '茶舍旧站' } });
  await call('POST', `${api}/${ended.id}/run`);
  await until(ended.id, ['done', 'incomplete', 'failed']);
  return { planned: planned.id, ended: ended.id };
}
