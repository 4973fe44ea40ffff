import { screen, waitFor, within } from '@testing-library/react';
import { violationsOf } from '../../../../test/support/axe';
import { session, site, startUp, user } from '../../../../test/support/factories';
import type { Answer } from '../../../../test/support/fakeServer';
import { renderApp } from '../../../../test/support/renderApp';
import { keepDraft } from '@/lib/drafts';
import { withScheme } from './newSite';

const slugs: Answer = (request) => {
  const { searchParams } = new URL(request.url);
  const slug = searchParams.get('slug') ?? 'yun-qi';
  return { data: { slug, free: slug !== 'taken', suggestions: slug === 'taken' ? ['taken-2', 'taken-3'] : [], systemHost: `http://${slug}.localhost:3001` } };
};

let app: Awaited<ReturnType<typeof renderApp>>;
async function open(path = '/home/create', answers: Record<string, Answer> = {}) {
  app = await renderApp(path, {
    answers: { 'GET /api/core/sites/slug': slugs, 'GET /api/core/sites/figures': { data: { sites: [], failed: [] } }, ...answers },
  });
  await screen.findByRole('heading', { level: 1, name: 'Add site' });
}
afterEach(() => {
  app.end();
  sessionStorage.clear();
});

const next = () => app.person.click(screen.getByRole('button', { name: 'Next' }));
const current = () =>
  within(screen.getByRole('navigation', { name: 'Steps' }))
    .getAllByRole('listitem')
    .find((one) => one.getAttribute('aria-current') === 'step')?.textContent;

test('an external site is created step by step and opened', async () => {
  const createdSite = site({ id: 'zzzzzzzzzzzz', name: '云栖书店' });
  await open('/home/create', { 'POST /api/core/sites': { data: createdSite } });
  expect(app.router.state.location.pathname).toBe('/home/create/home_create_empty');
  await next();
  await app.person.type(await screen.findByRole('textbox', { name: 'Site name' }), '云栖书店');
  await app.person.type(screen.getByRole('textbox', { name: 'Address' }), 'yunqi.example');
  await app.person.keyboard('{Enter}');
  const identity = await screen.findByRole('radio', { name: 'Nothing stored' });
  expect(app.router.state.location.search).toBe('?step=settings');
  await app.person.click(identity);
  await next();
  expect(await screen.findByText('https://yunqi.example')).toBeVisible();
  expect(screen.getByText(/The site joins your list/)).toBeVisible();
  await app.person.click(screen.getByRole('button', { name: 'Add site' }));
  await waitFor(() => expect(app.router.state.location.pathname).toMatch(/^\/site\/zzzzzzzzzzzz/));
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(app.server.calls('POST /api/core/sites')[0]?.body).toEqual({
    purpose: 'external',
    name: '云栖书店',
    url: 'https://yunqi.example',
    defaultLang: 'en',
    timeZone: zone,
    identity: 'cookieless',
  });
  expect(app.store.getState().sites.entities['zzzzzzzzzzzz']).toEqual(createdSite);
  expect(sessionStorage).toHaveLength(0);
});

test('a site can be added without the remaining steps', async () => {
  await open('/home/create/home_create_empty?step=details', { 'POST /api/core/sites': { data: site({ id: 'zzzzzzzzzzzz' }) } });
  const finish = () => app.person.click(screen.getByRole('button', { name: 'Add now' }));
  await finish();
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Site name' })).toHaveAccessibleDescription(expect.stringContaining('Required')));
  expect(app.server.calls('POST /api/core/sites')).toHaveLength(0);
  await app.person.type(screen.getByRole('textbox', { name: 'Site name' }), 'Tea');
  await app.person.type(screen.getByRole('textbox', { name: 'Address' }), 'tea.example');
  await finish();
  await waitFor(() => expect(app.router.state.location.pathname).toMatch(/^\/site\/zzzzzzzzzzzz/));
  expect(app.server.calls('POST /api/core/sites')[0]?.body).toMatchObject({ name: 'Tea', url: 'https://tea.example', identity: 'first_party' });
});

test('adding at once shows the step with an error', async () => {
  keepDraft(user().id, 'site.create', { name: 'Tea', url: 'https://tea.example', timeZone: 'x'.repeat(65) });
  await open('/home/create/home_create_empty?step=details');
  await app.person.click(screen.getByRole('button', { name: 'Add now' }));
  await waitFor(() => expect(current()).toContain('Language and measuring'));
  expect(screen.getByRole('combobox', { name: 'Time zone' })).toBeInvalid();
  expect(app.server.calls('POST /api/core/sites')).toHaveLength(0);
});

test('the slug follows the name until edited and must be free', async () => {
  await open();
  await app.person.click(screen.getByRole('radio', { name: 'Built here' }));
  await next();
  await app.person.type(await screen.findByRole('textbox', { name: 'Site name' }), '云栖');
  const slug = screen.getByRole('textbox', { name: 'Site slug' });
  await waitFor(() => expect(slug).toHaveValue('yun-qi'));
  expect(await screen.findByText('✓ Available')).toBeVisible();
  await app.person.clear(slug);
  await app.person.type(slug, 'taken');
  expect(await screen.findByText('In use')).toBeVisible();
  await next();
  await waitFor(() => expect(slug).toHaveAccessibleDescription(expect.stringContaining('In use, choose another')));
  expect(current()).toContain('Name and address');
  await app.person.click(screen.getByRole('button', { name: 'taken-2' }));
  expect(slug).toHaveValue('taken-2');
  await next();
  await waitFor(() => expect(current()).toContain('Language and measuring'));
});

test('a step continues only when it is valid', async () => {
  await open('/home/create/home_create_empty?step=details');
  await next();
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Site name' })).toHaveAccessibleDescription(expect.stringContaining('Required')));
  expect(screen.getByRole('textbox', { name: 'Address' })).toHaveAccessibleDescription(expect.stringContaining('Required'));
  expect(screen.getByRole('textbox', { name: 'Site name' })).toHaveFocus();
  await app.person.type(screen.getByRole('textbox', { name: 'Address' }), 'ftp://x.example');
  await waitFor(() =>
    expect(screen.getByRole('textbox', { name: 'Address' })).toHaveAccessibleDescription(/Enter a whole address, for example https:\/\/example\.com/),
  );
  expect(current()).toContain('Name and address');
});

test('an address of a later step opens the first incomplete one', async () => {
  await open('/home/create/home_create_empty?step=summary');
  expect(current()).toContain('Name and address');
});

test('input survives a reload, and starting over clears it', async () => {
  await open('/home/create/home_create_empty?step=details');
  await app.person.type(screen.getByRole('textbox', { name: 'Site name' }), 'Half a na');
  app.end();
  await open('/home/create/home_create_empty?step=details');
  expect(screen.getByRole('textbox', { name: 'Site name' })).toHaveValue('Half a na');
  expect(screen.getByText('Restored what you had filled in before.')).toBeVisible();
  await app.person.click(screen.getByRole('button', { name: 'Start over' }));
  await next();
  expect(await screen.findByRole('textbox', { name: 'Site name' })).toHaveValue('');
});

test('a refusal appears at its field, other failures keep the input', async () => {
  await open('/home/create/home_create_empty?step=details', {
    'POST /api/core/sites': { error: 'no', status: 422, code: 'invalid_fields', fields: { url: { code: 'not_a_url' } } },
  });
  await app.person.type(screen.getByRole('textbox', { name: 'Site name' }), 'Tea');
  await app.person.type(screen.getByRole('textbox', { name: 'Address' }), 'https://tea.example{Enter}');
  await screen.findByRole('combobox', { name: 'Time zone' });
  await next();
  await app.person.click(await screen.findByRole('button', { name: 'Add site' }));
  const url = await screen.findByRole('textbox', { name: 'Address' });
  await waitFor(() => expect(url).toHaveAccessibleDescription(/Enter a whole address, for example https:\/\/example\.com/));
  expect(url).toHaveValue('https://tea.example');
  app.server.answer('POST /api/core/sites', { error: 'Out of order', status: 503, code: 'unavailable', requestId: 'req-9' });
  await app.person.type(url, '/');
  await next();
  await screen.findByRole('combobox', { name: 'Time zone' });
  await next();
  await app.person.click(await screen.findByRole('button', { name: 'Add site' }));
  expect(await screen.findByText('The site was not added. Everything you filled in is still here.')).toBeVisible();
  expect(screen.getByText('req-9')).toBeVisible();
});

test('time zones are found by common names', async () => {
  await open('/home/create/home_create_empty?step=details');
  await app.person.type(screen.getByRole('textbox', { name: 'Site name' }), 'Tea');
  await app.person.type(screen.getByRole('textbox', { name: 'Address' }), 'tea.example{Enter}');
  const zone = await screen.findByRole('combobox', { name: 'Time zone' });
  await app.person.clear(zone);
  await app.person.type(zone, 'Tokyo');
  await app.person.click(await screen.findByRole('option', { name: /Asia\/Tokyo/ }));
  expect(zone).toHaveValue('Asia/Tokyo');
  expect(await violationsOf(screen.getByRole('main'))).toEqual([]);
});

test('the page is hidden from people who may not add sites', async () => {
  app = await renderApp('/home/create/home_create_empty', { answers: { 'GET /api/acc/token/session': { data: session({ role: 'member', can: [] }) } } });
  await waitFor(() => expect(app.store.getState().session.status).toBe('present'));
  expect(screen.queryByRole('button', { name: 'Next' })).toBeNull();
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

describe('a site that is built here', () => {
  const create = 'POST /api/core/sites';
  const built = site({ id: 'bbbbbbbbbbbb', name: 'Lakeside', slug: 'lakeside', purpose: 'built', url: null, systemHost: 'http://lakeside.localhost:3001' });
  async function openBuilt(sites = [site(), built]): Promise<void> {
    await open('/home/create', { 'GET /api/core/load/rpm': { data: startUp({ sites }) }, [create]: { data: site({ id: 'zzzzzzzzzzzz' }) } });
    await app.person.click(screen.getByRole('radio', { name: 'Built here' }));
  }
  async function addNow(): Promise<void> {
    await next();
    await app.person.type(await screen.findByRole('textbox', { name: 'Site name' }), '云栖');
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Site slug' })).toHaveValue('yun-qi'));
    await app.person.click(screen.getByRole('button', { name: 'Add now' }));
    await waitFor(() => expect(app.router.state.location.pathname).toMatch(/^\/site\/zzzzzzzzzzzz/));
  }

  test('begins with the chosen starter', async () => {
    await openBuilt();
    const group = screen.getByRole('group', { name: 'Start with' });
    expect(within(group).getByRole('radio', { name: 'Company' })).toBeChecked();
    expect(await violationsOf(group)).toEqual([]);
    await app.person.click(within(group).getByRole('radio', { name: 'Blog' }));
    await app.person.keyboard('{ArrowDown}');
    expect(within(group).getByRole('radio', { name: 'Documentation' })).toBeChecked();
    await addNow();
    expect(app.server.calls(create)[0]?.body).toMatchObject({ purpose: 'built', slug: 'yun-qi', starter: 'docs' });
  });

  test('copies a site that was built here', async () => {
    await openBuilt();
    await app.person.click(screen.getByRole('radio', { name: 'Copy of a site' }));
    await next();
    const source = screen.getByRole('combobox', { name: 'Site to copy' });
    await waitFor(() => expect(source).toHaveAccessibleDescription(expect.stringContaining('Required')));
    await app.person.click(source);
    expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual([expect.stringContaining('Lakeside')]);
    await app.person.click(screen.getByRole('option', { name: /Lakeside/ }));
    await addNow();
    expect(app.server.calls(create)[0]?.body).toMatchObject({ copyFrom: built.id });
    expect(app.server.calls(create)[0]?.body).not.toHaveProperty('starter');
  });

  test('offers no copy without another one', async () => {
    await openBuilt([site()]);
    expect(screen.getByRole('radio', { name: 'Blank' })).toBeVisible();
    expect(screen.queryByRole('radio', { name: 'Copy of a site' })).toBeNull();
  });
});
