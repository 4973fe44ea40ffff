import { act, screen, waitFor, within } from '@testing-library/react';
import { resource, site } from '../../../../test/support/factories';
import { renderApp } from '../../../../test/support/renderApp';
import { uploadsAdded } from './uploadsSlice';

const base = `/api/site/${site().id}/resource`;

test('an upload that was sent in part is discarded only after a question', async () => {
  const app = await renderApp(`/site/${site().id}/resource/images`, {
    answers: {
      [`GET ${base}/items`]: { data: { rows: [resource()], after: null, total: 1 } },
      [`GET ${base}/folders`]: { data: [] },
      [`GET ${base}/tags`]: { data: [] },
      [`GET ${base}/storage`]: { error: 'Not part of this test', status: 503 },
    },
    messages: ['resources'],
  });
  const upload = { id: 'u1', siteId: site().id, name: 'lake.jpg', bytes: 1000, sent: 400, folderId: null, replaces: null, failure: null, resource: null };
  await screen.findByRole('link', { name: /tea\.jpg/ });
  act(() => void app.store.dispatch(uploadsAdded([{ ...upload, status: 'paused' }])));
  const panel = await screen.findByRole('region', { name: 'Uploads' });
  expect(within(panel).getByRole('progressbar', { name: 'lake.jpg' })).toHaveAttribute('aria-valuenow', '40');
  await app.person.click(within(panel).getByRole('button', { name: 'Cancel lake.jpg' }));
  const question = await screen.findByRole('dialog', { name: 'Discard this upload?' });
  expect(screen.getByText('lake.jpg')).toBeInTheDocument();
  await app.person.click(within(question).getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(screen.queryByText('lake.jpg')).toBeNull());
  app.end();
});
