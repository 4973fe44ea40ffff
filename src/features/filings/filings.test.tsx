import { screen, waitFor, within } from '@testing-library/react';
import type { Filing, FilingChecklist, FilingList } from '@contract/filings/schemas';
import { violationsOf } from '../../../test/support/axe';
import { resource, site, startUp } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { renderApp } from '../../../test/support/renderApp';

const base = `/api/site/${site().id}/beian`;
const id = '0b9c5b9e-7a53-4b0c-9d5e-1f0d5b8f3a01';
const filing = (change: Partial<Filing> = {}): Filing => ({
  id,
  kind: 'icp',
  subject: null,
  subjectName: '',
  serviceName: 'Tea',
  number: '京ICP备12345678号-1',
  displayed: '京ICP备12345678号-1',
  province: 'BJ',
  domains: ['tea.cn'],
  homeUrl: '',
  contentTypes: [],
  interactive: false,
  inFooter: true,
  state: 'approved',
  locked: false,
  openedOn: null,
  approvedOn: '2026-03-01',
  comparedOn: null,
  nextReviewOn: null,
  domainExpires: null,
  smsUntil: null,
  next: ['changing', 'cancelling'],
  footer: { state: 'hidden', url: 'https://tea.cn/', detail: '', checkedAt: '2026-11-26T10:00:00.000Z' },
  deadlines: [{ kind: 'yearly_review', on: '2027-03-01', overdue: false }],
  warnings: [],
  revision: 4,
  ...change,
});
const list = (...rows: Filing[]): FilingList => ({
  rows,
  domains: rows.length === 0 ? [] : [{ domain: 'tea.cn', unicode: 'tea.cn', served: true, icp: 'approved', license: null, mps: null }],
});

let app: Awaited<ReturnType<typeof renderApp>>;
async function open(rows: Filing[], answers: Record<string, Answer> = {}, role: 'admin' | 'viewer' = 'admin') {
  const built = site({ role });
  app = await renderApp(`/site/${built.id}/beian`, {
    answers: {
      'GET /api/core/load/rpm': { data: startUp({ sites: [built] }) },
      [`GET ${base}`]: { data: list(...rows) },
      [`GET ${base}/snippet`]: { data: { text: '<div>snippet</div>' } },
      [`GET ${base}/${id}/events`]: {
        data: { rows: [{ id, from: null, to: 'incomplete', note: 'By hand', at: '2026-03-01T10:00:00.000Z', by: 'Chen' }], total: 1 },
      },
      [`GET ${base}/${id}/checklist`]: { data: { items: [], documents: [] } },
      'GET /api/core/beian/subjects': { data: { rows: [], total: 0 } },
      ...answers,
    },
  });
  await screen.findByRole('heading', { level: 1, name: 'Filings' });
}
afterEach(() => app.end());
const sent = (method: string) => app.server.requests.filter((one) => one.method === method && one.path.includes('/beian'));

test('a filing shows its state, its next deadline and what the pages show', async () => {
  await open([filing()]);
  const row = within(await screen.findByRole('list', { name: 'All filings' })).getByRole('listitem');
  expect(within(row).getByText('Approved')).toBeVisible();
  expect(within(row).getByText('Hidden')).toBeVisible();
  expect(within(screen.getByRole('list', { name: 'Next' })).getByText(/Compare with the register/)).toBeVisible();
  expect(screen.getByRole('row', { name: /tea.cn Approved None/ })).toBeVisible();
  await app.person.click(within(row).getByRole('button', { name: 'Show details of 京ICP备12345678号-1' }));
  expect(await within(row).findByText('By hand')).toBeVisible();
  expect(await violationsOf(document.body)).toEqual([]);
});

test('a number is checked while it is typed, in any spelling', async () => {
  await open([], { [`POST ${base}`]: { data: filing({ state: 'incomplete' }) } });
  await app.person.click(await screen.findByRole('button', { name: 'Add filing' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add filing' });
  const number = within(dialog).getByRole('textbox', { name: /^Number/ });
  await app.person.type(number, '粤ICP備１２３４５６７８號');
  expect(within(dialog).getByText('Stored as 粤ICP备12345678号')).toBeVisible();
  expect(within(dialog).getByRole('combobox', { name: 'Province' })).toHaveValue('GD');
  await app.person.clear(number);
  await app.person.type(number, '京ICP备12345678号');
  expect(within(dialog).getByText(/Outside Guangdong, the number of a site ends in -1/)).toBeVisible();
  await app.person.type(number, '-1');
  await app.person.click(within(dialog).getByRole('button', { name: 'Add' }));
  await waitFor(() => expect(sent('POST')).toHaveLength(1));
  expect(sent('POST')[0]?.body).toMatchObject({ kind: 'icp', number: '京ICP备12345678号-1', province: 'BJ', domains: [], subject: null });
});

test('the approval is recorded with its number and the revision that was read', async () => {
  const pending = filing({ state: 'bureau_review', number: '', displayed: '', locked: true, next: ['approved', 'refused'], deadlines: [] });
  await open([pending], { [`POST ${base}/${id}/state`]: { data: filing({ revision: 5 }) } });
  await app.person.click(await screen.findByRole('button', { name: 'Show details of Tea' }));
  await app.person.click(await screen.findByRole('button', { name: 'Update state' }));
  const dialog = await screen.findByRole('dialog', { name: 'Update the state of Tea' });
  await app.person.type(within(dialog).getByRole('textbox', { name: 'Number' }), '京ICP备12345678号-1');
  await app.person.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent('POST')).toHaveLength(1));
  expect(sent('POST')[0]?.headers.get('if-match')).toBe('"4"');
  expect(sent('POST')[0]?.body).toMatchObject({ to: 'approved', number: '京ICP备12345678号-1' });
});

test('numbers of a pasted footer are added as approved', async () => {
  const found = { kind: 'icp', number: '京ICP备12345678号-1', province: 'BJ', error: null, warnings: [], filing: null };
  await open([], {
    [`POST ${base}/parse`]: { data: { rows: [found, { ...found, kind: 'mps', number: '京公网安备11010502030143号', filing: id }] } },
    [`POST ${base}`]: { data: filing({ state: 'incomplete', revision: 1 }) },
    [`POST ${base}/${id}/state`]: { data: filing() },
  });
  await app.person.click(await screen.findByRole('button', { name: 'Paste a footer' }));
  const dialog = await screen.findByRole('dialog', { name: 'Find numbers' });
  await app.person.type(within(dialog).getByRole('textbox', { name: 'Text or HTML' }), '京ICP备12345678号-1');
  await app.person.click(within(dialog).getByRole('button', { name: 'Find' }));
  expect(await within(dialog).findByText('Added already')).toBeVisible();
  await app.person.click(within(dialog).getByRole('button', { name: 'Add 1 filing' }));
  await waitFor(() => expect(sent('POST').map(({ path }) => path)).toEqual([`${base}/parse`, base, `${base}/${id}/state`]));
  expect(await screen.findByText('Added 1 filing')).toBeVisible();
});

test('a removed filing can be restored', async () => {
  await open([filing()], { [`DELETE ${base}/${id}`]: { data: null }, [`POST ${base}/${id}/restore`]: { data: filing() } });
  await app.person.click(await screen.findByRole('button', { name: 'Show details of 京ICP备12345678号-1' }));
  await app.person.click(await screen.findByRole('button', { name: 'Remove' }));
  await app.person.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(sent('POST').map(({ path }) => path)).toEqual([`${base}/${id}/restore`]));
});

test('an item of the checklist is ticked, and gets a document', async () => {
  const checklist: FilingChecklist = { items: [{ item: 'commitment', done: false }], documents: [] };
  const file = resource({ kind: 'attachment', name: 'letter.pdf' });
  const document = {
    resource: file.id,
    item: 'commitment',
    name: file.name,
    kind: 'attachment',
    contentType: 'application/pdf',
    sha256: file.sha256,
    bytes: 10,
  };
  const attached = { ...checklist, documents: [{ ...document, at: '2026-11-26T10:00:00.000Z', by: 'Chen', purgeAt: '2026-12-26T10:00:00.000Z' }] };
  await open([filing()], {
    [`GET ${base}/${id}/checklist`]: () => ({ data: sent('POST').length === 0 ? checklist : attached }),
    [`PUT ${base}/${id}/checklist`]: { data: checklist },
    [`POST ${base}/${id}/documents`]: { data: attached },
    [`GET /api/site/${site().id}/resource/items`]: { data: { rows: [file], after: null, total: 1 } },
  });
  await app.person.click(await screen.findByRole('button', { name: 'Show details of 京ICP备12345678号-1' }));
  await app.person.click(await screen.findByRole('checkbox', { name: 'Signed letter of commitment' }));
  await waitFor(() => expect(sent('PUT')[0]?.body).toEqual({ item: 'commitment', done: true }));
  await app.person.click(screen.getByRole('button', { name: 'Attach a document for: Signed letter of commitment' }));
  await app.person.click(await screen.findByRole('button', { name: /letter\.pdf/ }));
  await waitFor(() => expect(sent('POST')[0]?.body).toEqual({ resource: file.id, item: 'commitment' }));
  expect(await screen.findByRole('link', { name: 'letter.pdf' })).toBeVisible();
  expect(screen.getByText(/· Chen · deleted on 2026-12-26/)).toBeVisible();
});

test('readers see filings without actions', async () => {
  await open([filing()], {}, 'viewer');
  await app.person.click(await screen.findByRole('button', { name: 'Show details of 京ICP备12345678号-1' }));
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Check now' })).toBeNull();
});
