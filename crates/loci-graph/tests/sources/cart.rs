use std::{fmt::{self, Debug as D}, io::*};
use crate::a::B;
pub use self::c::d;
/// A cart.
///
/// More.
#[derive(Debug, serde::Serialize)]
pub struct Cart<T> { pub items: Vec<Item<T>>, client: Client }
pub enum E { A(Foo), B { x: u8 } }
trait Shop: Base + a::Other { const X: u8; fn get(&self) -> Item; fn def(&self) { self.get(); } }
impl<T> Shop for Cart<T> where T: Debug {
    fn get(&self) -> Item { let x: Foo = make(); x.run(); self.client.send(&x)?; Item { a: 1 } }
}
impl Later { pub fn new(a: u8) -> Self { let s = Session::open(a)?; s.go(); helper(Self::b, handler); vec![foo(s.bar(1))] } }
struct Later;
mod inner { pub(crate) fn f() { super::g(); crate::a::h::<u8>(); } }
macro_rules! my { ($x:expr) => { $x.foo() } }
cfg_if! { if #[cfg(x)] { pub fn hidden(a: u8) {} } }
const MAX: usize = 3;
#[cfg(test)]
mod tests { use super::*; #[test] fn works() { assert_eq!(f(1), Cart::new()); let c = |q| q.z(MAX); if let Some(v) = c { v.k() } } }
