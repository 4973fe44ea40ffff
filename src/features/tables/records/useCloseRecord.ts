import { useNavigate } from 'react-router-dom';
import { phone, useMedia } from '@/lib/useMedia';
import type { ChangeAddress } from './address';

/** Whether an entry of the console precedes this one in the history; the router numbers its entries. */
const hasPreviousEntry = (): boolean => ((history.state as { readonly idx?: number } | null)?.idx ?? 0) > 0;

/**
 * Closes the open record. On phones a record is a page: closing it goes back, as the browser's button does, and a record opened by its URL is replaced by the
 * list.
 */
export function useCloseRecord(changeAddress: ChangeAddress): () => void {
  const navigate = useNavigate();
  const onPhone = useMedia(phone);
  return () => {
    if (onPhone && hasPreviousEntry()) void navigate(-1);
    else changeAddress({ record: '' }, onPhone ? 'replace' : 'push');
  };
}
