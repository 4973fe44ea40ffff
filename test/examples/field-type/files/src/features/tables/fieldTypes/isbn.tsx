import Book from '@mui/icons-material/MenuBookOutlined';
import { defineFieldType } from './definition';
import { asText } from './env';
import { lineEditor } from './plainEditors';

export const isbn = defineFieldType({
  group: 'text',
  icon: Book,
  Editor: lineEditor('text'),
  width: 150,
  cell: ({ value }) => <span className="f-line f-code">{asText(value)}</span>,
});
