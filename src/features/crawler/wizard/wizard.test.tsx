import { screen, waitFor, within } from '@testing-library/react';
import { site as siteOf, startUp } from '../../../../test/support/factories';
import { renderApp } from '../../../../test/support/renderApp';
import { addressOfSite } from './useDefaults';

const measured = siteOf({ name: 'Tea', url: 'https://tea.example/' });
const built = siteOf({ id: 'bbbbbbbbbbbb', name: 'Lake', purpose: 'built', url: null, systemHost: 'http://lake.localhost:3001' });
const host = { host: 'lake.example', role: 'primary', served: true, tls: 'active' } as const;

test('the address of a site is that of its visitors', () => {
  expect(addressOfSite(measured, [host])).toBe('https://tea.example/');
  expect(addressOfSite(built, [{ ...host, role: 'serve' }, host])).toBe('https://lake.example/');
  expect(addressOfSite(built, [{ ...host, tls: 'failed' }])).toBe('http://lake.example/');
  expect(addressOfSite(built, [{ ...host, served: false }])).toBe('http://lake.localhost:3001');
});

test('name and start address follow purpose and site until somebody types', async () => {
  const { person, container, end } = await renderApp(`/developer/crawler/new/create?site=${built.id}`, {
    answers: {
      'GET /api/core/load/rpm': { data: startUp({ sites: [measured, built] }) },
      [`GET /api/site/${built.id}/hostnames`]: { data: { rows: [host], system: null, tlsMode: 'acme', ready: true } },
    },
  });
  const seeds = await screen.findByRole('textbox', { name: 'Start addresses' });
  const name = screen.getByRole('textbox', { name: 'Name' });
  await waitFor(() => expect(seeds).toHaveValue('https://lake.example/'));
  expect(
    within(container.querySelector('.crumbs') as HTMLElement)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['Developer', 'Crawler', 'New crawler']);
  await person.selectOptions(screen.getByRole('combobox', { name: 'Site' }), measured.id);
  await person.click(screen.getByRole('radio', { name: /^Extract/ }));
  await waitFor(() =>
    expect([seeds, name]).toEqual([expect.objectContaining({ value: measured.url }), expect.objectContaining({ value: 'Extract to a table' })]),
  );
  await person.type(name, ' x');
  await person.type(seeds, 'x');
  await person.selectOptions(screen.getByRole('combobox', { name: 'Site' }), built.id);
  await person.click(screen.getByRole('radio', { name: /^Audit/ }));
  expect(name).toHaveValue('Extract to a table x');
  expect(seeds).toHaveValue('https://tea.example/x');
  end();
});
