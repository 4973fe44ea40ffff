import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { person } from '../../../test/support/factories';
import { renderApp } from '../../../test/support/renderApp';

const wang = person();
const one = `/api/acc/users/${wang.id}`;
const url = 'http://localhost/sign/reset#t=very-secret';
let app: Awaited<ReturnType<typeof renderApp>>;
afterEach(() => {
  app.end();
  sessionStorage.clear();
});

test('a double click on the question keeps the new link', async () => {
  let arrive: (answer: { data: unknown }) => void = () => undefined;
  app = await renderApp(`/account/users/account_users?person=${wang.id}`, {
    answers: {
      'GET /api/acc/users': { data: { rows: [wang], total: 1 } },
      'GET /api/acc/invites': { data: [] },
      [`GET ${one}`]: { data: { ...wang, grants: [] } },
      [`POST ${one}/link`]: () => new Promise((resolve) => (arrive = resolve)),
    },
  });
  const drawer = await screen.findByRole('dialog', { name: 'Person' });
  const backdrop = document.querySelector('.MuiDrawer-root > .MuiBackdrop-root');
  if (!backdrop) throw new Error('The drawer has no backdrop');
  await app.person.click(await within(drawer).findByText('Create link', { selector: 'button' }));
  const question = await screen.findByRole('dialog', { name: /Create.*link/ });
  await app.person.click(within(question).getByRole('button', { name: 'Create link' }));
  // The dialog has closed, so the next click reaches what was beneath it.
  expect(document.querySelector('[data-shield]')).toBeInTheDocument();
  await waitFor(() => expect(app.server.calls(`POST ${one}/link`)).toHaveLength(1));
  fireEvent.click(backdrop);
  arrive({ data: { url, expiresAt: '2026-11-20T08:30:00.000Z' } });
  expect(await screen.findByDisplayValue(url)).toBeInTheDocument();
  fireEvent.click(backdrop);
  expect(screen.getByDisplayValue(url)).toBeInTheDocument();
  await app.person.click(screen.getByRole('button', { name: 'Done' }));
  await waitFor(() => expect(document.querySelector('[data-shield]')).toBeNull());
  fireEvent.click(backdrop);
  await waitFor(() => expect(app.router.state.location.search).toBe(''));
});
