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
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { useAppSelector } from '@/store/hooks';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { changes } from '@/ui/form/conflicts';
import { useMergeContactsMutation } from './contactsApi';
import { selectContacts } from './contactsSlice';
import { mergedValues, valuesOf } from './contactValues';
import type { ContactValues } from './contactValues';
import { useValueText } from './useValueText';

/** Most likely duplicates first: the same name, then the same phone number. */
export function likelyDuplicates(target: Contact, contacts: readonly Contact[]): Contact[] {
  const score = (one: Contact): number => (one.name === target.name ? 2 : 0) + (one.phone !== null && one.phone === target.phone ? 1 : 0);
  return contacts.filter((one) => one.id !== target.id).sort((a, b) => score(b) - score(a));
}

/** Fields with a single value: if both contacts have one, the other's is dropped. */
const lost = ['company', 'email', 'phone', 'wechat', 'address', 'webhook'] as const;

/** The contact after the merge, and what is dropped from the other one. */
function MergePreview({ target, other }: { readonly target: Contact; readonly other: Contact }): ReactElement {
  const { t } = useTranslation('contacts');
  const textOf = useValueText();
  const [before, otherValues] = [valuesOf(target), valuesOf(other)];
  const after = mergedValues(before, otherValues);
  const changed = Object.keys(changes(before, after)) as (keyof ContactValues)[];
  const dropped = lost
    .map((field) => ({ text: textOf(field, otherValues), after: textOf(field, after) }))
    .filter(({ text, after: stays }) => text !== '' && text !== stays);
  return (
    <Box>
      <Typography variant="body2" sx={{ fontWeight: 500, mb: 0.5 }}>
        {t(changed.length === 0 ? 'merge.nothing' : 'merge.after', { name: target.name })}
      </Typography>
      <Table size="small">
        <TableBody>
          {changed.map((field) => (
            <TableRow key={field}>
              <TableCell component="th" scope="row" sx={{ pl: 0, width: 120, color: 'text.secondary', verticalAlign: 'top' }}>
                {t(`contacts.${field === 'title' ? 'role' : field === 'locale' ? 'language' : field}`)}
              </TableCell>
              <TableCell sx={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>{textOf(field, after)}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
      {dropped.length > 0 && (
        <Typography variant="caption" component="p" sx={{ mt: 1, color: 'warning.main', overflowWrap: 'anywhere' }}>
          {t('merge.lost')} {dropped.map(({ text }) => text).join(t('list'))}
        </Typography>
      )}
    </Box>
  );
}

/** Chooses the contact to merge into this one, previews the result and merges. */
export function MergeDialog({
  target,
  from = null,
  onMerged,
  onClose,
}: {
  readonly target: Contact;
  /** Preselected: the contact that has the typed address. */
  readonly from?: Contact | null;
  readonly onMerged: (merged: Contact) => void;
  readonly onClose: () => void;
}): ReactElement {
  const { t } = useTranslation('contacts');
  const titleId = useId();
  const contacts = useAppSelector(selectContacts);
  const others = from ? [from] : likelyDuplicates(target, contacts);
  const [chosen, setChosen] = useState(from?.id ?? others[0]?.id ?? '');
  const [merge, { isLoading }] = useMergeContactsMutation();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const other = others.find((one) => one.id === chosen) ?? null;
  const submit = async () => {
    if (!other || isLoading) return;
    setFailure(null);
    const { data, error } = await merge({ id: target.id, revision: target.revision, body: { from: other.id } });
    if (data) onMerged(data);
    else if (isFailure(error)) setFailure(error);
  };
  const label = (one: Contact) => [one.name, one.company, one.email ?? one.phone ?? ''].filter((part) => part !== '').join(' · ');
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="sm">
      <DialogTitle id={titleId}>{t('merge.title', { name: target.name })}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gap: 2 }}>
        <Typography variant="body2">{t('merge.lead', { name: target.name })}</Typography>
        {failure && <ErrorPanel failure={failure} />}
        <NativeSelect
          fullWidth
          value={chosen}
          disabled={from !== null}
          onChange={(event) => setChosen(event.target.value)}
          input={<OutlinedInput />}
          inputProps={{ 'aria-label': t('merge.from') }}
        >
          {others.map((one) => (
            <option key={one.id} value={one.id}>
              {label(one)}
            </option>
          ))}
        </NativeSelect>
        {other && <MergePreview target={target} other={other} />}
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
