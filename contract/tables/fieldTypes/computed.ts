import { defineFieldType } from './definition';
import type { FieldTypeDefinition } from './definition';

/** Computed when read; its value kind depends on the field (`TableField.yields`). */
const computed = (definition: Omit<FieldTypeDefinition, 'column' | 'family' | 'computed' | 'defaults'>): FieldTypeDefinition =>
  defineFieldType({ column: 'none', family: 'other', computed: true, defaults: [], ...definition });

export const lookup = computed({
  options: ['relation', 'target'],
  neededOptions: ['relation', 'target'],
  near: ['text', 'tags', 'number', 'date'],
});
export const rollup = computed({
  options: ['relation', 'target', 'how'],
  neededOptions: ['relation', 'how'],
  near: ['number', 'integer', 'text', 'date'],
});
export const formula = computed({
  options: ['formula', 'decimals', 'unit'],
  neededOptions: ['formula'],
  naming: 2,
  slugSource: true,
  near: ['text', 'number', 'integer', 'date', 'switch'],
});
export const button = computed({ options: ['label', 'url'], neededOptions: ['label', 'url'], convertible: false });
