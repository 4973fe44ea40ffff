import { addressColumn, fieldsByColumn } from './rowMapping';

const field = (id: string, type: string, { title = id, isKey = false } = {}) => ({ id, key: id, title, type, isKey });

test('columns match keys and titles of fields regardless of case and width', () => {
  expect(fieldsByColumn(['Name', 'ＰＲＩＣＥ', 'other'], [field('f1', 'text', { title: ' name ' }), field('price', 'number')])).toEqual({
    Name: 'f1',
    ＰＲＩＣＥ: 'price',
  });
});

test('the address goes into a field for addresses that is free', () => {
  const fields = [field('link', 'url'), field('source', 'url'), field('page', 'url', { isKey: true })];
  expect(fieldsByColumn([], fields)).toEqual({ [addressColumn]: 'page' });
  expect(fieldsByColumn(['page', 'link'], fields)).toEqual({ page: 'page', link: 'link', [addressColumn]: 'source' });
});
