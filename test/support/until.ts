/** Polls until `holds` returns true. Fails after `within` milliseconds; no test depends on the duration. */
export async function until(holds: () => boolean | Promise<boolean>, within = 15_000): Promise<void> {
  const deadline = Date.now() + within;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`did not happen within ${within} ms: ${holds.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
