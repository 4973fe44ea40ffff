/** The build that this page was made from; '' where it is not known (tests, development server). */
export const buildOfThisPage = (): string => document.querySelector('meta[name="build"]')?.getAttribute('content') ?? '';
