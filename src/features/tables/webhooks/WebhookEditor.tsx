import { useCallback, useRef } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Webhook, CreatedWebhook } from '@contract/tables/webhooks';
import type { ContentTable } from '@contract/tables/schemas';
import { SideSheet } from '@/ui/SideSheet';
import { useConfirm } from '@/ui/confirmContext';
import { WebhookForm } from './WebhookForm';

const nothing = { dirty: false, discard: (): void => undefined };

/** The drawer with the editor; confirms before closing where input would be lost. */
export const WebhookEditor = ({
  hook,
  open,
  onClose,
  onMade,
  onSaved,
  ...where
}: {
  readonly siteId: string;
  readonly tables: readonly ContentTable[];
  /** null: a new webhook. */ readonly hook: Webhook | null;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onMade: (createdHook: CreatedWebhook) => void;
  readonly onSaved: (hook: Webhook) => void;
}): ReactElement => {
  const { t } = useTranslation('tableHooks');
  const confirm = useConfirm();
  const typing = useRef(nothing);
  const onTyping = useCallback((now: typeof nothing) => {
    typing.current = now;
  }, []);
  const ask = async () => {
    const { dirty, discard } = typing.current;
    const question = { title: t('form.discardTitle'), body: t('form.discardText'), confirm: t('form.discard'), cancel: t('form.keep'), danger: true };
    if (dirty && !(await confirm(question))) return;
    if (dirty) discard();
    typing.current = nothing;
    onClose();
  };
  return (
    <SideSheet title={t(hook ? 'form.edit' : 'form.new')} open={open} width={600} className="hook-sheet" onClose={() => void ask()}>
      {open && <WebhookForm key={hook?.id ?? ''} hook={hook} {...where} onTyping={onTyping} onMade={onMade} onSaved={onSaved} onCancel={() => void ask()} />}
    </SideSheet>
  );
};
