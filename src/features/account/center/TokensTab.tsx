import { Box, Button, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiToken } from '@contract/tokens/schemas';
import { failureMessage, noticeShown } from '@/features/notices/noticesSlice';
import { selectSites } from '@/features/sites/sitesSlice';
import { useFormat } from '@/lib/format';
import { oneOf, useSearchState } from '@/lib/searchState';
import { isFailure } from '@/lib/failure';
import { useAppDispatch, useAppSelector } from '@/store/hooks';
import { useConfirm } from '@/ui/confirmContext';
import { EmptyState } from '@/ui/EmptyState';
import { ListContent } from '@/ui/list/ListContent';
import { RowList } from '@/ui/list/RowList';
import { useRemoveTokenMutation, useTokensQuery } from './centerApi';
import { scopeKey } from './scopes';
import { TokenDialog } from './TokenDialog';
import type { TokenStart } from './TokenDialog';
import { TokenNameDialog } from './TokenNameDialog';

const address = { new: oneOf(['0', '1'], '0') };
/** A token that expires within this time is marked. Milliseconds. */
const soonMs = 7 * 86_400_000;

function TokenItem({
  token,
  now,
  onRename,
  onEnd,
}: {
  readonly token: ApiToken;
  readonly now: number;
  readonly onRename: () => void;
  readonly onEnd: () => void;
}): ReactElement {
  const { t } = useTranslation('account');
  const format = useFormat();
  const sites = useAppSelector(selectSites);
  const left = Date.parse(token.expiresAt) - now;
  const over = left <= 0;
  const names = token.siteIds?.map((id) => sites.find((site) => site.id === id)?.name ?? t('tokens.goneSite'));
  const line = (label: string, value: string) => (
    <Typography variant="caption" component="div" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
      {t('tokens.pair', { label, value })}
    </Typography>
  );
  return (
    <Box component="li" sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, py: 1.5, borderBottom: 1, borderColor: 'divider' }}>
      <Box sx={{ flex: '1 1 320px', minWidth: 0 }}>
        <Typography variant="body2" sx={{ fontWeight: 500, overflowWrap: 'anywhere', ...(over && { color: 'text.secondary' }) }}>
          {token.name}
          <Box component="code" sx={{ ml: 1, fontFamily: 'var(--mono)', fontSize: 'var(--text-secondary)', fontWeight: 400, color: 'text.secondary' }}>
            …{token.ending}
          </Box>
          {(over || left < soonMs) && (
            <Typography component="span" variant="caption" sx={{ ml: 1, color: over ? 'error.main' : 'warning.main', whiteSpace: 'nowrap' }}>
              {t(over ? 'tokens.expired' : 'tokens.soon')}
            </Typography>
          )}
        </Typography>
        {line(t('tokens.scopes'), token.scopes.map((scope) => t(`tokens.scope.${scopeKey[scope]}`)).join(t('tokens.comma')))}
        {line(t('tokens.sites'), names ? names.join(t('tokens.comma')) : t('tokens.allSites'))}
        {token.addresses.length > 0 && line(t('tokens.addresses'), token.addresses.join(t('tokens.comma')))}
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
          <span title={format.dateTime(token.expiresAt)}>
            {t(over ? 'tokens.endedOn' : 'tokens.endsOn', { date: format.date(token.expiresAt, { weekday: false }) })}
          </span>
          {' · '}
          {token.lastUsedAt === null ? (
            t('tokens.neverUsed')
          ) : (
            <span title={format.dateTime(token.lastUsedAt)}>
              {t('tokens.lastUsed', { when: format.relative(token.lastUsedAt), address: token.lastAddress ?? t('center.unknownPlace') })}
            </span>
          )}
        </Typography>
      </Box>
      <Box sx={{ display: 'flex', gap: 1, alignItems: 'flex-start' }}>
        <Button onClick={onRename} aria-label={t('tokens.renameNamed', { name: token.name })}>
          {t('tokens.rename')}
        </Button>
        <Button variant="outlined" color="error" onClick={onEnd} aria-label={t(over ? 'tokens.removeNamed' : 'tokens.endNamed', { name: token.name })}>
          {t(over ? 'tokens.remove' : 'tokens.end_')}
        </Button>
      </Box>
    </Box>
  );
}

/** Tokens for one purpose (a site's tables): which tokens belong to it, initial values of a new one, and its texts. */
export type TokenUse = { readonly is: (token: ApiToken) => boolean; readonly start: TokenStart; readonly lead: string };

/** Tokens: the scopes of each, its last use, and ways to create and revoke them. `use`: only those for one purpose. */
export default function TokensTab({ use }: { readonly use?: TokenUse }): ReactElement {
  const { t } = useTranslation('account');
  const dispatch = useAppDispatch();
  const confirm = useConfirm();
  const result = useTokensQuery(undefined, { refetchOnMountOrArgChange: true });
  const [{ new: opened }, change] = useSearchState(address);
  const [renaming, setRenaming] = useState<ApiToken | null>(null);
  const [remove] = useRemoveTokenMutation();
  const [now] = useState(() => Date.now());

  const end = async (token: ApiToken) => {
    const over = Date.parse(token.expiresAt) <= now;
    const question = over
      ? { title: t('tokens.removeTitle', { name: token.name }), body: t('tokens.removeText'), confirm: t('tokens.remove'), danger: true }
      : { title: t('tokens.endTitle', { name: token.name }), body: t('tokens.endText'), confirm: t('tokens.end_'), danger: true };
    if (!(await confirm(question))) return;
    const { error } = await remove({ id: token.id });
    if (isFailure(error) && error.status !== 404) dispatch(noticeShown({ tone: 'bad', message: failureMessage(error), requestId: error.requestId }));
    else dispatch(noticeShown({ message: { key: 'account:tokens.ended', values: { name: token.name } } }));
  };
  const listed = (tokens: readonly ApiToken[]) => (use ? tokens.filter(use.is) : tokens);
  const make = (
    <Button variant="contained" onClick={() => change({ new: '1' })}>
      {t('tokens.make')}
    </Button>
  );
  return (
    <>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-start', justifyContent: 'space-between', gap: 2, mb: 2 }}>
        <Typography variant="body2" sx={{ flex: '1 1 320px', maxWidth: 640, color: 'text.secondary' }}>
          {use?.lead ?? t('tokens.lead')}
          <a className="text-link in-text" href="/api/docs" target="_blank" rel="noreferrer">
            {t('tokens.docs')}
          </a>
        </Typography>
        {listed(result.data ?? []).length > 0 && make}
      </Box>
      <ListContent
        result={result}
        rowsOf={listed}
        skeletonRows={3}
        empty={
          <EmptyState title={t('tokens.empty')} action={make}>
            {t('tokens.emptyText')}
          </EmptyState>
        }
      >
        {(tokens) => (
          <RowList label={t('tokens.label')}>
            {tokens.map((token) => (
              <TokenItem key={token.id} token={token} now={now} onRename={() => setRenaming(token)} onEnd={() => void end(token)} />
            ))}
          </RowList>
        )}
      </ListContent>
      {opened === '1' && <TokenDialog {...(use && { start: use.start })} onClose={() => change({ new: '0' }, 'replace')} />}
      {renaming && <TokenNameDialog token={renaming} onClose={() => setRenaming(null)} />}
    </>
  );
}
