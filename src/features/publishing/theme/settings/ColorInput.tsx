import { OutlinedInput } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '@/lib/format';
import { Icon } from '@/ui/Icon';
import type { ControlProps } from '@/ui/form/Field';
import { contrastOf, isColor, leastContrast } from './settingModel';

/** `#abc` and `abc` as `#aabbcc`. */
function completed(text: string): string {
  const digits = text.trim().replace(/^#/, '').toLowerCase();
  if (/^[0-9a-f]{3}$/.test(digits)) return `#${[...digits].map((digit) => digit + digit).join('')}`;
  return /^[0-9a-f]{6}$/.test(digits) ? `#${digits}` : text;
}

const grounds = [
  ['white', '#ffffff'],
  ['black', '#000000'],
] as const;

/** How well white and black text can be read on a colour. */
function ContrastHint({ color }: { readonly color: string }): ReactElement {
  const { t } = useTranslation('publishing');
  const format = useFormat();
  return (
    <ul className="theme-contrast" aria-label={t('theme.settings.contrast')}>
      {grounds.map(([name, text]) => {
        const contrast = contrastOf(color, text);
        const isEnough = contrast >= leastContrast;
        return (
          <li key={name}>
            <span data-tone={isEnough ? 'good' : 'warning'}>
              <Icon name={isEnough ? 'check' : 'warning'} size={14} />
            </span>
            {t(`theme.settings.${name}`, { ratio: format.number(Math.floor(contrast * 10) / 10) })}
            {!isEnough && <span className="only-read">{t('theme.settings.lowContrast')}</span>}
          </li>
        );
      })}
    </ul>
  );
}

/** A colour by the browser's picker or as `#rrggbb`. */
export function ColorInput({
  control,
  value,
  readOnly,
  onChange,
}: {
  readonly control: ControlProps;
  readonly value: string;
  readonly readOnly: boolean;
  readonly onChange: (value: string) => void;
}): ReactElement {
  const { t } = useTranslation('publishing');
  const { id, ...aria } = control;
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    if (completed(typed) !== value) setTyped(value);
  }
  return (
    <>
      <div className="theme-color">
        <input
          type="color"
          aria-label={t('theme.settings.pickColor')}
          value={isColor(value) ? value.toLowerCase() : '#000000'}
          disabled={readOnly}
          onChange={({ target }) => onChange(target.value)}
        />
        <OutlinedInput
          id={id}
          value={typed}
          readOnly={readOnly}
          error={control['aria-invalid']}
          sx={{ width: 140 }}
          slotProps={{ input: { ...aria, maxLength: 7, spellCheck: false, autoCapitalize: 'off' } }}
          onChange={({ target }) => {
            setTyped(target.value);
            onChange(completed(target.value));
          }}
          onBlur={() => isColor(value) && setTyped(value)}
        />
      </div>
      {isColor(value) && <ContrastHint color={value} />}
    </>
  );
}
