/** Asks every collector to say at once how far it is (`collector_states`). */
export const markChannel = 'collect_mark';
