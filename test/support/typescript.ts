/**
 * What `typescript` is to packages that make source text: openapi-typescript needs the programming interface of the compiler, which is not in
 * TypeScript 7. @ts-morph/common carries one, without a command of its own that would take the place of `tsc`.
 */
export { ts as default } from '@ts-morph/common';
