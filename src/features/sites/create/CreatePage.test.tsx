import { screen, waitFor, within } from '@testing-library/react';
import { violationsOf } from '../../../../test/support/axe';
import { session, site } from '../../../../test/support/factories';
import type { Answer } from '../../../../test/support/fakeServer';
import { renderApp } from '../../../../test/support/renderApp';
import { withScheme } from './newSite';

const slugs: Answer = (request) => {
  const { searchParams } = new URL(request.url);
  const slug = searchParams.get('slug') ?? 'yun-qi';
  return { data: { slug, free: slug !== 'taken', suggestions: slug === 'taken' ? ['taken-2', 'taken-3'] : [], systemHost: `http://${slug}.localhost:3001` } };
};

let app: Awaited<ReturnType<typeof renderApp>>;
async function open(path = '/home/create', answers: Record<string, Answer> = {}) {
  app = await renderApp(path, { answers: { 'GET /api/core/sites/slug': slugs, 'GET /api/core/sites/figures': { data: [] }, ...answers } });
  await screen.findByRole('heading', { level: 1, name: '添加站点' });
}
afterEach(() => {
  app.end();
  sessionStorage.clear();
});

const next = () => app.person.click(screen.getByRole('button', { name: '下一步' }));
const current = () =>
  within(screen.getByRole('navigation', { name: '步骤' }))
    .getAllByRole('listitem')
    .find((one) => one.querySelector('[aria-current="step"]'))?.textContent;

test('an external site is created step by step and opened', async () => {
  const createdSite = site({ id: 'zzzzzzzzzzzz', name: '云栖书店' });
  await open('/home/create', { 'POST /api/core/sites': { data: createdSite } });
  expect(app.router.state.location.pathname).toBe('/home/create/home_create_empty');
  await next();
  await app.person.type(await screen.findByRole('textbox', { name: '站点名称' }), '云栖书店');
  await app.person.type(screen.getByRole('textbox', { name: '网址' }), 'yunqi.example');
  await app.person.keyboard('{Enter}');
  const identity = await screen.findByRole('radio', { name: '不存标识' });
  expect(app.router.state.location.search).toBe('?step=settings');
  await app.person.click(identity);
  await next();
  expect(await screen.findByText('https://yunqi.example')).toBeVisible();
  expect(screen.getByText(/网站本身不会有任何改动/)).toBeVisible();
  await app.person.click(screen.getByRole('button', { name: '添加站点' }));
  await waitFor(() => expect(app.router.state.location.pathname).toMatch(/^\/site\/zzzzzzzzzzzz/));
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(app.server.calls('POST /api/core/sites')[0]?.body).toEqual({
    purpose: 'external',
    name: '云栖书店',
    url: 'https://yunqi.example',
    defaultLang: 'zh-Hans',
    timeZone: zone,
    identity: 'cookieless',
  });
  expect(app.store.getState().sites.entities['zzzzzzzzzzzz']).toEqual(createdSite);
  expect(sessionStorage).toHaveLength(0);
});

test('the slug follows the name until edited and must be free', async () => {
  await open();
  await app.person.click(screen.getByRole('radio', { name: '在这里建站' }));
  await next();
  await app.person.type(await screen.findByRole('textbox', { name: '站点名称' }), '云栖');
  const slug = screen.getByRole('textbox', { name: '站点标识' });
  await waitFor(() => expect(slug).toHaveValue('yun-qi'));
  expect(await screen.findByText('✓ 可以使用')).toBeVisible();
  await app.person.clear(slug);
  await app.person.type(slug, 'taken');
  expect(await screen.findByText('已被使用')).toBeVisible();
  await next();
  await waitFor(() => expect(slug).toHaveAccessibleDescription(expect.stringContaining('已被使用，换一个')));
  expect(current()).toContain('名称与地址');
  await app.person.click(screen.getByRole('button', { name: 'taken-2' }));
  expect(slug).toHaveValue('taken-2');
  await next();
  await waitFor(() => expect(current()).toContain('语言与统计'));
});

test('a step continues only when it is valid', async () => {
  await open('/home/create/home_create_empty?step=details');
  await next();
  await waitFor(() => expect(screen.getByRole('textbox', { name: '站点名称' })).toHaveAccessibleDescription(expect.stringContaining('必填')));
  expect(screen.getByRole('textbox', { name: '网址' })).toHaveAccessibleDescription(expect.stringContaining('必填'));
  expect(screen.getByRole('textbox', { name: '站点名称' })).toHaveFocus();
  await app.person.type(screen.getByRole('textbox', { name: '网址' }), 'ftp://x.example');
  await waitFor(() => expect(screen.getByRole('textbox', { name: '网址' })).toHaveAccessibleDescription(/填写完整的网址/));
  expect(current()).toContain('名称与地址');
});

test('an address of a later step opens the first incomplete one', async () => {
  await open('/home/create/home_create_empty?step=summary');
  expect(current()).toContain('名称与地址');
});

test('input survives a reload, and starting over clears it', async () => {
  await open('/home/create/home_create_empty?step=details');
  await app.person.type(screen.getByRole('textbox', { name: '站点名称' }), 'Half a na');
  app.end();
  await open('/home/create/home_create_empty?step=details');
  expect(screen.getByRole('textbox', { name: '站点名称' })).toHaveValue('Half a na');
  expect(screen.getByText('已恢复上次没填完的内容。')).toBeVisible();
  await app.person.click(screen.getByRole('button', { name: '重新填写' }));
  await next();
  expect(await screen.findByRole('textbox', { name: '站点名称' })).toHaveValue('');
});

test('a refusal appears at its field, other failures keep the input', async () => {
  await open('/home/create/home_create_empty?step=details', {
    'POST /api/core/sites': { error: 'no', status: 422, code: 'invalid_fields', fields: { url: { code: 'not_a_url' } } },
  });
  await app.person.type(screen.getByRole('textbox', { name: '站点名称' }), 'Tea');
  await app.person.type(screen.getByRole('textbox', { name: '网址' }), 'https://tea.example{Enter}');
  await screen.findByRole('combobox', { name: '时区' });
  await next();
  await app.person.click(await screen.findByRole('button', { name: '添加站点' }));
  const url = await screen.findByRole('textbox', { name: '网址' });
  await waitFor(() => expect(url).toHaveAccessibleDescription(/填写完整的网址/));
  expect(url).toHaveValue('https://tea.example');
  app.server.answer('POST /api/core/sites', { error: 'Out of order', status: 503, code: 'unavailable', requestId: 'req-9' });
  await app.person.type(url, '/');
  await next();
  await screen.findByRole('combobox', { name: '时区' });
  await next();
  await app.person.click(await screen.findByRole('button', { name: '添加站点' }));
  expect(await screen.findByText('站点没有添加成功，填写的内容都还在。')).toBeVisible();
  expect(screen.getByText('req-9')).toBeVisible();
});

test('time zones are found by common names', async () => {
  await open('/home/create/home_create_empty?step=details');
  await app.person.type(screen.getByRole('textbox', { name: '站点名称' }), 'Tea');
  await app.person.type(screen.getByRole('textbox', { name: '网址' }), 'tea.example{Enter}');
  const zone = await screen.findByRole('combobox', { name: '时区' });
  await app.person.clear(zone);
  await app.person.type(zone, '东京');
  await app.person.click(await screen.findByRole('option', { name: /Asia\/Tokyo/ }));
  expect(zone).toHaveValue('Asia/Tokyo');
  expect(await violationsOf(screen.getByRole('main'))).toEqual([]);
});

test('the page is hidden from people who may not add sites', async () => {
  app = await renderApp('/home/create/home_create_empty', { answers: { 'GET /api/acc/token/session': { data: session({ role: 'member', can: [] }) } } });
  await waitFor(() => expect(app.store.getState().session.status).toBe('present'));
  expect(screen.queryByRole('button', { name: '下一步' })).toBeNull();
});

test.each([
  ['example.com', 'https://example.com'],
  ['  example.com/shop ', 'https://example.com/shop'],
  ['http://example.com', 'http://example.com'],
  ['ftp://example.com', 'ftp://example.com'],
  ['mailto:a@example.com', 'mailto:a@example.com'],
  ['localhost:27010', 'http://localhost:27010'],
  ['localhost', 'http://localhost'],
  ['127.0.0.1:8080/shop', 'http://127.0.0.1:8080/shop'],
  ['[::1]:8080', 'http://[::1]:8080'],
  ['localhost.example.com', 'https://localhost.example.com'],
  ['shop:8080', 'https://shop:8080'],
  ['example.com:8443/a?b', 'https://example.com:8443/a?b'],
  ['', ''],
])('an address without a scheme gets one: %p', (typed, whole) => {
  expect(withScheme(typed)).toBe(whole);
});
