import type { Install } from '@contract/analytics/schemas';
import type { Site } from '@contract/sites/schemas';
import { Button, CircularProgress } from '@mui/material';
import { styled } from '@mui/material/styles';
import { type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useFormat } from '@/lib/format';
import { webAddress } from '@/lib/webAddress';
import { href } from '@/routes/paths';
import type { QueryResult } from '@/ui/ResultState';
import { CopyButton } from '@/ui/CopyButton';
import { Section } from '@/ui/Section';
import { Bone } from '@/ui/skeletons';
import { InstallCheckForm } from './InstallCheckForm';
import { SectionState } from './SectionState';

const Steps = styled('ol')({
  padding: 0,
  margin: 0,
  listStyle: 'none',
  display: 'grid',
  gap: 20,
  maxWidth: 760,
  counterReset: 'step',
  '& > li': { display: 'grid', gap: 8, position: 'relative', paddingInlineStart: 32, counterIncrement: 'step' },
  '& > li::before': {
    content: 'counter(step)',
    position: 'absolute',
    insetInlineStart: 0,
    width: 20,
    height: 20,
    lineHeight: '20px',
    textAlign: 'center',
    borderRadius: '50%',
    background: 'var(--n-3)',
    fontSize: 'var(--text-secondary)',
    fontWeight: 600,
  },
});
const Code = styled('div')({
  display: 'flex',
  alignItems: 'start',
  gap: 8,
  padding: '10px 12px',
  background: 'var(--n-2)',
  borderRadius: 'var(--radius)',
  '& code': { flex: 1, minWidth: 0, fontSize: 'var(--text-table)', overflowWrap: 'anywhere', whiteSpace: 'pre-wrap', userSelect: 'all' },
});
const Guide = styled('details')({
  borderBottom: '1px solid var(--line)',
  '& summary': { cursor: 'pointer', padding: '6px 0', fontSize: 'var(--text-table)' },
  '& p': { padding: '0 0 10px 20px', color: 'var(--ink-2)', fontSize: 'var(--text-table)' },
});
const Status = styled('div')({
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  padding: '12px 16px',
  borderRadius: 'var(--radius)',
  background: 'var(--info-ground)',
  flexWrap: 'wrap',
  '&[data-arrived]': { background: 'var(--good-ground)' },
  '& strong': { fontWeight: 600 },
});
const Quiet = styled('span')({ color: 'var(--ink-2)', fontSize: 'var(--text-table)' });
const Facts = styled('ul')({ margin: 0, paddingInlineStart: 18, color: 'var(--ink-2)', fontSize: 'var(--text-table)' });
const guides = ['html', 'react', 'next', 'vue', 'wordpress', 'gtm'] as const;
const known = new Set([
  'malformed',
  'too_large',
  'too_many',
  'unknown_site',
  'site_not_active',
  'too_old',
  'journal_full',
  'rate_limited',
  'wrong_host',
  'opted_out',
]);

/** At the top of the dashboard until the first hit arrives: the tag, where to put it, and a check that finds mistakes. */
export const InstallSection = ({ site, result }: { site: Site; result: QueryResult<Install> }): ReactElement | null => {
  const { t } = useTranslation('dashboard');
  const install = result.currentData;
  const [waited, setWaited] = useState(false);
  if (install?.firstHitAt === null && !waited) setWaited(true);
  const arrived = install !== undefined && install.firstHitAt !== null;
  // Nothing while that is unknown: nearly every site has visits.
  if ((arrived || (install === undefined && result.error === undefined)) && !waited) return null;
  if (arrived) {
    return (
      <Status role="status" data-arrived="">
        <strong>{t('install.arrived')}</strong>
        <Quiet>{t('install.arrivedText')}</Quiet>
        <Button component={Link} to={href('site.als.latest', { siteId: site.id })} variant="outlined" sx={{ ml: 'auto' }}>
          {t('install.seeLive')}
        </Button>
      </Status>
    );
  }
  return (
    <Section title={t('install.title')}>
      <SectionState name={t('install.title')} result={result} skeleton={<Bone h={240} />}>
        {(found) => <Waiting site={site} install={found} />}
      </SectionState>
    </Section>
  );
};

const Waiting = ({ site, install }: { site: Site; install: Install }): ReactElement => {
  const { t } = useTranslation('dashboard');
  const { relative } = useFormat();
  const address = webAddress(site.purpose === 'built' ? site.systemHost : site.url);
  return (
    <Steps>
      {site.purpose === 'built' ? (
        <li>
          <p>{t('install.built')}</p>
        </li>
      ) : (
        <li>
          <p>{t('install.step1')}</p>
          <Code>
            <code aria-label={t('install.tag')}>{install.tag}</code>
            <CopyButton text={install.tag} label={t('install.copy')}>
              {t('install.copy')}
            </CopyButton>
          </Code>
          <div>
            {guides.map((id) => (
              <Guide key={id} name="install-guide">
                <summary>{t(`install.guide.${id}.name`)}</summary>
                <p>{t(`install.guide.${id}.text`)}</p>
              </Guide>
            ))}
          </div>
        </li>
      )}
      <li>
        <p>{t(site.purpose === 'built' ? 'install.stepOpen' : 'install.step2')}</p>
        <Status role="status">
          <CircularProgress size={16} aria-hidden />
          <strong>{t('install.waiting')}</strong>
          <Quiet>{t('install.waitingText')}</Quiet>
          {address !== null && (
            <Button component="a" href={address} target="_blank" rel="noreferrer noopener" variant="outlined" sx={{ ml: 'auto' }}>
              {t('install.open')}
            </Button>
          )}
        </Status>
        <Quiet>{install.scriptLoads > 0 ? t('install.scriptLoads', { count: install.scriptLoads }) : t('install.scriptNever')}</Quiet>
        {install.refusals.length > 0 && (
          <div role="alert">
            <strong>{t('install.refused')}</strong>
            <Facts>
              {install.refusals.map((one) => (
                <li key={`${one.host} ${one.code}`}>
                  {t('install.refusal', {
                    host: one.host,
                    reason: t(`install.code.${(known.has(one.code) ? one.code : 'other') as 'other'}`),
                    count: one.count,
                  })}
                  {' · '}
                  {relative(one.lastAt)}
                </li>
              ))}
            </Facts>
          </div>
        )}
      </li>
      <li>
        <p>{t('install.step3')}</p>
        <InstallCheckForm site={site} tag={install.tag} />
      </li>
    </Steps>
  );
};
