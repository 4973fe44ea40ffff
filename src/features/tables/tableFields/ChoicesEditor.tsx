import { Button } from '@mui/material';
import { nanoid } from '@reduxjs/toolkit';
import { useState } from 'react';
import type { ClipboardEvent, KeyboardEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { choiceColors } from '@contract/tables/schemas';
import type { Choice } from '@contract/tables/schemas';
import { tableLimits } from '@contract/tables/terms';
import { FieldGroup } from '@/ui/form/Field';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/PlainButton';
import { Choose } from '../records/parts';
import { choiceColor } from '../records/useTableWords';

const swapped = (list: readonly Choice[], a: number, b: number): Choice[] => {
  const next = [...list];
  const [one, other] = [next[a], next[b]];
  if (one && other) [next[a], next[b]] = [other, one];
  return next;
};
/** A colour that the last few do not have. */
const nextColor = (choices: readonly Choice[]): Choice['color'] => choiceColors[(choices.length + 1) % choiceColors.length] ?? 'grey';
const newChoice = (title: string, before: readonly Choice[]): Choice => ({ id: nanoid(8), title, color: nextColor(before) });

/** Choices in their order, with colours. Enter goes on to a new one, several pasted lines become several choices. */
export const ChoicesEditor = ({
  choices,
  error,
  disabled,
  onRemove,
  onChange,
}: {
  readonly choices: readonly Choice[];
  /** Asked instead of taking a choice out at once: records may have it. */ readonly onRemove?: ((choice: Choice) => void) | undefined;
  readonly error?: string | undefined;
  readonly disabled: boolean;
  readonly onChange: (choices: Choice[]) => void;
}): ReactElement => {
  const { t } = useTranslation('tableDesign');
  const [fresh, setFresh] = useState<string | null>(null);
  const put = (at: number, change: Partial<Choice>) => onChange(choices.map((one, i) => (i === at ? { ...one, ...change } : one)));
  const add = () => {
    const made = newChoice('', choices);
    setFresh(made.id);
    onChange([...choices, made]);
  };
  const paste = (at: number) => (event: ClipboardEvent) => {
    const lines = event.clipboardData
      .getData('text')
      .split(/[\r\n\t]+/)
      .map((line) => line.trim().slice(0, tableLimits.nameLength))
      .filter((line) => line !== '');
    if (lines.length < 2) return;
    event.preventDefault();
    const next = choices.filter((one, i) => i !== at || one.title !== '');
    for (const line of lines) if (!next.some(({ title }) => title === line) && next.length < tableLimits.choices) next.push(newChoice(line, next));
    onChange(next);
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
              <>
                <IconButton label={t('choices.up', { name: choice.title })} disabled={i === 0} onClick={() => onChange(swapped(choices, i, i - 1))}>
                  ↑
                </IconButton>
                <IconButton
                  label={t('choices.down', { name: choice.title })}
                  disabled={i === choices.length - 1}
                  onClick={() => onChange(swapped(choices, i, i + 1))}
                >
                  ↓
                </IconButton>
                <IconButton
                  label={t('choices.remove', { name: choice.title })}
                  onClick={() => (onRemove ? onRemove(choice) : onChange(choices.filter((one) => one !== choice)))}
                >
                  <Icon name="close" size={14} />
                </IconButton>
              </>
            )}
          </div>
        ))}
        {!disabled && (
          <Button size="small" sx={{ justifySelf: 'start' }} disabled={choices.length >= tableLimits.choices} onClick={add}>
            {t('choices.add')}
          </Button>
        )}
      </div>
    </FieldGroup>
  );
};
