import { Box } from '@mui/material';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useForm } from 'react-hook-form';
import { useConfirm } from '@/ui/confirmContext';
import type { ShownFailure } from '@/ui/ErrorPanel';
import { DateField } from '@/ui/form/DateField';
import { encodeFieldError } from '@/ui/form/fieldError';
import { FormDialog } from '@/ui/form/FormDialog';
import { SelectField } from '@/ui/form/SelectField';
import { TextField } from '@/ui/form/TextField';
import { TypedConfirm } from '@/ui/form/TypedConfirm';
import { PlainButton } from '@/ui/PlainButton';
import { Section } from '@/ui/Section';
import { Row } from './Row';
import { useTexts } from './texts';

type Sample = { readonly name: string; readonly note: string; readonly kind: string; readonly day: string };
const states = ['empty', 'saving', 'failed', 'wrong', 'danger', 'wide'] as const;
type State = (typeof states)[number];

const failure: ShownFailure = { kind: 'http', status: 500, message: '', requestId: 'f3a9c1' };

/** A form dialog in one of its states. */
function Example({ state, onClose }: { readonly state: State; readonly onClose: () => void }): ReactElement {
  const texts = useTexts();
  const isWide = state === 'wide';
  const form = useForm<Sample>({
    defaultValues: { name: state === 'empty' ? '' : texts.site, note: '', kind: '0', day: state === 'empty' ? '' : '2026-11-20' },
  });
  const { control, setError } = form;
  useEffect(() => {
    if (state !== 'wrong') return;
    setError('name', { message: encodeFieldError({ code: 'taken' }) });
    setError('day', { message: encodeFieldError({ code: 'pattern' }) });
  }, [state, setError]);
  return (
    <FormDialog
      form={form}
      title={texts.dialogs[state]}
      lead={state === 'danger' ? texts.long : texts.help}
      submitLabel={state === 'danger' ? texts.remove : texts.save}
      busyLabel={texts.saving}
      busy={state === 'saving'}
      danger={state === 'danger'}
      failure={state === 'failed' ? { ...failure, message: texts.long } : null}
      width={isWide ? 'md' : 'xs'}
      onSubmit={onClose}
      onClose={onClose}
    >
      {state !== 'danger' && (
        <Box sx={{ display: 'grid', gap: 2.5, gridTemplateColumns: { sm: isWide ? '1fr 1fr' : '1fr' } }}>
          <TextField control={control} name="name" label={texts.name} placeholder={texts.site} autoFocus />
          <SelectField control={control} name="kind" label={texts.kind} choices={texts.kinds.map((label, at) => ({ value: String(at), label }))} />
          <DateField control={control} name="day" label={texts.date} optional />
          <TextField control={control} name="note" label={texts.long} multiline minRows={2} optional />
        </Box>
      )}
    </FormDialog>
  );
}

export function Dialogs(): ReactElement {
  const texts = useTexts();
  const confirm = useConfirm();
  const [open, setOpen] = useState<State | 'typed' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Section title={texts.dialogsTitle}>
      <Row name="FormDialog">
        {states.map((state) => (
          <PlainButton key={state} onClick={() => setOpen(state)}>
            {texts.dialogs[state]}
          </PlainButton>
        ))}
      </Row>
      <Row name="ConfirmDialog">
        <PlainButton onClick={() => void confirm({ title: texts.save, body: texts.help, confirm: texts.save })}>{texts.dialogs.confirm}</PlainButton>
        <PlainButton onClick={() => void confirm({ title: texts.dialogs.danger, body: texts.long, confirm: texts.remove, danger: true })}>
          {texts.dialogs.confirmDanger}
        </PlainButton>
      </Row>
      <Row name="TypedConfirm">
        <PlainButton onClick={() => setOpen('typed')}>{texts.dialogs.typed}</PlainButton>
      </Row>
      {open === 'typed' ? (
        <TypedConfirm open title={texts.dialogs.danger} phrase={texts.site} confirmLabel={texts.remove} onConfirm={() => Promise.resolve(null)} onClose={close}>
          {texts.long}
        </TypedConfirm>
      ) : (
        open !== null && <Example state={open} onClose={close} />
      )}
    </Section>
  );
}
