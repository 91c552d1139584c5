import React, { useState as us, type Foo } from "react";
import * as ns from './ns';
import './side';
export * from './all';
export { a as b, c } from './m';
const fs = require('fs'), { join, resolve: r } = require('path');

/** The box. More. */
@Component({x: 1})
export class Box<T> extends ns.Base implements IFoo, Bar<T> {
  #secret = 1;
  private session: Session = new Session();
  constructor(private readonly http: HttpClient, x = 3) { super(x); this.y = new Yes(x); }
  get size(): number { return this.session.size(); }
  #hidden() { this.#secret; }
  handle = async (e: Event) => { this.http.get(e.x); go(); };
}
interface IFoo extends Other { a: string; m(x: Foo): void }
type U = Foo | ns.Bar;
enum Color { Red, Green = 2 }
const useThing = (p: Props) => { const [s, set] = us(0); set(1); items.map(i => i.foo(s)); return <Box a={handler}><div/></Box>; };
export default function App({ a, b }: P) { const local = () => a(); local(); new Map(); return useThing(a); }
const obj = { run() { }, go: function () { foo(); }, x: 1 };
exports.x = function named() { };
Foo.prototype.bar = function (q) { q.z(); };
defineGetter(req, 'protocol', function protocol() { return trust(this); });
const Memo = memo(() => <App />);
describe("suite", () => { it("works", async () => { expect(App()).toBe(1); }); });
export { obj as o };
module.exports = Foo;
const x = a?.b?.c(1);
