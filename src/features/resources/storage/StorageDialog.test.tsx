import { screen, within } from '@testing-library/react';
import { checkResponses } from '../../../../test/support/checkedResponses';
import { site, startUp } from '../../../../test/support/factories';
import { renderApp } from '../../../../test/support/renderApp';

checkResponses();
jest.setTimeout(60_000);

const base = `/api/site/${site().id}/resource`;
const GB = 2 ** 30;
const storage = {
  usedBytes: 1.5 * GB,
  freeableBytes: GB,
  uploadingBytes: 0,
  kinds: [{ kind: 'image', bytes: 1.5 * GB }],
  maxBytes: 100 * GB,
  maxFileBytes: 10 * GB,
  own: { maxBytes: null, maxFileBytes: null },
  installation: { maxBytes: 100 * GB, maxFileBytes: 10 * GB },
  revision: 0,
};

async function open(role: 'admin' | 'editor') {
  const app = await renderApp(`/site/${site().id}/resource/images`, {
    messages: ['form'],
    answers: {
      'GET /api/core/load/rpm': { data: { ...startUp(), sites: [site({ role })] } },
      [`GET ${base}/items`]: { data: { rows: [], after: null, total: 0 } },
      [`GET ${base}/folders`]: { data: [] },
      [`GET ${base}/tags`]: { data: [] },
      [`GET ${base}/storage`]: { data: storage },
      [`PUT ${base}/storage`]: { data: { ...storage, revision: 1 } },
    },
  });
  await app.person.click(await screen.findByRole('button', { name: 'Storage: 1.5 GB of 100 GB used' }));
  return { app, dialog: await screen.findByRole('dialog', { name: 'Storage' }) };
}

test('administrators change the limits in sizes that people type', async () => {
  const { app, dialog } = await open('admin');
  expect(within(dialog).getByText(/1 GB of this is in the bin/)).toBeInTheDocument();
  const max = within(dialog).getByRole('textbox', { name: /Limit for all files/ });
  await app.person.type(max, '200');
  await app.person.click(within(dialog).getByRole('button', { name: 'Save limits' }));
  expect(max).toBeInvalid();
  await app.person.clear(max);
  await app.person.type(max, '20');
  await app.person.type(within(dialog).getByRole('textbox', { name: /Limit for one file/ }), '1.5');
  await app.person.click(within(dialog).getByRole('button', { name: 'Save limits' }));
  expect(await screen.findByText('Limits saved')).toBeInTheDocument();
  const [call] = app.server.calls(`PUT ${base}/storage`);
  expect([call?.body, call?.headers.get('if-match')]).toEqual([{ maxBytes: 20 * GB, maxFileBytes: 1.5 * 2 ** 20 }, '"0"']);
  app.end();
});

test('editors see the use without the limits as fields', async () => {
  const { app, dialog } = await open('editor');
  expect(within(dialog).getByText(/One file: up to 10 GB/)).toBeInTheDocument();
  expect(within(dialog).queryByRole('textbox')).toBeNull();
  app.end();
});
