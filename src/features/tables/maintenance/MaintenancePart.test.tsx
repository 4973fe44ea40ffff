import { configure, screen, waitFor, within } from '@testing-library/react';
import type { TableFacts, TableRestore } from '@contract/tables/maintenance';
import { checkResponses } from '../../../../test/support/checkedResponses';
import { chunkStored, uploadState } from '../../../../test/support/fakeServer';
import { violationsOf } from '../../../../test/support/axe';
import { renderApp } from '../../../../test/support/renderApp';
import { tableOf } from '../../../../test/support/recordsScreen';

checkResponses();

jest.setTimeout(60_000);
configure({ defaultHidden: true });
const base = '/api/site/abcdefghijkl/table';
const table = tableOf();
const jobId = '3f8ad0e4-8a0c-4b0b-9a7d-2f7f1c0b7a11';
const title = table.fields[0]?.id ?? '';
const facts: TableFacts = {
  tableId: table.id,
  rows: 1_200_000,
  binned: 12,
  exact: false,
  dataBytes: 5 * 2 ** 20,
  indexBytes: 2 ** 20,
  historyBytes: 2 ** 19,
  deadRows: 300,
  deadShare: 0.25,
  lastWriteAt: new Date().toISOString(),
  growth: [{ day: '2026-11-20', created: 5, removed: 2 }],
  check: {
    at: new Date().toISOString(),
    records: 1_200_000,
    findings: [{ kind: 'requiredEmpty', fieldId: title, locale: null, count: 3, filter: { field: title, op: 'empty' } }],
  },
  compacted: null,
  jobs: { check: null, compact: null, search: null },
};
const restore = (change: Partial<TableRestore>): TableRestore => ({
  id: jobId,
  file: { name: '茶.json.gz', size: 100, stored: 100 },
  state: 'checked',
  jobId,
  done: null,
  total: null,
  report: {
    title: '茶',
    key: 'tea_2',
    keyTaken: true,
    madeAt: '2026-11-20T08:00:00.000Z',
    own: true,
    records: 4,
    binned: 1,
    published: 2,
    fields: 3,
    leftOut: ['茶厂'],
    rights: [
      { role: 'editor', action: 'update', why: 'people', names: ['林'] },
      { role: 'public', action: 'read', why: 'people', names: [] },
      { role: 'viewer', action: 'read', why: 'fewer', names: ['茶厂'] },
    ],
    links: { byId: 3, byName: 0, lost: 2, names: ['勐海'] },
    strangers: 0,
    emptied: 0,
    places: [],
  },
  tableId: null,
  error: null,
  by: '林',
  createdAt: new Date().toISOString(),
  finishedAt: null,
  ...change,
});

test('a table shows its size, its problems and a pending restore', async () => {
  let list = [restore({})];
  const app = await renderApp(`/site/abcdefghijkl/table/admin?part=maintenance`, {
    answers: {
      [`GET ${base}/tables`]: () => ({ data: [table] }),
      [`GET ${base}/facts`]: () => ({ data: [facts] }),
      [`GET ${base}/restores`]: () => ({ data: list }),
      [`DELETE ${base}/tables/${table.id}`]: { data: null },
      [`POST ${base}/checks`]: () => ({ data: { jobId } }),
      [`POST ${base}/tables/${table.id}/compact`]: () => ({ error: '冲突', status: 409, code: 'conflict' }),
      [`POST ${base}/restores/${jobId}/start`]: () => {
        list = [restore({ state: 'running', done: 1, total: 4 })];
        return { data: list[0] };
      },
    },
  });
  expect(await screen.findByText('about 1,200,000')).toBeInTheDocument();
  const link = screen.getByRole('link', { name: /Show: 3 records lack the required/ });
  const query = new URL(link.getAttribute('href') ?? '', 'https://x').searchParams;
  expect(JSON.parse(query.get('filter') ?? '')).toEqual({ field: title, op: 'empty' });
  await app.person.click(screen.getByRole('button', { name: 'Check now' }));
  await waitFor(() => expect(app.server.calls(`POST ${base}/checks`)[0]?.body).toEqual({ table: table.id }));
  await app.person.click(screen.getByRole('button', { name: 'Compact now' }));
  expect(await screen.findByText('A field is changing its type. Try again when that is done.')).toBeInTheDocument();
  const files = within(screen.getByRole('list', { name: 'Restore from a backup' }));
  expect(files.getByText('2 links lead to records that are not here: 勐海')).toBeInTheDocument();
  expect(files.getByText('Editor · Update is not allowed: the rule named 林, and a backup carries no people. Set it again.')).toBeInTheDocument();
  expect(files.getByText('Public · Read is not allowed: its condition cannot be met here. Set it again.')).toBeInTheDocument();
  expect(files.getByText('Viewer · Read no longer includes the fields that are skipped: 茶厂')).toBeInTheDocument();
  await app.person.click(files.getByRole('button', { name: 'Restore' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Restore as a new table' }));
  expect(dialog.getByLabelText('Name of the new table')).toHaveValue('茶');
  await app.person.type(dialog.getByLabelText('Name of the new table'), '（旧）');
  await app.person.click(dialog.getByLabelText('With 1 record of the bin'));
  await app.person.click(dialog.getByRole('button', { name: 'Restore' }));
  await waitFor(() => expect(app.server.calls(`POST ${base}/restores/${jobId}/start`)[0]?.body).toEqual({ dryRun: false, title: '茶（旧）', trash: false }));
  // Polls until it is restored; the notice then offers to undo it.
  await screen.findByRole('progressbar', { name: '茶.json.gz' });
  list = [restore({ state: 'done', tableId: table.id })];
  expect(await files.findByRole('link', { name: 'Open' })).toBeInTheDocument();
  expect(await violationsOf(document.body)).toEqual([]);
  const notice = (await screen.findByText('“茶” is restored')).closest('.notice');
  if (!(notice instanceof HTMLElement)) throw new Error('no notice');
  await app.person.click(within(notice).getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText(/The restore is undone; the table is under “Deleted tables”/)).toBeInTheDocument();
  expect(app.server.calls(`DELETE ${base}/tables/${table.id}`)).toHaveLength(1);
  app.end();
});

test('an empty backup is refused before anything is uploaded', async () => {
  const app = await renderApp(`/site/abcdefghijkl/table/admin?part=maintenance`, {
    answers: {
      [`GET ${base}/tables`]: { data: [table] },
      [`GET ${base}/facts`]: { data: [facts] },
      [`GET ${base}/restores`]: { data: [] },
    },
  });
  await app.person.upload(await screen.findByLabelText('Choose a backup', { selector: 'input' }), new File([], 'tea.json.gz'));
  expect(await screen.findByText('“tea.json.gz” is empty and contains no backup.')).toBeInTheDocument();
  expect(app.server.calls(`POST ${base}/restores`)).toEqual([]);
  app.end();
});

test('a check that cannot start is reported after the upload', async () => {
  const created = restore({ state: 'uploading', jobId: null, report: null, file: { name: 'tea.json.gz', size: 3, stored: 0 } });
  const app = await renderApp(`/site/abcdefghijkl/table/admin?part=maintenance`, {
    answers: {
      [`GET ${base}/tables`]: { data: [table] },
      [`GET ${base}/facts`]: { data: [facts] },
      [`GET ${base}/restores`]: { data: [] },
      [`POST ${base}/restores`]: { data: created },
      [`HEAD ${base}/restores/${jobId}/file`]: uploadState(0, 3),
      [`PATCH ${base}/restores/${jobId}/file`]: chunkStored(3),
      [`POST ${base}/restores/${jobId}/start`]: { error: 'The restore has changed.', status: 409, code: 'bad_transition' },
    },
  });
  await app.person.upload(await screen.findByLabelText('Choose a backup', { selector: 'input' }), new File(['tea'], 'tea.json.gz'));
  expect(await screen.findByText('The restore has changed.')).toBeInTheDocument();
  expect(app.server.calls(`POST ${base}/restores`)[0]?.body).toEqual({ name: 'tea.json.gz', size: 3 });
  app.end();
});
