import { defineFieldType, read } from './definition';
import type { FieldTypeDefinition } from './definition';

const lengths = ['minLength', 'maxLength', 'pattern', 'patternMessage', 'placeholder'] as const;

/** Text written by people: searchable, localizable and importable. */
const written = (definition: Omit<FieldTypeDefinition, 'column' | 'family'>): FieldTypeDefinition =>
  defineFieldType({ column: 'text', family: 'text', localizable: true, searchable: true, importable: true, ...definition });
const asWritten: FieldTypeDefinition['fromText'] = (_trimmed, _field, _context, text) => read(text);

export const text = written({
  prose: true,
  options: lengths,
  unique: true,
  naming: 0,
  slugSource: true,
  publicForm: true,
  defaults: ['value', 'uuid'],
  near: ['longText', 'select', 'multiSelect', 'number', 'integer', 'date', 'datetime', 'relation', 'tags', 'url', 'email', 'markdown', 'richText'],
  fromText: (_trimmed, _field, _context, untrimmed) => read(untrimmed.replaceAll(/[\r\n\u2028\u2029]+/g, ' ')),
});
export const longText = written({
  prose: true,
  options: lengths,
  naming: 0,
  slugSource: true,
  publicForm: true,
  near: ['text', 'markdown', 'richText', 'tags', 'multiSelect', 'json'],
  fromText: asWritten,
});
export const markdown = written({
  prose: true,
  options: lengths,
  naming: Infinity,
  publicForm: true,
  near: ['longText', 'richText', 'text'],
  fromText: asWritten,
});
export const richText = written({
  prose: true,
  uses: 'html',
  options: ['maxLength', 'placeholder'],
  near: ['longText', 'markdown', 'text'],
  fromText: asWritten,
});

/** An address or number for contacting somebody. */
const contact = (definition: Pick<FieldTypeDefinition, 'near' | 'localizable' | 'slugSource'>): FieldTypeDefinition =>
  defineFieldType({
    column: 'text',
    family: 'text',
    options: ['placeholder'],
    searchable: true,
    unique: true,
    naming: 0,
    publicForm: true,
    importable: true,
    ...definition,
  });
export const email = contact({ slugSource: true, near: ['text', 'user', 'url'] });
export const url = contact({ localizable: true, near: ['text', 'image', 'file', 'video'] });
export const phone = contact({ near: ['text', 'integer'] });

export const slug = written({ options: ['from', 'maxLength', 'placeholder'], unique: true, naming: 1 });
export const color = defineFieldType({ column: 'text', family: 'text', options: [], publicForm: true, importable: true });
/** Written as text, stored as a hash; read as true (set) or null. */
export const password = defineFieldType({
  column: 'text',
  family: 'text',
  options: ['minLength', 'placeholder'],
  secret: true,
  defaults: [],
  convertible: false,
  toText: () => '',
  fromText: asWritten,
});
