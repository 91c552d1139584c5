require "json"
require_relative "a/b"
# Doc. More.
class Shop::Cart < Base::X
  include Enumerable
  MAX = 3
  attr_accessor :client, :size
  def initialize(client, n = 1)
    @client = Client.new(client)
    super
  end
  def total?(x, &blk)
    it = find(x)
    it.go
    helper
    @client.get.send(MAX)
    items.each { |i| i.z(handler) }
    Foo::Bar.new(x).build
  end
  def self.make; new; end
  define_method(:dyn) { foo }
end
module M; def m; end; end
