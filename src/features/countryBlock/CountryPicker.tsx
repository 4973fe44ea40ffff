import { Box, Button, Checkbox, FormControlLabel, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement, SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { torExits, unknownCountry } from '@contract/countryBlock/codes';
import { countriesByRegion, countryRegions } from '@contract/countryBlock/terms';
import type { CountryRegion } from '@contract/countryBlock/terms';
import { FieldGroup } from '@/ui/form/Field';
import { SearchBox } from '@/ui/SearchBox';
import { useCountryNames } from './useCountryNames';
import type { CountryNames } from './useCountryNames';

type Props = {
  readonly value: readonly string[];
  /** Whether the exits of Tor are known, so that they can be chosen. */
  readonly offersTor: boolean;
  readonly error: string | undefined;
  readonly onChange: (codes: string[]) => void;
};

type BoxesProps = {
  readonly codes: readonly string[];
  readonly chosen: ReadonlySet<string>;
  readonly names: CountryNames;
  readonly onToggle: (code: string) => void;
};

/** Countries in columns, each with its name in both languages. */
const Boxes = ({ codes, chosen, names, onToggle }: BoxesProps): ReactElement => (
  <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fill, minmax(min(220px, 100%), 1fr))', columnGap: 2 }}>
    {codes.map((code) => (
      <FormControlLabel
        key={code}
        sx={{ m: 0, minWidth: 0 }}
        control={<Checkbox checked={chosen.has(code)} onChange={() => onToggle(code)} />}
        label={
          <span>
            {names.flagged(code)}{' '}
            {code !== unknownCountry && code !== torExits && (
              <Typography component="span" variant="caption" sx={{ color: 'text.secondary' }}>
                {names.otherNameOf(code)} {code}
              </Typography>
            )}
          </span>
        }
      />
    ))}
  </Box>
);

type RegionProps = Omit<BoxesProps, 'codes'> & { readonly region: CountryRegion; readonly onAll: (codes: readonly string[], on: boolean) => void };

function Region({ region, chosen, names, onToggle, onAll }: RegionProps): ReactElement {
  const { t } = useTranslation('countryBlock');
  const codes: readonly string[] = countriesByRegion[region];
  const count = codes.filter((code) => chosen.has(code)).length;
  const [isOpen, setOpen] = useState(false);
  return (
    <Box
      component="details"
      onToggle={(event: SyntheticEvent<HTMLDetailsElement>) => setOpen(event.currentTarget.open)}
      sx={{ borderBottom: 1, borderColor: 'divider', '& > summary': { py: 1, cursor: 'pointer', fontSize: 'var(--text-body)' } }}
    >
      <summary>
        {t(`region.${region}`)}{' '}
        <Typography component="span" variant="caption" sx={{ color: 'text.secondary' }}>
          {t('picker.count', { count, of: codes.length })}
        </Typography>
      </summary>
      {isOpen && (
        <>
          <Button size="small" onClick={() => onAll(codes, count < codes.length)}>
            {count < codes.length ? t('picker.all') : t('picker.none')}
          </Button>
          <Boxes codes={codes} chosen={chosen} names={names} onToggle={onToggle} />
        </>
      )}
    </Box>
  );
}

/** Chooses countries and regions by part of the world, or by typing a name in either language or a code. */
export function CountryPicker({ value, offersTor, error, onChange }: Props): ReactElement {
  const { t } = useTranslation('countryBlock');
  const names = useCountryNames();
  const [typed, setTyped] = useState('');
  const chosen = new Set(value);
  const special = offersTor || chosen.has(torExits) ? [unknownCountry, torExits] : [unknownCountry];
  const toggle = (code: string): void => onChange(chosen.has(code) ? value.filter((one) => one !== code) : [...value, code]);
  const changeAll = (codes: readonly string[], on: boolean): void => {
    const others = value.filter((one) => !codes.includes(one));
    onChange(on ? [...others, ...codes] : others);
  };
  const searched = typed.trim().toLowerCase();
  const found = [...special, ...Object.values(countriesByRegion).flat()].filter((code) =>
    `${names.nameOf(code)} ${names.otherNameOf(code)} ${code}`.toLowerCase().includes(searched),
  );
  return (
    <FieldGroup label={t('picker.label')} help={t('picker.help')} error={error}>
      {value.length > 0 && (
        <Box component="ul" aria-label={t('picker.chosen')} sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, m: 0, mb: 1.5, p: 0, listStyle: 'none' }}>
          {value.map((code) => (
            <li key={code}>
              <Button
                size="small"
                variant="outlined"
                color="inherit"
                aria-label={t('picker.remove', { name: names.nameOf(code) })}
                onClick={() => toggle(code)}
              >
                {names.flagged(code)} ×
              </Button>
            </li>
          ))}
        </Box>
      )}
      <SearchBox label={t('picker.search')} value={typed} onChange={setTyped} wide />
      {searched === '' ? (
        <>
          <Boxes codes={special} chosen={chosen} names={names} onToggle={toggle} />
          {countryRegions.map((region) => (
            <Region key={region} region={region} chosen={chosen} names={names} onToggle={toggle} onAll={changeAll} />
          ))}
        </>
      ) : (
        <Boxes codes={found} chosen={chosen} names={names} onToggle={toggle} />
      )}
      {found.length === 0 && (
        <Typography variant="body2" role="status" sx={{ color: 'text.secondary', py: 1 }}>
          {t('picker.noMatch')}
        </Typography>
      )}
    </FieldGroup>
  );
}
