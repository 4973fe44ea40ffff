/** The languages of a site. */
export default {
  title: 'Languages',
  lead: 'Pages exist in each of these languages. Addresses of the first one, the default, have no prefix.',
  edit: 'Edit languages',
  default: 'Default, without a prefix',
  prefix: 'Addresses begin with {{prefix}}',
  list: 'Languages of the site',
  removal: 'Pages in a language that you remove are not found after the next release; texts in it stay stored.',
  add: 'Add a language',
  up: 'Move {{language}} up',
  down: 'Move {{language}} down',
  remove: 'Remove',
  removeOf: 'Remove {{language}}',
  save: 'Save',
} as const;
