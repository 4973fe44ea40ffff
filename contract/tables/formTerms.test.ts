import { formStates, publicForm } from './formTerms';
import type { FieldType } from './terms';

const field = (id: string, more: Partial<Parameters<typeof publicForm>[0]['fields'][number]> = {}) => ({
  id,
  type: 'text' as FieldType,
  hidden: false,
  readonly: false,
  sensitive: false,
  required: false,
  default: null,
  options: {},
  conditions: [],
  ...more,
});
const table = (...fields: ReturnType<typeof field>[]) => ({ fields, primaryField: fields[0]?.id ?? null, layout: null });

test('the public fills in what the view shows, in its order, less what must stay inside', () => {
  const all = table(
    field('f_name'),
    field('f_note'),
    field('f_pay', { sensitive: true }),
    field('f_inner', { hidden: true }),
    field('f_host', { type: 'user' }),
    field('f_fixed', { readonly: true }),
    field('f_sum', { type: 'formula' }),
  );
  const form = publicForm(all, ['f_note', 'f_pay', 'f_inner', 'f_host', 'f_fixed', 'f_sum']);
  // What a record is known by is always asked for.
  expect(form.laid.fields.map(({ id }) => id)).toEqual(['f_name', 'f_note']);
  expect(form.leftOut.map(({ field: { id }, why }) => [id, why])).toEqual([
    ['f_pay', 'sensitive'],
    ['f_inner', 'hidden'],
    ['f_host', 'kind'],
  ]);
  expect(publicForm(all, null).laid.fields.map(({ id }) => id)).toEqual(['f_name', 'f_note']);
});

test('what is required and neither asked for nor filled in by itself is missing', () => {
  const required = { required: true };
  const all = table(
    field('f_name', required),
    field('f_a', required),
    field('f_b', { ...required, default: { kind: 'value', value: 'x' } }),
    field('f_c', { ...required, default: { kind: 'user' } }),
    field('f_d', { ...required, default: { kind: 'now' }, type: 'date' }),
    field('f_e', { ...required, type: 'slug', options: { from: 'f_name' } }),
    field('f_f', { ...required, conditions: [{ then: 'hidden' }] }),
    field('f_g', { ...required, type: 'autonumber' }),
    field('f_h', { ...required, default: { kind: 'value', value: '' } }),
  );
  expect(publicForm(all, ['f_name']).missing.map(({ id }) => id)).toEqual(['f_a', 'f_c', 'f_h']);
});

test('a field that a condition takes away counts as it would be kept, so that the server and the page agree about those that hang on it', () => {
  const at = { now: 0, zone: 'UTC', userId: null };
  const one = (id: string, conditions: Parameters<typeof formStates>[0][number]['conditions'], start: unknown = null) => ({
    id,
    yields: 'text' as const,
    required: false,
    start,
    conditions,
  });
  const is = (name: string, value: string) => ({ field: name, op: 'eq' as const, value });
  const fields = [
    one('kind', []),
    one('why', [{ filter: { not: is('kind', 'return') }, then: 'hidden' }]),
    one('photo', [
      { filter: { field: 'why', op: 'empty' }, then: 'hidden' },
      { filter: is('why', 'broken'), then: 'required' },
    ]),
  ];
  const shown = (values: Record<string, unknown>) => [...formStates(fields, values, at)].map(([id, state]) => [id, state.shown, state.required]);
  expect(shown({ kind: 'return', why: 'broken' })).toEqual([
    ['kind', true, false],
    ['why', true, false],
    ['photo', true, true],
  ]);
  // Typed once and hidden since.
  expect(shown({ kind: 'question', why: 'broken' })).toEqual([
    ['kind', true, false],
    ['why', false, false],
    ['photo', false, false],
  ]);
  // Two that hide each other come to an end.
  const both = [one('a', [{ filter: { field: 'b', op: 'empty' }, then: 'hidden' }]), one('b', [{ filter: { field: 'a', op: 'notEmpty' }, then: 'hidden' }])];
  expect(formStates(both, { a: 'x', b: 'y' }, at).size).toBe(2);
});
