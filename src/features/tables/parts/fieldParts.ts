/** Parts of a field that are changed and told by themselves; their words are `edit.part` of tableDesign. */
export const fieldParts = [
  'title',
  'key',
  'help',
  'required',
  'localized',
  'searchable',
  'hidden',
  'readonly',
  'sensitive',
  'options',
  'rules',
  'conditions',
  'default',
] as const;
