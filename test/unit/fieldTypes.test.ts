import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fieldTypes } from '../../contract/tables/fieldTypes';
import { valueKinds } from '../../contract/tables/terms';

/** Types that the structure of tables refers to by name: their meaning involves definitions, links and permissions, not only a value. */
const structural = new Set<string>([
  // Their values are in link tables, in columns that refer to records and people, or computed.
  'relation',
  'relations',
  'inverse',
  'user',
  'lookup',
  'rollup',
  'formula',
  'button',
  // Their choices are rows of the definition; a slug is derived from another field, a number from a counter.
  'select',
  'multiSelect',
  'slug',
  'autonumber',
  // Hashed values must never be read.
  'password',
]);

/** Files that name other types, and how often. The numbers may only decrease. */
const exceptions: Readonly<Record<string, number>> = {
  // Words of rich text and digits of telephone numbers in the search index.
  'server/areas/tables/core/read/search.ts': 2,
  'server/areas/tables/core/search.ts': 2,
  // A default of now, as stored in the column.
  'server/areas/tables/core/values/check.ts': 2,
  // A cover is an image; a calendar day is a date or a date-time.
  'server/areas/tables/core/viewQuery.ts': 3,
  'src/features/tables/records/CalendarDay.tsx': 1,
  'src/features/tables/records/GalleryView.tsx': 1,
  'src/features/tables/records/calendarDays.ts': 3,
  'src/features/tables/records/cards.tsx': 2,
  'src/features/tables/records/newView.ts': 4,
  'src/features/tables/records/panels.tsx': 1,
  // JSON values in files, which are written as JSON.
  'server/areas/tables/core/write/cellTexts.ts': 1,
  'server/areas/tables/transfer/exporting.ts': 1,
  // The result type of a computed field has its own options.
  'server/areas/tables/schema/conversion/pass.ts': 1,
  // The currency of the language in which a template is used.
  'server/areas/tables/schema/templates.ts': 1,
  // The designer: a switch defaults to on; ratings and durations have their own labels.
  'src/features/tables/schema/fields/DefaultPart.tsx': 1,
  'src/features/tables/schema/fields/OptionsPart.tsx': 3,
  // Larger record editors.
  'src/features/tables/record/Content.tsx': 1,
  'src/features/tables/record/moreEditors.tsx': 1,
  'src/features/tables/records/BulkDialog.tsx': 1,
  // The public form page has its own inputs, without the console.
  'src/open/form/FieldInput.tsx': 9,
  'src/open/form/fillState.ts': 1,
  'src/open/form/typed.ts': 7,
  'src/open/form/useFill.ts': 1,
  'src/open/form/useFormMessages.ts': 3,
};

const folders = ['contract/tables', 'server/areas/tables', 'src/features/tables', 'src/open'];
const isRegistry = (path: string): boolean => /(^|\/)fieldTypes\//.test(path) || /\.test\.tsx?$|messages\./.test(path);
/** Types of formulas, `Intl` parts, API parameters, Markdown tokens and address parts, which are not field types. */
const hasOtherTypes = /formula|currencySymbol|maintenance\/openApi|record\/Markdown\.tsx|publicLinks\/reach|read\/sort/;
const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name).replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path) && !isRegistry(path) && !hasOtherTypes.test(path));

const names = fieldTypes.filter((type) => !structural.has(type));
/** Some kinds of values have the same names: their `case` is not one of a type. */
const onlyTypes = names.filter((type) => !(valueKinds as readonly string[]).includes(type) && !['time', 'file', 'url', 'email', 'json'].includes(type));
const comparison = new RegExp(String.raw`\b[tT]ype\)? [!=]== '(?:${names.join('|')})'|case '(?:${onlyTypes.join('|')})':`, 'g');

test('only the registries test the type of a value', () => {
  const found = folders
    .flatMap(filesOf)
    .map((path): [string, number] => [path, [...readFileSync(path, 'utf8').matchAll(comparison)].length])
    .filter(([, count]) => count > 0);
  expect(Object.fromEntries(found)).toEqual(exceptions);
});
