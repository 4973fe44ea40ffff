import type { OpenRows, OpenView, PublicLink, NewPublicLink } from '../../contract/tables/publicLinks';
import type { RecordView, ViewQuery } from '../../contract/tables/views';
import type { ViewKind } from '../../contract/tables/terms';
import type { Browser, TestApp } from './app';
import type { MadeTable } from './tables';

export async function createViewLink(
  by: Browser,
  siteId: string,
  { path }: Pick<MadeTable, 'path'>,
  query: Partial<ViewQuery> = {},
  more: Partial<NewPublicLink> & { readonly kind?: ViewKind } = {},
): Promise<{ readonly view: RecordView; readonly publicLink: PublicLink; readonly secret: string }> {
  const { kind = 'grid', ...input } = more;
  const saved = await by.send('POST', `${path}/views`, { title: '给客户看', kind, query });
  if (saved.statusCode !== 200) throw new Error(`could not save a view: ${saved.body}`);
  const view = saved.json<{ data: RecordView }>().data;
  const response = await by.send('POST', `${path}/views/${view.id}/shares`, { name: '客户', ...input });
  if (response.statusCode !== 200) throw new Error(`could not share a view of ${siteId}: ${response.body}`);
  const publicLink = response.json<{ data: PublicLink }>().data;
  return { view, publicLink, secret: publicLink.url.split('/').at(-1) ?? '' };
}

/** Each has its own address, so that tests do not reach the rate limit. */
let guests = 0;
/** A reader with only a link. */
export function guestOf(program: TestApp, secret: string) {
  const remoteAddress = `198.51.100.${guests++ % 250}`;
  const get = (url: string) => program.app.inject({ method: 'GET', url, headers: { 'x-share': secret, 'accept-language': 'zh-CN' }, remoteAddress });
  return {
    get,
    view: async () => (await get('/api/view')).json<{ data: OpenView }>().data,
    rows: async (query = '') => (await get(`/api/view/rows${query}`)).json<{ data: OpenRows }>().data,
    /** Texts of the cells, row by row. */
    texts: async (query = '') => (await get(`/api/view/rows${query}`)).json<{ data: OpenRows }>().data.rows.map(({ cells }) => cells.map(({ text }) => text)),
    unlock: (password: string) =>
      program.app.inject({
        method: 'POST',
        url: '/api/view/unlock',
        payload: { password },
        headers: { 'x-share': secret, 'x-requested-with': 'console' },
        remoteAddress,
      }),
  };
}
