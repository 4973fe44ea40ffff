import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { SessionRow } from '@contract/session/schemas';
import { violationsOf } from '../../../../test/support/axe';
import { user } from '../../../../test/support/factories';
import type { Answer } from '../../../../test/support/fakeServer';
import { renderApp } from '../../../../test/support/renderApp';

const path = '/account/center/account_center';
const patch = `PATCH /api/acc/user/${user().id}`;
const row = (change: Partial<SessionRow> = {}): SessionRow => ({
  id: '11111111-1111-4111-8111-111111111111',
  current: true,
  device: 'Chrome · macOS',
  address: '203.0.113.7',
  place: '中国 上海',
  createdAt: '2026-11-20T08:00:00.000Z',
  lastSeenAt: '2026-11-20T08:00:00.000Z',
  ...change,
});
const other = row({ id: '22222222-2222-4222-8222-222222222222', current: false, device: 'Safari · iOS', place: '' });

let app: Awaited<ReturnType<typeof renderApp>>;
async function open(answers: Record<string, Answer> = {}, tab = 'profile') {
  app = await renderApp(`${path}?tab=${tab}`, {
    messages: ['form', 'security'],
    answers: { 'GET /api/acc/token/sessions': { data: [row(), other] }, ...answers },
  });
  await screen.findByRole('heading', { level: 1, name: 'Profile' });
  if (tab !== 'profile') return;
  await app.person.hover(nameBox());
  await screen.findByRole('form', { name: 'About you' });
}
afterEach(() => {
  app.end();
  sessionStorage.clear();
  localStorage.clear();
});

const nameBox = () => screen.getByRole('textbox', { name: 'Display name' });
async function rewrite(box: HTMLElement, to: string) {
  await app.person.clear(box);
  await app.person.type(box, to);
}

test('typing goes on while the form loads', async () => {
  app = await renderApp(path);
  const box = await screen.findByRole('textbox', { name: 'Display name' });
  const zone = () => screen.getByRole('combobox', { name: 'Time zone' });
  expect(screen.queryByRole('form')).toBeNull();
  act(() => zone().focus());
  fireEvent.input(zone(), { target: { value: 'tokyo' } });
  act(() => box.focus());
  fireEvent.input(box, { target: { value: 'Chen Xiao I' } });
  await screen.findByRole('form', { name: 'About you' });
  await app.person.keyboard('I');
  expect(nameBox()).toHaveFocus();
  expect(nameBox()).toHaveValue('Chen Xiao II');
  await waitFor(() => expect(zone()).toHaveValue('Asia/Tokyo'));
  expect(screen.getByRole('button', { name: 'Save' })).toBeVisible();
});

test('saving a name sends the loaded revision and hides the bar', async () => {
  await open({ [patch]: { data: user({ displayName: '林夏', revision: 2 }) } });
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  await rewrite(nameBox(), '林夏');
  await app.person.keyboard('{Control>}{Enter}{/Control}');
  expect(await screen.findByText('Profile saved')).toBeVisible();
  expect(app.server.calls(patch)[0]?.body).toEqual({ displayName: '林夏' });
  expect(app.server.calls(patch)[0]?.headers.get('if-match')).toBe('"1"');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save' })).toBeNull());
});

test('a conflict in one field shows both values', async () => {
  await open({ [patch]: { error: 'stale', status: 409, code: 'stale_revision', current: user({ displayName: '陈晓', revision: 7 }) } });
  await rewrite(nameBox(), '林夏');
  await app.person.click(screen.getByRole('button', { name: 'Save' }));
  const notice = await screen.findByRole('alert');
  expect(within(notice).getByRole('row', { name: 'Display name 林夏 陈晓' })).toBeVisible();
  expect(nameBox()).toHaveValue('林夏');
  app.server.answer(patch, { data: user({ displayName: '林夏', revision: 8 }) });
  await app.person.click(within(notice).getByRole('button', { name: 'Overwrite with mine' }));
  await waitFor(() => expect(app.server.calls(patch)[1]?.headers.get('if-match')).toBe('"7"'));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

test('changes to different fields are merged without a question', async () => {
  let first = true;
  await open({
    [patch]: () => {
      if (!first) return { data: user({ displayName: '林夏', timeZone: 'Asia/Tokyo', revision: 8 }) };
      first = false;
      return { error: 'stale', status: 409, code: 'stale_revision', current: user({ timeZone: 'Asia/Tokyo', revision: 7 }) };
    },
  });
  await rewrite(nameBox(), '林夏');
  await app.person.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Profile saved')).toBeVisible();
  expect(app.server.calls(patch)[1]?.body).toEqual({ displayName: '林夏' });
  expect(screen.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Asia/Tokyo');
});

test('unsaved input survives a reload, and leaving the page asks first', async () => {
  await open();
  await rewrite(nameBox(), 'Half');
  app.end();
  await open();
  await waitFor(() => expect(nameBox()).toHaveValue('Half'));
  await app.person.click(screen.getByRole('link', { name: 'Sites' }));
  expect(await screen.findByRole('dialog', { name: 'Leave this page?' })).toBeVisible();
  await app.person.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(app.router.state.location.pathname).toBe(path);
  await app.person.click(screen.getByRole('button', { name: 'Discard changes' }));
  expect(nameBox()).toHaveValue('Chen Xiao');
  expect(sessionStorage).toHaveLength(0);
});

test('the language applies at once', async () => {
  await open({ [patch]: { data: user({ locale: 'zh-CN', revision: 2 }) } });
  await app.person.click(screen.getByRole('button', { name: '中文' }));
  expect(await screen.findByRole('heading', { level: 1, name: '个人中心' })).toBeVisible();
  expect(app.server.calls(patch)[0]?.body).toEqual({ locale: 'zh-CN' });
});

test('devices can be ended one by one or all after confirmation', async () => {
  await open({ [`DELETE /api/acc/token/sessions/${other.id}`]: { data: null }, 'POST /api/acc/token/sign-out-everywhere': { data: { ended: 1 } } }, 'sessions');
  const list = await screen.findByRole('list', { name: 'Signed-in devices' });
  expect(within(list).getByText('This device')).toBeVisible();
  app.server.answer('GET /api/acc/token/sessions', { data: [row()] });
  await app.person.click(within(list).getByRole('button', { name: 'Sign out Safari · iOS' }));
  await waitFor(() => expect(within(list).queryByText('Safari · iOS')).toBeNull());
  await app.person.click(screen.getByRole('button', { name: 'Sign out everywhere' }));
  const dialog = await screen.findByRole('dialog', { name: 'Sign out on all devices?' });
  await app.person.click(within(dialog).getByRole('button', { name: 'Sign out everywhere' }));
  await waitFor(() => expect(app.left).toHaveLength(1));
  expect(app.server.calls('POST /api/acc/token/sign-out-everywhere')[0]?.body).toEqual({ keepCurrent: false });
});

test.each(['profile', 'security', 'sessions'])('axe finds nothing in %s', async (tab) => {
  await open({}, tab);
  if (tab === 'sessions') await screen.findByText('Safari · iOS');
  expect(await violationsOf(screen.getByRole('main'))).toEqual([]);
});
