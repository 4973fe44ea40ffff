import { screen, waitFor, within } from '@testing-library/react';
import { contact } from '../../../test/support/factories';
import { renderApp } from '../../../test/support/renderApp';

let app: Awaited<ReturnType<typeof renderApp>>;
afterEach(() => {
  app.end();
  sessionStorage.clear();
});

const storedDrafts = () =>
  Object.keys(sessionStorage)
    .map((key) => sessionStorage.getItem(key))
    .join('\n');

test('discarded input does not return when the contact is reopened', async () => {
  app = await renderApp(`/account/contacts/account_contacts?id=${contact().id}`, {
    answers: {
      'GET /api/acc/contacts': { data: [contact()] },
      'GET /api/acc/contact-health': { data: { mail: true, unheard: [], waiting: 0, failed: 0 } },
      [`GET /api/acc/contacts/${contact().id}`]: { data: contact() },
    },
  });
  const name = async () => within(await screen.findByRole('dialog', { name: 'Edit contact' })).findByRole('textbox', { name: 'Name' });
  await app.person.type(await name(), ' 2');
  expect(storedDrafts()).toContain(`${contact().name} 2`);
  await app.person.keyboard('{Escape}');
  await app.person.click(await screen.findByText('Discard', { selector: 'button' }));
  await waitFor(() => expect(app.router.state.location.search).toBe(''));
  expect(storedDrafts()).not.toContain(`${contact().name} 2`);
  await app.person.click(await screen.findByRole('link', { name: contact().name }));
  expect(await name()).toHaveValue(contact().name);
});
