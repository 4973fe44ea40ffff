import { Dialog } from '@mui/material';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { I18nextProvider } from 'react-i18next';
import { Provider } from 'react-redux';
import type { StoredNotice } from '@contract/notices/schemas';
import { i18n, startI18n } from '@/i18n';
import { makeStore } from '@/store';
import { site } from '../../../test/support/factories';
import { renderApp } from '../../../test/support/renderApp';
import { NoticeHost } from './NoticeHost';
import { noticeShown, selectUnread } from './noticesSlice';

const notice: StoredNotice = {
  id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  kind: 'alert',
  siteId: site().id,
  title: 'Tea house: traffic has dropped',
  text: 'Visits: 3. Usually 20.',
  path: `/site/${site().id}/dashboard?from=2026-11-20&to=2026-11-20`,
  at: '2026-11-20T09:10:00.000Z',
  read: false,
};

afterEach(() => jest.useRealTimers());

test('an alert behind the bell leads to its report and is read then', async () => {
  const app = await renderApp('/account/unknown', {
    answers: {
      'GET /api/acc/notices': { data: { rows: [notice], unread: 1 } },
      'POST /api/acc/notices/read': { data: { rows: [{ ...notice, read: true }], unread: 0 } },
    },
  });
  await app.person.click(await screen.findByRole('button', { name: 'Notices 1' }));
  const panel = await screen.findByRole('dialog', { name: 'Notices' });
  await app.person.click(within(panel).getByRole('link', { name: /Tea house: traffic has dropped/ }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Notices' })).toBeVisible());
  expect(app.router.state.location.search).toBe('?from=2026-11-20&to=2026-11-20');
  app.end();
});

test('all notices are marked as read at once', async () => {
  const app = await renderApp('/account/unknown', {
    answers: {
      'GET /api/acc/notices': { data: { rows: [notice], unread: 1 } },
      'POST /api/acc/notices/read': { data: { rows: [{ ...notice, read: true }], unread: 0 } },
    },
  });
  await app.person.click(await screen.findByRole('button', { name: 'Notices 1' }));
  await app.person.click(await screen.findByRole('button', { name: 'Mark all as read' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull());
  app.end();
});

test('a toast stays five seconds, longer under the pointer', async () => {
  await startI18n('en');
  jest.useFakeTimers();
  const store = makeStore();
  render(
    <Provider store={store}>
      <I18nextProvider i18n={i18n}>
        <NoticeHost />
      </I18nextProvider>
    </Provider>,
  );
  act(() => void store.dispatch(noticeShown({ message: { text: 'Moved to the bin' } })));
  const toast = screen.getByText('Moved to the bin');
  act(() => jest.advanceTimersByTime(4900));
  fireEvent.pointerEnter(toast.parentElement as HTMLElement);
  act(() => jest.advanceTimersByTime(10_000));
  expect(screen.getByText('Moved to the bin')).toBeInTheDocument();
  fireEvent.pointerLeave(toast.parentElement as HTMLElement);
  act(() => jest.advanceTimersByTime(5000));
  expect(screen.queryByText('Moved to the bin')).toBeNull();
});

/** A page with a dialog, inside which another one opens. */
const Page = () => {
  const [depth, setDepth] = useState(0);
  return (
    <>
      <button type="button" onClick={() => setDepth(1)}>
        Edit
      </button>
      <Dialog open={depth > 0} onClose={() => setDepth(0)} aria-labelledby="form">
        <h2 id="form">Form</h2>
        <button type="button" onClick={() => setDepth(2)}>
          Delete
        </button>
      </Dialog>
      {depth > 1 && (
        <Dialog open onClose={() => setDepth(1)} aria-labelledby="question">
          <h2 id="question">Question</h2>
        </Dialog>
      )}
      <NoticeHost />
    </>
  );
};

async function openPage() {
  await startI18n('en');
  const store = makeStore();
  render(
    <Provider store={store}>
      <I18nextProvider i18n={i18n}>
        <Page />
      </I18nextProvider>
    </Provider>,
  );
  return { person: userEvent.setup(), notify: (text: string) => act(() => void store.dispatch(noticeShown({ tone: 'bad', message: { text } }))), store };
}

test('notices are in the topmost dialog, and back in the page when it closes', async () => {
  const { person, notify } = await openPage();
  await person.click(screen.getByRole('button', { name: 'Edit' }));
  notify('Not saved');
  expect(within(screen.getByRole('dialog', { name: 'Form' })).getByRole('alert')).toHaveTextContent('Not saved');
  await person.click(screen.getByRole('button', { name: 'Delete' }));
  expect(await within(await screen.findByRole('dialog', { name: 'Question' })).findByText('Not saved')).toBeInTheDocument();
  await person.keyboard('{Escape}');
  expect(await within(screen.getByRole('dialog', { name: 'Form' })).findByText('Not saved')).toBeInTheDocument();
  await person.keyboard('{Escape}');
  await waitFor(() => expect(screen.getByText('Not saved').closest('[aria-modal]')).toBeNull());
});

test('the same error twice is one notice', async () => {
  const { person, notify, store } = await openPage();
  notify('No connection');
  notify('Other');
  notify('No connection');
  expect(selectUnread(store.getState())).toBe(2);
  await person.click(screen.getByRole('button', { name: 'Dismiss notice' }));
  expect(screen.getByRole('alert')).toHaveTextContent('Other');
});
