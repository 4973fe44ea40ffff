import { Button } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { mayOnSite } from '@contract/permissions';
import type { SiteBase } from '@contract/sites/base';
import type { Site } from '@contract/sites/schemas';
import { noticeShown, notifyFailure } from '@/features/notices/noticesSlice';
import { siteStateRequested, useSiteListeners } from '@/features/sites/sitesListeners';
import { useFormat } from '@/lib/format';
import { useAppDispatch } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { CopyButton } from '@/ui/CopyButton';
import { FormSection } from '@/ui/form/FormSection';
import { ResultState } from '@/ui/ResultState';
import { RowsSkeleton } from '@/ui/skeletons';
import { SettingRow } from '../SettingRow';
import { useRenewBypassMutation, useSiteBaseQuery } from './baseApi';
import { MaintenanceDialog, NameDialog, SlugDialog, VisibilityDialog } from './baseDialogs';

/** Changes of state that make sense here; archiving and deleting are on the list of sites. */
const moveOf: Partial<Record<Site['state'], 'maintenance' | 'published' | 'open'>> = { published: 'maintenance', maintenance: 'published', archived: 'open' };

function StateRow({ site }: { readonly site: Site }): ReactElement {
  const { t } = useTranslation('publishing');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const move = moveOf[site.state];
  const isPossible = move !== undefined && mayOnSite(site.role, 'site.archive') && (move !== 'maintenance' || site.purpose === 'built');
  const change = async (to: NonNullable<typeof move>): Promise<void> => {
    const question = { title: t(`atOnce.move.${to}Title`), body: t(`atOnce.move.${to}Text`), confirm: t(`atOnce.move.${to}`), danger: to === 'maintenance' };
    if (await confirm(question)) dispatch(siteStateRequested({ id: site.id, to }));
  };
  return (
    <SettingRow
      name={t('atOnce.state')}
      detail={site.suspendedReason === null ? t(`atOnce.states.${site.state}`) : t('atOnce.suspendedFor', { reason: site.suspendedReason })}
      actions={isPossible && <Button onClick={() => void change(move)}>{t(`atOnce.move.${move}`)}</Button>}
    />
  );
}

/** The link that leads past the maintenance message. */
function BypassRow({ siteId, link }: { readonly siteId: string; readonly link: string }): ReactElement {
  const { t } = useTranslation('publishing');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const [renew, { isLoading }] = useRenewBypassMutation();
  const change = async (): Promise<void> => {
    if (!(await confirm({ title: t('atOnce.renewTitle'), body: t('atOnce.renewText'), confirm: t('atOnce.renew') }))) return;
    const { error } = await renew({ siteId });
    if (error === undefined) dispatch(noticeShown({ tone: 'good', message: { key: 'publishing:atOnce.renewed' } }));
    else notifyFailure(dispatch, error);
  };
  return (
    <SettingRow
      name={t('atOnce.bypass')}
      detail={t('atOnce.bypassText')}
      actions={
        <>
          <CopyButton text={link}>{t('atOnce.copyBypass')}</CopyButton>
          <Button aria-busy={isLoading} onClick={() => void change()}>
            {t('atOnce.renew')}
          </Button>
        </>
      }
    />
  );
}

type DialogName = 'name' | 'slug' | 'visibility' | 'maintenance';

function Rows({ site, base, languages }: { readonly site: Site; readonly base: SiteBase; readonly languages: readonly string[] }): ReactElement {
  const { t } = useTranslation('publishing');
  const format = useFormat();
  const [open, setOpen] = useState<DialogName | null>(null);
  const isBuilt = site.purpose === 'built';
  const props = { siteId: site.id, base, onClose: () => setOpen(null) };
  const edit = (name: DialogName): ReactElement => (
    <Button aria-label={t('atOnce.changeOf', { name: t(`atOnce.${name}`) })} onClick={() => setOpen(name)}>
      {t('atOnce.change')}
    </Button>
  );
  const former = base.formerSlugs.map(({ slug, until }) => t('atOnce.former', { slug, date: format.date(until, { timeZone: base.timeZone, weekday: false }) }));
  return (
    <ul className="address-list">
      <StateRow site={site} />
      <SettingRow name={t('atOnce.name')} detail={`${base.name} · ${base.timeZone}`} actions={edit('name')} />
      {isBuilt && (
        <>
          <SettingRow name={t('atOnce.slug')} detail={[base.systemHost ?? base.slug, ...former].join(' · ')} actions={edit('slug')} />
          <SettingRow name={t('atOnce.visibility')} detail={t(`atOnce.visible.${base.visibility}`)} actions={edit('visibility')} />
          <SettingRow
            name={t('atOnce.maintenance')}
            detail={base.maintenance.message[site.defaultLang] ?? t('atOnce.usualMessage')}
            actions={edit('maintenance')}
          />
          {base.bypassLink !== null && <BypassRow siteId={site.id} link={base.bypassLink} />}
        </>
      )}
      {open === 'name' && <NameDialog {...props} />}
      {open === 'slug' && <SlugDialog {...props} />}
      {open === 'visibility' && <VisibilityDialog {...props} />}
      {open === 'maintenance' && <MaintenanceDialog {...props} languages={languages} />}
    </ul>
  );
}

/** Settings that visitors notice at once, without a release. Only people who may compose the site get them. */
export function AtOnceSection({ site, languages }: { readonly site: Site; readonly languages: readonly string[] }): ReactElement {
  const { t } = useTranslation('publishing');
  const result = useSiteBaseQuery({ siteId: site.id });
  useSiteListeners();
  return (
    <div className="publishing-form">
      <FormSection title={t('atOnce.title')} lead={t('atOnce.lead')}>
        <ResultState result={result} skeleton={<RowsSkeleton rows={4} />}>
          {(base) => <Rows site={site} base={base} languages={languages} />}
        </ResultState>
      </FormSection>
    </div>
  );
}
