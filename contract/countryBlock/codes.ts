/** Codes that ISO 3166-1 does not have. In a file of their own, so that whoever names a code loads no list of countries. */

/** Stands for an address whose country is not known. */
export const unknownCountry = 'XX';

/** Code of the exits of the Tor network, from the list that the operator configures. A rule without this code treats an exit like any other address of its country. */
export const torExits = 'T1';
