import { Button } from '@mui/material';
import { useState } from 'react';
import type { ClipboardEvent, KeyboardEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { choiceColors } from '@contract/tables/schemas';
import type { Choice } from '@contract/tables/schemas';
import { tableLimits } from '@contract/tables/terms';
import { FieldGroup } from '@/ui/form/Field';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import { Choose } from '@/features/tables/records/parts';
import { choiceColor } from '@/features/tables/records/useTableLabels';
import { newChoice } from './newChoice';

const swapped = (list: readonly Choice[], a: number, b: number): Choice[] => {
  const next = [...list];
  const [one, other] = [next[a], next[b]];
  if (one && other) [next[a], next[b]] = [other, one];
  return next;
};
/** The titles in pasted text: one per line or cell. */
const choiceTitlesIn = (text: string): string[] =>
  text
    .split(/[\r\n\t]+/)
    .map((line) => line.trim().slice(0, tableLimits.nameLength))
    .filter((line) => line !== '');
/** Adds choices with these titles, without duplicates and up to the maximum; an empty choice at `at` is replaced. */
function withPasted(choices: readonly Choice[], at: number, titles: readonly string[]): Choice[] {
  const next = choices.filter((choice, i) => i !== at || choice.title !== '');
  for (const title of titles) if (!next.some((choice) => choice.title === title) && next.length < tableLimits.choices) next.push(newChoice(title, next));
  return next;
}

/** Buttons that move a choice up or down, or remove it. */
const ChoiceActions = ({
  choice,
  first,
  last,
  onMove,
  onRemove,
}: {
  readonly choice: Choice;
  readonly first: boolean;
  readonly last: boolean;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableDesign');
  return (
    <>
      <IconButton label={t('choices.up', { name: choice.title })} disabled={first} onClick={() => onMove(-1)}>
        ↑
      </IconButton>
      <IconButton label={t('choices.down', { name: choice.title })} disabled={last} onClick={() => onMove(1)}>
        ↓
      </IconButton>
      <IconButton label={t('choices.remove', { name: choice.title })} onClick={onRemove}>
        <Icon name="close" size={14} />
      </IconButton>
    </>
  );
};

/** Choices in order, with colours. Enter adds a choice; pasting several lines adds several. */
export const ChoicesEditor = ({
  choices,
  error,
  disabled,
  onRemove,
  onChange,
}: {
  readonly choices: readonly Choice[];
  /** Called instead of removing a choice at once: records may use it. */ readonly onRemove?: ((choice: Choice) => void) | undefined;
  readonly error?: string | undefined;
  readonly disabled: boolean;
  readonly onChange: (choices: Choice[]) => void;
}): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const [fresh, setFresh] = useState<string | null>(null);
  const put = (at: number, change: Partial<Choice>) => onChange(choices.map((one, i) => (i === at ? { ...one, ...change } : one)));
  const add = () => {
    const createdChoice = newChoice('', choices);
    setFresh(createdChoice.id);
    onChange([...choices, createdChoice]);
  };
  const paste = (at: number) => (event: ClipboardEvent) => {
    const titles = choiceTitlesIn(event.clipboardData.getData('text'));
    if (titles.length < 2) return;
    event.preventDefault();
    onChange(withPasted(choices, at, titles));
  };
  return (
    <FieldGroup label={t('choices.title')} help={disabled ? undefined : t('choices.help')} error={error}>
      <div style={{ display: 'grid', gap: 6 }}>
        {choices.map((choice, i) => (
          <div key={choice.id} className="design-line">
            <span className="design-dot" aria-hidden="true" style={{ background: choiceColor[choice.color] }} />
            <input
              className="tables-input"
              aria-label={t('choices.name', { n: i + 1 })}
              value={choice.title}
              maxLength={tableLimits.nameLength}
              readOnly={disabled}
              ref={choice.id === fresh ? (input) => input?.focus() : undefined}
              onFocus={() => setFresh(null)}
              onPaste={paste(i)}
              onKeyDown={(event: KeyboardEvent) => {
                if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
                event.preventDefault();
                add();
              }}
              onChange={(event) => put(i, { title: event.target.value })}
            />
            <Choose
              label={t('choices.color', { name: choice.title })}
              value={choice.color}
              disabled={disabled}
              options={choiceColors.map((id) => ({ id, name: t(`choices.colors.${id}`) }))}
              onChange={(color) => put(i, { color })}
            />
            {!disabled && (
              <ChoiceActions
                choice={choice}
                first={i === 0}
                last={i === choices.length - 1}
                onMove={(by) => onChange(swapped(choices, i, i + by))}
                onRemove={() => (onRemove ? onRemove(choice) : onChange(choices.filter((one) => one !== choice)))}
              />
            )}
          </div>
        ))}
        {!disabled && (
          <Button sx={{ justifySelf: 'start' }} disabled={choices.length >= tableLimits.choices} onClick={add}>
            {t('choices.add')}
          </Button>
        )}
      </div>
    </FieldGroup>
  );
};
