import Functions from '@mui/icons-material/FunctionsOutlined';
import SmartButton from '@mui/icons-material/SmartButtonOutlined';
import { link } from './cellParts';
import { defineFieldType } from './definition';
import { safeHref } from './env';

export const lookup = defineFieldType({ group: 'link', icon: Functions, edit: 'none', showsLists: true });
export const rollup = defineFieldType({ group: 'link', icon: Functions, edit: 'none', startOptions: { how: 'count' } });
export const formula = defineFieldType({ group: 'computed', icon: Functions, edit: 'none' });

const buttonOf = (value: unknown): { readonly url: string; readonly label: string } | null => {
  if (typeof value !== 'object' || value === null || !('url' in value) || typeof value.url !== 'string') return null;
  return { url: value.url, label: 'label' in value && typeof value.label === 'string' ? value.label : value.url };
};
export const button = defineFieldType({
  group: 'computed',
  icon: SmartButton,
  edit: 'none',
  hasLinks: true,
  cell: ({ value }) => {
    const found = buttonOf(value);
    return found && <span className="f-button">{link(safeHref(found.url), found.label)}</span>;
  },
});
