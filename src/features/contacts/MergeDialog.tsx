import {
  Box,
  Button,
  Dialog,
  DialogActions,
  DialogContent,
  DialogTitle,
  NativeSelect,
  OutlinedInput,
  Table,
  TableBody,
  TableCell,
  TableRow,
  Typography,
} from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Contact } from '@contract/contacts/schemas';
import { isFailure } from '@/store/failure';
import type { ApiFailure } from '@/store/failure';
import { useAppSelector } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { changes } from '@/ui/form/conflicts';
import { useMergeContactsMutation } from './contactsApi';
import { selectContacts } from './contactsSlice';
import { mergedValues, valuesOf } from './contactValues';
import type { ContactValues } from './contactValues';
import { useValueWords } from './useValueWords';

/** Those who are most probably the same person come first: the same name, then the same phone. */
export function likely(kept: Contact, contacts: readonly Contact[]): Contact[] {
  const score = (one: Contact): number => (one.name === kept.name ? 2 : 0) + (one.phone !== null && one.phone === kept.phone ? 1 : 0);
  return contacts.filter((one) => one.id !== kept.id).sort((a, b) => score(b) - score(a));
}

/** What a contact has one of: where both say something, the other's goes. */
const lost = ['company', 'email', 'phone', 'wechat', 'address', 'webhook'] as const;

/** Which contact is taken into this one, and what changes by that; then it is done. */
export function MergeDialog({
  kept,
  from = null,
  onMerged,
  onClose,
}: {
  readonly kept: Contact;
  /** Chosen already: whoever has the address that was typed. */
  readonly from?: Contact | null;
  readonly onMerged: (merged: Contact) => void;
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation('contacts');
  const titleId = useId();
  const words = useValueWords();
  const contacts = useAppSelector(selectContacts);
  const others = from ? [from] : likely(kept, contacts);
  const [chosen, setChosen] = useState(from?.id ?? others[0]?.id ?? '');
  const [merge, { isLoading }] = useMergeContactsMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const other = others.find((one) => one.id === chosen) ?? null;
  const before = valuesOf(kept);
  const after = other && mergedValues(before, valuesOf(other));
  const dropped = other && after ? lost.filter((field) => words(field, valuesOf(other)) !== '' && words(field, valuesOf(other)) !== words(field, after)) : [];
  const changed = after ? (Object.keys(changes(before, after)) as (keyof ContactValues)[]) : [];

  const submit = async () => {
    if (!other || isLoading) return;
    setFailure(null);
    const { data, error } = await merge({ id: kept.id, revision: kept.revision, body: { from: other.id } });
    if (data) onMerged(data);
    else if (isFailure(error)) setFailure(error);
  };
  const label = (one: Contact) => [one.name, one.company, one.email ?? one.phone ?? ''].filter((part) => part !== '').join(' · ');
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="sm">
      <DialogTitle id={titleId}>{t('merge.title', { name: kept.name })}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <Typography variant="body2">{t('merge.lead', { name: kept.name })}</Typography>
        {failure && <ErrorPanel failure={failure} />}
        <NativeSelect
          fullWidth
          value={chosen}
          disabled={from !== null}
          onChange={(event) => setChosen(event.target.value)}
          input={<OutlinedInput size="small" />}
          inputProps={{ 'aria-label': t('merge.from') }}
        >
          {others.map((one) => (
            <option key={one.id} value={one.id}>
              {label(one)}
            </option>
          ))}
        </NativeSelect>
        {after && (
          <Box>
            <Typography variant="body2" sx={{ fontWeight: 500, mb: 0.5 }}>
              {t(changed.length === 0 ? 'merge.nothing' : 'merge.after', { name: kept.name })}
            </Typography>
            <Table size="small">
              <TableBody>
                {changed.map((field) => (
                  <TableRow key={field}>
                    <TableCell component="th" scope="row" sx={{ pl: 0, width: 120, color: 'text.secondary', verticalAlign: 'top' }}>
                      {t(`contacts.${field === 'title' ? 'role' : field === 'locale' ? 'language' : field}`)}
                    </TableCell>
                    <TableCell sx={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>{words(field, after)}</TableCell>
                  </TableRow>
                ))}
              </TableBody>
            </Table>
            {other && dropped.length > 0 && (
              <Typography variant="caption" component="p" sx={{ mt: 1, color: 'warning.main', overflowWrap: 'anywhere' }}>
                {t('merge.lost')} {dropped.map((field) => words(field, valuesOf(other))).join(t('list'))}
              </Typography>
            )}
          </Box>
        )}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button onClick={onClose}>{t('merge.cancel')}</Button>
        <Button variant="contained" disabled={!other} aria-busy={isLoading} onClick={() => void submit()}>
          {t(isLoading ? 'merge.busy' : 'merge.do')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
