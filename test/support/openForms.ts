import { randomUUID } from 'node:crypto';
import type { RecordView, ViewQuery } from '../../contract/tables/views';
import type { OpenForm } from '../../contract/tables/forms';
import type { PublicLink, NewPublicLink } from '../../contract/tables/publicLinks';
import type { Browser, TestApp } from './app';
import type { MadeTable } from './tables';

type Input = Partial<NewPublicLink>;

/** Saves a form view of a table; `columns`: keys of its fields, in order. */
export async function saveForm(by: Browser, { path, f }: Pick<MadeTable, 'path' | 'f'>, columns: readonly string[], query: Partial<ViewQuery> = {}) {
  const fields = columns.map((key) => ({ field: f[key] }));
  const saved = await by.send('POST', `${path}/views`, { title: '报名', kind: 'form', query: { columns: fields, ...query } });
  if (saved.statusCode !== 200) throw new Error(`could not save a form: ${saved.body}`);
  return saved.json<{ data: RecordView }>().data;
}
/** The same, with a public link. */
export async function publishForm(
  by: Browser,
  table: Pick<MadeTable, 'path' | 'f'>,
  columns: readonly string[],
  input: Input = {},
  query: Partial<ViewQuery> = {},
) {
  const view = await saveForm(by, table, columns, query);
  const response = await by.send('POST', `${table.path}/views/${view.id}/shares`, { name: '官网报名', ...input });
  if (response.statusCode !== 200) throw new Error(`could not share a form: ${response.body}`);
  const publicLink = response.json<{ data: PublicLink }>().data;
  return { view, publicLink, secret: publicLink.url.split('/').at(-1) ?? '' };
}

let visitors = 0;
/** A visitor with only the link of a form, from an address of their own; `pass`: advances the clock by the two seconds that filling in takes. */
export function visitorOf(program: Pick<TestApp, 'app' | 'pass'>, secret: string, remoteAddress = `203.0.113.${visitors++ % 250}`) {
  const headers = { 'x-share': secret, 'accept-language': 'zh-CN' };
  const open = () => program.app.inject({ method: 'GET', url: '/api/view/form', headers, remoteAddress });
  const form = async () => (await open()).json<{ data: OpenForm }>().data;
  const post = (body: object, more: Record<string, string> = {}) =>
    program.app.inject({
      method: 'POST',
      url: '/api/view/form',
      payload: body,
      headers: { ...headers, 'sec-fetch-site': 'same-origin', 'x-requested-with': 'console', ...more },
      remoteAddress,
    });
  /** A form stamp that is old enough. */
  const stamp = async (): Promise<string> => {
    const issuedStamp = (await form()).stamp;
    program.pass(2100);
    return issuedStamp;
  };
  return {
    open,
    form,
    post,
    stamp,
    /** Opens the form, waits as long as a person would, and submits it. */
    send: async (values: object, more: Record<string, string> = {}) => post({ values, stamp: await stamp() }, { 'idempotency-key': randomUUID(), ...more }),
    fields: async () => (await form()).sections.flatMap((section) => section.fields.map(({ field }) => field)),
  };
}
