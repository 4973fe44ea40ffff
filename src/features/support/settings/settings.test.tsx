import { screen, waitFor } from '@testing-library/react';
import { SupportSettings } from '@contract/support/settings';
import { site, startUp } from '../../../../test/support/factories';
import { renderApp } from '../../../../test/support/renderApp';
import { supportOverview, supportPath } from '../../../../test/support/supportScreen';

test('texts and topics of a site elsewhere are written in any language', async () => {
  const settings = SupportSettings.parse({
    mode: 'builtin',
    hours: { timeZone: 'UTC' },
    prechat: { fields: [{ field: 'topic' }], topics: [{ name: 'Returns', label: {} }] },
    hasWebhookSecret: false,
    recipients: 0,
    mail: true,
    revision: 1,
  });
  const own = site({ purpose: 'external', defaultLang: 'en' });
  const app = await renderApp(`/site/${own.id}/cs?settings=form`, {
    answers: {
      'GET /api/core/load/rpm': { data: startUp({ sites: [own] }) },
      [`GET ${supportPath}`]: { data: supportOverview() },
      [`GET ${supportPath}/conversations`]: { data: { rows: [], next: null, searched: null } },
      [`POST ${supportPath}/presence`]: { data: [] },
      [`GET ${supportPath}/settings`]: { data: settings },
      [`PUT ${supportPath}/settings`]: { data: { ...settings, revision: 2 } },
    },
  });
  const { person, server } = app;
  await person.selectOptions(await screen.findByRole('combobox', { name: 'Add language' }), 'zh-Hans');
  await person.type(screen.getByRole('textbox', { name: /^Topic 1/ }), '退货');
  await person.click(screen.getByRole('button', { name: 'English' }));
  await person.click(screen.getByRole('button', { name: 'Add topic' }));
  await person.type(screen.getByRole('textbox', { name: /^Topic 2/ }), 'Wholesale');
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(server.calls(`PUT ${supportPath}/settings`)[0]?.body).toMatchObject({
      prechat: {
        topics: [
          { name: 'Returns', label: { 'zh-Hans': '退货' } },
          { name: 'Wholesale', label: {} },
        ],
      },
    }),
  );
  app.end();
});
