// Style files have no meaning without a layout.
module.exports = {};
