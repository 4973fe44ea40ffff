import { Box, Button, Checkbox, FormControl, FormControlLabel, FormLabel, OutlinedInput, Radio, RadioGroup } from '@mui/material';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ImportMapping, SiteImport } from '@contract/siteImport/schemas';
import { importStatuses, mediaChoices } from '@contract/siteImport/terms';
import { isFailure } from '@/lib/failure';
import { useFormat } from '@/lib/format';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Field } from '@/ui/form/Field';
import { JobProgress, shareDone } from '@/ui/JobProgress';
import { FieldChoices, areFieldsNamed } from './FieldChoices';
import { useDetectSiteImportMutation, useStopSiteImportMutation } from './siteImportApi';

type Props = {
  readonly it: SiteImport;
  readonly mapping: ImportMapping;
  readonly onMapping: (mapping: ImportMapping) => void;
  readonly onNext: () => void;
  readonly onBack: () => void;
};

/** The source while it is read, or why it could not be. */
function Reading({ it, onBack }: Pick<Props, 'it' | 'onBack'>): ReactElement {
  const { t } = useTranslation('siteImport');
  const format = useFormat();
  const [stop, stopping] = useStopSiteImportMutation();
  const [detect, { error, isLoading }] = useDetectSiteImportMutation();
  if (it.state === 'detecting')
    return (
      <JobProgress
        title={t('plan.reading', { name: it.name })}
        share={shareDone(it.done, it.total)}
        {...(it.done !== null && it.done > 0 && { detail: t('plan.read', { count: it.done, number: format.number(it.done) }) })}
        stop={{ label: t('plan.cancel'), busy: stopping.isLoading, onStop: () => void stop({ id: it.id, body: { how: 'cancel' } }) }}
      />
    );
  return (
    <Box sx={{ display: 'grid', gap: 2, justifyItems: 'start' }}>
      <p role="alert" className="import-error">
        <b>{t('plan.failed', { name: it.name })}</b>
        {it.error !== null && ` ${it.error}`}
      </p>
      {isFailure(error) && <ErrorPanel title={t('plan.failed', { name: it.name })} failure={error} />}
      <Box sx={{ display: 'flex', gap: 1 }}>
        <Button variant="contained" onClick={onBack}>
          {t('plan.other')}
        </Button>
        <Button disabled={isLoading} onClick={() => void detect({ id: it.id })}>
          {t('plan.again')}
        </Button>
      </Box>
    </Box>
  );
}

type Choice = ImportMapping['collections'][number];
function CollectionRow({
  one,
  choice,
  fixed,
  onChange,
}: {
  readonly one: NonNullable<SiteImport['plan']>['collections'][number];
  readonly choice: Choice;
  readonly fixed: boolean;
  readonly onChange: (choice: Choice) => void;
}): ReactElement {
  const { t } = useTranslation('siteImport');
  const format = useFormat();
  return (
    <li>
      <FormControlLabel
        control={<Checkbox checked={choice.include} disabled={fixed} onChange={(_event, include) => onChange({ ...choice, include })} />}
        label={
          <>
            <b>{one.title}</b> {t('plan.count', { count: one.count, number: format.number(one.count) })}
          </>
        }
      />
      <p className="import-quiet">
        {[
          one.examples.length > 0 ? one.examples.join(' · ') : '',
          one.drafts > 0 ? t('plan.drafts', { count: one.drafts, number: format.number(one.drafts) }) : '',
          one.path === null ? '' : t('plan.path', { path: one.path }),
          one.moved > 0 ? t('plan.moved', { count: one.moved, number: format.number(one.moved) }) : '',
        ]
          .filter((part) => part !== '')
          .join('　')}
      </p>
      {fixed || !choice.include || one.fields.length === 0 ? (
        <p className="import-quiet">{t('plan.fields', { fields: [t('plan.titleField'), ...one.fields.map(({ title }) => title)].join(t('plan.comma')) })}</p>
      ) : (
        <FieldChoices fields={one.fields} choice={choice} onChange={onChange} />
      )}
      {!fixed && choice.include && (
        <Box sx={{ maxWidth: 360 }}>
          <Field label={t('plan.table')} error={choice.title.trim() === '' ? t('plan.tableNeeded') : undefined}>
            {(control) => (
              <OutlinedInput
                fullWidth
                value={choice.title}
                onChange={({ target }) => onChange({ ...choice, title: target.value })}
                inputProps={{ ...control, maxLength: 60 }}
              />
            )}
          </Field>
        </Box>
      )}
    </li>
  );
}

const Choices = <T extends string>({
  label,
  value,
  choices,
  onChange,
}: {
  readonly label: string;
  readonly value: T;
  readonly choices: readonly { readonly value: T; readonly name: string }[];
  readonly onChange: (value: T) => void;
}): ReactElement => (
  <FormControl>
    <FormLabel id={`import-${choices[0]?.value}`}>{label}</FormLabel>
    <RadioGroup aria-labelledby={`import-${choices[0]?.value}`} value={value} onChange={({ target }) => onChange(target.value as T)}>
      {choices.map((one) => (
        <FormControlLabel key={one.value} value={one.value} control={<Radio />} label={one.name} />
      ))}
    </RadioGroup>
  </FormControl>
);

const Findings = ({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement => (
  <details>
    <summary>{title}</summary>
    <ul className="import-findings">{children}</ul>
  </details>
);

/** What the source contains and what a run makes of it, to be chosen. */
export function PlanStep({ it, mapping, onMapping, onNext, onBack }: Props): ReactElement {
  const { t } = useTranslation('siteImport');
  const format = useFormat();
  const { plan } = it;
  if (plan === null) return <Reading it={it} onBack={onBack} />;
  const fixed = it.source === 'archive';
  const choices = new Map(mapping.collections.map((one) => [one.key, one]));
  const put = (choice: Choice): void => onMapping({ ...mapping, collections: mapping.collections.map((one) => (one.key === choice.key ? choice : one)) });
  const usable =
    mapping.collections.some(({ include }) => include) && mapping.collections.every((one) => !one.include || (one.title.trim() !== '' && areFieldsNamed(one)));
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      <p>
        {t('plan.found', { source: t(`source.kind.${it.source ?? 'static'}`) })} {plan.site.title !== '' && t('plan.named', { title: plan.site.title })}
      </p>
      <ul className="import-collections">
        {plan.collections.map((one) => (
          <CollectionRow
            key={one.key}
            one={one}
            choice={choices.get(one.key) ?? { key: one.key, title: one.title, include: true }}
            fixed={fixed}
            onChange={put}
          />
        ))}
      </ul>
      {plan.media > 0 && <p>{t('plan.media', { count: plan.media, number: format.number(plan.media) })}</p>}
      {!fixed && (
        <>
          <Choices
            label={t('plan.status')}
            value={mapping.status}
            choices={importStatuses.map((value) => ({ value, name: t(`plan.statuses.${value}`) }))}
            onChange={(status) => onMapping({ ...mapping, status })}
          />
          {plan.media > 0 && (
            <Choices
              label={t('plan.mediaLabel')}
              value={mapping.media}
              choices={mediaChoices.map((value) => ({ value, name: t(`plan.mediaChoices.${value}`) }))}
              onChange={(media) => onMapping({ ...mapping, media })}
            />
          )}
          {plan.redirects > 0 && (
            <FormControlLabel
              control={<Checkbox checked={mapping.redirects} onChange={(_event, redirects) => onMapping({ ...mapping, redirects })} />}
              label={t('plan.redirects', { count: plan.redirects, number: format.number(plan.redirects) })}
            />
          )}
        </>
      )}
      {plan.unsupported.length > 0 && (
        <Findings title={t('plan.unsupported', { count: plan.unsupported.length })}>
          {plan.unsupported.map(({ name, count }) => (
            <li key={name}>{`${name} × ${format.number(count)}`}</li>
          ))}
        </Findings>
      )}
      {plan.problemCount > 0 && (
        <Findings title={t('plan.problems', { count: plan.problemCount, number: format.number(plan.problemCount) })}>
          {plan.problems.map(({ place, code }, at) => (
            <li
              key={`${place} ${at}`}
            >{`${place}: ${t(`problem.${code.startsWith('status_') ? 'status' : code}` as 'problem.unreadable', { code: code.replace('status_', '') })}`}</li>
          ))}
        </Findings>
      )}
      <Box sx={{ display: 'flex', gap: 1, justifyContent: 'flex-end' }}>
        <Button onClick={onBack}>{t('plan.other')}</Button>
        <Button variant="contained" disabled={!usable} onClick={onNext}>
          {t('next')}
        </Button>
      </Box>
    </Box>
  );
}
