import { act, configure, screen, waitFor, within } from '@testing-library/react';
import { checkAnswers } from '@/store/contractChecks';
import type { Answer } from '../../../../test/support/fakeServer';
import { base, id, importOf, one, openTransfer } from '../../../../test/support/transferScreen';

checkAnswers();

// A whole console is drawn: on a busy machine that takes its time.
jest.setTimeout(60_000);
configure({ defaultHidden: true });

let app: Awaited<ReturnType<typeof openTransfer>>;
let now = importOf();
async function open(search: string, answers: Record<string, Answer> = {}) {
  app = await openTransfer(search, () => now, answers);
  return app;
}
const wizard = () => screen.findByRole('dialog', { name: '导入到“文章”' });
beforeEach(() => {
  now = importOf();
});
afterEach(() => {
  app.end();
  sessionStorage.clear();
  localStorage.clear();
});

test('a broken upload resumes with the same file where the server says', async () => {
  const part = 4 * 2 ** 20;
  const whole = part + 2 ** 19;
  now = importOf({ state: 'uploading', file: { name: '文章.csv', size: whole, stored: 100 } });
  const answers: Answer[] = [
    { network: true },
    // The answer was lost, the piece was not.
    { error: '不是这里', status: 409, code: 'conflict', current: importOf({ ...now, file: { ...now.file, stored: 100 + part } }) },
    () => {
      now = importOf({ file: { ...now.file, stored: whole } });
      return { data: now };
    },
  ];
  await open(`?import=${id}`, { [`PUT ${one}/data`]: () => answers.shift() ?? { error: 'too much', status: 500 } });
  const dialog = await wizard();
  const input = () => within(dialog).getByLabelText('选择原来的文件，接着上传', { selector: 'input' });
  expect(within(dialog).getByText(/已上传 100 B，共 4.5 MB/)).toBeInTheDocument();
  const { person } = app;
  await person.upload(input(), new File(['x'], '文章.csv', { type: 'text/csv' }));
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('这不是原来的文件');
  await person.upload(input(), new File([new Uint8Array(whole)], '文章.csv', { type: 'text/csv' }));
  expect(await within(dialog).findByText(/网络中断/)).toBeInTheDocument();
  // Closing by mistake asks.
  await person.click(within(dialog).getByRole('button', { name: '关闭' }));
  await person.click(await screen.findByRole('button', { name: '继续导入' }));
  dispatchEvent(new Event('online'));
  expect(await within(dialog).findByText(/检查前几行是否读对了/)).toBeInTheDocument();
  expect(app.server.calls(`PUT ${one}/data`).map((call) => call.search)).toEqual(['?offset=100', '?offset=100', `?offset=${String(100 + part)}`]);
});

test('a late response does not reopen a finished upload', async () => {
  const begun = importOf({ state: 'uploading', file: { name: '文章.csv', size: 1, stored: 0 } });
  const arrived = importOf({ file: { name: '文章.csv', size: 1, stored: 1 } });
  let [answer, ask] = [() => {}, () => {}];
  const late = new Promise<void>((resolve) => (answer = resolve));
  const first = new Promise<void>((resolve) => (ask = resolve));
  await open('?import=new', {
    [`POST ${base}/imports`]: { data: begun },
    [`GET ${one}`]: () => {
      const isFirst = app.server.calls(`GET ${one}`).length === 1;
      ask();
      return isFirst ? { data: begun, wait: late } : { data: arrived };
    },
    [`PUT ${one}/data`]: { data: arrived, wait: first },
  });
  const dialog = await wizard();
  await app.person.upload(within(dialog).getByLabelText('选择文件', { selector: 'input' }), new File(['x'], '文章.csv', { type: 'text/csv' }));
  expect(await within(dialog).findByText(/检查前几行是否读对了/)).toBeInTheDocument();
  await act(async () => answer());
  await waitFor(() => expect(app.server.calls(`GET ${one}`)).toHaveLength(2));
  expect(within(dialog).getByText(/检查前几行是否读对了/)).toBeInTheDocument();
});
