import { Alert, Button, Checkbox, Dialog, DialogActions, DialogContent, DialogTitle, FormControlLabel, Typography } from '@mui/material';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Webhook, CreatedWebhook } from '@contract/tables/webhooks';
import { isFailure } from '@/lib/failure';
import type { ApiFailure } from '@/lib/failure';
import { ErrorPanel } from '@/ui/ErrorPanel';
import { Segmented } from '@/ui/form/Segmented';
import { CodeBlock } from './CodeBlock';
import { useRotateHookMutation } from './webhooksApi';
import { snippetLanguages, snippets } from './snippets';
import type { SnippetLanguage } from './snippets';

/** A new secret, shown once, with instructions for verification. Neither Escape nor a press outside closes the dialog. */
export const SecretDialog = ({ hook, secret, onClose }: CreatedWebhook & { readonly onClose: () => void }): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const titleId = useId();
  const [language, setLanguage] = useState<SnippetLanguage>('Node.js');
  return (
    <Dialog open aria-labelledby={titleId} fullWidth maxWidth="md">
      <DialogTitle id={titleId}>{t('secret.title', { name: hook.name })}</DialogTitle>
      <DialogContent sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
        <Alert severity="warning" variant="outlined">
          {t('secret.once')}
        </Alert>
        <CodeBlock label={t('secret.value')} text={secret} />
        <div>
          <Typography component="h3" sx={{ fontSize: 'var(--text-body)', fontWeight: 600 }}>
            {t('secret.verify')}
          </Typography>
          <Typography variant="body2" sx={{ mt: 0.5, mb: 1.5, color: 'text.secondary' }}>
            {t('secret.verifyText')}
          </Typography>
          <Segmented
            label={t('secret.langs')}
            value={language}
            choices={snippetLanguages.map((value) => ({ value, label: value }))}
            onChoose={(next) => setLanguage(next)}
          />
        </div>
        <CodeBlock label={t('secret.sample', { lang: language })} text={snippets[language]} />
      </DialogContent>
      <DialogActions sx={{ padding: '8px 24px 16px' }}>
        <Button variant="contained" onClick={onClose}>
          {t('secret.done')}
        </Button>
      </DialogActions>
    </Dialog>
  );
};

/** Confirms a new secret: the receiver's current one expires in a day or at once. */
export const RotateDialog = ({
  siteId,
  hook,
  onMade,
  onClose,
}: {
  readonly siteId: string;
  readonly hook: Webhook;
  readonly onMade: (createdHook: CreatedWebhook) => void;
  readonly onClose: () => void;
}): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const titleId = useId();
  const [leaked, setLeaked] = useState(false);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [rotate, { isLoading }] = useRotateHookMutation();
  const go = async () => {
    if (isLoading) return;
    setFailure(null);
    const call = rotate({ siteId, hook: hook.id, body: { keepOld: !leaked } });
    const { data, error } = await call;
    // The secret must not remain in the store.
    call.reset();
    if (data) onMade(data);
    else if (isFailure(error)) setFailure(error);
  };
  return (
    <Dialog open onClose={onClose} aria-labelledby={titleId} fullWidth maxWidth="xs">
      <DialogTitle id={titleId}>{t('secret.rotateTitle', { name: hook.name })}</DialogTitle>
      <DialogContent>
        {failure && <ErrorPanel failure={failure} title={t('failed')} />}
        <Typography variant="body2">{t('secret.rotateText')}</Typography>
        <FormControlLabel
          sx={{ mt: 1 }}
          control={<Checkbox checked={leaked} onChange={(_event, on) => setLeaked(on)} />}
          label={<Typography variant="body2">{t('secret.leaked')}</Typography>}
        />
      </DialogContent>
      <DialogActions sx={{ padding: '8px 24px 16px' }}>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button variant="contained" aria-busy={isLoading} onClick={() => void go()}>
          {t('secret.rotate')}
        </Button>
      </DialogActions>
    </Dialog>
  );
};
