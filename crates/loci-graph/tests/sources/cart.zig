const std = @import("std");
const Foo = @import("foo.zig").Foo;
/// Doc.
pub const Cart = struct {
    items: []Item,
    pub fn total(self: *Cart, x: u32) !Item { const it = find(x); it.go(); self.client.send(x); return Foo.init(x); }
};
const E = enum { a, b };
fn top() void {}
test "works" { try std.testing.expect(top() == 1); }
