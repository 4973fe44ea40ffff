import NumbersIcon from '@mui/icons-material/NumbersOutlined';
import Schedule from '@mui/icons-material/ScheduleOutlined';
import Star from '@mui/icons-material/StarOutlineOutlined';
import Tag from '@mui/icons-material/TagOutlined';
import { Stars } from './cellParts';
import { defineFieldType } from './definition';
import type { ConsoleFieldType } from './definition';
import { asText } from './env';
import { RatingEditor, lineEditor } from './plainEditors';
import { showDuration } from './valueTexts';

const number = (mode: 'numeric' | 'decimal', more: Partial<ConsoleFieldType> = {}): ConsoleFieldType =>
  defineFieldType({ group: 'number', icon: NumbersIcon, inputMode: mode, Editor: lineEditor(mode), ...more });

export const integer = number('numeric', { width: 110 });
const decimal = number('decimal');
export { decimal as number };
export const currency = number('decimal', { startOptions: { currency: 'CNY', decimals: 2 } });
export const percent = number('decimal');
export const rating = defineFieldType({
  group: 'number',
  icon: Star,
  noQuantity: true,
  Editor: RatingEditor,
  edit: 'panel',
  width: 120,
  startOptions: { max: 5 },
  cell: ({ value, field: { options } }) =>
    typeof value === 'number' ? (
      <>
        <Stars value={value} of={typeof options.max === 'number' ? options.max : 5} />
        <span className="only-read">{value}</span>
      </>
    ) : null,
});
export const duration = defineFieldType({
  group: 'number',
  icon: Schedule,
  Editor: lineEditor('text'),
  text: (value) => (typeof value === 'number' ? showDuration(value) : asText(value)),
});
export const autonumber = defineFieldType({
  group: 'number',
  icon: Tag,
  edit: 'none',
  text: (value, { options }) => `${options.prefix ?? ''}${asText(value).padStart(options.pad ?? 0, '0')}`,
});
