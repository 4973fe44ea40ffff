import { Alert, Box, Button, Dialog, DialogActions, DialogContent, DialogTitle, Typography } from '@mui/material';
import { useId } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { pathOf } from '@contract/call';
import { contactCalls } from '@contract/contacts/calls';
import { siteCalls } from '@contract/sites/calls';
import { listCalls } from '@contract/sites/listCalls';
import { tableCalls } from '@contract/tables/calls';
import type { ApiToken } from '@contract/tokens/schemas';
import { selectMay } from '@/features/session/sessionSlice';
import { useAppSelector } from '@/store/hooks';
import { CopyButton } from '@/ui/CopyButton';

/** An example call for this token, for scopes with a call that needs no ids. */
const tries: readonly (readonly [ApiToken['scopes'][number], string])[] = [
  ['site:read', siteCalls.load.path],
  ['analytics:read', listCalls.figures.path],
  ['account:read', contactCalls.contacts.path],
];

const Code = ({ label, text, children }: { readonly label: string; readonly text: string; readonly children: ReactNode }) => {
  const { t } = useTranslation('account');
  return (
    <Box>
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', mb: 0.5 }}>
        <Typography variant="body2" sx={{ fontWeight: 500 }}>
          {label}
        </Typography>
        <CopyButton text={text} label={t('tokens.copyNamed', { what: label })}>
          {t('tokens.copy')}
        </CopyButton>
      </Box>
      <Box
        component="pre"
        tabIndex={0}
        aria-label={label}
        sx={{
          m: 0,
          p: 1.5,
          borderRadius: 1,
          bgcolor: 'action.hover',
          fontFamily: 'var(--mono)',
          fontSize: 'var(--text-table)',
          whiteSpace: 'pre-wrap',
          overflowWrap: 'anywhere',
          userSelect: 'all',
        }}
      >
        {children}
      </Box>
    </Box>
  );
};

/** Shows the value of a new token, once. Neither Escape nor a click outside closes it. */
export function TokenCreated({ token, value, onClose }: { readonly token: ApiToken; readonly value: string; readonly onClose: () => void }): ReactElement {
  const { t } = useTranslation('account');
  const titleId = useId();
  const mayContacts = useAppSelector((state) => selectMay(state, 'contacts.read'));
  const siteId = token.scopes.includes('tables:read') ? token.siteIds?.[0] : undefined;
  const path =
    siteId === undefined
      ? tries.find(([scope]) => token.scopes.includes(scope) && (scope !== 'account:read' || mayContacts))?.[1]
      : pathOf(tableCalls.tables, { siteId });
  const line = `curl -H 'Authorization: Bearer ${value}' ${location.origin}${path ?? ''}`;
  return (
    <Dialog open aria-labelledby={titleId} fullWidth maxWidth="sm">
      <DialogTitle id={titleId}>{t('tokens.madeTitle', { name: token.name })}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <Alert severity="warning" variant="outlined">
          {t('tokens.once')}
        </Alert>
        <Code label={t('tokens.value')} text={value}>
          {value}
        </Code>
        {path !== undefined && (
          <Code label={t('tokens.example')} text={line}>
            {line}
          </Code>
        )}
        <Typography variant="body2">
          <a className="text-link in-text" href="/api/docs" target="_blank" rel="noreferrer">
            {t('tokens.docs')}
          </a>
        </Typography>
      </DialogContent>
      <DialogActions sx={{ padding: '8px 24px 16px' }}>
        <Button variant="contained" onClick={onClose}>
          {t('tokens.stored')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
