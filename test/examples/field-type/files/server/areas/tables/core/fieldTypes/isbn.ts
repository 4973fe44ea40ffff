import { isbnOf } from '../../../../../contract/tables/fieldTypes/isbn';
import { refuse } from '../values/valueErrors';
import { textType } from './texts';

export const isbn = textType((text) => isbnOf(text) ?? refuse('pattern'), {
  indexedAsWritten: true,
  schema: () => ({ type: 'string', pattern: String.raw`^97[89]\d{10}$` }),
});
