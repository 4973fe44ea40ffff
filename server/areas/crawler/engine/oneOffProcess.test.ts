import type { Context } from '../../../context';
import { oneOffProcess } from './oneOffProcess';
import type { ToCrawl } from './protocol';

const ctx = {} as Context;
const message: ToCrawl = {
  type: 'extract',
  page: { url: 'https://tea.example/', html: '<h1>Tea</h1>', headers: {} },
  extraction: {
    name: 'Teas',
    pattern: '*',
    rows: '',
    columns: [{ name: 'Name', type: 'text', from: 'css', expression: 'h1', attribute: '', many: false, required: false }],
    tableId: null,
  },
};

test('a place is free again after an answer', async () => {
  const extract = oneOffProcess('extracted', { places: 1, longest: 60_000 });
  const first = extract(ctx, message);
  await expect(extract(ctx, message)).rejects.toMatchObject({ code: 'too_many_requests' });
  expect(await first).toEqual({ type: 'extracted', rows: [{ Name: 'Tea' }] });
  expect(await extract(ctx, message)).toEqual(await first);
});

test('a process that takes too long is ended and gives its place back', async () => {
  const extract = oneOffProcess('extracted', { places: 1, longest: 0 });
  for (let time = 0; time < 2; time += 1) await expect(extract(ctx, message)).rejects.toMatchObject({ code: 'request_timeout' });
});

test('an answer of another kind is an error and gives the place back', async () => {
  const render = oneOffProcess('rendered', { places: 1, longest: 60_000 });
  for (let time = 0; time < 2; time += 1) await expect(render(ctx, message)).rejects.toThrow('unexpected message extracted');
});
