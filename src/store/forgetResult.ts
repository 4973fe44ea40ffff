/** Awaits a mutation and removes its result from the store: for secrets that give access to an account. */
export async function forgetResult<R>(call: Promise<R> & { readonly reset: () => void }): Promise<R> {
  const result = await call;
  call.reset();
  return result;
}
