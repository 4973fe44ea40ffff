import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Provider } from 'react-redux';
import { ensureMessages, startI18n } from '@/i18n';
import { makeStore } from '@/store';
import { resource } from '../../../../../test/support/factories';
import { fakeServer } from '../../../../../test/support/fakeServer';
import { fieldEnv } from '../../../../../test/support/fieldEnv';
import { knownFiles } from '../../../../../test/support/knownFiles';
import { FieldEnvProvider } from '../../fieldTypes/env';
import type { ShownField } from '../../fieldTypes/env';
import { RichTextEditor } from '../RichTextEditor';

const siteId = 'abcdefghijkl';
const leaf = resource({ id: '0198c0de-0000-7000-8000-000000000001', name: 'leaf.jpg', width: 30, height: 20 });
const stored = `<img src="/_r/${leaf.id}/leaf.jpg" width="30" height="20">`;
const field: ShownField = {
  id: 'f_bodyaaaaaaaa',
  type: 'richText',
  title: 'Body',
  options: {},
  yields: 'text',
  problem: null,
  readonly: false,
  required: false,
};

let server: ReturnType<typeof fakeServer>;
beforeAll(async () => {
  // jsdom has no layout, which the editor asks for when it scrolls to the selection.
  Object.assign(Range.prototype, { getClientRects: () => [], getBoundingClientRect: () => new DOMRect() });
  await startI18n('en');
  await ensureMessages(['tableFields', 'tableRecord']);
});
beforeEach(() => {
  server = fakeServer({
    [`POST /api/site/${siteId}/resource/known`]: knownFiles(() => leaf),
    [`GET /api/site/${siteId}/resource/items`]: { data: { rows: [leaf], after: null, total: 1 } },
  });
});
afterEach(() => server.restore());

function edit(value: string, site: string | null = siteId) {
  const onChange = jest.fn();
  const { container } = render(
    <Provider store={makeStore()}>
      <FieldEnvProvider value={fieldEnv({ siteId: site })}>
        <RichTextEditor id="body" field={field} value={value} onChange={onChange} />
      </FieldEnvProvider>
    </Provider>,
  );
  return { onChange, container, person: userEvent.setup(), text: screen.getByRole('textbox') };
}

test('a pasted picture is stored as a resource and shown from the console', async () => {
  const { onChange, container, text } = edit('<p>Tea</p>');
  const data = { files: [new File(['leaf'], 'leaf.jpg', { type: 'image/jpeg' })], getData: () => '' };
  fireEvent.paste(text, { clipboardData: data });
  await waitFor(() => expect(onChange).toHaveBeenLastCalledWith(expect.stringContaining(stored)));
  expect(container.querySelector('img[src]')).toHaveAttribute('src', expect.stringContaining(`/resource/items/${leaf.id}/variant?preset=small`));
});

test('a picture is chosen among the resources', async () => {
  const { onChange, person } = edit('<p>Tea</p>');
  await person.click(screen.getByRole('button', { name: 'Picture' }));
  await person.click(screen.getByRole('button', { name: 'Choose from Resources' }));
  await person.click(await screen.findByRole('button', { name: 'leaf.jpg' }));
  await person.click(screen.getByRole('button', { name: 'Choose 1 file' }));
  await waitFor(() => expect(onChange).toHaveBeenLastCalledWith(expect.stringContaining(stored)));
});

test('without a site to store in, no picture is taken', () => {
  const { onChange, text } = edit('<p>Tea</p>', null);
  expect(screen.queryByRole('button', { name: 'Picture' })).toBeNull();
  fireEvent.paste(text, { clipboardData: { files: [new File(['leaf'], 'leaf.jpg', { type: 'image/jpeg' })], getData: () => '' } });
  expect(onChange).not.toHaveBeenCalled();
});
