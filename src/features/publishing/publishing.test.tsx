import { screen, waitFor, within } from '@testing-library/react';
import type { Release } from '@contract/publishing/schemas';
import { violationsOf } from '../../../test/support/axe';
import { site } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { languagesPart, openSettings, settingPath as base, settingsPart, siteParts } from '../../../test/support/publishingScreen';
import { pageOf, recordOf, tableOf } from '../../../test/support/recordsScreen';

const parts = (settings: Parameters<typeof settingsPart>[0] = {}, revision = 3) =>
  siteParts({ settings: settingsPart(settings, revision), languages: languagesPart(['zh-Hans', 'en']) });
const release = (change: Partial<Release> = {}): Release => ({
  id: '11111111-1111-4111-8111-111111111111',
  number: 2,
  state: 'published',
  live: true,
  note: 'New prices',
  records: 3,
  changedParts: ['settings', 'menus'],
  rollsBackTo: null,
  failure: null,
  createdBy: { id: '7b1e9c52-4f0a-4c7e-9a57-0c5a4a6a1f01', name: 'Chen Xiao' },
  createdAt: '2026-11-20T08:00:00.000Z',
  scheduledFor: null,
  publishedAt: '2026-11-20T08:00:00.000Z',
  ...change,
});
const first = release({ id: '22222222-2222-4222-8222-222222222222', number: 1, live: false, note: '', records: 0, changedParts: [], createdBy: null });
const tablesPath = `/api/site/${site().id}/table/tables`;
const tableId = 't_aaaaaaaaaa';
const [recordA, recordB] = ['33333333-3333-4333-8333-333333333333', '44444444-4444-4444-8444-444444444444'];
const unreleased = (change: object = {}) => ({
  working: 'w1',
  parts: ['menus'],
  tables: [{ table: tableId, title: 'Articles', records: [recordA, recordB], more: false }],
  ...change,
});

const table = tableOf({ id: tableId, title: 'Articles', primaryField: null, fields: [] });
const withRecords: Record<string, Answer> = {
  [`GET ${tablesPath}`]: { data: [table] },
  [`GET ${tablesPath}/${tableId}/records`]: { data: pageOf([recordOf(1, {}, { id: recordA }), recordOf(2, {}, { id: recordB })], { total: null }) },
};

let app: Awaited<ReturnType<typeof openSettings>>;
async function open(tab: string, answers: Record<string, Answer> = {}, role: 'admin' | 'editor' | 'viewer' = 'admin') {
  app = await openSettings(
    tab,
    {
      [`GET ${base}/parts`]: { data: parts({ title: { en: 'Tea' } }) },
      [`GET ${base}/releases`]: { data: { rows: [release(), first], more: false } },
      [`GET ${base}/releases/preview`]: { data: unreleased() },
      [`GET ${base}/requests`]: { data: [] },
      ...answers,
    },
    { role },
  );
}
afterEach(() => {
  app.end();
  sessionStorage.clear();
});
const press = async (name: string | RegExp) => app.person.click(await screen.findByRole('button', { name }));
const sent = (method: string) => app.server.requests.filter((one) => one.method === method);

describe('general settings', () => {
  test('are saved with those of the theme, without empty texts', async () => {
    await open('', {
      [`GET ${base}/parts`]: { data: parts({ title: { en: 'Tea' }, theme: { accent: '#112233' } }) },
      [`PUT ${base}/parts/settings`]: { data: { revision: 4 } },
    });
    const texts = await screen.findByRole('group', { name: 'English' });
    await app.person.type(within(texts).getByRole('textbox', { name: /Tagline/ }), 'Green and black');
    await app.person.click(screen.getByRole('radio', { name: 'May not index the site' }));
    expect(await violationsOf(screen.getByRole('form', { name: 'General' }))).toEqual([]);
    await press('Save');
    expect(await screen.findByText('Saved. Visitors see it after the next release')).toBeVisible();
    const [{ body, headers } = { body: null, headers: new Headers() }] = sent('PUT');
    expect(headers.get('if-match')).toBe('"3"');
    expect(body).toMatchObject({ title: { en: 'Tea' }, tagline: { en: 'Green and black' }, robots: 'closed', theme: { accent: '#112233' } });
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  });

  test('errors are at their fields', async () => {
    await open('', {
      [`PUT ${base}/parts/settings`]: { error: 'no', status: 422, code: 'invalid_fields', fields: { 'title.en': { code: 'too_long', max: 120 } } },
    });
    const email = await screen.findByRole('textbox', { name: /E-mail/ });
    await app.person.type(email, 'nobody');
    await press('Save');
    expect(await screen.findByText(/Not an e-mail address/)).toBeVisible();
    expect(sent('PUT')).toEqual([]);
    await app.person.clear(email);
    await app.person.type(screen.getByRole('textbox', { name: /Phone/ }), '1');
    await press('Save');
    const texts = screen.getByRole('group', { name: 'English' });
    await waitFor(() => expect(within(texts).getByRole('textbox', { name: /Title of the site/ })).toHaveAttribute('aria-invalid', 'true'));
  });

  test('a conflict shows both versions, and mine can be kept', async () => {
    let refusals = 1;
    await open('', {
      [`PUT ${base}/parts/settings`]: () =>
        refusals-- > 0 ? { error: 'stale', status: 409, code: 'stale_revision', current: { revision: 7 } } : { data: { revision: 8 } },
    });
    await app.person.type(await screen.findByRole('textbox', { name: /Company/ }), 'Tea Ltd');
    app.server.answer(`GET ${base}/parts`, { data: parts({ title: { en: 'Tea' }, company: 'Leaf Ltd' }, 7) });
    await press('Save');
    const row = (await screen.findByRole('rowheader', { name: 'Company or organisation' })).closest('tr');
    expect(row).toHaveTextContent('Tea Ltd');
    expect(row).toHaveTextContent('Leaf Ltd');
    await press('Overwrite with mine');
    await waitFor(() => expect(sent('PUT').map(({ headers }) => headers.get('if-match'))).toEqual(['"3"', '"7"']));
  });

  test('a viewer reads but cannot edit', async () => {
    await open('', {}, 'viewer');
    expect(await screen.findByText('Only administrators of the site can change this.')).toBeVisible();
    expect(screen.getByRole('textbox', { name: /Company/ })).toBeDisabled();
    expect(screen.queryByRole('button', { name: /Choose Logo/ })).toBeNull();
  });
});

describe('releases', () => {
  test('publish the parts and the chosen records', async () => {
    await open('/releases', { ...withRecords, [`POST ${base}/releases`]: { data: release({ number: 3 }) } });
    await press('Choose records of Articles');
    await app.person.click(await screen.findByRole('checkbox', { name: '#2' }));
    await app.person.type(screen.getByRole('textbox', { name: /Note/ }), 'Autumn');
    expect(await violationsOf(screen.getByRole('form', { name: 'Unpublished changes' }))).toEqual([]);
    await press('Publish');
    expect(await screen.findByText('Release 3 is live')).toBeVisible();
    expect(sent('POST')[0]?.body).toEqual({ working: 'w1', note: 'Autumn', records: [{ table: tableId, ids: [recordA] }] });
  });

  test('records that cannot be published are named', async () => {
    const fields = { 'records.1.title': { code: 'required' } };
    await open('/releases', { ...withRecords, [`POST ${base}/releases`]: { error: 'Check the fields', status: 422, code: 'invalid_fields', fields } });
    await press('Publish');
    const panel = await screen.findByRole('alert');
    expect(await within(panel).findByRole('link', { name: '#2' })).toBeVisible();
    expect(within(panel).queryByRole('link', { name: '#1' })).toBeNull();
  });

  test('a time in the past is refused, one in the future scheduled', async () => {
    await open('/releases', { [`POST ${base}/releases`]: { data: release({ number: 3, state: 'scheduled', live: false }) } });
    await press('Publish later…');
    const at = screen.getByRole('textbox', { name: 'Time' });
    await app.person.type(at, '2020-01-01 08:00');
    await press('Publish at this time');
    expect(await screen.findByText('Choose a time in the future')).toBeVisible();
    await app.person.clear(at);
    await app.person.type(at, '2098-01-01 08:00');
    await press('Publish at this time');
    expect(await screen.findByText('Release 3 will be published at its time')).toBeVisible();
    expect(sent('POST').map(({ body }) => (body as { publishAt: string }).publishAt)).toEqual(['2098-01-01T00:00:00.000Z']);
  });

  test('changes that nobody has looked at are not published', async () => {
    await open('/releases', { [`POST ${base}/releases`]: { error: 'stale', status: 409, code: 'stale_revision', current: { working: 'w2' } } });
    await screen.findByRole('button', { name: 'Publish' });
    app.server.answer(`GET ${base}/releases/preview`, { data: unreleased({ working: 'w2', parts: ['menus', 'theme'] }) });
    await press('Publish');
    expect(await screen.findByText(/Somebody has just changed the site/)).toBeVisible();
    expect(await screen.findByRole('link', { name: 'View: Theme' })).toBeVisible();
  });

  test('rolling back asks about records and can be undone', async () => {
    const rollBack = `POST ${base}/releases/${first.id}/roll-back`;
    await open('/releases', {
      [rollBack]: { data: { release: release({ number: 3, rollsBackTo: 1 }), skipped: 0 } },
      [`POST ${base}/releases/${release().id}/roll-back`]: { data: { release: release({ number: 4, rollsBackTo: 2 }), skipped: 0 } },
    });
    await press('Roll back to release 1');
    const dialog = await screen.findByRole('dialog', { name: 'Roll back to release 1?' });
    expect(within(dialog).getByRole('radio', { name: 'Leave them' })).toBeChecked();
    expect(await violationsOf(dialog)).toEqual([]);
    await app.person.click(within(dialog).getByRole('button', { name: 'Roll back' }));
    expect(await screen.findByText('Back to release 1, as release 3')).toBeVisible();
    await press('Undo');
    await waitFor(() =>
      expect(sent('POST').map(({ path, body }) => [path.split('/').at(-2), body])).toEqual([
        [first.id, { records: 'keep' }],
        [release().id, { records: 'keep' }],
      ]),
    );
  });

  test('a failure has its reason, a scheduled release can be cancelled', async () => {
    const failed = release({ number: 3, state: 'failed', live: false, failure: { code: 'invalid_fields', records: 2 }, publishedAt: null });
    const scheduled = release({ id: recordA, number: 4, state: 'scheduled', live: false, scheduledFor: '2098-01-01T00:00:00.000Z', publishedAt: null });
    await open('/releases', {
      [`GET ${base}/releases`]: { data: { rows: [scheduled, failed, first], more: false } },
      [`POST ${base}/releases/${scheduled.id}/cancel`]: { data: { ...scheduled, state: 'cancelled' } },
    });
    expect(await screen.findByText('2 records are incomplete or have values that do not fit.')).toBeVisible();
    await press('Cancel release 4');
    await press('Cancel the release');
    expect(await screen.findByText('Release 4 is cancelled')).toBeVisible();
  });

  test('preview links end after a confirmation', async () => {
    await open('/releases', { [`DELETE ${base}/preview`]: { raw: null, status: 204 } });
    await press('End preview links');
    expect(await screen.findByRole('heading', { name: 'End all preview links?' })).toBeVisible();
    expect(sent('DELETE')).toEqual([]);
    await press('End preview links');
    expect(await screen.findByText('All preview links have ended')).toBeVisible();
    expect(sent('DELETE')).toHaveLength(1);
  });

  test('a viewer sees the history without actions', async () => {
    await open('/releases', {}, 'viewer');
    expect(await screen.findByText('Publishing takes an editor or an administrator.')).toBeVisible();
    expect(await screen.findByText('Release 1')).toBeVisible();
    expect(screen.queryByRole('button', { name: /Roll back|Publish|preview/ })).toBeNull();
  });

  test('nothing to publish says so', async () => {
    await open('/releases', { [`GET ${base}/releases/preview`]: { data: unreleased({ parts: [], tables: [] }) } });
    expect(await screen.findByText('Nothing to publish')).toBeVisible();
  });
});
