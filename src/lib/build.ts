/** The build of this page; '' if unknown (tests, development server). */
export const buildOfThisPage = (): string => document.querySelector('meta[name="build"]')?.getAttribute('content') ?? '';
