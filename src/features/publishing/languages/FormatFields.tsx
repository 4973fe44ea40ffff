import { useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { currencyCodes } from '@contract/currencies';
import { dateText, moneyText, timeText } from '@contract/languages/formats.mjs';
import type { Formats } from '@contract/languages/formats.mjs';
import type { LanguagesPart } from '@contract/languages/part';
import { dateStyles } from '@contract/languages/terms';
import { selectSite } from '@/features/sites/sitesSlice';
import { useLanguageName } from '@/lib/languageName';
import { useAppSelector } from '@/store/hooks';
import { ComboField } from '@/ui/form/ComboField';
import { FieldGroup } from '@/ui/form/Field';
import { TimeZoneField } from '@/ui/form/TimeZoneField';
import type { ContractForm } from '@/ui/form/useContractForm';

type Props = { readonly form: ContractForm<LanguagesPart>; readonly at: number; readonly siteId: string };

const samplePrice = 1234.5;
const first = ['CNY', 'USD', 'EUR', 'HKD', 'JPY', 'GBP', 'TWD', 'SGD'];
const ordered = [...first, ...currencyCodes.filter((code) => !first.includes(code))];

/** A price, a date and a time as pages in the language have them. */
function Example({ formats, now }: { readonly formats: Formats; readonly now: string }): ReactElement {
  const { t } = useTranslation('publishing');
  const rows = [
    [t('languages.examplePrice'), moneyText(samplePrice, formats)],
    [t('languages.exampleDate'), dateText(now, formats)],
    [t('languages.exampleTime'), timeText(now, formats)],
  ] as const;
  return (
    <FieldGroup label={t('languages.example')}>
      <dl className="format-example">
        {rows.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi lang={formats.language}>{text}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </FieldGroup>
  );
}

/** How pages in a language write prices, dates and times. */
export function FormatFields({ form, at, siteId }: Props): ReactElement {
  const { t, i18n } = useTranslation('publishing');
  const languageName = useLanguageName();
  const siteZone = useAppSelector((state) => selectSite(state, siteId)?.timeZone) ?? 'UTC';
  const { control } = form;
  const [now] = useState(() => new Date().toISOString());
  const { languages } = useWatch({ control }) as LanguagesPart;
  const [initial, { tag: language = 'en', timeZone = null, dateStyle = null, currency = null } = {}] = [languages[0], languages[at]];
  const formats: Formats = { language, timeZone: timeZone ?? siteZone, dateStyle, currency: currency ?? initial?.currency ?? null };
  const currencies = useMemo(() => {
    const names = new Intl.DisplayNames(i18n.language, { type: 'currency' });
    return ordered.map((code) => ({ value: code, label: code, detail: names.of(code) ?? code }));
  }, [i18n.language]);
  return (
    <>
      <ComboField
        control={control}
        name={`languages.${at}.currency`}
        label={t('languages.currency')}
        help={t('languages.currencyHelp')}
        none={at === 0 ? t('languages.noCurrency') : t('languages.sameCurrency', { language: languageName(initial?.tag ?? '') })}
        options={currencies}
      />
      <TimeZoneField
        control={control}
        name={`languages.${at}.timeZone`}
        label={t('languages.timeZone')}
        none={t('languages.siteZone', { zone: siteZone.replaceAll('_', ' ') })}
        include={timeZone ?? siteZone}
      />
      <ComboField
        control={control}
        name={`languages.${at}.dateStyle`}
        label={t('languages.dateStyle')}
        help={t('languages.dateStyleHelp')}
        none={t('languages.themeDates')}
        options={dateStyles.map((value) => ({
          value,
          label: t(`languages.dateStyles.${value}`),
          detail: dateText(now, { ...formats, dateStyle: value }),
        }))}
      />
      <Example formats={formats} now={now} />
    </>
  );
}
