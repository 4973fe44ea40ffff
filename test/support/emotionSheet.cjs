/**
 * Styles stay out of jsdom. Every role and name that a test asks for reads computed styles, and jsdom matches each element against
 * every rule of the page for that: with the rules of MUI a test of a form took minutes instead of seconds. What is hidden by an attribute
 * or an inline style is still hidden; what a rule looks like is shown in a real browser (test/e2e).
 */
class StyleSheet {
  constructor(options) {
    this.isSpeedy = true;
    this.tags = [];
    this.ctr = 0;
    this.nonce = options.nonce;
    this.key = options.key;
    this.container = options.container;
    this.before = null;
  }
  hydrate() {}
  insert() {}
  flush() {}
}
exports.StyleSheet = StyleSheet;
