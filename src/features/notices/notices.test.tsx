import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { I18nextProvider } from 'react-i18next';
import { Provider } from 'react-redux';
import type { StoredNotice } from '@contract/notices/schemas';
import { i18n, startI18n } from '@/i18n';
import { makeStore } from '@/store';
import { site } from '../../../test/support/factories';
import { renderApp } from '../../../test/support/renderApp';
import { NoticeHost } from './NoticeHost';
import { noticeShown } from './noticesSlice';

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
  await app.person.click(await screen.findByRole('button', { name: 'Notices (1)' }));
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
  await app.person.click(await screen.findByRole('button', { name: 'Notices (1)' }));
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
