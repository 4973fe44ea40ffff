import AlternateEmail from '@mui/icons-material/AlternateEmailOutlined';
import LinkIcon from '@mui/icons-material/LinkOutlined';
import Notes from '@mui/icons-material/NotesOutlined';
import Palette from '@mui/icons-material/PaletteOutlined';
import Password from '@mui/icons-material/PasswordOutlined';
import Phone from '@mui/icons-material/PhoneOutlined';
import TextFields from '@mui/icons-material/ShortTextOutlined';
import { link } from './cellParts';
import { defineFieldType } from './definition';
import type { ConsoleFieldType } from './definition';
import { asText, safeHref } from './env';
import { ColorEditor, LongTextEditor, lineEditor } from './plainEditors';
import { plainOf } from './valueTexts';

const TextLine = lineEditor('text');
export const text = defineFieldType({ group: 'text', icon: TextFields, Editor: TextLine });
export const longText = defineFieldType({ group: 'text', icon: Notes, Editor: LongTextEditor, edit: 'panel', width: 260 });
export const markdown = defineFieldType({ group: 'text', icon: Notes, Editor: LongTextEditor, edit: 'record', width: 260 });
export const richText = defineFieldType({ group: 'text', icon: Notes, text: (value) => plainOf(asText(value)), edit: 'record', width: 260 });

/** A field type whose values (addresses, numbers) can be followed from their cell. */
const contact = (icon: ConsoleFieldType['icon'], mode: 'email' | 'url' | 'tel', hrefOf: (text: string) => string | null): ConsoleFieldType =>
  defineFieldType({
    group: 'text',
    icon,
    inputMode: mode,
    hasLinks: true,
    Editor: lineEditor(mode),
    cell: ({ value }) => <span className="f-line">{link(hrefOf(asText(value)), asText(value))}</span>,
  });
export const email = contact(AlternateEmail, 'email', (address) => `mailto:${encodeURIComponent(address).replaceAll('%40', '@')}`);
export const url = contact(LinkIcon, 'url', safeHref);
export const phone = contact(Phone, 'tel', (number) => `tel:${number.replaceAll(/[^\d+]/g, '')}`);

export const slug = defineFieldType({ group: 'text', icon: LinkIcon, Editor: TextLine });
export const color = defineFieldType({
  group: 'choice',
  icon: Palette,
  Editor: ColorEditor,
  edit: 'panel',
  cell: ({ value, text: displayText }) => (
    <span className="f-line">
      <span className="f-swatch" style={{ background: /^#[\da-f]{3,8}$/i.test(asText(value)) ? asText(value) : 'none' }} />
      {displayText()}
    </span>
  ),
});
export const password = defineFieldType({ group: 'other', icon: Password, text: () => '••••••', edit: 'record' });
