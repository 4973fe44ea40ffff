/**
 * The script of the page that challenges a visitor, for browsers of the last ten years. It has SHA-256 of its own, because browsers offer theirs over https only, and
 * one call for each number would be slower. It works in steps, so that the page stays responsive.
 */
export const challengeScript = `(function () {
  'use strict';
  var form = document.getElementById('challenge');
  var task = form.elements.task.value;
  var bits = Number(form.getAttribute('data-bits'));
  var K = [];
  var H = [];
  (function () {
    function fraction(x) { return ((x - Math.floor(x)) * 4294967296) | 0; }
    for (var n = 2; K.length < 64; n += 1) {
      var prime = true;
      for (var d = 2; d * d <= n; d += 1) if (n % d === 0) { prime = false; break; }
      if (!prime) continue;
      if (H.length < 8) H.push(fraction(Math.pow(n, 1 / 2)));
      K.push(fraction(Math.pow(n, 1 / 3)));
    }
  })();
  var w = new Int32Array(64);
  function firstWord(text) {
    var length = text.length;
    var blocks = ((length + 8) >> 6) + 1;
    var h0 = H[0], h1 = H[1], h2 = H[2], h3 = H[3], h4 = H[4], h5 = H[5], h6 = H[6], h7 = H[7];
    for (var block = 0; block < blocks; block += 1) {
      for (var i = 0; i < 16; i += 1) {
        var word = 0;
        for (var j = 0; j < 4; j += 1) {
          var at = block * 64 + i * 4 + j;
          word = (word << 8) | (at < length ? text.charCodeAt(at) : at === length ? 128 : 0);
        }
        w[i] = word;
      }
      if (block === blocks - 1) w[15] = length * 8;
      for (i = 16; i < 64; i += 1) {
        var x = w[i - 15], y = w[i - 2];
        var s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
        var s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
        w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
      }
      var a = h0, b = h1, c = h2, d = h3, e = h4, f = h5, g = h6, h = h7;
      for (i = 0; i < 64; i += 1) {
        var t1 = (h + (((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
        var t2 = ((((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        h = g; g = f; f = e; e = (d + t1) | 0; d = c; c = b; b = a; a = (t1 + t2) | 0;
      }
      h0 = (h0 + a) | 0; h1 = (h1 + b) | 0; h2 = (h2 + c) | 0; h3 = (h3 + d) | 0;
      h4 = (h4 + e) | 0; h5 = (h5 + f) | 0; h6 = (h6 + g) | 0; h7 = (h7 + h) | 0;
    }
    return h0;
  }
  var number = 0;
  (function step() {
    for (var end = number + 2000; number < end; number += 1) {
      if (firstWord(task + '.' + number) >>> (32 - bits) === 0) {
        form.elements.number.value = String(number);
        form.elements.back.value = location.pathname + location.search;
        form.submit();
        return;
      }
    }
    setTimeout(step, 0);
  })();
})();
`;
