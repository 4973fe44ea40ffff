/** How long a notice offers to undo what it reports, ms. */
export const undoOfferMs = 10_000;
