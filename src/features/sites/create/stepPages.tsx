import { Box, Button, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { selectLanguages } from '@/features/languages/languagesSlice';
import type { Language, SiteInput } from '@contract/sites/schemas';
import { describeTimeZone } from '@/lib/timeZones';
import { useAppSelector } from '@/store/hooks';
import { ComboField } from '@/ui/form/ComboField';
import type { Option } from '@/ui/form/ComboField';
import { RadioCards } from '@/ui/form/RadioCards';
import { TextField } from '@/ui/form/TextField';
import { TimeZoneField } from '@/ui/form/TimeZoneField';
import type { ContractForm } from '@/ui/form/useContractForm';
import { selectSitesPinnedFirst } from '../sitesSlice';
import { starterChoices } from './newSite';
import type { NewSiteDraft, StarterChoice, Step } from './newSite';
import { SlugField } from './SlugField';
import { StarterSketch } from './StarterSketch';

type StepProps = { readonly form: ContractForm<NewSiteDraft, SiteInput> };

const nameOf = (language: Language, locale: string): string => (locale === 'en' ? language.nameEn : language.nameZh);

/** A language is found by its localized name, by its own name and by its code. */
function useLanguageOptions(current: string): readonly Option[] {
  const { i18n } = useTranslation();
  const languages = useAppSelector(selectLanguages);
  const options = languages.map((one): Option => ({
    value: one.code,
    label: nameOf(one, i18n.language),
    detail: one.name === nameOf(one, i18n.language) ? one.code : `${one.name} · ${one.code}`,
    keywords: one.nameEn,
  }));
  return options.some((one) => one.value === current) ? options : [{ value: current, label: current }, ...options];
}

/** Sites that the person may copy. */
const useCopiedSites = (): readonly Option[] =>
  useAppSelector(selectSitesPinnedFirst)
    .filter(({ purpose, role }) => purpose === 'built' && role === 'admin')
    .map(({ id, name, slug }) => ({ value: id, label: name, detail: slug }));

/** Starters with a sketch of their pages; copying is offered once there is something to copy. */
function StarterFields({ form }: StepProps): ReactElement {
  const { t } = useTranslation('siteCreate');
  const sites = useCopiedSites();
  const starter = useWatch({ control: form.control, name: 'starter' });
  return (
    <>
      <RadioCards
        control={form.control}
        name="starter"
        label={t('starter.label')}
        picture={(value) => <StarterSketch starter={value as StarterChoice} />}
        choices={starterChoices
          .filter((one) => one !== 'copy' || sites.length > 0)
          .map((one) => ({ value: one, label: t(`starter.${one}`), detail: t(`starter.${one}Text`) }))}
      />
      {starter === 'copy' && sites.length > 0 && (
        <ComboField control={form.control} name="copyFrom" label={t('copyFrom')} help={t('copyFromHelp')} options={sites} />
      )}
    </>
  );
}

/** The chosen starter as the summary names it. */
function useStarterName({ starter, copyFrom }: NewSiteDraft): string {
  const { t } = useTranslation('siteCreate');
  const copied = useCopiedSites().find(({ value }) => value === copyFrom);
  return starter === 'copy' ? t('copyOf', { name: copied?.label ?? '' }) : t(`starter.${starter}`);
}

export function PurposeStep({ form }: StepProps): ReactElement {
  const { t } = useTranslation('siteCreate');
  const purpose = useWatch({ control: form.control, name: 'purpose' });
  return (
    <>
      <RadioCards
        control={form.control}
        name="purpose"
        label={t('purpose.label')}
        choices={[
          { value: 'external', label: t('purpose.external'), detail: t('purpose.externalText') },
          { value: 'built', label: t('purpose.built'), detail: t('purpose.builtText') },
        ]}
      />
      {purpose === 'built' && <StarterFields form={form} />}
    </>
  );
}

export function DetailsStep({ form }: StepProps): ReactElement {
  const { t } = useTranslation('siteCreate');
  const purpose = useWatch({ control: form.control, name: 'purpose' });
  return (
    <>
      <TextField control={form.control} name="name" label={t('name')} help={t('nameHelp')} maxLength={60} autoFocus autoComplete="off" />
      {purpose === 'external' ? (
        <TextField
          control={form.control}
          name="url"
          label={t('url')}
          help={t('urlHelp')}
          placeholder="https://example.com"
          inputMode="url"
          type="url"
          verbatim
          autoComplete="url"
        />
      ) : (
        <SlugField form={form} />
      )}
    </>
  );
}

export function SettingsStep({ form }: StepProps): ReactElement {
  const { t } = useTranslation('siteCreate');
  const [language, zone] = useWatch({ control: form.control, name: ['defaultLang', 'timeZone'] });
  const languages = useLanguageOptions(language);
  return (
    <>
      <ComboField control={form.control} name="defaultLang" label={t('language')} help={t('languageHelp')} options={languages} />
      <TimeZoneField control={form.control} name="timeZone" label={t('timeZone')} help={t('timeZoneHelp')} include={zone} />
      <RadioCards
        control={form.control}
        name="identity"
        label={t('identity')}
        choices={[
          { value: 'first_party', label: t('firstParty'), detail: t('firstPartyText') },
          { value: 'cookieless', label: t('cookieless'), detail: t('cookielessText') },
        ]}
      />
    </>
  );
}

/** A summary of all input, each item with a link back, and what will happen. */
export function SummaryStep({
  form,
  host,
  onStep,
}: StepProps & { /** Address of a site built here. */ readonly host: string; readonly onStep: (step: Step) => void }): ReactElement {
  const { t, i18n } = useTranslation('siteCreate');
  const draft = useWatch({ control: form.control, compute: (values: NewSiteDraft) => values });
  const language = useLanguageOptions(draft.defaultLang).find((one) => one.value === draft.defaultLang);
  const starter = useStarterName(draft);
  const zone = describeTimeZone(draft.timeZone, i18n.language);
  const external = draft.purpose === 'external';
  const rows: readonly (readonly [label: string, value: string, step: Step])[] = [
    [t('steps.purpose'), t(`purpose.${draft.purpose}`), 'purpose'],
    ...(external ? [] : [[t('starter.label'), starter, 'purpose'] as const]),
    [t('name'), draft.name, 'details'],
    external ? [t('url'), draft.url, 'details'] : [t('slug'), draft.slug, 'details'],
    [t('language'), language?.label ?? draft.defaultLang, 'settings'],
    [t('timeZone'), `${zone.name} · ${zone.offset}`, 'settings'],
    [t('identity'), t(draft.identity === 'cookieless' ? 'cookieless' : 'firstParty'), 'settings'],
  ];
  const happens = external
    ? [t('willExternal'), t('willTag')]
    : [t('willBuilt', { host }), ...(draft.starter === 'blank' ? [] : [t('willFill')]), t('willBuiltNext')];
  return (
    <>
      <Box component="dl" sx={{ m: 0, borderTop: 1, borderColor: 'divider' }}>
        {rows.map(([label, value, step]) => (
          <Box
            key={label}
            sx={{
              display: 'grid',
              gridTemplateColumns: { xs: '1fr auto', sm: '160px 1fr auto' },
              columnGap: 2,
              alignItems: 'center',
              minHeight: 44,
              py: 0.5,
              borderBottom: 1,
              borderColor: 'divider',
            }}
          >
            <Typography component="dt" variant="body2" sx={{ color: 'text.secondary', gridColumn: { xs: '1', sm: 'auto' } }}>
              {label}
            </Typography>
            <Typography
              component="dd"
              variant="body2"
              sx={{ m: 0, overflowWrap: 'anywhere', gridRow: { xs: 2, sm: 'auto' }, gridColumn: { xs: '1', sm: 'auto' } }}
            >
              {value}
            </Typography>
            <Box component="dd" sx={{ m: 0, gridColumn: { xs: '2', sm: 'auto' }, gridRow: { xs: '1 / span 2', sm: 'auto' } }}>
              <Button aria-label={t('editNamed', { name: label })} onClick={() => onStep(step)} sx={{ color: 'text.secondary' }}>
                {t('edit')}
              </Button>
            </Box>
          </Box>
        ))}
      </Box>
      <Box component="section" aria-label={t('summary')}>
        <Typography component="h2" variant="h3" sx={{ mb: 1 }}>
          {t('summary')}
        </Typography>
        <Box component="ul" sx={{ m: 0, pl: 2.5, color: 'text.secondary', '& li + li': { mt: 0.5 } }}>
          {happens.map((one) => (
            <Typography component="li" variant="body2" key={one} sx={{ overflowWrap: 'anywhere' }}>
              {one}
            </Typography>
          ))}
        </Box>
      </Box>
    </>
  );
}
