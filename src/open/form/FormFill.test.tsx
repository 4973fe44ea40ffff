import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { testField as field } from '../../../test/support/openField';
import type { FormResult, OpenField, OpenForm } from '@contract/tables/forms';
import type { FieldErrors, Link, Sent } from '../call';
import { LocaleContext } from '../useMessages';
import { FormFill } from './FormFill';

const choices = [
  { id: 'on', title: '到现场', color: 'green' as const },
  { id: 'off', title: '线上', color: 'blue' as const },
];
const section = (fields: readonly OpenField[], more: Partial<OpenForm['sections'][number]> = {}): OpenForm['sections'][number] => ({
  title: '',
  note: '',
  collapsed: false,
  fields: fields.map((one) => ({ field: one, width: 'full' })),
  ...more,
});
const formOf = (sections: OpenForm['sections']): OpenForm => ({
  needsPassword: false,
  status: 'open',
  title: '报名',
  note: '',
  closedText: '',
  once: false,
  timeZone: 'UTC',
  style: 'groups',
  sections,
  stamp: 'stamp 1',
});
const no = (status: number, fields: FieldErrors = {}, retryAfter = 60): Sent<never> => ({ ok: false, status, fields, retryAfter });
const yes: Sent<FormResult> = { ok: true, data: { thanks: '', redirect: null } };

type Sending = { readonly key: string; readonly values: Record<string, unknown>; readonly stamp: string };

/** The form on the screen; what is sent gets `answers`, one after the other. `onAsk`: the result of requesting the form again. */
function open(form: OpenForm, answers: readonly Sent<unknown>[] = [], onAsk: () => Promise<OpenForm | null> = () => Promise.resolve(form)) {
  const sent: Sending[] = [];
  const onTaken = jest.fn();
  const link = {
    name: 'link',
    send: (_path: string, _locale: string, key: string, body: Omit<Sending, 'key'>) => {
      sent.push({ key, values: body.values, stamp: body.stamp });
      return Promise.resolve(answers[sent.length - 1] ?? no(500));
    },
  } as unknown as Link;
  const { unmount } = render(
    <LocaleContext value="en">
      <FormFill link={link} form={form} locale="en" onTaken={onTaken} onAsk={onAsk} />
    </LocaleContext>,
  );
  return {
    sent,
    onTaken,
    unmount,
    type: (title: string, value: string) => fireEvent.change(screen.getByLabelText(title), { target: { value } }),
    /** Presses the button and lets the page's own delays pass. */
    submit: async () => {
      fireEvent.click(screen.getByRole('button', { name: /Submit/ }));
      await act(() => jest.advanceTimersByTimeAsync(30_000));
    },
  };
}

beforeEach(() => {
  sessionStorage.clear();
  jest.useFakeTimers();
});
afterEach(() => jest.useRealTimers());

describe('a possibly stored submission is repeated with its key', () => {
  const form = formOf([section([field('姓名')])]);

  test.each([
    [429, {}],
    [401, {}],
    [413, {}],
    [410, {}],
    [422, { stamp: { code: 'unknown' } }],
    [422, { trap: { code: 'too_long' } }],
  ])('keeps the key after %i, an error before the duplicate check %j', async (status, fields) => {
    const refused = Array.from({ length: status === 422 && 'stamp' in fields ? 3 : 1 }, () => no(status, fields));
    const { sent, submit, type, onTaken, unmount } = open(form, [no(0), ...refused, yes]);
    type('姓名', '王芳');
    await submit();
    expect(screen.getByText(/No connection, so it is not certain that it arrived/)).toBeVisible();
    await submit();
    await submit();
    expect(onTaken).toHaveBeenCalled();
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
    unmount();
  });

  test('keeps the key after a reload', async () => {
    const first = open(form, [no(503), no(429)]);
    first.type('姓名', '王芳');
    await first.submit();
    await first.submit();
    first.unmount();
    const second = open(form, [yes]);
    expect(screen.getByLabelText('姓名')).toHaveValue('王芳');
    await second.submit();
    expect(second.sent[0]?.key).toBe(first.sent[0]?.key);
  });

  test('uses a new key after the answers themselves were refused', async () => {
    for (const refusal of [no(422, { 'values.姓名': { code: 'taken' } }), no(403)]) {
      const { sent, submit, unmount } = open(form, [no(0), refusal, yes]);
      await submit();
      await submit();
      await submit();
      expect(sent[1]?.key).toBe(sent[0]?.key);
      expect(sent[2]?.key).not.toBe(sent[0]?.key);
      unmount();
      sessionStorage.clear();
    }
  });
});

test('text typed during submission is kept', async () => {
  const form = formOf([section([field('姓名'), field('留言')])]);
  const { submit, type, unmount } = open(form, [no(429, {}, 1), no(503)]);
  type('姓名', '王芳');
  const sending = submit();
  type('留言', '带伞');
  await sending;
  unmount();
  open(form);
  expect(screen.getByLabelText('留言')).toHaveValue('带伞');
});

test('an expired stamp is replaced and the input is sent again', async () => {
  const form = formOf([section([field('姓名')])]);
  const onAsk = jest.fn(() => Promise.resolve({ ...form, stamp: 'stamp 2' }));
  const { sent, submit, type, onTaken } = open(form, [no(422, { stamp: { code: 'unknown' } }), yes], onAsk);
  type('姓名', '王芳');
  await submit();
  expect(onTaken).toHaveBeenCalled();
  expect(sent.map(({ values, stamp }) => [values, stamp])).toEqual([
    [{ 姓名: '王芳' }, 'stamp 1'],
    [{ 姓名: '王芳' }, 'stamp 2'],
  ]);
});

test('without a valid stamp the page reports a failed submission', async () => {
  const form = formOf([section([field('姓名')])]);
  const worn = no(422, { stamp: { code: 'unknown' } });
  for (const [fresh, sends] of [
    [form, 3],
    [null, 1],
  ] as const) {
    const { sent, submit, type, unmount } = open(form, [worn, worn, worn, worn, worn], () => Promise.resolve(fresh));
    type('姓名', '王芳');
    await submit();
    expect(sent).toHaveLength(sends);
    expect(screen.getByRole('alert')).toHaveTextContent('Something went wrong');
    expect(screen.getByLabelText('姓名')).toHaveValue('王芳');
    unmount();
  }
});

test('a box required by a condition is validated like any required one', async () => {
  const form = formOf([
    section([
      field('姓名'),
      field('同意', { type: 'switch', yields: 'boolean', conditions: [{ filter: { field: '姓名', op: 'eq', value: '王芳' }, then: 'required' }] }),
    ]),
  ]);
  const { sent, submit, type, onTaken } = open(form, [yes]);
  type('姓名', '王芳');
  await submit();
  expect(sent).toEqual([]);
  expect(screen.getByRole('link', { name: '同意: Tick this box' })).toBeVisible();
  fireEvent.click(screen.getByRole('checkbox'));
  await submit();
  expect(onTaken).toHaveBeenCalled();
  expect(sent[0]?.values).toEqual({ 姓名: '王芳', 同意: true });
});

test('a chosen day is repeated in words', () => {
  const { type } = open(formOf([section([field('到店日期', { type: 'date', yields: 'date' }), field('时刻', { type: 'datetime', yields: 'datetime' })])]));
  type('到店日期', '2026-11-28');
  type('时刻', '2026-11-28T08:05');
  expect(screen.getAllByRole('status').map((one) => one.textContent)).toEqual(
    expect.arrayContaining(['Saturday, 28 November 2026', expect.stringMatching(/^Saturday, 28 November 2026 at 08:05$/)]),
  );
});

test('folded sections with errors open, also from the error list', async () => {
  const form = formOf(['甲', '乙'].map((title) => section([field(`${title} 的姓名`, { required: true })], { title, collapsed: true })));
  const { submit } = open(form);
  const parts = [...document.querySelectorAll('details')];
  await submit();
  expect(parts.map((part) => part.open)).toEqual([true, true]);
  await waitFor(() => expect(screen.getByLabelText(/^甲 的姓名/)).toHaveFocus());
  for (const part of parts) part.open = false;
  fireEvent.click(screen.getByRole('link', { name: '乙 的姓名: Fill this in' }));
  expect(parts.map((part) => part.open)).toEqual([false, true]);
  expect(screen.getByLabelText(/^乙 的姓名/)).toHaveFocus();
});

test('a group of choices announces its help and error once', async () => {
  const form = formOf([
    section([
      field('方式', { type: 'select', required: true, help: '选一种', options: { choices } }),
      field('评价', { type: 'rating', yields: 'number', help: '几颗星', required: true }),
      field('想听的', { type: 'multiSelect', required: true, help: '可多选', options: { choices } }),
    ]),
  ]);
  const { submit } = open(form);
  await submit();
  const radios = screen.getAllByRole('radiogroup');
  expect(radios).toHaveLength(2);
  for (const group of radios) {
    expect(group).toBeRequired();
    expect(group).toBeInvalid();
    expect(group).toHaveAccessibleDescription(/^(选一种|几颗星) Choose one$/);
  }
  expect(screen.getByRole('group', { name: /想听的/ })).toHaveAccessibleDescription('可多选 Choose one');
  for (const input of [...screen.getAllByRole('radio'), ...screen.getAllByRole('checkbox')]) expect(input).not.toHaveAttribute('aria-describedby');
  for (const input of screen.getAllByRole('radio')) expect(input).not.toHaveAttribute('aria-invalid');
});
