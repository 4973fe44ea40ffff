import { screen, waitFor, within } from '@testing-library/react';
import type { Hostname, Hostnames } from '@contract/hostnames/schemas';
import { violationsOf } from '../../../test/support/axe';
import { site, startUp } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { hostname } from '../../../test/support/hostnames';
import { renderApp } from '../../../test/support/renderApp';

const base = `/api/site/${site().id}/hostnames`;
const id = '0b9c5b9e-7a53-4b0c-9d5e-1f0d5b8f3a01';
const hostnames = (...rows: Hostname[]): Hostnames => ({
  rows,
  system: { host: 'tea.sites.example', url: 'https://tea.sites.example' },
  tlsMode: 'manual',
  ready: true,
});

let app: Awaited<ReturnType<typeof renderApp>>;
async function open(rows: Hostname[], answers: Record<string, Answer> = {}, role: 'admin' | 'viewer' = 'admin') {
  const built = site({ purpose: 'built', url: null, role });
  app = await renderApp(`/site/${built.id}/setting/hostname`, {
    answers: { 'GET /api/core/load/rpm': { data: startUp({ sites: [built] }) }, [`GET ${base}`]: { data: hostnames(...rows) }, ...answers },
  });
  await screen.findByRole('heading', { level: 1, name: 'Hostnames' });
}
afterEach(() => app.end());
const sent = (method: string) => app.server.requests.filter((one) => one.method === method && one.path.includes('/hostnames'));

test('DNS and certificate have a status each, and conflicting records are named', async () => {
  await open([hostname()]);
  const row = within(await screen.findByRole('list', { name: 'Hostnames' })).getByRole('listitem');
  expect(within(row).getByText('Conflicting records')).toBeVisible();
  expect(within(row).getByText('Expires in 3 days')).toBeVisible();
  expect(within(row).getByText('Delete 2001:db8::7')).toBeVisible();
  expect(within(row).getByRole('button', { name: 'Copy value 203.0.113.1' })).toBeVisible();
  expect(await violationsOf(row)).toEqual([]);
});

test('an added hostname opens with its records, and a refusal stays at the field', async () => {
  const refusal: Answer = { error: 'taken', status: 409, code: 'host_taken', fields: { host: { code: 'duplicate' } } };
  await open([], { [`POST ${base}`]: refusal });
  await app.person.click(await screen.findByRole('button', { name: 'Add hostname' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add a hostname' });
  await app.person.type(within(dialog).getByRole('textbox', { name: 'Hostname' }), 'https://www.tea.example/x');
  await app.person.click(within(dialog).getByRole('button', { name: 'Add' }));
  expect(await within(dialog).findByText('Another site uses it')).toBeVisible();
  expect(sent('POST').map(({ body }) => body)).toEqual([{ host: 'https://www.tea.example/x', withPair: true }]);
});

test('settings are saved with the revision that was read', async () => {
  await open([hostname()], { [`PUT ${base}/${id}`]: { data: hostname({ revision: 5, forceHttps: true }) } });
  await app.person.click(await screen.findByRole('button', { name: 'Redirects and HTTPS' }));
  const dialog = await screen.findByRole('dialog', { name: 'Settings of www.tea.example' });
  await app.person.click(within(dialog).getByRole('checkbox', { name: 'Force HTTPS' }));
  await app.person.selectOptions(within(dialog).getByRole('combobox', { name: /HSTS/ }), '5 minutes (to try)');
  await app.person.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent('PUT')).toHaveLength(1));
  expect(sent('PUT')[0]?.headers.get('if-match')).toBe('"4"');
  expect(sent('PUT')[0]?.body).toMatchObject({ role: 'serve', forceHttps: true, hsts: { maxAge: 300, subdomains: false, preload: false } });
});

test('removing asks first and reminds of the DNS records', async () => {
  await open([hostname()], { [`DELETE ${base}/${id}`]: { data: null } });
  await app.person.click(await screen.findByRole('button', { name: 'Remove' }));
  const dialog = await screen.findByRole('dialog', { name: 'Remove the hostname www.tea.example?' });
  expect(within(dialog).getByText(/delete the DNS records that lead here/)).toBeVisible();
  await app.person.click(within(dialog).getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('Removed www.tea.example. Remember to delete its DNS records')).toBeVisible();
});

test('removing an uploaded certificate asks first', async () => {
  const path = `DELETE ${base}/${id}/certificate`;
  await open([hostname({ uploaded: true })], { [path]: { data: hostname() } });
  await app.person.click(await screen.findByRole('button', { name: 'Upload certificate' }));
  const dialog = await screen.findByRole('dialog', { name: 'Upload the certificate of www.tea.example' });
  await app.person.click(within(dialog).getByRole('button', { name: 'Remove certificate' }));
  const question = await screen.findByRole('dialog', { name: 'Remove the certificate of www.tea.example?' });
  expect(app.server.calls(path)).toEqual([]);
  await app.person.click(within(question).getByRole('button', { name: 'Remove certificate' }));
  expect(await screen.findByText('Certificate of www.tea.example removed')).toBeVisible();
});

test('a hostname that another server answers says so', async () => {
  await open([hostname({ probe: { state: 'wrong', detail: '' } })]);
  expect(await screen.findByText('Another server answers requests to this hostname; they do not arrive here.')).toBeVisible();
});

test('readers see hostnames without actions', async () => {
  await open([hostname()], {}, 'viewer');
  expect(await screen.findByText('Conflicting records')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Check now' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Add hostname' })).toBeNull();
});
