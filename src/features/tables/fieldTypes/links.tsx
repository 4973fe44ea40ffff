import MoveDown from '@mui/icons-material/MoveDownOutlined';
import Person from '@mui/icons-material/PersonOutlined';
import { Links } from './cellParts';
import { PeopleEditor, RecordEditor, RecordsEditor } from './choiceEditors';
import { defineFieldType } from './definition';
import type { ConsoleFieldType } from './definition';
import { asTexts, labelIn } from './env';

const named = (kind: 'records' | 'people'): Pick<ConsoleFieldType, 'text' | 'cell' | 'folded'> => ({
  folded: true,
  text: (value, _field, env) =>
    asTexts(value)
      .map((id) => labelIn(env, kind, id) ?? '…')
      .join('、'),
  cell: ({ value, env }) => <Links env={env} value={value} kind={kind} />,
});
export const user = defineFieldType({ group: 'other', icon: Person, Editor: PeopleEditor, edit: 'panel', ...named('people') });
export const relation = defineFieldType({ group: 'link', icon: MoveDown, Editor: RecordEditor, edit: 'panel', ...named('records') });
export const relations = defineFieldType({ group: 'link', icon: MoveDown, Editor: RecordsEditor, edit: 'panel', ...named('records') });
export const inverse = defineFieldType({ group: 'link', icon: MoveDown, Editor: RecordsEditor, edit: 'record', ...named('records') });
