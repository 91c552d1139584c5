'use strict'
var fs = require('fs');
const { join, resolve: r } = require('path');
/** The application. */
var app = exports = module.exports = {};
app.init = function init() { this.cache = new Cache(); helper(app); };
app[method] = function (path) { return this._router.route(path); };
exports.join = join;
exports.create = function () { return app; };
function View(name, options) { this.name = name; this.lookup(fs.readFileSync); }
View.prototype.render = function render(options, fn) { fn(null, this.name); };
Object.defineProperty(app, 'router', { configurable: true, get: function getrouter() { return build(); } });
req.__defineGetter__('secure', function () { return this.protocol; });
class Store extends EventEmitter { static #count = 0; async *items() { yield* this.#load(); } #load() {} }
this.on('mount', function onmount(parent) { setup(parent); });
module.exports.View = View;
View.prototype.close = (function (that) { return function (code) { that.shut(code); }; })(this);
