import { fireEvent, screen, waitFor } from '@testing-library/react';
import { invite } from '../../../test/support/factories';
import { renderApp } from '../../../test/support/renderApp';

let app: Awaited<ReturnType<typeof renderApp>>;
afterEach(() => {
  app.end();
  sessionStorage.clear();
});

test('a second submit is ignored while pending and allowed after failure', async () => {
  const inviteCall = 'POST /api/acc/invites';
  let arrive: (answer: { error: string; status: number }) => void = () => undefined;
  app = await renderApp('/account/users/account_users?invite=1', {
    answers: {
      'GET /api/acc/users': { data: { rows: [], total: 0 } },
      'GET /api/acc/invites': { data: [] },
      [inviteCall]: () => new Promise((resolve) => (arrive = resolve)),
    },
  });
  const send = await screen.findByText('Create invitation', { selector: 'button' });
  // Immediately, before the next render.
  fireEvent.click(send);
  fireEvent.click(send);
  await waitFor(() => expect(app.server.calls(inviteCall)).toHaveLength(1));
  await app.person.click(send);
  await app.person.type(screen.getByRole('textbox', { name: /E-mail/ }), '{Enter}');
  await app.person.keyboard('{Control>}{Enter}{/Control}');
  expect(app.server.calls(inviteCall)).toHaveLength(1);

  arrive({ error: '现在不行', status: 503 });
  expect(await screen.findByText('现在不行')).toBeInTheDocument();
  app.server.answer(inviteCall, { data: { invite: invite(), url: 'http://localhost/sign/invite#t=abc', mailed: false } });
  await app.person.click(send);
  expect(await screen.findByRole('dialog', { name: 'Invitation created' })).toBeInTheDocument();
  expect(app.server.calls(inviteCall)).toHaveLength(2);
});
