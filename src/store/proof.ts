/**
 * Proving who one is again. A call that the server answers with `reauth_required` waits here until the person has shown
 * the password or a passkey, and is then sent again by itself: whatever form it came from keeps what was typed.
 */
type Asker = () => Promise<boolean>;

let asker: Asker | null = null;
let asking: Promise<boolean> | null = null;

/** The dialog's host says here how to ask. Returns the way to take that back. */
export function setProofAsker(ask: Asker): () => void {
  asker = ask;
  return () => {
    if (asker === ask) asker = null;
  };
}

/** True once the person has proven it; false when they would rather not. Calls that wait at the same time share one question. */
export function askForProof(): Promise<boolean> {
  asking ??= (asker ? asker() : Promise.resolve(false)).finally(() => {
    asking = null;
  });
  return asking;
}
