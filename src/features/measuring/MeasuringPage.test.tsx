import { act, screen, waitFor, within } from '@testing-library/react';
import { defaultMeasuring } from '@contract/measuring/schemas';
import type { MeasuringSettings, RulesPreview } from '@contract/measuring/schemas';
import { violationsOf } from '../../../test/support/axe';
import { session, site, startUp } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { renderApp, renderIn } from '../../../test/support/renderApp';

renderIn('zh-CN');

const base = `/api/site/${site().id}/als`;
const put = `PUT ${base}/settings`;
const settings = (change: Partial<MeasuringSettings> = {}): MeasuringSettings => ({
  ...defaultMeasuring,
  identity: 'first_party',
  revision: 3,
  tag: `<script defer src="https://console.example/t.js" data-site="${site().id}"></script>`,
  updatedAt: null,
  ...change,
});
const preview: RulesPreview = {
  now: { human: 900, suspected: 60, bot: 40 },
  then: { human: 880, suspected: 60, bot: 60 },
  moved: [{ from: 'human', to: 'bot', visits: 20 }],
  byRule: [20],
};

let app: Awaited<ReturnType<typeof renderApp>>;
async function open(part: string, answers: Record<string, Answer> = {}) {
  app = await renderApp(`/site/${site().id}/setting/measuring${part}`, { answers: { [`GET ${base}/settings`]: { data: settings() }, ...answers } });
  await screen.findByRole('heading', { level: 1, name: '统计设置' });
  return app;
}
afterEach(() => {
  app.end();
  localStorage.clear();
  sessionStorage.clear();
});
const save = async () => app.person.click(await screen.findByRole('button', { name: '保存' }));
const sent = () => app.server.requests.filter(({ method }) => method === 'PUT');

test('unsaved input spans tabs, is saved whole, and guards leaving', async () => {
  await open('', { [put]: { data: settings({ revision: 4, retentionDays: 90, globalPrivacyControl: 'refuse' }) } });
  const days = await screen.findByRole('textbox', { name: '保留天数' });
  expect(await violationsOf(screen.getByRole('form', { name: '统计设置' }))).toEqual([]);
  await app.person.type(days, '90');
  await app.person.click(screen.getByRole('link', { name: '机器人规则' }));
  await app.person.click(screen.getByRole('link', { name: '采集与隐私' }));
  expect(screen.getByRole('textbox', { name: '保留天数' })).toHaveValue('90');
  await act(() => app.router.navigate('/home'));
  const leaveDialog = await screen.findByRole('dialog', { name: '要离开这个页面吗？' });
  await app.person.click(within(leaveDialog).getByRole('button', { name: '继续编辑' }));
  expect(screen.getByRole('textbox', { name: '保留天数' })).toHaveValue('90');
  await save();
  expect(await screen.findByText('统计设置已保存')).toBeVisible();
  expect(sent().map(({ body, headers }) => [headers.get('if-match'), (body as MeasuringSettings).retentionDays])).toEqual([['"3"', 90]]);
  await act(() => app.router.navigate('/home'));
  expect(await screen.findByRole('heading', { level: 1, name: '站点' })).toBeVisible();
});

test('server errors appear at their fields and keep the input', async () => {
  await open('', { [put]: { error: 'no', status: 422, code: 'invalid_fields', fields: { hosts: ['pattern'] } } });
  const hosts = await screen.findByRole('textbox', { name: /允许的其他域名/ });
  await app.person.type(hosts, 'not a host!');
  await save();
  await waitFor(() => expect(hosts).toHaveAttribute('aria-invalid', 'true'));
  expect(hosts).toHaveValue('not a host!');
  expect(await screen.findByText('有未保存的修改')).toBeVisible();
});

test('a conflict shows both versions, and mine can be kept', async () => {
  let refusals = 1;
  await open('', {
    [put]: () =>
      refusals-- > 0
        ? { error: 'stale', status: 409, code: 'stale_revision', current: settings({ revision: 7, retentionDays: 30 }) }
        : { data: settings({ revision: 8, retentionDays: 90 }) },
  });
  await app.person.type(await screen.findByRole('textbox', { name: '保留天数' }), '90');
  await save();
  const row = (await screen.findByRole('rowheader', { name: '保留天数' })).closest('tr');
  expect(row).toHaveTextContent('90');
  expect(row).toHaveTextContent('30');
  await app.person.click(screen.getByRole('button', { name: '用我填写的覆盖' }));
  await waitFor(() => expect(sent().map(({ headers }) => headers.get('if-match'))).toEqual(['"3"', '"7"']));
});

test('a rule preview covers thirty days and is marked when outdated', async () => {
  await open('?part=bots', { [`POST ${base}/settings/preview`]: { data: preview }, [put]: { data: settings({ revision: 4 }) } });
  await app.person.click(await screen.findByRole('button', { name: '添加规则' }));
  const rule = screen.getByRole('group', { name: '规则 1' });
  await app.person.type(within(rule).getByRole('textbox', { name: '规则名称' }), '扫描');
  await app.person.type(within(rule).getByRole('textbox', { name: /^值/ }), '/a | /b');
  await app.person.click(screen.getByRole('button', { name: '预览影响' }));
  expect(await screen.findByText('20 次访问从“真人”变为“机器人”')).toBeVisible();
  expect(screen.getByText('“扫描”决定 20 次访问')).toBeVisible();
  expect(app.server.requests.find(({ path }) => path.endsWith('/preview'))?.body).toMatchObject({
    rules: [{ name: '扫描', on: true, verdict: 'bot', when: [{ field: 'entry', op: 'contains', values: ['/a', '/b'] }] }],
  });
  expect(sent()).toEqual([]);
  await app.person.selectOptions(within(rule).getByRole('combobox', { name: '判定为' }), 'suspected');
  expect(screen.getByText('规则已改动，请重新预览')).toBeVisible();
  expect(await violationsOf(rule)).toEqual([]);
  await save();
  expect(await screen.findByText('统计设置已保存')).toBeVisible();
});

test('an incomplete rule is not sent and marks the other part', async () => {
  await open('?part=bots');
  await app.person.click(await screen.findByRole('button', { name: '添加规则' }));
  await save();
  expect(await screen.findByText('有一条规则没有填完整，或数字不对。')).toBeVisible();
  await app.person.click(screen.getByRole('link', { name: '采集与隐私' }));
  expect(await screen.findByText('“机器人规则”里有需要改正的内容。')).toBeVisible();
  expect(sent()).toEqual([]);
});

test('hosts of referrer spam can be added, and invalid ones are marked', async () => {
  let refusals = 1;
  const spam = { on: true, hosts: ['noise.example'], exceptions: ['semalt.com'] };
  await open('?part=bots', {
    [put]: () =>
      refusals-- > 0
        ? { error: 'no', status: 422, code: 'invalid_fields', fields: { 'spam.hosts.0': { code: 'pattern' } } }
        : { data: settings({ revision: 4, spam }) },
  });
  expect(await screen.findByRole('checkbox', { name: '识别垃圾来源' })).toBeChecked();
  const hosts = screen.getByRole('textbox', { name: /另外算作垃圾来源的域名/ });
  await app.person.type(hosts, 'noise/');
  await app.person.type(screen.getByRole('textbox', { name: /不算垃圾来源的域名/ }), 'semalt.com');
  await save();
  await waitFor(() => expect(hosts).toHaveAttribute('aria-invalid', 'true'));
  await app.person.clear(hosts);
  await app.person.type(hosts, 'noise.example');
  await save();
  expect(await screen.findByText('统计设置已保存')).toBeVisible();
  expect(sent().at(-1)?.body).toMatchObject({ spam });
});

test('the visit definition has bounds and explains the effect on past visits', async () => {
  const visits = { gapMinutes: 90, campaignCuts: true, engagedSeconds: 10 };
  await open('?part=visits', { [put]: { data: settings({ revision: 4, visits }) } });
  expect(await screen.findByText(/以前的访问会按新规则重新整理/)).toBeVisible();
  const gap = screen.getByRole('textbox', { name: /间隔多久算新的访问/ });
  expect(gap).toHaveValue('30');
  await app.person.clear(gap);
  await app.person.type(gap, '300');
  await save();
  expect(await screen.findByText(/5.*240/, { selector: '[role=alert], [role=alert] *, .Mui-error' })).toBeVisible();
  expect(sent()).toEqual([]);
  await app.person.clear(gap);
  await app.person.type(gap, '90');
  await app.person.click(screen.getByRole('checkbox', { name: '换了广告来源就算新的访问' }));
  await app.person.type(screen.getByRole('textbox', { name: /有效停留多久不算跳出/ }), '10');
  expect(await violationsOf(screen.getByRole('form', { name: '统计设置' }))).toEqual([]);
  await save();
  expect(await screen.findByText('统计设置已保存')).toBeVisible();
  expect(sent().map(({ body }) => body)).toMatchObject([{ visits, retentionDays: null }]);
});

test('bucket bounds must ascend, and the city minimum may be empty', async () => {
  const buckets = { ...defaultMeasuring.buckets, days: [1, 7, 30] };
  await open('?part=visits', { [put]: { data: settings({ revision: 4, buckets }) } });
  const days = await screen.findByRole('textbox', { name: /距上次访问的分界/ });
  expect(days).toHaveValue('0, 1, 2, 7, 15, 30, 90, 365');
  await app.person.clear(days);
  await app.person.type(days, '7, 1');
  await save();
  expect((await screen.findAllByText('请填写从小到大的整数，1 到 20 个'))[0]).toBeVisible();
  expect(days).toHaveAttribute('aria-invalid', 'true');
  expect(sent()).toEqual([]);
  await app.person.clear(days);
  await app.person.type(days, '1，7 30');
  await app.person.type(screen.getByRole('textbox', { name: /城市至少要有多少位访客/ }), '5');
  await save();
  expect(await screen.findByText('统计设置已保存')).toBeVisible();
  expect(sent().at(-1)?.body).toMatchObject({ buckets, cityFloor: 5 });
});

test('read-only users see everything and can change nothing', async () => {
  const mine = site({ role: 'viewer' });
  await open('', { 'GET /api/core/load/rpm': { data: startUp({ sites: [mine] }) }, 'GET /api/acc/token/session': { data: session({ role: 'member' }) } });
  expect(await screen.findByRole('textbox', { name: '保留天数' })).toBeDisabled();
  expect(screen.getByText('只有站点管理员可以修改这些设置。')).toBeVisible();
  expect(screen.queryByRole('link', { name: '删除数据' })).toBeNull();
});
