import { useWatch } from 'react-hook-form';
import type { LanguagesPart } from '@contract/languages/part';
import { useHostnamesQuery } from '@/features/hostnames/hostnamesApi';
import type { ContractForm } from '@/ui/form/useContractForm';

type Host = { readonly id: string; readonly name: string; readonly isPrimary: boolean };

/** Hostnames that languages may have with the chosen strategy: they serve the site, and with `subdomain` they are of the domain of the main one. Empty with prefixes. */
export function useLanguageHosts(siteId: string, form: ContractForm<LanguagesPart>): { readonly hosts: readonly Host[]; readonly isReady: boolean } {
  const strategy = useWatch({ control: form.control, name: 'strategy' });
  const skip = strategy !== 'subdomain' && strategy !== 'domain';
  const { data } = useHostnamesQuery({ siteId }, { skip });
  const rows = (skip ? undefined : data?.rows) ?? [];
  const primary = rows.find(({ role }) => role === 'primary');
  return {
    hosts: rows
      .filter(({ served, role, apex }) => served && role !== 'redirect' && (strategy !== 'subdomain' || primary === undefined || apex === primary.apex))
      .map(({ id, unicode, role }) => ({ id, name: unicode, isPrimary: role === 'primary' })),
    isReady: data !== undefined,
  };
}
