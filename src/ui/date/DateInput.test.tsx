import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { ensureMessages, startI18n } from '@/i18n';
import { violationsOf } from '../../../test/support/axe';
import { DateInput, readMoment } from './DateInput';

beforeAll(async () => {
  await startI18n('en');
  await ensureMessages(['form']);
});

type Props = Partial<Parameters<typeof DateInput>[0]>;

/** A field whose value is kept; `keeps` says which values. */
function show({ keeps = () => true, ...props }: Props & { readonly keeps?: (value: string) => boolean }) {
  const onChange = jest.fn<void, [string]>();
  const Host = () => {
    const [value, setValue] = useState(props.value ?? '');
    return (
      <DateInput
        aria-label="Day"
        {...props}
        value={value}
        onChange={(next) => {
          onChange(next);
          if (keeps(next)) setValue(next);
        }}
      />
    );
  };
  const { container } = render(<Host />);
  return { person: userEvent.setup(), onChange, container, input: screen.getByLabelText<HTMLInputElement>('Day') };
}

test.each([
  ['date', '2026/1/2', '2026-01-02'],
  ['date', '01/02/2026', null],
  ['datetime', '2026-11-20 8:30', '2026-11-20T08:30'],
  ['datetime', '2026-11-20', '2026-11-20T00:00'],
  ['datetime', '2026年1月2日 8:30', '2026-01-02T08:30'],
  ['datetime', '2026-11-20 25:00', null],
  ['time', '830', null],
  ['time', '0830', '08:30'],
] as const)('a %s typed as %s is %s', (kind, text, value) => expect(readMoment(kind, text)).toBe(value));

test('what is typed becomes a day, and is written in one form afterwards', async () => {
  const { person, input, onChange, container } = show({});
  await person.type(input, '2026/1/2');
  expect(onChange).toHaveBeenLastCalledWith('2026-01-02');
  expect(input).toHaveValue('2026/1/2');
  await person.tab();
  expect(input).toHaveValue('2026-01-02');
  expect(await violationsOf(container)).toEqual([]);
});

test('an incomplete date is reported as it was typed, and marked', async () => {
  const { person, input, onChange } = show({});
  await person.type(input, '2026-1');
  expect(onChange).toHaveBeenLastCalledWith('2026-1');
  expect(input).toHaveAttribute('aria-invalid', 'false');
  await person.tab();
  expect(input).toHaveValue('2026-1');
  expect(input).toHaveAttribute('aria-invalid', 'true');
});

test('typing goes on where the caller waits for a whole date', async () => {
  const { person, input } = show({ value: '2026-11-20', keeps: (value) => readMoment('date', value) !== null });
  await person.clear(input);
  await person.type(input, '2026-12-01');
  await person.tab();
  expect(input).toHaveValue('2026-12-01');
});

test('a date is committed when it is complete, with Enter or on leaving', async () => {
  const onCommit = jest.fn<void, [string]>();
  const { person, input } = show({ value: '2026-10-05', max: '2026-11-26', onCommit, keeps: () => false });
  await person.clear(input);
  await person.type(input, '2026-11-20');
  expect(onCommit).not.toHaveBeenCalled();
  await person.keyboard('{Enter}');
  expect(onCommit.mock.calls).toEqual([['2026-11-20']]);
  await person.clear(input);
  await person.type(input, '2026-11-2');
  await person.tab();
  expect(onCommit).toHaveBeenLastCalledWith('2026-11-02');
});

test.each(['2026-11', '2026-11-27'])('%s is marked instead of committed', async (text) => {
  const onCommit = jest.fn<void, [string]>();
  const { person, input } = show({ value: '2026-10-05', max: '2026-11-26', onCommit, keeps: () => false });
  await person.clear(input);
  await person.type(input, text);
  expect(input).toHaveAttribute('aria-invalid', 'false');
  await person.tab();
  expect(input).toHaveValue(text);
  expect(input).toHaveAttribute('aria-invalid', 'true');
  await person.clear(input);
  await person.tab();
  expect(input).toHaveValue('2026-10-05');
  expect(onCommit).not.toHaveBeenCalled();
});

test('a day chosen from the calendar is committed', async () => {
  const onCommit = jest.fn<void, [string]>();
  const { person } = show({ value: '2026-11-20', onCommit });
  await person.click(screen.getByRole('button', { name: 'Open the calendar' }));
  await person.click(await screen.findByRole('button', { name: 'Tuesday, November 24, 2026' }));
  expect(onCommit.mock.calls).toEqual([['2026-11-24']]);
});

test('a day chosen from the calendar keeps the time', async () => {
  const { person, input, onChange } = show({ kind: 'datetime', value: '2026-11-20T08:30' });
  await person.click(screen.getByRole('button', { name: 'Open the calendar' }));
  await person.click(await screen.findByRole('button', { name: 'Tuesday, November 24, 2026' }));
  expect(onChange).toHaveBeenLastCalledWith('2026-11-24T08:30');
  expect(input).toHaveValue('2026-11-24 08:30');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('days out of bounds cannot be chosen', async () => {
  const { person } = show({ value: '2026-11-20', min: '2026-11-10', max: '2026-11-25' });
  await person.click(screen.getByRole('button', { name: 'Open the calendar' }));
  expect(await screen.findByRole('button', { name: 'Thursday, November 26, 2026' })).toBeDisabled();
  expect(screen.getByRole('button', { name: 'Monday, November 9, 2026' })).toBeDisabled();
});

test("touch screens have the device's picker", () => {
  const { matchMedia } = window;
  const media = jest.spyOn(window, 'matchMedia').mockImplementation((query) => Object.assign(matchMedia(query), { matches: query === '(pointer: coarse)' }));
  expect(show({ kind: 'datetime', value: '2026-11-20T08:30' }).input).toHaveAttribute('type', 'datetime-local');
  media.mockRestore();
});
