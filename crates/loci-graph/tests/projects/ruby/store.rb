require_relative 'order'

module Shop
  module Logging
    def log(text)
      puts text
    end
  end

  class BaseStore
    include Logging

    attr_reader :name

    def initialize(name)
      @name = name
    end

    def close
      log('closed')
    end
  end

  class OrderStore < BaseStore
    def self.open_for(name)
      new(name)
    end

    def save(item)
      log(item.label)
      close
      true
    end

    def close
      super
      tidy
    end

    private

    def tidy; end
  end
end
