import { Box, OutlinedInput, Paper, Popper, Typography } from '@mui/material';
import useAutocomplete from '@mui/material/useAutocomplete';
import { useEffect, useEffectEvent, useState } from 'react';
import type { ReactElement } from 'react';
import { useController } from 'react-hook-form';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Caret } from '../Caret';
import { Field } from './Field';
import type { BoundProps } from './TextField';
import { useFieldErrorMessage } from './useFieldErrorMessage';

export type Option = {
  readonly value: string;
  readonly label: string;
  /** Shown behind the label, muted: an offset, a code. */
  readonly detail?: string;
  /** Further search terms for this option. */
  readonly keywords?: string;
};

/** Enough for every time zone; nobody reads a longer list. */
const mostOptions = 500;

const stringify = (option: Option): string => [option.label, option.value, option.detail ?? '', option.keywords ?? ''].join(' ').toLowerCase();

/** The options in which every typed word occurs; those that start with the text come first. */
function narrow(options: readonly Option[], typed: string): Option[] {
  const terms = typed
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== '');
  const found = options.filter((option) => {
    const text = stringify(option);
    return terms.every((term) => text.includes(term));
  });
  const first = terms[0];
  if (first === undefined) return found;
  const starts = (option: Option) => option.label.toLowerCase().startsWith(first);
  return [...found.filter(starts), ...found.filter((option) => !starts(option))];
}

/** A single choice from many options, found by typing: time zones, languages. Arrows move, Enter selects, Escape closes. */
export function ComboField<I extends FieldValues, O>({
  control,
  name,
  messages,
  label,
  help,
  optional = false,
  options,
  none,
  typed,
}: BoundProps<I, O> & {
  readonly options: readonly Option[];
  /** What null, which the contract expects for no choice, means. Without it, something has to be chosen. */
  readonly none?: string | undefined;
  /** What was typed before the field had loaded: chooses the only option that matches. */
  readonly typed?: string | undefined;
}): ReactElement {
  const { t } = useTranslation('form');
  const { field, fieldState } = useController({ control, name });
  const choose = useEffectEvent((text: string) => {
    const [match, other] = narrow(options, text);
    if (match && !other) field.onChange(match.value);
  });
  useEffect(() => {
    if (typed !== undefined) choose(typed);
  }, [typed]);
  const say = useFieldErrorMessage();
  return (
    <Field label={label} help={help} optional={optional} error={say(fieldState.error?.message, messages)}>
      {({ id, ...aria }) => (
        <Combo
          id={id}
          aria={aria}
          options={none === undefined ? options : [{ value: '', label: none }, ...options]}
          value={field.value ?? ''}
          onValue={(value) => field.onChange(none !== undefined && value === '' ? null : value)}
          onBlur={field.onBlur}
          inputRef={field.ref}
          empty={t('noMatch')}
        />
      )}
    </Field>
  );
}

type ComboProps = {
  readonly id: string;
  readonly aria: { readonly 'aria-describedby': string; readonly 'aria-invalid': boolean };
  readonly options: readonly Option[];
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly onBlur: () => void;
  readonly inputRef: (element: HTMLInputElement | null) => void;
  readonly empty: string;
};

function Combo({ id, aria, options, value, onValue, onBlur, inputRef, empty }: ComboProps): ReactElement {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  // A stored value that this browser does not know remains the value.
  const current = options.find((option) => option.value === value) ?? { value, label: value };
  const { getRootProps, getInputProps, getPopupIndicatorProps, getListboxProps, getOptionProps, groupedOptions, popupOpen, inputValue } = useAutocomplete<
    Option,
    false,
    true
  >({
    id,
    options: [...options],
    value: current,
    disableClearable: true,
    autoHighlight: true,
    selectOnFocus: true,
    handleHomeEndKeys: true,
    getOptionLabel: (option) => option.label,
    getOptionKey: (option) => option.value,
    isOptionEqualToValue: (a, b) => a.value === b.value,
    filterOptions: (all, state) => narrow(all, state.inputValue).slice(0, mostOptions),
    onChange: (_event, option) => onValue(option.value),
  });
  const {
    ref,
    onBlur: onInputBlur,
    ...input
  } = getInputProps() as ReturnType<typeof getInputProps> & { ref: React.RefObject<HTMLInputElement | null>; onBlur: React.FocusEventHandler };
  const list = groupedOptions as readonly Option[];
  return (
    <>
      <Box {...getRootProps()} ref={setAnchor}>
        <OutlinedInput
          fullWidth
          id={id}
          error={aria['aria-invalid']}
          inputRef={(element: HTMLInputElement | null) => {
            ref.current = element;
            inputRef(element);
          }}
          onBlur={(event) => {
            onInputBlur(event);
            onBlur();
          }}
          endAdornment={
            <>
              {!popupOpen && current.detail !== undefined && inputValue === current.label && (
                <Typography component="span" variant="caption" noWrap sx={{ flex: 'none', color: 'text.secondary', ml: 1 }}>
                  {current.detail}
                </Typography>
              )}
              <PopupCaret onClick={(getPopupIndicatorProps() as { readonly onClick: () => void }).onClick} />
            </>
          }
          slotProps={{ input: { ...input, ...aria, spellCheck: false } }}
        />
      </Box>
      <Popper open={popupOpen && anchor !== null} anchorEl={anchor} placement="bottom-start" sx={{ zIndex: 'modal', width: anchor?.clientWidth }}>
        <Paper variant="outlined" elevation={0} sx={{ mt: 0.5, boxShadow: 4 }}>
          <Box component="ul" {...getListboxProps()} sx={{ m: 0, p: 0.5, maxHeight: 288, overflow: 'auto', listStyle: 'none' }}>
            {list.map((option, index) => {
              const { key, ...props } = getOptionProps({ option, index }) as ReturnType<typeof getOptionProps> & { key: string };
              return <OptionRow key={key} option={option} props={props} />;
            })}
            {list.length === 0 && (
              <Typography component="li" variant="body2" sx={{ px: 1, py: 0.75, color: 'text.secondary' }}>
                {empty}
              </Typography>
            )}
          </Box>
        </Paper>
      </Popper>
    </>
  );
}

/** The caret of the selects. The keyboard opens the list from the text, so that Tab and screen readers pass over it. */
function PopupCaret({ onClick }: { readonly onClick: () => void }): ReactElement {
  return (
    <Box component="span" aria-hidden onClick={onClick} sx={{ flex: 'none', display: 'flex', mr: -0.75, ml: 0.5, color: 'text.secondary', cursor: 'pointer' }}>
      <Caret />
    </Box>
  );
}

/** `props`: what `useAutocomplete` sets on the element. */
function OptionRow({ option, props }: { readonly option: Option; readonly props: React.HTMLAttributes<HTMLLIElement> }): ReactElement {
  return (
    <Box
      component="li"
      {...props}
      sx={{
        display: 'flex',
        gap: 1,
        px: 1,
        py: 0.75,
        borderRadius: 1,
        cursor: 'pointer',
        '&.Mui-focused': { bgcolor: 'action.hover' },
        '&[aria-selected="true"]': { fontWeight: 600 },
      }}
    >
      <Typography variant="body2" component="span" sx={{ fontWeight: 'inherit', flex: 1, minWidth: 0 }}>
        {option.label}
      </Typography>
      {option.detail !== undefined && (
        <Typography variant="caption" component="span" sx={{ color: 'text.secondary' }}>
          {option.detail}
        </Typography>
      )}
    </Box>
  );
}
