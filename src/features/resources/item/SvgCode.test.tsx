import { screen, waitFor, within } from '@testing-library/react';
import { resource, site } from '../../../../test/support/factories';
import { renderApp } from '../../../../test/support/renderApp';

const base = `/api/site/${site().id}/resource`;
const leaf = resource({ kind: 'svg', name: 'leaf.svg', contentType: 'image/svg+xml' });
const source = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1"/></svg>';
const svg = {
  source,
  removed: [{ kind: 'element', name: 'script', reason: 'script', line: 2, column: 0 }],
  removedCount: 3,
  bytesBefore: 2048,
  bytesAfter: 1024,
  viewBox: null,
  title: '',
  description: '',
  colors: [],
};
let app: Awaited<ReturnType<typeof renderApp>>;
afterEach(() => app.end());

async function open(search = ''): Promise<void> {
  app = await renderApp(`/site/${site().id}/resource/svgs${search}`, {
    answers: {
      [`GET ${base}/items`]: { data: { rows: [leaf], after: null, total: 1 } },
      [`GET ${base}/items/${leaf.id}`]: { data: leaf },
      [`GET ${base}/items/${leaf.id}/svg`]: { data: svg },
      [`POST ${base}/sprite`]: { data: { source, symbols: [{ id: leaf.id, symbol: 'leaf' }] } },
      [`GET ${base}/folders`]: { data: [] },
      [`GET ${base}/tags`]: { data: [] },
    },
    messages: ['form'],
  });
}

test('an SVG says what cleaning removed, and has its code', async () => {
  await open(`?item=${leaf.id}`);
  const drawer = await screen.findByRole('dialog', { name: 'leaf.svg' });
  await app.person.click(await within(drawer).findByText('Cleaning removed 3 parts'));
  expect(within(drawer).getByText('Could run code · line 2')).toBeInTheDocument();
  expect(within(drawer).getByText('And 2 more')).toBeInTheDocument();
  expect(within(drawer).getByRole('button', { name: 'Copy SVG' })).toBeEnabled();
  await app.person.click(within(drawer).getByRole('checkbox', { name: 'Use the colour of the text around it' }));
  await waitFor(() => expect(app.server.calls(`GET ${base}/items/${leaf.id}/svg`).at(-1)?.search).toContain('currentColor=true'));
});

test('selected SVGs are downloaded as one sprite', async () => {
  const saved: Blob[] = [];
  URL.createObjectURL = (file: Blob) => (saved.push(file), 'blob:sprite');
  URL.revokeObjectURL = () => undefined;
  await open();
  await app.person.click(await screen.findByRole('checkbox', { name: 'Select leaf.svg' }));
  await app.person.click(screen.getByRole('button', { name: 'Download as sprite' }));
  await waitFor(() => expect(saved.map(({ type, size }) => [type, size])).toEqual([['image/svg+xml', source.length]]));
  expect(app.server.calls(`POST ${base}/sprite`).map(({ body }) => body)).toEqual([{ ids: [leaf.id] }]);
});
