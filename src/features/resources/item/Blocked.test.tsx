import { screen, within } from '@testing-library/react';
import { resource, site } from '../../../../test/support/factories';
import { renderApp } from '../../../../test/support/renderApp';

jest.setTimeout(60_000);
const base = `/api/site/${site().id}/resource`;

test('a blocked file says why, and offers only to delete or replace it', async () => {
  const blocked = resource({ kind: 'attachment', contentType: 'application/octet-stream', name: 'invoice.pdf', scan: 'infected' });
  const app = await renderApp(`/site/${site().id}/resource/attachments?item=${blocked.id}`, {
    answers: {
      [`GET ${base}/items`]: { data: { rows: [blocked], after: null, total: 1 } },
      [`GET ${base}/items/${blocked.id}`]: { data: blocked },
      [`GET ${base}/items/${blocked.id}/scan`]: { data: { result: 'infected', threat: 'Win.Test.EICAR_HDB-1' } },
      [`GET ${base}/folders`]: { data: [] },
      [`GET ${base}/tags`]: { data: [] },
      [`GET ${base}/storage`]: { error: 'Not part of this test', status: 503 },
    },
    messages: ['form'],
  });
  const drawer = await screen.findByRole('dialog', { name: 'invoice.pdf' });
  expect(await within(drawer).findByText('Found: Win.Test.EICAR_HDB-1')).toBeInTheDocument();
  expect(within(drawer).getByText('This file is blocked')).toBeInTheDocument();
  expect(within(drawer).queryByRole('link', { name: 'Download original' })).toBeNull();
  expect(within(drawer).getByRole('button', { name: 'Move to bin' })).toBeEnabled();
  app.end();
});
