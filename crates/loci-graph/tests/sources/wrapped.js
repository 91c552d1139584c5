(function (root, factory) {
  if (typeof define === 'function') define([], factory);
  else root.Shop = factory();
}(this, function () {
  function total(items) { return add(items); }
  var Cart = function Cart(items) { this.items = items; };
  Cart.prototype = {
    sum: function () { return total(this.items); },
    clear() { this.items = []; },
  };
  Object.assign(Cart.prototype, { copy() { return new Cart(this.items); } });
  return { Cart: Cart, total };
}));
exports.Box = class { open() { return 1; } };
let Lid;
Lid = class { close() {} };
read = function shell_read(file) { return shell_read(file); };
const command = register({ handler: async function showHandler(args) { return show(args); } });
var self = module.exports = { start: function () {}, stop() {} };
