import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Question } from './confirmContext';

/** A confirmation dialog with two buttons; Escape cancels. Opened through `useConfirm()`. */
const ConfirmDialog = ({ question, onAnswer }: { question: Question; onAnswer: (value: boolean) => void }) => {
  const { t } = useTranslation('ui');
  const id = useId();
  return (
    <Dialog open onClose={() => onAnswer(false)} aria-labelledby={id} maxWidth="xs" fullWidth>
      <DialogTitle id={id}>{question.title}</DialogTitle>
      {question.body && <DialogContent>{question.body}</DialogContent>}
      <DialogActions sx={{ padding: '8px 24px 16px' }}>
        <Button onClick={() => onAnswer(false)} autoFocus={question.danger ?? false}>
          {question.cancel ?? t('cancel')}
        </Button>
        <Button variant="contained" color={question.danger ? 'error' : 'primary'} onClick={() => onAnswer(true)} autoFocus={!question.danger}>
          {question.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
};

export default ConfirmDialog;
