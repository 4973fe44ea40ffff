import RadioButton from '@mui/icons-material/ArrowDropDownCircleOutlined';
import CheckBox from '@mui/icons-material/CheckBoxOutlined';
import LocalOffer from '@mui/icons-material/LocalOfferOutlined';
import { removedChoice } from '@contract/tables/fieldText';
import { Tag } from '@/ui/Tag';
import { ManyChoicesEditor, OneChoiceEditor, TagsEditor } from './choiceEditors';
import { defineFieldType } from './definition';
import type { ConsoleFieldType } from './definition';
import { asTexts } from './env';
import { SwitchEditor } from './plainEditors';

const selection = {
  group: 'choice',
  edit: 'panel',
  folded: true,
  startOptions: { choices: [] },
  text: (value, { options }, env) =>
    asTexts(value)
      .map((id) => options.choices?.find((one) => one.id === id)?.title ?? removedChoice(env.format.locale))
      .join('、'),
  cell: ({ value, field: { options }, env }) => (
    <span className="f-chips">
      {asTexts(value).map((id) => {
        const choice = options.choices?.find((one) => one.id === id);
        return (
          <Tag key={id} color={choice?.color}>
            {choice?.title ?? <span className="f-dim">{removedChoice(env.format.locale)}</span>}
          </Tag>
        );
      })}
    </span>
  ),
} as const satisfies Partial<ConsoleFieldType>;
export const select = defineFieldType({ ...selection, icon: RadioButton, Editor: OneChoiceEditor });
export const multiSelect = defineFieldType({ ...selection, icon: LocalOffer, Editor: ManyChoicesEditor });
export const tags = defineFieldType({
  group: 'choice',
  icon: LocalOffer,
  Editor: TagsEditor,
  edit: 'panel',
  folded: true,
  cell: ({ value }) => (
    <span className="f-chips">
      {asTexts(value).map((tag) => (
        <Tag key={tag}>{tag}</Tag>
      ))}
    </span>
  ),
});
const switchType = defineFieldType({ group: 'choice', icon: CheckBox, Editor: SwitchEditor, edit: 'toggle', width: 120 });
export { switchType as switch };
