import { screen, waitFor, within } from '@testing-library/react';
import type { ImportCheck, TranslationOverview, TranslationRun, TranslationText } from '@contract/languages/translations';
import { violationsOf } from '../../../test/support/axe';
import { site, startUp } from '../../../test/support/factories';
import type { Answer } from '../../../test/support/fakeServer';
import { renderApp } from '../../../test/support/renderApp';

const base = `/api/site/${site().id}/intl`;
const counts = { missing: 0, outdated: 0, machine: 0, draft: 0, reviewed: 0 };
const overview: TranslationOverview = {
  languages: [
    { tag: 'zh-Hans', total: 0, ...counts, weighed: null },
    { tag: 'en', total: 4, ...counts, missing: 1, outdated: 1, reviewed: 2, weighed: 0.25 },
  ],
  browsers: [{ language: 'ja', tag: null, visitors: 120, share: 0.12 }],
  groups: [
    { entity: 'menu', group: 'main', name: 'main', rows: 1, lacks: [], capped: false },
    { entity: 'record', group: 't_teas', name: 'Teas', rows: 2, lacks: [], capped: false },
  ],
};
const text = (id: string, change: Partial<TranslationText> = {}): TranslationText => ({
  key: { entity: 'record', group: 't_teas', id, field: 'f_name' },
  title: `Tea ${id}`,
  label: 'Name',
  format: 'text',
  source: { tag: 'zh-Hans', text: `茶 ${id}` },
  previousSource: null,
  text: null,
  state: 'missing',
  locked: null,
  ...change,
});
const run: TranslationRun = {
  id: '0b9c5b9e-7a53-4b0c-9d5e-1f0d5b8f3a01',
  kind: 'machine',
  tag: 'en',
  label: 'opencc',
  changed: 3,
  refused: 1,
  by: 'Lin',
  at: '2026-11-20T08:00:00.000Z',
  undoneAt: null,
  jobId: null,
};

let app: Awaited<ReturnType<typeof renderApp>>;
async function open(query: string, answers: Record<string, Answer> = {}, role: 'admin' | 'viewer' = 'admin') {
  const built = site({ purpose: 'built', url: null, role });
  app = await renderApp(`/site/${built.id}/intl${query}`, {
    answers: {
      'GET /api/core/load/rpm': { data: startUp({ sites: [built] }) },
      [`GET ${base}/overview`]: { data: overview },
      [`GET ${base}/matrix`]: {
        data: {
          rows: [
            {
              place: { entity: 'record', group: 't_teas', id: '1' },
              title: 'Longjing',
              groupName: 'Teas',
              path: '/teas/1',
              visitors: 90,
              states: { en: { ...counts, missing: 2 } },
            },
          ],
          total: 1,
        },
      },
      [`GET ${base}/texts`]: { data: { rows: [text('1'), text('2', { state: 'outdated', text: 'Green tea', previousSource: '红茶 2' })], total: 2 } },
      [`GET ${base}/runs`]: { data: { rows: [run] } },
      [`GET ${base}/engines`]: {
        data: {
          rows: (['opencc', 'deepl', 'google', 'libre'] as const).map((kind) => ({
            kind,
            url: null,
            hasKey: false,
            ready: kind === 'opencc',
            dailyLimit: null,
            usedToday: 0,
          })),
        },
      },
      [`GET ${base}/glossary`]: { data: { rows: [], revision: 0 } },
      [`POST ${base}/translate/preview`]: { data: { texts: 2, characters: 40, remaining: null } },
      ...answers,
    },
  });
  await screen.findByRole('heading', { level: 1, name: 'Translations' });
}
afterEach(() => app.end());
const sent = (method: string) => app.server.requests.filter((one) => one.method === method && one.path.startsWith(base));

test('the overview says what is open, what visitors read, and leads to the texts', async () => {
  await open('');
  const languages = await screen.findByRole('table', { name: 'Languages' });
  expect(within(languages).getByRole('row', { name: /English .* 50% 1 1 0 0 25%/ })).toBeVisible();
  expect(screen.getByText('The site does not have this language')).toBeVisible();
  const link = await screen.findByRole('link', { name: 'Missing 2' });
  expect(link).toHaveAttribute('href', expect.stringContaining('tab=translate&tag=en&what=record%3At_teas&id=1'));
  expect(await violationsOf(languages)).toEqual([]);
});

test('a translation is saved from the keyboard, and the next text follows', async () => {
  await open('?tab=translate', { [`PUT ${base}/texts`]: { data: { rows: [] } } });
  const box = await screen.findByRole('textbox', { name: 'English' });
  await app.person.type(box, 'Tea one{Control>}{Enter}{/Control}');
  await waitFor(() => expect(sent('PUT')).toHaveLength(1));
  expect(sent('PUT')[0]?.body).toMatchObject({ tag: 'en', texts: [{ before: null, text: 'Tea one', state: 'reviewed', key: { id: '1' } }] });
  expect(await screen.findByRole('heading', { name: 'Tea 2 · Name' })).toBeVisible();
  expect(screen.getByText('红').tagName).toBe('DEL');
  expect(screen.getByRole('textbox', { name: 'English' })).toHaveFocus();
  expect(await violationsOf(screen.getByRole('region', { name: 'Tea 2 · Name' }))).toEqual([]);
});

test('rich text is translated as text, and stored as HTML', async () => {
  const rich = text('1', { format: 'html', source: { tag: 'zh-Hans', text: '<p>茶 <strong>馆</strong></p>' } });
  await open('?tab=translate', { [`GET ${base}/texts`]: { data: { rows: [rich], total: 1 } }, [`PUT ${base}/texts`]: { data: { rows: [] } } });
  const region = await screen.findByRole('region', { name: 'Tea 1 · Name' });
  expect(within(region).getByText('馆').tagName).toBe('STRONG');
  expect(region).not.toHaveTextContent('<p>');
  await app.person.click(within(region).getByRole('button', { name: 'Copy the source' }));
  const box = await screen.findByRole('textbox', { name: 'English' });
  await waitFor(() => expect(box).toHaveTextContent('茶 馆'));
  await app.person.click(screen.getByRole('button', { name: /^Save as reviewed/ }));
  await waitFor(() => expect(sent('PUT')[0]?.body).toMatchObject({ texts: [{ text: '<p>茶 <strong>馆</strong></p>' }] }));
});

test('what was typed stays while other texts are looked at', async () => {
  await open('?tab=translate');
  await app.person.type(await screen.findByRole('textbox', { name: 'English' }), 'Half');
  await app.person.click(screen.getByRole('button', { name: 'Next' }));
  expect(screen.getByRole('textbox', { name: 'English' })).toHaveValue('Green tea');
  await app.person.keyboard('{Alt>}{ArrowUp}{/Alt}');
  expect(screen.getByRole('textbox', { name: 'English' })).toHaveValue('Half');
});

test('a person who may only read sees the texts, and nothing else to do', async () => {
  await open('?tab=machine', {}, 'viewer');
  expect(await screen.findByRole('table', { name: 'Languages' })).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Machine translation' })).toBe(null);
});

test('machine translation says how much it translates, starts, and is undone', async () => {
  await open('?tab=machine', { [`POST ${base}/translate`]: { data: run }, [`POST ${base}/runs/${run.id}/undo`]: { data: run } });
  expect(await screen.findByText('2 texts will be translated. Their length in characters: 40.')).toBeVisible();
  await app.person.click(screen.getByRole('button', { name: 'Translate' }));
  await waitFor(() =>
    expect(sent('POST').some(({ path, body }) => path.endsWith('/translate') && (body as { engine: string }).engine === 'opencc')).toBe(true),
  );
  await app.person.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(sent('POST').some(({ path }) => path.endsWith('/undo'))).toBe(true));
});

test('a file is checked before it is imported', async () => {
  const check: ImportCheck = {
    encoding: 'gb18030',
    counts: { changed: 1, unchanged: 0, unknown: 0, outdated: 0, refused: 1 },
    rows: [{ id: 'record:a:b:c', result: 'refused', reason: 'tags', title: 'Tea 1 · Name', format: 'text', before: null, after: 'Tea' }],
  };
  await open('?tab=files', { [`POST ${base}/import/check`]: { data: check }, [`POST ${base}/import`]: { data: { ...run, kind: 'import', label: 'po' } } });
  await app.person.upload(await screen.findByLabelText(/^File/), new File(['msgid'], 'tea.po'));
  await app.person.click(screen.getByRole('button', { name: 'Check file' }));
  expect(await screen.findByText(/1 to write · 0 the same · 0 unknown/)).toBeVisible();
  expect(screen.getByText('Tags are missing or differ from the source.')).toBeVisible();
  await app.person.click(screen.getByRole('button', { name: 'Import 1 translation' }));
  await waitFor(() => expect(sent('POST').find(({ path }) => path.endsWith('/import'))?.body).toMatchObject({ format: 'po', tag: 'en', state: 'reviewed' }));
});
