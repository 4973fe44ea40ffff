import type { OpenField } from '../../contract/tables/forms';

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
