import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ensureMessages, startI18n } from '@/i18n';
import { violationsOf } from '../../../test/support/axe';
import { Chart } from './Chart';
import type { ChartLine, ChartPoint } from './types';

const points: ChartPoint[] = ['11-18 周三', '11-19 周四', '11-20 周五'].map((name, at) => ({
  name,
  tick: name.slice(0, 5),
  compareName: `上周 ${name}`,
  open: at === 2,
}));
const line = (change: Partial<ChartLine> = {}): ChartLine => ({
  id: 'visitors',
  name: '访客数',
  values: [100, 12_345, null],
  compare: [90, 80, 70],
  unit: 'count',
  write: (value) => (value === null ? '–' : value.toLocaleString('en')),
  writeTick: (value) => (value >= 10_000 ? `${value / 10_000} 万` : String(value)),
  ...change,
});

beforeAll(async () => {
  await startI18n('en');
  await ensureMessages(['chart']);
});

const show = async (lines: ChartLine[] = [line()], onPick?: (index: number) => void) => {
  const view = render(<Chart label="Trend" points={points} lines={lines} {...(onPick === undefined ? {} : { onPick })} />);
  return { ...view, chart: await screen.findByRole('group', { name: /^Trend, / }), person: userEvent.setup() };
};

test('arrow keys read the points and comparison, beginning with the newest', async () => {
  const { chart, person } = await show();
  chart.focus();
  await person.keyboard('{ArrowRight}');
  expect(screen.getByRole('status')).toHaveTextContent('11-20 周五 (in progress): 访客数 –, compared with 70');
  await person.keyboard('{ArrowLeft}');
  expect(screen.getByRole('status')).toHaveTextContent('11-19 周四: 访客数 12,345, compared with 80');
  await person.keyboard('{Home}');
  expect(screen.getByRole('status')).toHaveTextContent('11-18 周三');
  await person.keyboard('{Escape}');
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});

test('Enter on a point opens its details', async () => {
  const picked: number[] = [];
  const { chart, person } = await show([line()], (index) => picked.push(index));
  chart.focus();
  await person.keyboard('{End}{ArrowLeft}{Enter}');
  expect(picked).toEqual([1]);
});

test("the axis has the reader's units and starts at zero", async () => {
  const { chart } = await show();
  expect(chart).toHaveTextContent('1.5 万');
  expect(chart).toHaveTextContent(/^0/);
});

test('a second measure with another unit gets its own axis', async () => {
  const { chart } = await show([
    line(),
    line({ id: 'duration', name: '时长', unit: 'seconds', values: [60, 90, 30], compare: undefined, writeTick: (value) => `${value} 秒` }),
  ]);
  expect(chart).toHaveTextContent('90 秒');
});

test('a table has the same figures, and axe finds nothing', async () => {
  const { person, container } = await show();
  expect(await violationsOf(container)).toEqual([]);
  await person.click(screen.getByRole('button', { name: 'Show table' }));
  const table = screen.getByRole('table', { name: 'Trend: table' });
  expect(table).toHaveTextContent('12,345');
  expect(screen.queryByRole('group', { name: /^Trend, / })).not.toBeInTheDocument();
  expect(await violationsOf(container)).toEqual([]);
});
