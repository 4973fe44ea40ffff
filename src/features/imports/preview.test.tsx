import { configure, screen, waitFor } from '@testing-library/react';
import type { Import, ImportPreview } from '@contract/imports/schemas';
import { renderApp } from '../../../test/support/renderApp';

// These tests render the whole console, which takes its time on a busy machine.
jest.setTimeout(60_000);
configure({ defaultHidden: true });

const base = '/api/site/abcdefghijkl/als/imports';
const it: Import = {
  id: '11111111-1111-4111-8111-111111111111',
  state: 'uploading',
  mode: null,
  format: null,
  files: [{ name: 'a.json', size: 10, stored: 10 }],
  jobId: null,
  done: null,
  total: 10,
  building: false,
  perSecond: null,
  secondsLeft: null,
  report: null,
  keywords: null,
  error: null,
  createdBy: null,
  createdAt: '2026-11-20T00:00:00.000Z',
  finishedAt: null,
};
const preview: ImportPreview = {
  detected: 'json',
  format: 'json',
  fields: { time: 'ts' },
  zoneOffset: null,
  lines: [],
  sample: { lines: 3, accepted: 2, refused: [{ reason: 'status', count: 1 }] },
  firstAt: null,
  lastAt: null,
  suggested: 'count',
  overlap: 0,
  sameAs: '2026-11-19T00:00:00.000Z',
  sameMode: 'compare',
  keywords: null,
};

test('a chosen format is previewed and started, and duplicate counting reported', async () => {
  const { server, person, end } = await renderApp('/site/abcdefghijkl/setting/imports', {
    answers: {
      [`GET ${base}`]: { data: [it] },
      [`POST ${base}/${it.id}/preview`]: { data: preview },
      [`POST ${base}/${it.id}/start`]: { data: { ...it, state: 'queued' } },
    },
  });
  expect(await screen.findByText('Status other than 2xx or 304: 1 line')).toBeInTheDocument();
  expect(screen.getByText(/The same file has been imported as “Only compare”/)).toBeInTheDocument();
  await person.click(screen.getByText('Advanced: format and fields'));
  const time = screen.getByLabelText('Time');
  expect(time).toHaveAttribute('placeholder', 'ts');
  await person.type(time, 'when.at');
  await waitFor(() => expect(server.calls(`POST ${base}/${it.id}/preview`).at(-1)?.body).toEqual({ fields: { time: 'when.at' } }));
  await person.click(screen.getByRole('radio', { name: /Only compare/ }));
  expect(screen.queryByText(/The same file has been imported/)).not.toBeInTheDocument();
  expect(time).toHaveValue('when.at');
  await person.click(screen.getByRole('button', { name: 'Start import' }));
  await waitFor(() => expect(server.calls(`POST ${base}/${it.id}/start`).at(-1)?.body).toEqual({ fields: { time: 'when.at' }, mode: 'compare' }));
  end();
});
