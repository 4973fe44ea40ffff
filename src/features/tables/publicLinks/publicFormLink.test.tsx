import { configure, screen, within } from '@testing-library/react';
import type { PublicLink } from '@contract/tables/publicLinks';
import { checkResponses } from '../../../../test/support/checkedResponses';
import { violationsOf } from '../../../../test/support/axe';
import { fieldOf, pageOf, recordId, tableOf, viewOf } from '../../../../test/support/recordsScreen';
import { renderApp } from '../../../../test/support/renderApp';

checkResponses();

// These tests render the whole console, which takes its time on a busy machine.
jest.setTimeout(60_000);
configure({ defaultHidden: true });

const base = '/api/site/abcdefghijkl/table';
const of = `${base}/tables/t_articleaaaaa`;
const form = viewOf({ kind: 'form', title: '投稿', query: { ...viewOf().query, columns: null } });
const table = tableOf({
  drafts: true,
  fields: [
    fieldOf({ id: 'f_titleaaaaaaa', type: 'text', title: '标题' }),
    fieldOf({ id: 'f_hostaaaaaaaa', type: 'user', title: '接待人' }),
    fieldOf({ id: 'f_payaaaaaaaaa', type: 'number', title: '报酬', sensitive: true }),
    fieldOf({ id: 'f_mustaaaaaaaa', type: 'file', title: '合同', required: true }),
  ],
});
const options = { limit: 100, closedText: '', once: true, redirect: null, publish: false, files: null, embeds: ['https://a.example'] };
const createdLink: PublicLink = {
  id: recordId(700),
  name: '官网',
  url: `http://localhost/form/${'B'.repeat(43)}`,
  tableId: table.id,
  tableTitle: '文章',
  viewId: form.id,
  viewTitle: form.title,
  kind: 'form',
  hasPassword: false,
  drafts: false,
  download: false,
  form: { ...options, answers: 3, refused: 2, status: 'unfit' },
  expiresAt: null,
  createdAt: '2026-11-20T08:00:00.000Z',
  createdBy: '林小满',
  stopped: null,
  lastUsedAt: null,
  opened: 0,
  revision: 3,
};

test('a published form view lists its fields, checked addresses and state', async () => {
  const make = `POST ${of}/views/${form.id}/shares`;
  let publicLinks: PublicLink[] = [];
  const { person, server } = await renderApp(`/site/abcdefghijkl/table/records?view=${form.id}`, {
    messages: ['form', 'tableRecord'],
    answers: {
      [`GET ${base}/tables`]: { data: [table] },
      [`GET ${of}/views`]: { data: [form] },
      [`GET ${of}/records`]: { data: pageOf([]) },
      [`GET ${base}/batches`]: { data: [] },
      [`POST ${of}/presence`]: { data: null },
      [`GET ${base}/shares`]: () => ({ data: publicLinks }),
      [make]: () => {
        publicLinks = [createdLink];
        return { data: createdLink };
      },
    },
  });
  await screen.findByRole('button', { name: 'Submit' });
  await person.click(await screen.findByRole('button', { name: 'More tools' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Share' }));
  const dialog = await screen.findByRole('dialog', { name: 'Public form “投稿”' });
  const inside = within(dialog);
  expect(await inside.findByText(/^接待人: not for a public form \(links, people, passwords, rich text, slugs, JSON, repeaters\)/)).toBeVisible();
  expect(inside.getByText('报酬: sensitive')).toBeVisible();
  expect(inside.getByText('合同: this link does not accept files')).toBeVisible();
  await person.click(inside.getByRole('checkbox', { name: 'Accept files' }));
  expect(inside.queryByText(/合同/)).toBeNull();
  expect(inside.getByLabelText('Size limit per file (MB)')).toHaveValue('10');
  await person.click(inside.getByRole('checkbox', { name: 'Accept files' }));
  const button = inside.getByRole('button', { name: 'Create link' });
  expect(inside.getByText(/Required and not in the public form: 合同/)).toBeVisible();
  // Records that are published immediately would never be complete.
  await person.click(inside.getByRole('checkbox', { name: 'Publish answers at once' }));
  expect(inside.getByText(/Required, not in the public form and without a default: 合同/)).toBeVisible();
  expect(button).toBeDisabled();
  await person.click(inside.getByRole('checkbox', { name: 'Publish answers at once' }));
  await person.click(inside.getByRole('checkbox', { name: 'Once per browser' }));
  await person.type(inside.getByLabelText(/Close after so many answers/), '100');
  await person.type(inside.getByLabelText(/After sending, go to/), 'javascript:alert(1)');
  await person.click(button);
  expect(await inside.findByText(/A whole address that begins with http:\/\/ or https:\/\//)).toBeVisible();
  expect(server.calls(make)).toEqual([]);
  await person.clear(inside.getByLabelText(/After sending, go to/));
  await person.type(inside.getByLabelText(/Sites that may embed it/), 'https://a.example');
  await person.click(button);
  expect(await inside.findByText(/Cannot be sent: a required field is not in the form · Answers: 3 of 100 · From bots, discarded: 2/)).toBeVisible();
  expect(server.calls(make).at(-1)?.body).toMatchObject({ name: '投稿', form: options });
  expect(inside.getByRole('link', { name: 'Open form' })).toHaveAttribute('href', createdLink.url);
  expect(inside.getByRole('button', { name: 'Copy embed code' })).toBeVisible();
  expect(await violationsOf(dialog)).toEqual([]);
});
