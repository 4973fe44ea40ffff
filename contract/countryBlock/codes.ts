/** Country codes beyond ISO 3166-1. They have their own file so that code which needs only these does not load the list of countries. */

/** An address whose country is unknown. */
export const unknownCountry = 'XX';

/** Exit nodes of the Tor network, from the list that the operator configures. A rule without this code treats an exit node like any other address in its country. */
export const torExits = 'T1';
