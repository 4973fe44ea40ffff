import type { Contact } from '../../contract/contacts/schemas';
import { contacts } from '../../server/areas/contacts/schema';
import { outbox } from '../../server/mail/schema';
import type { Browser, Person, TestApp } from '../support/app';

/** Configuration of a program that can send mail. */
export const mailConfig = { smtpUrl: 'smtp://127.0.0.1:9', mailFrom: 'Sitewright <console@example.com>' };

export const contactInput = {
  name: '王芳',
  company: '茶馆',
  title: 'finance',
  email: 'wang@example.cn',
  phone: '+86 138-0013-8000',
  wechat: 'wangfang',
  address: '杭州市西湖区',
  kinds: ['billing'],
  locale: 'zh-CN',
  siteIds: null,
  subscriptions: { billing: ['mail'], security: ['mail', 'webhook'] },
  webhook: 'https://hooks.example.com/x',
  quietHours: { timeZone: 'Asia/Shanghai', from: '22:00', to: '08:00' },
  note: '周一至周五',
} as const;

/** Calls on the contacts of the current program, and what they cause. */
export function contactCalls(current: () => { readonly t: TestApp; readonly owner: Person }) {
  const add = async (body: object, by: Browser = current().owner) => (await by.send('POST', '/api/acc/contacts', body)).json<{ data: Contact }>().data;
  const write = (method: 'PUT' | 'PATCH', { id, revision }: Contact, body: object) =>
    current().owner.send(method, `/api/acc/contacts/${id}`, body, { 'if-match': `"${revision}"` });
  const read = async (id: string, by: Browser = current().owner) => (await by.get(`/api/acc/contacts/${id}`)).json<{ data: Contact }>().data;
  const merge = (into: Contact, from: string) =>
    current().owner.send('POST', `/api/acc/contacts/${into.id}/merge`, { from }, { 'if-match': `"${into.revision}"` });
  const verified = async () =>
    void (await current()
      .t.ctx.postgres.db.update(contacts)
      .set({ emailVerifiedAt: new Date(current().t.ctx.now()) }));
  const health = async () =>
    (await current().owner.get('/api/acc/contact-health')).json<{ data: { mail: boolean; unheard: string[]; waiting: number; failed: number } }>().data;
  const waiting = () => current().t.ctx.postgres.db.select().from(outbox).orderBy(outbox.createdAt);
  /** The messages in the outbox, unsealed. */
  const messages = async () =>
    (await waiting()).map((row) => ({ ...row, content: JSON.parse(current().t.ctx.secrets.open('outbox', row.message)) as Record<string, unknown> }));
  const audited = async (action: string) =>
    (
      await current().t.ctx.postgres.pool.query<{ target_name: string | null; before: object | null; after: object | null }>(
        'select * from audit_log where action = $1 order by id',
        [action],
      )
    ).rows;
  return { add, write, read, merge, verified, health, waiting, messages, audited };
}
