import { Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { itemTypes } from '@contract/tables/schemas';
import type { RepeaterItem } from '@contract/tables/schemas';
import { tableLimits } from '@contract/tables/terms';
import { FieldGroup } from '@/ui/form/Field';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import { ChooseLine, TextLine, Tick } from '@/features/tables/parts/controls';
import { ChoicesEditor } from './ChoicesEditor';

/** The fields of each item of a repeater. */
export const ItemsEditor = ({
  items,
  errorAt,
  disabled,
  onChange,
}: {
  readonly items: readonly RepeaterItem[];
  readonly errorAt: (path: string) => string | undefined;
  readonly disabled: boolean;
  readonly onChange: (items: RepeaterItem[]) => void;
}): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const put = (at: number, next: RepeaterItem) => onChange(items.map((one, i) => (i === at ? next : one)));
  const retyped = ({ choices, ...rest }: RepeaterItem, type: RepeaterItem['type']): RepeaterItem =>
    type === 'select' ? { ...rest, type, choices: choices ?? [] } : { ...rest, type };
  const add = () => {
    let n = items.length + 1;
    while (items.some(({ key }) => key === `item${String(n)}`)) n += 1;
    onChange([...items, { key: `item${String(n)}`, title: '', type: 'text', required: false }]);
  };
  return (
    <FieldGroup label={t('items.title')} error={items.length === 0 ? errorAt('options.items') : undefined}>
      <div style={{ display: 'grid', gap: 8 }}>
        {items.map((item, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- a key is typed, and may be empty or twice while it is
          <div key={i} className="design-box">
            <div className="design-two">
              <TextLine
                label={t('items.name')}
                value={item.title}
                max={tableLimits.nameLength}
                error={errorAt(`options.items.${String(i)}.title`)}
                disabled={disabled}
                onChange={(title) => put(i, { ...item, title })}
              />
              <TextLine
                label={t('items.key')}
                value={item.key}
                max={tableLimits.keyLength}
                mono
                error={errorAt(`options.items.${String(i)}.key`)}
                disabled={disabled}
                onChange={(key) => put(i, { ...item, key })}
              />
              <ChooseLine
                label={t('items.type')}
                value={item.type}
                options={itemTypes.map((id) => ({ id, name: t(`type.${id}`) }))}
                disabled={disabled}
                onChange={(type) => put(i, retyped(item, type))}
              />
            </div>
            {item.type === 'select' && (
              <ChoicesEditor
                choices={item.choices ?? []}
                error={errorAt(`options.items.${String(i)}.choices`)}
                disabled={disabled}
                onChange={(choices) => put(i, { ...item, choices })}
              />
            )}
            <div className="design-line" style={{ justifyContent: 'space-between' }}>
              <Tick label={t('items.required')} checked={item.required} disabled={disabled} onChange={(required) => put(i, { ...item, required })} />
              {!disabled && (
                <IconButton label={t('items.remove', { name: item.title })} onClick={() => onChange(items.filter((one) => one !== item))}>
                  <Icon name="close" size={14} />
                </IconButton>
              )}
            </div>
          </div>
        ))}
        {!disabled && (
          <Button sx={{ justifySelf: 'start' }} disabled={items.length >= 30} onClick={add}>
            {t('items.add')}
          </Button>
        )}
      </div>
    </FieldGroup>
  );
};
