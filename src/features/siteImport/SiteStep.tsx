import { Box, Button } from '@mui/material';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { FieldCode } from '@contract/errors';
import type { ImportTarget, SiteImport } from '@contract/siteImport/schemas';
import { SiteInput } from '@contract/sites/schemas';
import { selectLanguages } from '@/features/languages/languagesSlice';
import { selectSitesPinnedFirst } from '@/features/sites/sitesSlice';
import { guessTimeZone } from '@/lib/timeZones';
import { useAppSelector } from '@/store/hooks';
import { ComboField } from '@/ui/form/ComboField';
import { Form } from '@/ui/form/Form';
import { RadioCards } from '@/ui/form/RadioCards';
import { TextField } from '@/ui/form/TextField';
import { TimeZoneField } from '@/ui/form/TimeZoneField';
import { useContractForm } from '@/ui/form/useContractForm';

type Input = { kind: 'new' | 'existing'; siteId: string; name: string; defaultLang: string; timeZone: string };
const { name, defaultLang, timeZone } = SiteInput.shape;
const TargetForm: z.ZodType<ImportTarget, Input> = z.discriminatedUnion('kind', [
  z
    .object({ kind: z.literal('new'), siteId: z.string(), name, defaultLang: defaultLang.removeDefault(), timeZone: timeZone.removeDefault() })
    .transform(({ kind: _kind, siteId: _siteId, ...site }) => site),
  z
    .object({ kind: z.literal('existing'), siteId: z.string(), name: z.string(), defaultLang: z.string(), timeZone: z.string() })
    .refine(({ siteId }) => siteId !== '', { path: ['siteId'], message: 'required' satisfies FieldCode })
    .transform(({ siteId }) => ({ siteId })),
]);

/** Sites that the person may fill: built here, with the right to compose them. */
const useOwnSites = () =>
  useAppSelector(selectSitesPinnedFirst)
    .filter(({ purpose, role }) => purpose === 'built' && role === 'admin')
    .map(({ id, name: label, slug }) => ({ value: id, label, detail: slug }));

function inputOf({ plan, source }: SiteImport, target: ImportTarget | null, locale: string): Input {
  const fallback = locale === 'en' ? 'en' : 'zh-Hans';
  const language = plan?.site.language ?? null;
  const blank: Input = {
    kind: 'new',
    siteId: '',
    name: (plan?.site.title ?? '').slice(0, 60),
    // An archive has the tag as the site had it.
    defaultLang: (source === 'archive' ? language : languageOf(language)) ?? fallback,
    timeZone: plan?.site.timeZone ?? guessTimeZone(),
  };
  if (target === null) return blank;
  return 'siteId' in target
    ? { ...blank, kind: 'existing', siteId: target.siteId }
    : { ...blank, name: target.name, defaultLang: target.defaultLang ?? blank.defaultLang, timeZone: target.timeZone ?? blank.timeZone };
}
/** Sources name languages in many ways: `en-GB`, `zh_CN`. */
function languageOf(tag: string | null): string | null {
  if (tag === null || tag === '') return null;
  const [main = '', region = ''] = tag.replaceAll('_', '-').toLowerCase().split('-');
  if (main === 'zh') return ['tw', 'hk', 'mo', 'hant'].includes(region) ? 'zh-Hant' : 'zh-Hans';
  return /^[a-z]{2,3}$/.test(main) ? main : null;
}

export function SiteStep({
  it,
  target,
  onTarget,
  onBack,
}: {
  readonly it: SiteImport;
  readonly target: ImportTarget | null;
  /** Receives what is chosen when the step is completed. */
  readonly onTarget: (target: ImportTarget) => void;
  readonly onBack: () => void;
}): ReactElement {
  const { t, i18n } = useTranslation('siteImport');
  const sites = useOwnSites();
  const languages = useAppSelector(selectLanguages).map(({ code, nameEn, nameZh, name: own }) => ({
    value: code,
    label: i18n.language === 'en' ? nameEn : nameZh,
    detail: own,
    keywords: nameEn,
  }));
  const form = useContractForm(TargetForm, { defaultValues: inputOf(it, target, i18n.language) });
  const [kind, zone] = useWatch({ control: form.control, name: ['kind', 'timeZone'] });
  const mayChoose = it.source !== 'archive' && sites.length > 0;
  return (
    <Form form={form} onSubmit={(chosen) => onTarget(chosen)} label={t('steps.site')}>
      <Box sx={{ display: 'grid', gap: 3, maxWidth: 560 }}>
        {mayChoose && (
          <RadioCards
            control={form.control}
            name="kind"
            label={t('site.kind')}
            choices={(['new', 'existing'] as const).map((value) => ({ value, label: t(`site.${value}`), detail: t(`site.${value}Text`) }))}
          />
        )}
        {kind === 'existing' && mayChoose ? (
          <ComboField control={form.control} name="siteId" label={t('site.which')} options={sites} />
        ) : (
          <>
            <TextField control={form.control} name="name" label={t('site.name')} maxLength={60} />
            <ComboField control={form.control} name="defaultLang" label={t('site.language')} options={languages} />
            <TimeZoneField control={form.control} name="timeZone" label={t('site.timeZone')} include={zone} />
          </>
        )}
        <Box sx={{ display: 'flex', gap: 1, justifyContent: 'flex-end' }}>
          <Button onClick={onBack}>{t('back')}</Button>
          <Button type="submit" variant="contained">
            {t('next')}
          </Button>
        </Box>
      </Box>
    </Form>
  );
}
