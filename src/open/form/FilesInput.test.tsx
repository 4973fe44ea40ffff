import { act, fireEvent, render, screen } from '@testing-library/react';
import { testField } from '../../../test/support/openField';
import type { OpenForm } from '@contract/tables/forms';
import type { Link, Sent } from '../call';
import { LocaleContext } from '../useMessages';
import { FormFill } from './FormFill';

const photos = testField('f_photos', { type: 'image', title: 'Photos', files: { maxBytes: 1000, most: 2, types: ['image'] } });
const form: OpenForm = {
  needsPassword: false,
  status: 'open',
  title: 'Contest',
  note: '',
  closedText: '',
  once: false,
  timeZone: 'UTC',
  style: 'groups',
  sections: [{ title: '', note: '', collapsed: false, fields: [{ field: photos, width: 'full' }] }],
  stamp: 'stamp 1',
};
const refused = (status: number, fields = {}, retryAfter = 0): Sent<never> => ({ ok: false, status, fields, retryAfter });

beforeEach(() => {
  jest.useFakeTimers();
  sessionStorage.clear();
});
afterEach(() => jest.useRealTimers());

/** The form on the screen. `answer`: the response to the nth upload of a file. */
function open(answer: (name: string, count: number) => Promise<Sent<{ file: string }>>) {
  const uploads: URLSearchParams[] = [];
  const sent: object[] = [];
  const link = {
    name: 'link',
    upload: (path: string) => {
      const params = new URLSearchParams(path.split('?')[1]);
      uploads.push(params);
      return answer(params.get('name') ?? '', uploads.length);
    },
    send: (_path: string, _locale: string, _key: string, { values }: { readonly values: object }) => {
      sent.push(values);
      return Promise.resolve({ ok: true, data: { thanks: '', redirect: null } });
    },
  } as unknown as Link;
  render(
    <LocaleContext value="en">
      <FormFill link={link} form={form} locale="en" onTaken={() => undefined} onAsk={() => Promise.resolve({ ...form, stamp: 'stamp 2' })} />
    </LocaleContext>,
  );
  return { uploads, sent };
}
const pass = () => act(() => jest.advanceTimersByTimeAsync(10_000));
const choose = async (...files: readonly File[]): Promise<void> => {
  fireEvent.change(screen.getByLabelText('Photos'), { target: { files } });
  await pass();
};
const file = (name: string, bytes = 10): File => new File(['x'.repeat(bytes)], name, { type: 'image/jpeg' });
const submit = async (): Promise<void> => {
  fireEvent.click(screen.getByRole('button', { name: 'Submit' }));
  await pass();
};

test('chosen files are uploaded, listed, removed and sent', async () => {
  const { sent } = open((name) => Promise.resolve({ ok: true, data: { file: `sealed ${name}` } }));
  expect(screen.getByText('Up to 2 files of at most 1 KB each')).toBeVisible();
  await choose(file('a.jpg'), file('b.jpg'), file('c.jpg'));
  expect(screen.getByText('Choose 2 files at most.')).toBeVisible();
  fireEvent.click(screen.getByRole('button', { name: 'Remove a.jpg' }));
  await submit();
  expect(sent).toEqual([{ f_photos: [{ file: 'sealed b.jpg' }] }]);
});

test('files that are not taken are named with the reason', async () => {
  const answers: Record<string, Sent<never>> = {
    'b.jpg': refused(422, { file: { code: 'wrong_type' } }),
    'd.jpg': refused(413),
    'e.jpg': refused(429, {}, 3600),
  };
  const { uploads } = open((name) => Promise.resolve(answers[name] ?? refused(500)));
  await choose(file('a.jpg', 1001), file('b.jpg'));
  expect(screen.getByText('a.jpg is too large.')).toBeVisible();
  expect(screen.getByText('This form does not accept b.jpg.')).toBeVisible();
  await choose(file('c.jpg'));
  expect(screen.getByText('c.jpg could not be uploaded. Choose it again.')).toBeVisible();
  await choose(file('d.jpg'), file('e.jpg'));
  expect(screen.getByText('d.jpg cannot be stored. Contact the person who shared the form.')).toBeVisible();
  expect(screen.getByText('Too many files for now. Try again later.')).toBeVisible();
  expect(uploads.map((params) => params.get('name'))).toEqual(['b.jpg', 'c.jpg', 'd.jpg', 'e.jpg']);
});

test('a stale stamp is renewed, and a short wait is waited for', async () => {
  const answers = [refused(422, { stamp: { code: 'unknown' } }), refused(429, {}, 2), { ok: true, data: { file: 'sealed' } } as const];
  const { uploads } = open((_name, count) => Promise.resolve(answers[count - 1] ?? refused(500)));
  await choose(file('a.jpg'));
  expect(uploads.map((params) => params.get('stamp'))).toEqual(['stamp 1', 'stamp 2', 'stamp 2']);
  expect(screen.getByRole('button', { name: 'Remove a.jpg' })).toBeVisible();
});

test('two files of the same name are both under way', async () => {
  open(() => new Promise(() => undefined));
  await choose(file('a.jpg'));
  await choose(file('a.jpg'));
  expect(screen.getAllByText('Uploading, 0%')).toHaveLength(2);
});

test('a form waits for files that are under way', async () => {
  const { sent } = open(() => new Promise(() => undefined));
  await choose(file('a.jpg'));
  expect(screen.getByText('Uploading, 0%')).toBeVisible();
  await submit();
  expect(screen.getByText('Files are still being uploaded. Submit when they are complete.')).toBeVisible();
  expect(sent).toEqual([]);
});
