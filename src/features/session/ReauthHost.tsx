import { useEffect, useRef, useState } from 'react';
import type { ComponentType } from 'react';
import { noticeShown } from '@/features/notices/noticesSlice';
import { ensureMessages } from '@/i18n';
import { useAppDispatch } from '@/store/hooks';
import { setProofAsker } from '@/store/proof';

type Dialog = ComponentType<{ onAnswer: (proven: boolean) => void }>;

/** Asks the person to prove who they are for whichever call needs it; the dialog's code and words come with the first question. */
export const ReauthHost = () => {
  const dispatch = useAppDispatch();
  const [asked, setAsked] = useState<{ Dialog: Dialog } | null>(null);
  const answer = useRef<(proven: boolean) => void>(undefined);

  useEffect(() => {
    let gone = false;
    const ask = async (): Promise<boolean> => {
      try {
        const [{ ReauthDialog: Dialog }] = await Promise.all([import(/* webpackChunkName: "reauth" */ './ReauthDialog'), ensureMessages(['session', 'form'])]);
        if (gone) return false;
        setAsked({ Dialog });
      } catch {
        dispatch(noticeShown({ tone: 'bad', words: { key: 'shell:partFailed' } }));
        return false;
      }
      const proven = await new Promise<boolean>((resolve) => {
        answer.current = resolve;
      });
      setAsked(null);
      if (!proven && !gone) dispatch(noticeShown({ words: { key: 'session:proof.kept' } }));
      return proven;
    };
    const takeBack = setProofAsker(ask);
    return () => {
      gone = true;
      takeBack();
      answer.current?.(false);
    };
  }, [dispatch]);

  return asked && <asked.Dialog onAnswer={(proven) => answer.current?.(proven)} />;
};
