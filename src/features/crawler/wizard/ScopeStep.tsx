import { Button, OutlinedInput } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ScopeResult } from '@contract/crawler/schemas';
import { scopeModes } from '@contract/crawler/terms';
import { isFailure } from '@/lib/failure';
import { useFormat } from '@/lib/format';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Field } from '@/ui/form/Field';
import { FormSection } from '@/ui/form/FormSection';
import { RadioCards } from '@/ui/form/RadioCards';
import { TextField } from '@/ui/form/TextField';
import { useTestScopeMutation } from '../crawlerApi';
import { addressOf, linesOf, scopeOf } from './draft';
import type { WizardForm } from './wizardForm';

function Verdicts({ rows, label }: { readonly rows: ScopeResult['urls']; readonly label: string }): ReactElement {
  const { t } = useTranslation('crawler');
  return (
    <ul className="crawl-verdicts" aria-label={label}>
      {rows.map(({ url, included, reason }) => (
        <li key={url}>
          <span data-tone={included ? 'good' : 'bad'}>{included ? t('tester.included') : t(`skip.${reason ?? 'scope'}`)}</span>
          <span title={url}>{url}</span>
        </li>
      ))}
    </ul>
  );
}

/** Which addresses the scope includes: those that are typed, and those that earlier runs met. */
function Tester({ form }: { readonly form: WizardForm }): ReactElement {
  const { t } = useTranslation('crawler');
  const { number } = useFormat();
  const [urls, setUrls] = useState('');
  const [test, { data, error, isLoading }] = useTestScopeMutation();
  const run = (): void => {
    const draft = form.getValues();
    void test({ siteId: draft.siteId, body: { seeds: linesOf(draft.seeds).map(addressOf), scope: scopeOf(draft), urls: linesOf(urls).slice(0, 200) } });
  };
  return (
    <FormSection title={t('tester.title')} lead={t('tester.lead')}>
      <Field label={t('tester.urls')}>
        {({ id, ...aria }) => (
          <OutlinedInput
            fullWidth
            multiline
            minRows={2}
            maxRows={6}
            id={id}
            value={urls}
            onChange={(event) => setUrls(event.target.value)}
            slotProps={{ input: { ...aria, spellCheck: false } }}
          />
        )}
      </Field>
      <div>
        <Button variant="outlined" disabled={isLoading} onClick={run}>
          {t('tester.run')}
        </Button>
      </div>
      {error !== undefined && <ErrorPanel failure={isFailure(error) ? error : null} onRetry={run} retrying={isLoading} />}
      {data && (
        <div role="status">
          {data.urls.length > 0 && <Verdicts rows={data.urls} label={t('tester.urls')} />}
          <p>
            {data.known.included + data.known.excluded === 0
              ? t('tester.noneKnown')
              : t('tester.known', { included: number(data.known.included), excluded: number(data.known.excluded) })}
          </p>
          {data.known.sample.length > 0 && <Verdicts rows={data.known.sample} label={t('tester.sample')} />}
        </div>
      )}
    </FormSection>
  );
}

/** Which of the addresses that a crawl finds are read. */
export function ScopeStep({ form }: { readonly form: WizardForm }): ReactElement {
  const { t } = useTranslation('crawler');
  const { control } = form;
  const lines = { multiline: true, minRows: 2, maxRows: 8, verbatim: true, optional: true } as const;
  return (
    <>
      <FormSection title={t('scope.title')} lead={t('scope.lead')}>
        <RadioCards
          control={control}
          name="mode"
          label={t('scope.where')}
          choices={scopeModes.map((mode) => ({ value: mode, label: t(`scope.mode.${mode}`), detail: t(`scope.modeText.${mode}`) }))}
        />
        <TextField control={control} name="include" label={t('scope.include')} help={t('scope.patternHelp')} {...lines} />
        <TextField control={control} name="exclude" label={t('scope.exclude')} help={t('scope.excludeHelp')} {...lines} />
        <TextField control={control} name="maxDepth" label={t('scope.maxDepth')} help={t('scope.maxDepthHelp')} inputMode="numeric" optional />
        <TextField control={control} name="maxPathDepth" label={t('scope.maxPathDepth')} help={t('scope.maxPathDepthHelp')} inputMode="numeric" optional />
        <TextField control={control} name="dropParameters" label={t('scope.dropParameters')} help={t('scope.dropParametersHelp')} {...lines} />
      </FormSection>
      <Tester form={form} />
    </>
  );
}
