/**
 * zod compiles fast checkers with `new Function` and tries that once when a schema is created. The console's policy (Trusted Types, no eval) blocks
 * it and reports every attempt. zod reads this object when its module first runs, which may be in any lazy part: so it is set before all of them.
 */
export const forbidZodToCompile = (): void => void Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
