import BadIcon from '@mui/icons-material/ErrorOutlineOutlined';
import GoodIcon from '@mui/icons-material/CheckCircleOutlined';
import WarningIcon from '@mui/icons-material/WarningAmberOutlined';
import type { InstallCheck } from '@contract/analytics/schemas';
import type { Site } from '@contract/sites/schemas';
import { Button } from '@mui/material';
import { styled } from '@mui/material/styles';
import { type FormEvent, type ReactElement, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useInstallCheckMutation } from '@/features/analytics/analyticsApi';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/lib/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';

const Form = styled('form')({ display: 'grid', gap: 4 });
const Controls = styled('div')({ display: 'flex', gap: 8, flexWrap: 'wrap' });
const Input = styled('input')({
  flex: '1 1 260px',
  minWidth: 0,
  height: 34,
  '@media (pointer: coarse)': { height: 44 },
  padding: '4px 8px',
  border: '1px solid var(--n-4)',
  borderRadius: 'var(--radius)',
  background: 'var(--canvas)',
  color: 'var(--ink)',
  fontSize: 'var(--text-body)',
});
const Help = styled('p')({ color: 'var(--ink-2)', fontSize: 'var(--text-secondary)' });
const Findings = styled('ul')({
  listStyle: 'none',
  padding: 0,
  margin: '12px 0 0',
  display: 'grid',
  gap: 12,
  '& > li': { display: 'grid', gridTemplateColumns: '20px minmax(0, 1fr)', gap: 8 },
  '& svg': { fontSize: 'var(--text-section)', marginTop: 2 },
});
const icons = { good: GoodIcon, warning: WarningIcon, bad: BadIcon } as const;

/** The origin of the script, which receives its hits: for the message about a content security policy. */
const originOf = (tag: string): string => {
  const src = /src="([^"]+)"/.exec(tag)?.[1] ?? '';
  try {
    return new URL(src).origin;
  } catch {
    return location.origin;
  }
};

/** Has the server open a page of the site and explains what is wrong with the tag and how to fix it. */
export const InstallCheckForm = ({ site, tag }: { site: Site; tag: string }): ReactElement => {
  const { t } = useTranslation('dashboard');
  const id = useId();
  const [check, { data, error, isLoading, isError }] = useInstallCheckMutation();
  const [url, setUrl] = useState(site.url ?? site.systemHost ?? '');
  const run = (): void => {
    void check({ siteId: site.id, body: url.trim() === '' ? {} : { url: url.trim() } });
  };
  return (
    <div>
      <Form
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          run();
        }}
        noValidate
      >
        <label htmlFor={id} style={{ fontSize: 'var(--text-secondary)', color: 'var(--ink-2)' }}>
          {t('install.address')}
        </label>
        <Controls>
          <Input
            id={id}
            type="url"
            inputMode="url"
            value={url}
            maxLength={2000}
            placeholder="https://"
            aria-describedby={`${id}-help`}
            onChange={(event) => setUrl(event.target.value)}
          />
          <Button type="submit" variant="contained" loading={isLoading} loadingPosition="start">
            {isLoading ? t('install.checking') : t('install.check')}
          </Button>
        </Controls>
        <Help id={`${id}-help`}>{t('install.addressHelp')}</Help>
      </Form>
      {isError && !isLoading && (
        <div style={{ marginTop: 12 }}>
          <ErrorPanel title={t('install.checkFailed')} failure={isFailure(error) ? error : null} onRetry={run} />
        </div>
      )}
      {data !== undefined && !isError && <Result result={data} origin={originOf(tag)} />}
    </div>
  );
};

const Result = ({ result, origin }: { result: InstallCheck; origin: string }): ReactElement => {
  const { t } = useTranslation('dashboard');
  const { time } = useFormat();
  return (
    <section aria-label={t('install.result')} role="status">
      <Findings>
        {result.findings.map((finding) => {
          const Icon = icons[finding.level];
          return (
            <li key={`${finding.code} ${finding.detail}`}>
              <Icon titleAccess={t(`install.level.${finding.level}`)} style={{ color: `var(--${finding.level})` }} />
              <div>
                <strong style={{ fontWeight: 600 }}>{t(`install.finding.${finding.code}`)}</strong>
                {finding.detail !== '' && (
                  <div style={{ overflowWrap: 'anywhere', color: 'var(--ink-2)', fontSize: 'var(--text-table)' }}>{finding.detail}</div>
                )}
                <div style={{ fontSize: 'var(--text-table)' }}>{t(`install.remedy.${finding.code}`, { origin })}</div>
              </div>
            </li>
          );
        })}
      </Findings>
      <Help style={{ marginTop: 8 }}>
        {t('install.checkedAt', { time: time(result.at, { seconds: true }) })}
        {result.url !== null && <> · {result.url}</>}
      </Help>
    </section>
  );
};
