/**
 * Proof of identity. A call that the server answers with `reauth_required` waits here until the person has entered the password or used a passkey,
 * and is then sent again: the form it came from keeps its input.
 */
type ProofPrompt = () => Promise<boolean>;

let prompt: ProofPrompt | null = null;
let pendingProof: Promise<boolean> | null = null;

/** Registers how the dialog's host asks for a proof. Returns a function that unregisters it. */
export function registerProofPrompt(ask: ProofPrompt): () => void {
  prompt = ask;
  return () => {
    if (prompt === ask) prompt = null;
  };
}

/** True once the person has proven their identity; false if they cancelled. Concurrent calls share one dialog. */
export function requestProof(): Promise<boolean> {
  pendingProof ??= (prompt ? prompt() : Promise.resolve(false)).finally(() => {
    pendingProof = null;
  });
  return pendingProof;
}
