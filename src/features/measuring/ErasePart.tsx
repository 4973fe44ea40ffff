import { Box, Button, OutlinedInput, Typography } from '@mui/material';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ErasePreview, EraseWhat } from '@contract/measuring/schemas';
import { noticeShown } from '@/features/notices/noticesSlice';
import { isDay } from '@/lib/days';
import { useFormat } from '@/lib/format';
import { isFailure } from '@/lib/failure';
import { useAppDispatch } from '@/store/hooks';
import { ErrorPanel, useFailureMessage } from '@/ui/ErrorPanel';
import { DateInput } from '@/ui/date/DateInput';
import { Field } from '@/ui/form/Field';
import { FormSection } from '@/ui/form/FormSection';
import { TypedConfirm } from '@/ui/form/TypedConfirm';
import { useEraseMeasuredMutation, usePreviewEraseMutation } from './measuringApi';

const shortName = /^[0-9a-f]{8}$/i;

/** Permanently erases a visitor or some days: previewed first, confirmed with the site's name, run as a job. */
export function ErasePart({ siteId, name }: { readonly siteId: string; readonly name: string }): ReactElement {
  const { t } = useTranslation('measuring');
  const [visitor, setVisitor] = useState('');
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [tried, setTried] = useState<EraseWhat['kind'] | null>(null);
  const badVisitor = tried === 'visitor' && !shortName.test(visitor.trim()) ? t('erase.visitorFault') : undefined;
  const badRange = tried === 'range' && (!isDay(from) || !isDay(to) || to < from) ? t('erase.rangeFault') : undefined;
  return (
    <Box sx={{ '& section + section': { borderTop: 1, borderColor: 'divider' } }}>
      <FormSection title={t('erase.visitorTitle')} lead={t('erase.visitorLead')}>
        <Field label={t('erase.visitor')} help={t('erase.visitorHelp')} error={badVisitor}>
          {({ id, ...aria }) => (
            <OutlinedInput
              id={id}
              sx={{ maxWidth: 240 }}
              value={visitor}
              onChange={(event) => setVisitor(event.target.value)}
              inputProps={{ ...aria, maxLength: 12, spellCheck: false }}
            />
          )}
        </Field>
        <Erase
          siteId={siteId}
          name={name}
          what={shortName.test(visitor.trim()) ? { kind: 'visitor', visitor: visitor.trim().toLowerCase() } : null}
          onTry={() => setTried('visitor')}
        />
      </FormSection>
      <FormSection title={t('erase.rangeTitle')} lead={t('erase.rangeLead')}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
          <Field label={t('erase.from')} error={badRange}>
            {(aria) => <DateInput {...aria} value={from} onChange={setFrom} />}
          </Field>
          <Field label={t('erase.to')}>{(aria) => <DateInput {...aria} value={to} onChange={setTo} />}</Field>
        </Box>
        <Erase siteId={siteId} name={name} what={isDay(from) && isDay(to) && to >= from ? { kind: 'range', from, to } : null} onTry={() => setTried('range')} />
      </FormSection>
    </Box>
  );
}

type EraseProps = {
  readonly siteId: string;
  readonly name: string;
  /** null while the input is incomplete. */ readonly what: EraseWhat | null;
  readonly onTry: () => void;
};

function Erase({ siteId, name, what, onTry }: EraseProps): ReactElement {
  const { t } = useTranslation('measuring');
  const format = useFormat();
  const dispatch = useAppDispatch();
  const messageOf = useFailureMessage();
  const [look, { error, isLoading }] = usePreviewEraseMutation();
  const [erase] = useEraseMeasuredMutation();
  const [found, setFound] = useState<{ what: EraseWhat; preview: ErasePreview } | null>(null);
  const [asking, setAsking] = useState(false);
  const present = found !== null && JSON.stringify(found.what) === JSON.stringify(what) ? found : null;

  const preview = async (): Promise<void> => {
    onTry();
    if (what === null) return;
    const { data } = await look({ siteId, body: what });
    if (data) setFound({ what, preview: data });
  };
  const confirm = async (): Promise<string | null> => {
    if (present === null) return null;
    const { error: refused } = await erase({ siteId, body: { what: present.what, confirm: name } });
    if (isFailure(refused)) return messageOf(refused);
    setAsking(false);
    setFound(null);
    dispatch(noticeShown({ tone: 'good', message: { key: 'measuring:erase.started' } }));
    return null;
  };
  const amounts = present && {
    visitors: format.number(present.preview.visitors),
    visits: format.number(present.preview.visits),
    hits: format.number(present.preview.hits),
  };
  const nothing = present !== null && present.preview.hits + present.preview.visits === 0;
  return (
    <>
      {isFailure(error) && <ErrorPanel failure={error} title={t('erase.lookFailed')} />}
      <div>
        <Button variant="outlined" aria-busy={isLoading} onClick={() => !isLoading && void preview()}>
          {t('erase.look')}
        </Button>
      </div>
      {present && amounts && (
        <Box role="status">
          <Typography variant="body2">{nothing ? t('erase.nothing') : t('erase.found', amounts)}</Typography>
          {present.preview.first !== null && present.preview.last !== null && (
            <Typography variant="caption" component="p" sx={{ color: 'text.secondary' }}>
              {t('erase.span', { from: format.dateTime(present.preview.first), to: format.dateTime(present.preview.last) })}
            </Typography>
          )}
          {present.what.kind === 'visitor' && present.preview.visitors > 1 && (
            <Typography variant="caption" component="p" sx={{ color: 'warning.main' }}>
              {t('erase.several', { visitors: amounts.visitors })}
            </Typography>
          )}
          {!nothing && (
            <Button sx={{ mt: 1 }} variant="contained" color="error" onClick={() => setAsking(true)}>
              {t('erase.do')}
            </Button>
          )}
        </Box>
      )}
      <TypedConfirm open={asking} title={t('erase.title')} phrase={name} confirmLabel={t('erase.confirm')} onConfirm={confirm} onClose={() => setAsking(false)}>
        {amounts && <p>{t('erase.found', amounts)}</p>}
        <p>{t('erase.forGood')}</p>
      </TypedConfirm>
    </>
  );
}
