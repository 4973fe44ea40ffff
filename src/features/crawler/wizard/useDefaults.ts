import { useEffect, useEffectEvent, useRef } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Hostname } from '@contract/hostnames/schemas';
import type { Site } from '@contract/sites/schemas';
import { useHostnamesQuery } from '@/features/hostnames/hostnamesApi';
import { selectSite } from '@/features/sites/sitesSlice';
import { useAppSelector } from '@/store/hooks';
import type { WizardForm } from './wizardForm';

type Host = Pick<Hostname, 'host' | 'role' | 'served' | 'tls'>;

/** Where visitors find a site: its own address, else its primary hostname, else the address that every site built here has. */
export function addressOfSite({ url, systemHost }: Pick<Site, 'url' | 'systemHost'>, hosts: readonly Host[] = []): string {
  const primary = hosts.find(({ role, served }) => role === 'primary' && served);
  const isSecure = primary?.tls === 'active' || primary?.tls === 'renewing';
  return url ?? (primary ? `${isSecure ? 'https' : 'http'}://${primary.host}/` : (systemHost ?? ''));
}

/** Changes a field together with its default, unless somebody has typed a value of their own. */
function useFollowing(form: WizardForm, field: 'name' | 'seeds', value: string | null): void {
  const last = useRef(value);
  const follow = useEffectEvent((): void => {
    if (value === null) return;
    const present = form.getValues(field).trim();
    if (present === '' || present === last.current) form.resetField(field, { defaultValue: value });
    last.current = value;
  });
  useEffect(() => follow(), [value]);
}

/** Name and start address of a new crawler follow its purpose, its site and the language of the console. `isNew`: not one that exists or is copied. */
export function useDefaults(form: WizardForm, isNew: boolean): void {
  const { t } = useTranslation('crawler');
  const [siteId, kind] = useWatch({ control: form.control, name: ['siteId', 'kind'] });
  const site = useAppSelector((state) => selectSite(state, siteId));
  const { currentData } = useHostnamesQuery({ siteId }, { skip: !isNew || site === undefined || site.url !== null });
  useFollowing(form, 'name', isNew ? t(`template.${kind}`) : null);
  useFollowing(form, 'seeds', isNew && site ? addressOfSite(site, currentData?.rows) : null);
}
