/** Parts of a field that are changed and reported separately; their labels are `edit.part` of tableDesign. */
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
