/**
 * Proof of identity. A call that the server answers with `reauth_required` waits here until the person has entered the password or used a passkey,
 * and is then sent again: the form it came from keeps its input.
 */
type Asker = () => Promise<boolean>;

let asker: Asker | null = null;
let asking: Promise<boolean> | null = null;

/** Registers how the dialog's host asks for a proof. Returns a function that unregisters it. */
export function setProofAsker(ask: Asker): () => void {
  asker = ask;
  return () => {
    if (asker === ask) asker = null;
  };
}

/** True once the person has proven their identity; false if they cancelled. Concurrent calls share one dialog. */
export function askForProof(): Promise<boolean> {
  asking ??= (asker ? asker() : Promise.resolve(false)).finally(() => {
    asking = null;
  });
  return asking;
}
