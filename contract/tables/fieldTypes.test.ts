import { fieldTypeOf, fieldTypes, isPublicFormType, nearTypes } from './fieldTypes';
import { formTypes } from './formText';

test.each(fieldTypes)('%s refers only to existing types', (type) => {
  const { near = [], nearFrom = [] } = fieldTypeOf(type);
  expect([...near, ...nearFrom].filter((name) => !(fieldTypes as readonly string[]).includes(name))).toEqual([]);
});

test.each(fieldTypes)('%s accepts every option that it needs', (type) => {
  const { options, neededOptions = [] } = fieldTypeOf(type);
  expect(options).toEqual(expect.arrayContaining([...neededOptions]));
});

test.each(fieldTypes)('the suggested conversions of %s are unique', (type) => {
  expect(new Set(nearTypes(type)).size).toBe(nearTypes(type).length);
});

test('public forms load exactly the types that they allow', () => {
  expect(Object.entries(formTypes)).toEqual(fieldTypes.filter(isPublicFormType).map((type) => [type, fieldTypeOf(type)]));
});
