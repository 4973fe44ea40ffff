import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ensureMessages, startI18n } from '@/i18n';
import type { ShownField } from '../env';
import { BarcodeEditor, BarcodeRecordEditor } from './BarcodeEditor';

beforeAll(async () => {
  await startI18n('en');
  await ensureMessages(['tableFields']);
});
const field: ShownField = {
  id: 'f_aaaaaaaaaaaa',
  type: 'barcode',
  title: 'Code',
  options: { symbology: 'ean13' },
  yields: 'text',
  problem: null,
  readonly: false,
  required: false,
};

test("a scanner's digits and Enter save the value and close the cell", async () => {
  const [onChange, onDone] = [jest.fn(), jest.fn()];
  render(<BarcodeEditor field={field} value={null} onChange={onChange} onDone={onDone} />);
  await userEvent.type(screen.getByRole('textbox', { name: 'Code' }), '5901234123457{Enter}');
  expect(onChange).toHaveBeenLastCalledWith('5901234123457');
  expect(onDone).toHaveBeenCalledWith('down');
});

test('a wrong check digit is reported while typing', async () => {
  const onChange = jest.fn();
  render(<BarcodeEditor field={field} value={null} onChange={onChange} />);
  await userEvent.type(screen.getByRole('textbox'), '5901234123458');
  expect(onChange).toHaveBeenLastCalledWith(null, expect.stringContaining('EAN-13'));
});

test('in a form the next scan replaces the value without submitting', async () => {
  const [onChange, onSubmit] = [jest.fn(), jest.fn()];
  render(
    <form onSubmit={onSubmit}>
      <BarcodeEditor field={field} value={null} onChange={onChange} />
    </form>,
  );
  await userEvent.type(screen.getByRole('textbox'), '5901234123457{Enter}');
  await userEvent.keyboard('4006381333931{Enter}');
  expect(onChange).toHaveBeenLastCalledWith('4006381333931');
  expect(onSubmit).not.toHaveBeenCalled();
});

test('a record shows the image of the code', () => {
  render(<BarcodeRecordEditor field={field} value="5901234123457" onChange={jest.fn()} />);
  expect(screen.getByRole('img')).toHaveAccessibleName(expect.stringContaining('5901234123457'));
});
