import { fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import fc from 'fast-check';
import { decimalText } from '../../../../contract/tables/numberText';
import { violationsOf } from '../../../../test/support/axe';
import { fieldEnv } from '../../../../test/support/fieldEnv';
import { ensureMessages, startI18n } from '@/i18n';
import { makeFormat } from '@/lib/format';
import { CellView } from './CellView';
import { FieldEditor } from './FieldEditor';
import { FieldEnvProvider } from './env';
import type { ShownField } from './env';
import { PickerEditor } from './PickerEditor';
import { showValue } from './show';
import { showDuration } from './valueTexts';
import { instantOf, wallClockOf } from '@/lib/zoned';

beforeAll(async () => {
  await startI18n('en');
  await ensureMessages(['tableFields', 'form']);
});
const field = (type: ShownField['type'], options: ShownField['options'] = {}, yields: ShownField['yields'] = 'text'): ShownField => ({
  id: 'f_aaaaaaaaaaaa',
  type,
  title: '字段',
  options,
  yields,
  problem: null,
  readonly: false,
  required: false,
});
const choices: NonNullable<ShownField['options']['choices']> = [
  { id: 'a', title: '已发布', color: 'green' },
  { id: 'b', title: '草稿', color: 'grey' },
];
const env = fieldEnv({
  labels: { records: { r1: '首页' }, people: {} },
  timeZone: 'Asia/Shanghai',
  findRecords: (_field, text) => Promise.resolve([{ id: 'r2', label: `找到 ${text}` }]),
  findPeople: () => Promise.reject(new Error('网络断开')),
  read: (_field, text) => (/^\d+$/.test(text) ? { value: Number(text) } : { error: '要填数字' }),
});
const edit = (one: ShownField, value: unknown = null, typed: string | null = null) => {
  const onChange = jest.fn();
  const onDone = jest.fn();
  const person = userEvent.setup();
  const renderResult = render(
    <FieldEnvProvider value={env}>
      <FieldEditor field={one} value={value} typed={typed} onChange={onChange} onDone={onDone} />
    </FieldEnvProvider>,
  );
  return { onChange, onDone, person, renderResult };
};
const pickerOf = (one: ShownField, value: string) => {
  const onChange = jest.fn();
  render(
    <FieldEnvProvider value={env}>
      <PickerEditor field={one} value={value} onChange={onChange} />
    </FieldEnvProvider>,
  );
  const input = screen.getByLabelText(one.title);
  return { input, onChange, change: (next: string) => fireEvent.change(input, { target: { value: next } }) };
};
const cell = (one: ShownField, value: unknown) =>
  render(
    <FieldEnvProvider value={env}>
      <CellView field={one} value={value} />
    </FieldEnvProvider>,
  ).container;

describe('days and times', () => {
  test('a local time converts back to the same instant in every zone', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(1980, 0), max: Date.UTC(2040, 0) }),
        fc.constantFrom('Asia/Shanghai', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'),
        (ms, zone) => {
          const whole = Math.floor(ms / 1000) * 1000;
          const wall = wallClockOf(new Date(whole).toISOString(), zone);
          const back = wall && instantOf(wall.day, wall.time, zone);
          // An hour that occurs twice means its first occurrence.
          expect(back === null ? null : whole - Date.parse(back)).toBeGreaterThanOrEqual(0);
          expect(back && wallClockOf(back, zone)).toEqual(wall);
        },
      ),
    );
  });
  test('a time in the skipped hour moves forward by the change', () => {
    expect(instantOf('2026-03-29', '02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
  });
});

describe('display', () => {
  test('decimals keep every digit and durations look like clocks', () => {
    expect(decimalText('12345678901234567890.10', 2)).toBe('12,345,678,901,234,567,890.10');
    expect(decimalText('-1234.5', 2)).toBe('−1,234.50');
    expect([showDuration(45), showDuration(3909), showDuration(-61)]).toEqual(['0:45', '1:05:09', '−1:01']);
    expect(showValue(field('currency', { currency: 'CNY', decimals: 2 }, 'number'), '-8.5', env)).toBe('−¥8.50');
    expect(showValue(field('percent', {}, 'number'), '12.5', env)).toBe('12.5%');
    expect(showValue(field('autonumber', { prefix: 'INV-', pad: 4 }, 'number'), 7, env)).toBe('INV-0007');
    expect(showValue(field('datetime', {}, 'datetime'), '2026-11-20T16:30:00Z', env)).toBe('2026-11-21 00:30');
  });
  test('names of choices and records are shown, hidden ones are marked', () => {
    expect(cell(field('multiSelect', { choices }), ['a', 'gone'])).toHaveTextContent('已发布Removed choice');
    expect(showValue(field('select', { choices }), 'gone', { ...env, format: makeFormat('en') })).toBe('Removed choice');
    expect(cell(field('relations'), ['r1', '22222222-2222-4222-8222-222222222222'])).toHaveTextContent('首页Record not visible');
  });
  test('addresses link only to the web and markup is text', () => {
    expect(cell(field('url'), 'javascript:alert(1)').querySelector('a')).toBeNull();
    expect(cell(field('url'), 'https://example.com/?a=1').querySelector('a')).toHaveAttribute('rel', 'noreferrer noopener');
    expect(cell(field('file'), [{ url: 'data:text/html,x', name: 'x' }]).querySelector('a, img')).toBeNull();
    expect(cell(field('richText'), '<p>你好<script>alert(1)</script> <b>世界</b>&amp;</p>').textContent).toBe('你好 世界 &');
    expect(cell(field('color'), 'url(https://evil.example)').querySelector('.f-swatch')).not.toHaveStyle({ background: 'url(https://evil.example)' });
  });
  test('a failed formula shows the reason', () => {
    expect(cell({ ...field('formula'), problem: 'cycle' }, null)).toHaveTextContent('The formula refers to itself');
  });
});

describe('editing', () => {
  test('a choice is selected by pinyin and Enter', async () => {
    const { person, onDone, renderResult } = edit(field('select', { choices }));
    await person.type(screen.getByRole('combobox', { name: '字段' }), 'cg{Enter}');
    expect(onDone).toHaveBeenCalledWith('down', { value: 'b' });
    expect(await violationsOf(renderResult.container)).toEqual([]);
  });
  test('choices are added and removed up to the maximum', async () => {
    const { person, onChange } = edit(field('multiSelect', { choices, most: 1 }), ['a']);
    await person.click(screen.getByRole('option', { name: /草稿/ }));
    expect(onChange).toHaveBeenLastCalledWith(['a', 'b'], 'At most 1');
    await person.click(screen.getByRole('button', { name: 'Remove 已发布' }));
    expect(onChange.mock.lastCall?.[0]).toBeNull();
  });
  test('text typed in the cell begins a tag', async () => {
    const { person, onChange } = edit(field('tags'), ['旧'], '新');
    await person.type(screen.getByRole('combobox'), '的{Enter}');
    expect(onChange.mock.lastCall?.[0]).toEqual(['旧', '新的']);
  });
  test('records are searched while typing, and a failed search can retry', async () => {
    const { person, onDone } = edit(field('relation'));
    await person.type(screen.getByRole('combobox'), '页');
    await person.click(await screen.findByRole('option', { name: '找到 页' }));
    expect(onDone).toHaveBeenCalledWith('down', { value: 'r2' });
    edit(field('user'));
    expect(await screen.findByRole('alert')).toHaveTextContent('The search failed: 网络断开');
    expect(within(screen.getByRole('alert')).getByRole('button', { name: 'Try again' })).toBeVisible();
  });
  test('a date is typed or chosen, and an invalid one is reported', async () => {
    const { person, onChange, onDone } = edit(field('date'), '2026-11-20');
    const typed = screen.getByRole('textbox', { name: '字段' });
    await person.clear(typed);
    expect(onChange).toHaveBeenLastCalledWith(null, undefined);
    await person.type(typed, '2026-2-30');
    expect(onChange.mock.lastCall?.[1]).toBe('Write dates like 2026-11-20');
    await person.clear(typed);
    await person.type(typed, '2026/12/1');
    await person.click(screen.getByRole('button', { name: /December 24, 2026/ }));
    expect(onDone).toHaveBeenCalledWith('down', { value: '2026-12-24' });
  });
  test('the letter that opened the editor is part of the input', () => {
    expect(edit(field('longText'), '旧', '新').onChange).toHaveBeenLastCalledWith('新');
    expect(edit(field('date'), '2026-11-20', '2').onChange).toHaveBeenLastCalledWith('2026-11-20', 'Write dates like 2026-11-20');
    expect(edit(field('rating'), 1, '4').onChange).toHaveBeenLastCalledWith(4);
  });
  test("a point in time is in the site's zone", async () => {
    const { person, onDone } = edit(field('datetime'), '2026-11-20T00:30:00Z');
    const time = screen.getByRole('textbox', { name: 'Time' });
    expect(time).toHaveValue('08:30');
    await person.clear(time);
    await person.type(time, '0:15{Enter}');
    expect(onDone).toHaveBeenCalledWith('down', { value: '2026-11-19T16:15:00.000Z' });
  });
  test("a device's picker keeps the seconds that it does not show", () => {
    const pick = pickerOf(field('datetime'), '2026-11-20T00:05:30.000Z');
    expect(pick.input).toHaveValue('2026-11-20T08:05');
    pick.change('2026-11-21T08:05');
    expect(pick.onChange).toHaveBeenLastCalledWith('2026-11-21T00:05:30.000Z');
    pick.change('2026-11-21T08:06');
    expect(pick.onChange).toHaveBeenLastCalledWith('2026-11-21T00:06:00.000Z');
  });
  test.each([field('date'), field('datetime')])('a year after 9999 is an error in a picker: $type', ({ type }) => {
    const value = type === 'date' ? '2026-11-20' : '2026-11-20T00:05:00.000Z';
    const { change, onChange } = pickerOf(field(type), value);
    change(type === 'date' ? '20260-11-20' : '20260-11-20T08:05');
    expect(onChange).toHaveBeenLastCalledWith(value, 'Write dates like 2026-11-20');
  });
  test('invalid JSON keeps the previous value and shows the position', async () => {
    const { person, onChange } = edit(field('json'), { a: 1 });
    const text = screen.getByRole('textbox');
    await person.clear(text);
    expect(onChange).toHaveBeenLastCalledWith(null);
    await person.type(text, '{{"a": ');
    expect(onChange.mock.lastCall?.[0]).toEqual({ a: 1 });
    expect(onChange.mock.lastCall?.[1]).toContain('Not valid JSON');
  });
  test('a pasted place fills both required fields', async () => {
    const { person, onChange } = edit(field('geo'));
    await person.click(screen.getByRole('textbox', { name: 'Latitude' }));
    await person.paste('31.23, 121.47');
    expect(onChange).toHaveBeenLastCalledWith({ lat: 31.23, lng: 121.47 });
    await person.clear(screen.getByRole('textbox', { name: 'Longitude' }));
    expect(onChange.mock.lastCall?.[1]).toBe('Both latitude and longitude are needed');
  });
  test('stars by keys, files by safe addresses, long text with Ctrl+Enter', async () => {
    const stars = edit(field('rating', { max: 5 }), 2);
    screen.getByRole('slider').focus();
    await stars.person.keyboard('{ArrowRight}{ArrowRight}{Enter}');
    expect(stars.onDone).toHaveBeenLastCalledWith('down', { value: 4 });
    stars.renderResult.unmount();
    const files = edit(field('file'));
    await files.person.type(await screen.findByRole('textbox', { name: 'Address' }), 'javascript:x');
    expect(files.onChange.mock.lastCall?.[1]).toBe('Addresses begin with https:// or /');
    files.renderResult.unmount();
    const long = edit(field('longText'), 'a');
    await long.person.type(screen.getByRole('textbox'), '{Enter}b{Control>}{Enter}{/Control}');
    expect(long.onDone).toHaveBeenLastCalledWith('down', { value: 'a\nb' });
  });
});
