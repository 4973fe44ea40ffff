import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { z } from 'zod';
import { ensureMessages, startI18n } from '@/i18n';
import { ConfirmHost } from '../ConfirmHost';
import { FormDialog } from './FormDialog';
import { TextField } from './TextField';
import { useContractForm } from './useContractForm';
import { useSubmit } from './useSubmit';
import type { SubmitResult } from './useSubmit';

const Name = z.object({ name: z.string().min(1) });
type Name = z.output<typeof Name>;

beforeAll(async () => {
  await startI18n('en');
  await ensureMessages(['form']);
});

type Props = { readonly send?: (input: Name) => Promise<SubmitResult<string>>; readonly confirmsDiscard?: boolean; readonly onEnd: (how: string) => void };

function NameDialog({ send = () => Promise.resolve({ data: 'saved' }), confirmsDiscard = true, onEnd }: Props) {
  const form = useContractForm(Name, { defaultValues: { name: '' } });
  const { submit, busy, failure } = useSubmit(form, { send, onSuccess: onEnd });
  return (
    <FormDialog
      form={form}
      title="Name"
      submitLabel="Save"
      busy={busy}
      failure={failure}
      confirmsDiscard={confirmsDiscard}
      onSubmit={submit}
      onClose={() => onEnd('closed')}
    >
      <TextField control={form.control} name="name" label="New name" autoFocus />
    </FormDialog>
  );
}

function open(props: Omit<Props, 'onEnd'> = {}) {
  const onEnd = jest.fn();
  render(
    <ConfirmHost>
      <NameDialog {...props} onEnd={onEnd} />
    </ConfirmHost>,
  );
  return { onEnd, person: userEvent.setup() };
}

const refusal = { kind: 'api', method: 'POST', url: '/', status: 422, message: 'Refused' };

test('Ctrl+Enter submits', async () => {
  const { onEnd, person } = open();
  await person.type(screen.getByLabelText('New name'), 'Tea{Control>}{Enter}{/Control}');
  expect(onEnd.mock.calls).toEqual([['saved']]);
});

test('a field that the server refuses shows the reason', async () => {
  const { person, onEnd } = open({ send: () => Promise.resolve({ error: { ...refusal, fields: { name: { code: 'taken' } } } }) });
  await person.type(screen.getByLabelText('New name'), 'Tea{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('In use');
  expect(screen.getByLabelText('New name')).toHaveAccessibleDescription(/In use/);
  expect(onEnd).not.toHaveBeenCalled();
});

test('a general failure is shown above the fields', async () => {
  const { person } = open({ send: () => Promise.resolve({ error: refusal }) });
  await person.type(screen.getByLabelText('New name'), 'Tea{Enter}');
  expect(await screen.findByText('Refused')).toBeVisible();
});

test('Escape closes an untouched form at once', async () => {
  const { person, onEnd } = open();
  await person.keyboard('{Escape}');
  expect(onEnd.mock.calls).toEqual([['closed']]);
});

test('Escape asks before typed changes are discarded', async () => {
  const { person, onEnd } = open();
  await person.type(screen.getByLabelText('New name'), 'Tea{Escape}');
  await person.click(await screen.findByRole('button', { name: 'Discard' }));
  expect(onEnd.mock.calls).toEqual([['closed']]);
});

test('Escape does not ask when a draft is stored', async () => {
  const { person, onEnd } = open({ confirmsDiscard: false });
  await person.type(screen.getByLabelText('New name'), 'Tea{Escape}');
  expect(onEnd.mock.calls).toEqual([['closed']]);
});
