import { act, screen, waitFor } from '@testing-library/react';
import { session, startUp } from '../../../test/support/factories';
import { renderApp } from '../../../test/support/renderApp';

let app: Awaited<ReturnType<typeof renderApp>>;
afterEach(() => app.end());

test('shows Loading... until the session is known', async () => {
  let answer: (value: unknown) => void = () => undefined;
  const wait = new Promise((resolve) => {
    answer = resolve;
  });
  app = await renderApp('/account/unknown', { answers: { 'GET /api/acc/token/session': { data: session(), wait } } });
  expect(screen.getByText('Loading...')).toBeVisible();
  await act(async () => answer(null));
  expect(await screen.findByRole('heading', { name: '404 Not Found' })).toBeVisible();
});

test('sends the browser to sign in when there is no session', async () => {
  app = await renderApp('/home', { answers: { 'GET /api/acc/token/session': { data: null } } });
  await waitFor(() => expect(app.left).toHaveLength(1));
  expect(app.left[0]).toMatch(/^\/sign\/\?redirect=/);
  expect(app.server.calls('GET /api/core/load/rpm')).toHaveLength(0);
});

test('shows an HTML error in a frame that may do nothing', async () => {
  app = await renderApp('/home', {
    answers: { 'GET /api/acc/token/session': { raw: '<h1>Maintenance</h1>', status: 500, headers: { 'content-type': 'text/html' } } },
  });
  const frame = await screen.findByTitle('The page that the server answered with');
  expect(frame).toHaveAttribute('sandbox', 'allow-scripts');
  expect(frame).toHaveAttribute('src', '/frame');
  expect(screen.queryByText('Maintenance')).toBeNull();
});

test('shows any other error with its request id and retries', async () => {
  app = await renderApp('/account/unknown', {
    answers: { 'GET /api/acc/token/session': { error: '数据库不可用', status: 500, code: 'internal', requestId: 'req-42' } },
  });
  expect(await screen.findByText('数据库不可用')).toBeVisible();
  expect(screen.getByText('req-42')).toBeVisible();
  app.server.answer('GET /api/acc/token/session', { data: session() });
  await app.person.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: '404 Not Found' })).toBeVisible();
});

test('shows what a proxy answered in its own words', async () => {
  app = await renderApp('/home', {
    answers: { 'GET /api/acc/token/session': { raw: 'upstream is away', status: 500, headers: { 'content-type': 'text/plain' } } },
  });
  expect(await screen.findByText('The server answered with something unknown (500).')).toBeVisible();
  expect(screen.getByText('upstream is away')).toBeVisible();
});

test('a failed start-up load shows a message and can be repeated', async () => {
  app = await renderApp('/account/unknown', { answers: { 'GET /api/core/load/rpm': { error: '出错了', status: 500, code: 'internal' } } });
  expect(await screen.findByText('Could not load the list of sites')).toBeVisible();
  app.server.answer('GET /api/core/load/rpm', { data: startUp() });
  await app.person.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('heading', { name: '404 Not Found' })).toBeVisible();
});

test('keeps the page visible while the session is refreshed', async () => {
  app = await renderApp('/account/unknown');
  expect(await screen.findByRole('heading', { name: '404 Not Found' })).toBeVisible();
  await app.person.click(screen.getByRole('button', { name: /My account/ }));
  await app.person.click(await screen.findByRole('menuitem', { name: 'Refresh session' }));
  await waitFor(() => expect(app.server.calls('GET /api/acc/token/session')).toHaveLength(2));
  expect(screen.getByRole('heading', { name: '404 Not Found' })).toBeVisible();
});
