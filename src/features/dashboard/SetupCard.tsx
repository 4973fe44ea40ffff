import type { SetupStep } from '@contract/dashboard/terms';
import type { Site } from '@contract/sites/schemas';
import { Button, LinearProgress } from '@mui/material';
import { styled } from '@mui/material/styles';
import { type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { notifyFailure } from '@/features/notices/noticesSlice';
import { defineUndo } from '@/features/notices/undoListeners';
import { href } from '@/routes/paths';
import { useAppDispatch } from '@/store/hooks';
import { Caret } from '@/ui/Caret';
import { Icon } from '@/ui/Icon';
import { CardSection } from './CardSection';
import { dashboardApi } from './dashboardApi';
import type { Dashboard } from './useDashboard';

const Progress = styled('div')({ display: 'flex', alignItems: 'center', flexWrap: 'wrap', gap: '8px 16px', '& > strong': { fontWeight: 600 } });
const Steps = styled('ul')({
  listStyle: 'none',
  margin: '12px 0 0',
  padding: 0,
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(220px, 1fr))',
  columnGap: 24,
  '& > li': { display: 'grid', gridTemplateColumns: '20px minmax(0, 1fr)', gap: 8, alignItems: 'center', minHeight: 36 },
  '& > li > .icon': { color: 'var(--n-5)' },
  '& > li[data-done] > .icon': { color: 'var(--good)' },
  '& > li[data-done] > span': { color: 'var(--ink-2)' },
  '& a': { color: 'var(--link)', padding: '8px 0' },
});

/** The screen on which a step is done. */
const screens: Readonly<Record<SetupStep, (siteId: string) => string>> = {
  identity: (siteId) => href('site.setting.base', { siteId }),
  page: (siteId) => `${href('site.setting.base.menus', { siteId })}?part=addresses`,
  theme: (siteId) => href('site.setting.base.theme', { siteId }),
  publish: (siteId) => href('site.setting.base.releases', { siteId }),
  hostname: (siteId) => href('site.setting.hostname', { siteId }),
  certificate: (siteId) => href('site.setting.hostname', { siteId }),
  receiving: (siteId) => href('site.setting.measuring', { siteId }),
  sitemap: (siteId) => `${href('site.seo', { siteId })}?tab=push`,
  filing: (siteId) => href('site.beian', { siteId }),
  support: (siteId) => `/site/${siteId}/cs`,
  secondAdmin: () => href('account.users'),
};

type Hiding = { readonly siteId: string; readonly hidden: boolean };
const put = ({ siteId, hidden }: Hiding) => dashboardApi.endpoints.hideSetup.initiate({ siteId, body: { hidden } });
const offerUndo = defineUndo<{ readonly siteId: string }>('dashboard/setupShown', (dispatch, { siteId }) => dispatch(put({ siteId, hidden: false })));

/** What remains to be done to set the site up. It disappears when everything is done, or when the person hides it. */
export const SetupCard = ({ site, dashboard }: { site: Site; dashboard: Dashboard }): ReactElement | null => {
  const { t } = useTranslation('dashboard');
  const dispatch = useAppDispatch();
  const data = dashboard.cards?.setup?.data;
  const steps = data?.steps ?? [];
  const done = steps.filter((step) => step.done).length;
  const next = steps.find((step) => !step.done);
  const [isOpen, setOpen] = useState(false);
  // It takes no place while it loads, because most sites no longer have it.
  if (!data || data.hidden || next === undefined) return null;
  const hide = async (): Promise<void> => {
    const { error } = await dispatch(put({ siteId: site.id, hidden: true }));
    if (error === undefined) offerUndo(dispatch, { key: 'dashboard:setup.hidden' }, { siteId: site.id });
    else notifyFailure(dispatch, error);
  };
  return (
    <CardSection
      id="setup"
      dashboard={dashboard}
      title={t('card.setup')}
      columns={12}
      actions={
        <Button onClick={() => void hide()} sx={{ color: 'text.secondary', mr: -1.5 }}>
          {t('setup.hide')}
        </Button>
      }
    >
      {() => (
        <>
          <Progress>
            <strong>{t('setup.progress', { done, all: steps.length })}</strong>
            <LinearProgress
              variant="determinate"
              value={(done / steps.length) * 100}
              aria-label={t('setup.progress', { done, all: steps.length })}
              sx={{ flex: '1 1 120px', maxWidth: 240, height: 6, borderRadius: 3 }}
            />
            <Button component={Link} to={screens[next.id](site.id)} variant="outlined" sx={{ height: 'auto', whiteSpace: 'normal', textAlign: 'start' }}>
              {t('setup.next', { step: t(`setup.step.${next.id}`) })}
            </Button>
            <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} endIcon={<Caret to={isOpen ? 'up' : 'down'} />} sx={{ color: 'text.secondary' }}>
              {t('setup.all')}
            </Button>
          </Progress>
          {isOpen && (
            <Steps aria-label={t('card.setup')}>
              {steps.map((step) => (
                <li key={step.id} {...(step.done ? { 'data-done': '' } : {})}>
                  <Icon name={step.done ? 'passed' : 'right'} size={16} />
                  {step.done ? (
                    <span>
                      {t(`setup.step.${step.id}`)} <span className="only-read">{t('setup.done')}</span>
                    </span>
                  ) : (
                    <Link to={screens[step.id](site.id)}>{t(`setup.step.${step.id}`)}</Link>
                  )}
                </li>
              ))}
            </Steps>
          )}
        </>
      )}
    </CardSection>
  );
};

/** The way back to the list for a person who has hidden it. */
export const SetupLink = ({ site, dashboard }: { site: Site; dashboard: Dashboard }): ReactElement | null => {
  const { t } = useTranslation('dashboard');
  const dispatch = useAppDispatch();
  const data = dashboard.cards?.setup?.data;
  if (!data?.hidden || data.steps.every(({ done }) => done)) return null;
  return (
    <Button sx={{ color: 'text.secondary', justifySelf: 'start' }} onClick={() => void dispatch(put({ siteId: site.id, hidden: false }))}>
      {t('setup.show')}
    </Button>
  );
};
