module Shop
  Line = Struct.new(:price) do
    def cost
      Shop.rounded(price)
    end
  end

  class Order
    include Comparable

    def label = 'order'

    def total
      first_line.cost
    end

    define_method(:first_line) { Line.new(1) }
  end

  def self.rounded(value)
    value
  end
end
