import { formStates } from './formTerms';
import { publicForm } from './publicForm';
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

test('a public form has the fields of its view, except private ones', () => {
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
  // The primary field is always included.
  expect(form.laid.fields.map(({ id }) => id)).toEqual(['f_name', 'f_note']);
  expect(form.leftOut.map(({ field: { id }, why }) => [id, why])).toEqual([
    ['f_pay', 'sensitive'],
    ['f_inner', 'hidden'],
    ['f_host', 'kind'],
  ]);
  expect(publicForm(all, null).laid.fields.map(({ id }) => id)).toEqual(['f_name', 'f_note']);
});

test('required fields neither shown nor filled automatically are reported missing', () => {
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

test('a hidden field counts with its stored value in later conditions', () => {
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
  const visibility = (values: Record<string, unknown>) => [...formStates(fields, values, at)].map(([id, state]) => [id, state.visible, state.required]);
  expect(visibility({ kind: 'return', why: 'broken' })).toEqual([
    ['kind', true, false],
    ['why', true, false],
    ['photo', true, true],
  ]);
  // Filled in first, then hidden.
  expect(visibility({ kind: 'question', why: 'broken' })).toEqual([
    ['kind', true, false],
    ['why', false, false],
    ['photo', false, false],
  ]);
  // Evaluation of two fields that hide each other terminates.
  const both = [one('a', [{ filter: { field: 'b', op: 'empty' }, then: 'hidden' }]), one('b', [{ filter: { field: 'a', op: 'notEmpty' }, then: 'hidden' }])];
  expect(formStates(both, { a: 'x', b: 'y' }, at).size).toBe(2);
});
