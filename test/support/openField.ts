import type { OpenField } from '../../contract/tables/forms';

/** A field of a form, for tests. */
export const testField = (id: string, more: Partial<OpenField> = {}): OpenField => ({
  id,
  names: [id],
  type: 'text',
  yields: 'text',
  title: id,
  help: '',
  required: false,
  start: null,
  fills: false,
  options: {},
  conditions: [],
  ...more,
});
