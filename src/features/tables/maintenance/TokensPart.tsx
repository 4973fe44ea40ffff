import { useMemo } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiToken } from '@contract/tokens/schemas';
import TokensTab from '@/features/account/center/TokensTab';

/** The user's own tokens that reach this site's tables: the list of the account page, filtered. */
export default function TokensPart({ siteId }: { readonly siteId: string }): ReactElement {
  const { t } = useTranslation('tableAdmin');
  const use = useMemo(
    () => ({
      is: ({ scopes, siteIds }: ApiToken) => scopes.some((scope) => scope.startsWith('tables:')) && (siteIds === null || siteIds.includes(siteId)),
      start: { key: `tables.token:${siteId}`, scopes: ['tables:read' as const], siteIds: [siteId] },
      lead: t('tokens.note'),
    }),
    [siteId, t],
  );
  return <TokensTab use={use} />;
}
