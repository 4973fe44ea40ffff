import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { startI18n } from '@/i18n';
import { SaveBar } from './SaveBar';

beforeAll(async () => {
  await startI18n('zh-CN');
});

/** A section whose field may disappear when it is saved. */
function Section({ goes = false }: { readonly goes?: boolean }) {
  const [dirty, setDirty] = useState(false);
  return (
    <form
      aria-label="Profile"
      onSubmit={(event) => {
        event.preventDefault();
        setDirty(false);
      }}
    >
      {(!goes || dirty) && <input aria-label="Name" onChange={() => setDirty(true)} />}
      {goes && !dirty && (
        <button type="button" onClick={() => setDirty(true)}>
          edit
        </button>
      )}
      <SaveBar dirty={dirty} onDiscard={() => setDirty(false)} />
    </form>
  );
}

test.each([
  ['saved', 2],
  ['discarded', 1],
])('when everything is %s by keyboard, focus returns to the field', async (_how, tabs) => {
  const person = userEvent.setup();
  render(<Section />);
  const field = screen.getByRole('textbox');
  await person.type(field, 'x');
  for (let tab = 0; tab < tabs; tab++) await person.tab();
  await person.keyboard('{Enter}');
  expect(screen.queryByRole('region')).toBeNull();
  await waitFor(() => expect(field).toHaveFocus());
});

test('focus moves to the form when the field is removed', async () => {
  const person = userEvent.setup();
  render(<Section goes />);
  await person.click(screen.getByRole('button', { name: 'edit' }));
  await person.click(screen.getByRole('textbox'));
  await person.tab();
  await person.keyboard('{Enter}');
  await waitFor(() => expect(screen.getByRole('form', { name: 'Profile' })).toHaveFocus());
});
