import { Dialog } from '@mui/material';
import { useId } from 'react';
import type { ReactElement } from 'react';
import { RecoveryCodes } from './RecoveryCodes';

/** New recovery codes. They are never shown again, so only the dialog's own button closes it. */
export function RecoveryCodesDialog({ codes, onKept }: { readonly codes: readonly string[]; readonly onKept: () => void }): ReactElement {
  const titleId = useId();
  return (
    <Dialog open aria-labelledby={titleId} fullWidth maxWidth="xs">
      <RecoveryCodes titleId={titleId} codes={codes} onKept={onKept} />
    </Dialog>
  );
}
