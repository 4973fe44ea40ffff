/** Requests every collector to report its state at once (`collector_states`). */
export const markChannel = 'collect_mark';
