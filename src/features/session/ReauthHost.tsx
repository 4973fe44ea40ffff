import { useEffect, useRef, useState } from 'react';
import type { ComponentType } from 'react';
import { noticeShown } from '@/features/notices/noticesSlice';
import { withMessages } from '@/i18n';
import { useAppDispatch } from '@/store/hooks';
import { registerProofPrompt } from '@/store/proof';
import { withMui } from '@/theme/mui';

type Dialog = ComponentType<{ onAnswer: (proven: boolean) => void }>;

/** Hosts the proof of identity for any call that needs it; the dialog's code and messages load with the first use. */
export const ReauthHost = () => {
  const dispatch = useAppDispatch();
  const [asked, setAsked] = useState<{ Dialog: Dialog } | null>(null);
  const result = useRef<(proven: boolean) => void>(undefined);

  useEffect(() => {
    let gone = false;
    const ask = async (): Promise<boolean> => {
      try {
        const { default: Dialog } = await withMui(withMessages(import(/* webpackChunkName: "reauth" */ './ReauthDialog'), ['session', 'form']));
        if (gone) return false;
        setAsked({ Dialog });
      } catch {
        dispatch(noticeShown({ tone: 'bad', message: { key: 'shell:partFailed' } }));
        return false;
      }
      const proven = await new Promise<boolean>((resolve) => {
        result.current = resolve;
      });
      setAsked(null);
      if (!proven && !gone) dispatch(noticeShown({ message: { key: 'session:proof.cancelled' } }));
      return proven;
    };
    const takeBack = registerProofPrompt(ask);
    return () => {
      gone = true;
      takeBack();
      result.current?.(false);
    };
  }, [dispatch]);

  return asked && <asked.Dialog onAnswer={(proven) => result.current?.(proven)} />;
};
