import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShownField } from './env';
import { useFieldEnv } from './env';
import type { Named } from './env';
import type { Option } from './OptionList';

/** Id of the option that creates what was typed. */
const createId = '+';

/**
 * What can be added from an editor's list: a choice or a linked record named as typed. `pick` is called with the new one, unless the editor was closed
 * meanwhile; `created` lists those that the screen may not know yet.
 */
export function useCreated(field: ShownField, pick: (id: string) => void) {
  const { t } = useTranslation('tableFields');
  const create = useFieldEnv().creatorOf?.(field) ?? null;
  const [created, setCreated] = useState<readonly Named[]>([]);
  const [state, setState] = useState<'idle' | 'busy' | { readonly error: string }>('idle');
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);

  const run = async (name: string): Promise<void> => {
    if (!create || state === 'busy') return;
    setState('busy');
    try {
      const one = await create(name);
      if (!isOpen.current) return;
      setCreated((before) => [...before, one]);
      setState('idle');
      pick(one.id);
    } catch (error) {
      if (isOpen.current) setState({ error: error instanceof Error && error.message !== '' ? error.message : t('createUnsent') });
    }
  };
  const message: ReactElement | null =
    state === 'idle' ? null : state === 'busy' ? (
      <p className="f-none" role="status">
        {t('creating')}
      </p>
    ) : (
      <p className="f-none" role="alert">
        {t('createFailed', { reason: state.error })}
      </p>
    );
  return {
    created,
    message,
    /** The options, and one that creates what was typed if none is named like it. */
    withCreate: (options: readonly Option[], text: string): readonly Option[] => {
      const name = text.trim();
      const isNew = create !== null && name !== '' && !options.some((one) => one.name.toLowerCase() === name.toLowerCase());
      return isNew ? [...options, { id: createId, name: t('createNew', { text: name }) }] : options;
    },
    /** false: a usual option was picked. */
    runIfCreate: (id: string, text: string): boolean => {
      if (id !== createId) return false;
      void run(text.trim());
      return true;
    },
  };
}
