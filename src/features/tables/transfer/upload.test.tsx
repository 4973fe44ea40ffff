import { configure, screen, waitFor, within } from '@testing-library/react';
import { checkResponses } from '../../../../test/support/checkedResponses';
import { chunkStored, uploadState } from '../../../../test/support/fakeServer';
import type { Answer } from '../../../../test/support/fakeServer';
import { base, id, importOf, one, openTransfer } from '../../../../test/support/transferScreen';

checkResponses();

// These tests render the whole console, which takes its time on a busy machine.
jest.setTimeout(60_000);
configure({ defaultHidden: true });

let app: Awaited<ReturnType<typeof openTransfer>>;
let now = importOf();
async function open(search: string, answers: Record<string, Answer> = {}) {
  app = await openTransfer(search, () => now, answers);
  return app;
}
const wizard = () => screen.findByRole('dialog', { name: 'Import into “文章”' });
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
  let stored = 100;
  now = importOf({ state: 'uploading', file: { name: '文章.csv', size: whole, stored } });
  const answers: Answer[] = [
    () => {
      // The response is lost, the chunk is stored.
      stored += part;
      return { network: true };
    },
    () => {
      now = importOf({ file: { ...now.file, stored: whole } });
      return chunkStored(whole);
    },
  ];
  await open(`?import=${id}`, {
    [`HEAD ${one}/file`]: () => uploadState(stored, whole),
    [`PATCH ${one}/file`]: () => answers.shift() ?? { error: 'too much', status: 500 },
  });
  const dialog = await wizard();
  const input = () => within(dialog).getByLabelText('Choose the same file to continue', { selector: 'input' });
  expect(within(dialog).getByText(/100 B of 4\.5 MB of “文章\.csv” have arrived/)).toBeInTheDocument();
  const { person } = app;
  await person.upload(input(), new File(['x'], '文章.csv', { type: 'text/csv' }));
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('This is another file');
  await person.upload(input(), new File([new Uint8Array(whole)], '文章.csv', { type: 'text/csv' }));
  expect(await within(dialog).findByText(/The network is down/)).toBeInTheDocument();
  // Closing asks for confirmation.
  await person.click(within(dialog).getByRole('button', { name: 'Close' }));
  await person.click(await screen.findByRole('button', { name: 'Stay here' }));
  dispatchEvent(new Event('online'));
  expect(await within(dialog).findByText(/Are the first rows read as they should be/)).toBeInTheDocument();
  expect(app.server.calls(`PATCH ${one}/file`).map(({ headers }) => headers.get('upload-offset'))).toEqual(['100', String(100 + part)]);
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
    [`HEAD ${one}/file`]: () => first.then(() => uploadState(0, 1)),
    [`PATCH ${one}/file`]: () => {
      // The first question about the import is answered after the file has arrived.
      setTimeout(answer, 50);
      return chunkStored(1);
    },
  });
  const dialog = await wizard();
  await app.person.upload(within(dialog).getByLabelText('Choose a file', { selector: 'input' }), new File(['x'], '文章.csv', { type: 'text/csv' }));
  expect(await within(dialog).findByText(/Are the first rows read as they should be/)).toBeInTheDocument();
  await waitFor(() => expect(app.server.calls(`GET ${one}`)).toHaveLength(2));
  expect(within(dialog).getByText(/Are the first rows read as they should be/)).toBeInTheDocument();
});
