import Check from '@mui/icons-material/CheckOutlined';
import Delete from '@mui/icons-material/DeleteOutlineOutlined';
import ErrorOutline from '@mui/icons-material/ErrorOutlineOutlined';
import { Box, IconButton, Table, TableBody, TableCell, TableContainer, TableHead, TableRow, Typography } from '@mui/material';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { contactTopics } from '@contract/contacts/schemas';
import type { Contact } from '@contract/contacts/schemas';

type Props = {
  readonly contacts: readonly Contact[];
  readonly mayWrite: boolean;
  readonly addressOf: (id: string) => string;
  readonly onRemove: (contact: Contact) => void;
};

/** Columns that a phone shows below the name instead. */
const desk = { display: { xs: 'none', sm: 'table-cell' } } as const;

/** Which sites, and quiet hours. */
function Limits({ contact }: { readonly contact: Contact }): ReactElement | null {
  const { t } = useTranslation('contacts');
  const { siteIds, quietHours } = contact;
  const parts = [
    siteIds === null ? '' : t('contacts.siteCount', { count: siteIds.length }),
    quietHours === null ? '' : t('contacts.quietAt', { from: quietHours.from, to: quietHours.to }),
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : <div>{parts.join(' · ')}</div>;
}

/** Other uses of the contact. */
function Kinds({ contact }: { readonly contact: Contact }): ReactElement | null {
  const { t } = useTranslation('contacts');
  if (contact.kinds.length === 0) return null;
  return (
    <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
      {contact.kinds.map((kind) => t(`kind.${kind}`)).join(t('list'))}
    </Typography>
  );
}

function useTopicsText(): (contact: Contact) => string {
  const { t } = useTranslation('contacts');
  return (contact) =>
    contactTopics
      .filter((topic) => topic in contact.subscriptions)
      .map((topic) => t(`topic.${topic}`))
      .join(' · ') || t('contacts.noTopics');
}

/** The name, which opens the drawer, and on a phone what the hidden columns say. */
function NameCell({ contact, address }: { readonly contact: Contact; readonly address: string }): ReactElement {
  const { t } = useTranslation('contacts');
  const topicsOf = useTopicsText();
  return (
    <TableCell component="th" scope="row" sx={{ minWidth: 120, maxWidth: 280, fontWeight: 400 }}>
      <Typography
        component={Link}
        to={address}
        preventScrollReset
        sx={{ fontWeight: 500, color: 'inherit', textDecoration: 'none', overflowWrap: 'anywhere', '&:hover': { textDecoration: 'underline' } }}
      >
        {contact.name}
      </Typography>
      {contact.company !== '' && (
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
          {contact.company}
        </Typography>
      )}
      <Typography variant="caption" component="div" sx={{ display: { sm: 'none' }, color: 'text.secondary' }}>
        {t(`title.${contact.title}`)}
        <Kinds contact={contact} />
        <div>{topicsOf(contact)}</div>
        <Limits contact={contact} />
      </Typography>
    </TableCell>
  );
}

/** How to reach the contact, and whether the address is verified. */
function ReachCell({ contact }: { readonly contact: Contact }): ReactElement {
  const { t } = useTranslation('contacts');
  const unverified = contact.emailVerifiedAt === null;
  return (
    <TableCell sx={{ minWidth: { sm: 180 }, overflowWrap: 'anywhere', fontVariantNumeric: 'tabular-nums' }}>
      {contact.email !== null && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1 }}>
          {contact.email}
          <Typography
            component="span"
            variant="caption"
            sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5, color: unverified ? 'warning.main' : 'text.secondary', whiteSpace: 'nowrap' }}
          >
            {unverified ? <ErrorOutline fontSize="small" /> : <Check fontSize="small" />}
            {t(unverified ? 'contacts.unverified' : 'contacts.verified')}
          </Typography>
        </Box>
      )}
      {contact.phone !== null && <Box sx={{ color: contact.email === null ? 'text.primary' : 'text.secondary' }}>{contact.phone}</Box>}
      {contact.webhook !== null && (
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
          {t('channel.webhook')}
        </Typography>
      )}
    </TableCell>
  );
}

function ContactRow({ contact, mayWrite, addressOf, onRemove }: Omit<Props, 'contacts'> & { readonly contact: Contact }): ReactElement {
  const { t } = useTranslation('contacts');
  const topicsOf = useTopicsText();
  return (
    <TableRow hover>
      <NameCell contact={contact} address={addressOf(contact.id)} />
      <TableCell sx={{ ...desk, minWidth: 132, maxWidth: 180 }}>
        {t(`title.${contact.title}`)}
        <Kinds contact={contact} />
      </TableCell>
      <ReachCell contact={contact} />
      <TableCell sx={{ ...desk, minWidth: 160, color: Object.keys(contact.subscriptions).length === 0 ? 'text.secondary' : 'text.primary' }}>
        {topicsOf(contact)}
        <Typography variant="caption" component="div" sx={{ color: 'text.secondary' }}>
          <Limits contact={contact} />
        </Typography>
      </TableCell>
      <TableCell align="right" sx={{ pr: 0, width: 40 }}>
        {mayWrite && (
          <IconButton aria-label={`${t('contacts.remove')} ${contact.name}`} title={t('contacts.remove')} onClick={() => onRemove(contact)}>
            <Delete fontSize="small" />
          </IconButton>
        )}
      </TableCell>
    </TableRow>
  );
}

/** One row per contact. The name opens the drawer; the row's only action is removal. */
export function ContactTable({ contacts, ...row }: Props): ReactElement {
  const { t } = useTranslation('contacts');
  return (
    <TableContainer>
      <Table
        size="small"
        aria-label={t('contacts.label')}
        sx={{
          '& td, & th': { borderColor: 'divider' },
          '& td': { py: 0.75, verticalAlign: 'top' },
          '& th:first-of-type': { pl: 0 },
          '& tbody th': { py: 0.75, verticalAlign: 'top' },
        }}
      >
        <TableHead>
          <TableRow>
            <TableCell>{t('contacts.column.name')}</TableCell>
            <TableCell sx={desk}>{t('contacts.column.title')}</TableCell>
            <TableCell>{t('contacts.column.reach')}</TableCell>
            <TableCell sx={desk}>{t('contacts.column.topics')}</TableCell>
            <TableCell>
              <span className="only-read">{t('contacts.column.actions')}</span>
            </TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {contacts.map((contact) => (
            <ContactRow key={contact.id} contact={contact} {...row} />
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
