import type { APIRequestContext } from '@playwright/test';
import type { HelloResponse } from '../../contract/support/visitors';

const longName = '春分前后采摘的高山云雾绿茶礼盒装（含两罐特级明前龙井与手写品鉴卡片）';

type Call = <T>(method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<T>;
type Site = { readonly siteId: string; readonly host: string; readonly deliveryPort: number };

/** Calls of a visitor on the delivered site. */
async function comeAsVisitor(requests: APIRequestContext, { siteId, host, deliveryPort }: Site, text: string, fields: Readonly<Record<string, string>>) {
  const send = async <T>(path: string, body: unknown, token = ''): Promise<T> => {
    const headers = { host: `${host}:${String(deliveryPort)}`, origin: `http://${host}:${String(deliveryPort)}`, ...(token !== '' && { 'x-visitor': token }) };
    const answer = await requests.post(`http://localhost:${String(deliveryPort)}/_cs/${path}?s=${siteId}`, { data: body, headers });
    if (!answer.ok()) throw new Error(`${path} answered ${String(answer.status())}: ${await answer.text()}`);
    return ((await answer.json()) as { data: T }).data;
  };
  const page = { url: `http://${host}:${String(deliveryPort)}/`, title: '山间手记', referrer: 'https://www.baidu.com/' };
  const { token } = await send<HelloResponse>('hello', { language: 'zh-Hans', url: page.url });
  const message = { clientId: `message-${text.length}-${token.slice(0, 8)}`, text };
  const begun = { clientId: `begin-${token.slice(0, 12)}`, message, fields, page, language: 'zh-Hans' };
  return (await send<{ conversation: { id: string } }>('conversations', begun, token)).conversation.id;
}

/** Conversations of the published site in several states, canned replies and a block. Resolves with the conversation that has everything. */
export async function addSupport(call: Call, requests: APIRequestContext, site: Site): Promise<string> {
  const base = `/api/site/${site.siteId}/cs`;
  const settings = await call<{ revision: number; hours: object }>('GET', `${base}/settings`);
  await call(
    'PUT',
    `${base}/settings`,
    {
      mode: 'builtin',
      hours: settings.hours,
      texts: { 'zh-Hans': { greeting: '你好，想了解哪款茶？' } },
      prechat: { fields: [{ field: 'name' }, { field: 'topic' }], topics: [{ name: '批发合作', label: { en: 'Wholesale' } }, { name: '订单与物流' }] },
    },
    { 'if-match': `"${String(settings.revision)}"` },
  );
  for (const [shortcut, title, body] of [
    ['发货', '发货时间', '{{visitor.name}} 你好，下单后 48 小时内发货。'],
    ['return', 'Returns', 'Unopened tea can be returned within 7 days.'],
  ])
    await call('POST', `${base}/canned`, { shortcut, title, body, scope: 'site' });
  await call('POST', `${base}/blocks`, { kind: 'network', value: '198.51.100.0/24', reason: '广告' });
  const full = await comeAsVisitor(requests, site, '明前龙井现在还有货吗？\n想买两斤，寄到杭州 https://example.com/longjing', {
    name: '王小明',
    email: 'wang@example.com',
  });
  await comeAsVisitor(requests, site, 'שלום, האם אתם שולחים לישראל?', { name: 'נועה' });
  await comeAsVisitor(requests, site, `${'很长的一条消息。'.repeat(40)}https://example.com/${'a'.repeat(300)}`, { name: longName });
  const resolved = await comeAsVisitor(requests, site, 'Where is my order?', { name: 'Mei Lin' });
  await call('PATCH', `${base}/conversations/${resolved}`, { state: 'resolved' });
  await call('POST', `${base}/conversations/${full}/messages`, { clientId: 'walk-note-1', kind: 'note', body: '老客户，去年买过三次' });
  await call('POST', `${base}/conversations/${full}/messages`, { clientId: 'walk-reply-1', kind: 'text', body: '有货，今天下单明天发出。' });
  return full;
}
